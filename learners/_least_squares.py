"""``fit`` of regularized least-squares over weighted examples, whatever spans the function."""

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, validate_data

from learners._shortcuts import HoldOutShortcuts
from learners._validation import check_regparam, check_targets
from learners.decomposition import Decomposition


class WeightedLeastSquares(HoldOutShortcuts, MultiOutputMixin, RegressorMixin):
    """A regressor by the problem that ``_problem`` makes of validated data."""

    regparam: float
    fit_intercept: bool

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Decompose and solve for ``regparam``; everything is computed in float64.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features), or the kernel matrix if "precomputed"
        y : array of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array of shape (n_samples,), optional
            The weights s_i, at least 0.

        Raises
        ------
        LearnerError
            If a parameter or the data cannot be used.
        """
        self.regparam_ = check_regparam(self.regparam)
        self._set_coefficients(self._pose(X, y, sample_weight))
        return self

    def _pose(self, X: Any, y: Any, sample_weight: Any) -> Any:
        """Set ``decomposition_``, and give the validated X."""
        X, y = self._validate_training(X, y)
        self.decomposition_ = self._decompose(X, y, sample_weight)
        return X

    def intercept_path(self, regparams: float | Iterable[float]) -> np.ndarray:
        """Intercepts for each of ``regparams``, (n_regparams[, n_outputs]): go with those of ``coefficient_path``."""
        return self._solution_path(regparams)[1]

    def decompose(self, X: Any, y: Any, sample_weight: Any = None) -> Decomposition:
        """The problem that :meth:`fit` solves, not yet decomposed: for methods that need no solution of it."""
        return self._decompose(*self._validate_training(X, y), sample_weight)

    def _validate_training(self, X: Any, y: Any) -> tuple[Any, Any]:
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, multi_output=True, y_numeric=True)
        return X, y

    def _decompose(self, X: Any, y: Any, sample_weight: Any) -> Decomposition:
        targets, single_output = check_targets(y, X.shape[0])
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        return self._problem(X, targets, np.sqrt(weights), single_output)

    def _problem(self, X: Any, targets: np.ndarray, weight_roots: np.ndarray, single_output: bool) -> Decomposition:
        raise NotImplementedError

    def _set_coefficients(self, X: Any) -> None:
        raise NotImplementedError
