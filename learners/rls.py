"""Regularized least-squares, with its exact cross-validation shortcuts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from learners import _holdout
from learners._shortcuts import HoldOutShortcuts
from learners._spectral import SpectralForm, apply_filtered, decompose_dual, decompose_primal
from learners._validation import (
    Kernel,
    check_pairs,
    check_positive_weights,
    check_regparam,
    check_regparams,
    check_targets,
    compute_kernel,
)
from learners.errors import KernelError


@dataclass(frozen=True)
class _Problem:
    form: Literal["primal", "dual"]
    X: Any
    matrix: Any
    targets: np.ndarray
    weight_roots: np.ndarray
    single_output: bool


class RLS(HoldOutShortcuts, MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Regularized least-squares regression (kernel ridge without an intercept).

    Minimises, over the functions f of the kernel's space,

        sum_i s_i (y_i - f(x_i))^2 + regparam ||f||^2                            [thesis, eq. 2.12]

    with example weights s_i (1 unless given). There is no intercept: centre the targets, or add a constant
    feature (or 1 to the kernel), if the data ask for one. Several outputs are independent problems that
    share one decomposition.

    ``fit`` decomposes once, O(m^3) in the dual form and O(m n^2 + n^3) in the primal one. Whatever is asked
    afterwards for other values of regparam, or without some of the examples, is read off that decomposition.
    Hold-out predictions equal refitting up to rounding errors of about 1e-16 times the ratio of the greatest
    eigenvalue to regparam, which matters for a singular kernel and a tiny regparam only.

    Parameters
    ----------
    regparam : float, default=1.0
        The regularizer's weight, positive.
    kernel : "linear", "precomputed" or callable, default="linear"
        A callable maps ``(X, Y)`` to the matrix of k(x_i, y_j). With "precomputed", ``fit`` takes the
        n_samples x n_samples matrix and ``predict`` the matrix of new against training examples.
    form : "auto", "primal" or "dual", default="auto"
        Which problem is decomposed. "auto" is primal for the linear kernel with fewer features than
        examples, dual otherwise. The primal form needs the linear kernel.

    Attributes
    ----------
    form_ : "primal" or "dual"
    coef_ : ndarray of shape (n_features,) or (n_outputs, n_features)
        Weights of the features; linear kernel only.
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        Coefficients of the training examples, f(x) = sum_i dual_coef_i k(x_i, x); dual form only.
    eigenvalues_ : ndarray
        Of the (weighted) kernel or scatter matrix, ascending.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from learners import RLS
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([1.0, 2.0, 4.0])
    >>> model = RLS(regparam=1.0).fit(X, y)
    >>> model.predict([[2.0]])
    array([2.26666667])
    >>> model.leave_one_out()  # the last: (1 * 1 + 2 * 2) / (1 + 4 + 1) * 3
    array([1.14285714, 2.36363636, 2.5       ])
    >>> model.leave_one_out(regparams=[0.1, 1.0, 10.0]).shape
    (3, 3)

    References
    ----------
    Rifkin, Lippert: Notes on regularized least squares, 2007. Pahikkala, Boberg, Salakoski: Fast n-fold
    cross-validation for regularized least-squares, 2006.
    """

    def __init__(
        self,
        regparam: float = 1.0,
        *,
        kernel: Kernel = "linear",
        form: Literal["auto", "primal", "dual"] = "auto",
    ):
        self.regparam = regparam
        self.kernel = kernel
        self.form = form

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Decompose and solve for ``regparam``; everything is computed in float64."""
        regparam = check_regparam(self.regparam)
        problem = self._prepare(X, y, sample_weight)
        self._single_output = problem.single_output
        self.form_ = problem.form
        decompose = decompose_primal if self.form_ == "primal" else decompose_dual
        self._spectral = decompose(problem.matrix, problem.targets, problem.weight_roots)
        self.eigenvalues_ = self._spectral.eigenvalues
        self._X_fit = None if self.form_ == "primal" or self._is_precomputed() else problem.X
        self._set_coefficients(problem.X, regparam)
        return self

    def _prepare(self, X: Any, y: Any, sample_weight: Any) -> "_Problem":
        """The validated data with the matrix that is to be decomposed: X (primal) or K (dual)."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, multi_output=True, y_numeric=True)
        targets, single_output = check_targets(y, X.shape[0])
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        form = self._choose_form(X)
        matrix = X if form == "primal" else compute_kernel(self.kernel, X)
        return _Problem(form, X, matrix, targets, np.sqrt(weights), single_output)

    def predict(self, X: Any) -> np.ndarray:
        """Values of f, shape (n_samples,) or (n_samples, n_outputs)."""
        X = self._validate_new(X)
        if self._is_linear():
            return np.asarray(safe_sparse_dot(X, self.coef_.T, dense_output=True))
        return compute_kernel(self.kernel, X, self._training_rows()) @ self.dual_coef_

    def predict_path(self, X: Any, regparams: float | Iterable[float]) -> np.ndarray:
        """Predictions for each of ``regparams`` from the one decomposition, regparams first."""
        X = self._validate_new(X)
        solutions = self.coefficient_path(regparams)
        if self.form_ == "dual":
            X = compute_kernel(self.kernel, X, self._training_rows())
        return np.stack([np.asarray(safe_sparse_dot(X, solution)) for solution in solutions])

    def coefficient_path(self, regparams: float | Iterable[float]) -> np.ndarray:
        """Coefficients for each of ``regparams``: O(n^2) (primal) or O(m^2) (dual) each.

        Shape (n_regparams, n_features[, n_outputs]) in the primal form, (n_regparams, n_samples[, n_outputs])
        in the dual one.
        """
        check_is_fitted(self)
        solutions = _coefficients(self._spectral, check_regparams(regparams))
        return solutions[:, :, 0] if self._single_output else solutions

    def _set_coefficients(self, X: Any, regparam: float) -> None:
        solution = self.coefficient_path(regparam)[0]
        if self.form_ == "primal":
            self.coef_ = solution.T
            return
        self.dual_coef_ = solution
        if self._is_linear():
            self.coef_ = np.asarray(safe_sparse_dot(X.T, solution, dense_output=True)).T

    def _choose_form(self, X: Any) -> Literal["primal", "dual"]:
        if self.form not in ("auto", "primal", "dual"):
            raise KernelError(f"form must be 'auto', 'primal' or 'dual', got {self.form!r}")
        linear = self._is_linear()
        if self.form == "primal" and not linear:
            raise KernelError(f"form='primal' needs kernel='linear', got kernel={self.kernel!r}; try form='dual'")
        if self.form == "auto":
            return "primal" if linear and X.shape[1] < X.shape[0] else "dual"
        return self.form

    def _is_linear(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "linear"

    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _training_rows(self) -> Any:
        # compute_kernel only reads the number of training rows when the kernel is precomputed.
        return np.empty((len(self._spectral.rows), 0)) if self._X_fit is None else self._X_fit

    def _validate_new(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)

    def _n_training_examples(self) -> int:
        check_is_fitted(self)
        return len(self._spectral.rows)

    def _hold_out_one(self, regparams: np.ndarray) -> np.ndarray:
        check_positive_weights(self._spectral.weight_roots)
        return _holdout.leave_one_out(self._spectral, regparams)

    def _hold_out_each(self, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        check_positive_weights(self._spectral.weight_roots)
        return _holdout.hold_out_each(self._spectral, holdouts, regparams)

    def leave_pair_out(self, pairs: Any = None, regparams: float | Iterable[float] | None = None) -> np.ndarray:
        """Predictions for both examples of each pair by the model trained without the two.

        Parameters
        ----------
        pairs : array of shape (n_pairs, 2), optional
            Example indices; all m (m - 1) / 2 pairs, ordered as ``np.triu_indices(m, 1)``, if not given.
        regparams : float or sequence of float, optional

        Returns
        -------
        ndarray of shape ([n_regparams,] n_pairs, 2[, n_outputs])
        """
        values = self._check_shortcut_regparams(regparams)
        m = self._n_training_examples()
        check_positive_weights(self._spectral.weight_roots)
        if pairs is None:
            predictions = _holdout.leave_each_pair_out(self._spectral, values)
        else:
            first, second = check_pairs(pairs, m)
            predictions = _holdout.leave_pair_out(self._spectral, first, second, values)
        return self._shape_like_call(predictions, regparams)

    def __sklearn_tags__(self):
        """Sparse X is welcome; a precomputed kernel is subset on both axes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._is_precomputed()
        return tags


def _coefficients(spectral: SpectralForm, regparams: np.ndarray) -> np.ndarray:
    """Weights of the features (primal) or of the examples (dual), (n_regparams, n or m, k)."""
    filters = spectral.filters(regparams)
    if spectral.eigenvectors is not None:
        return apply_filtered(spectral.eigenvectors, filters, spectral.spectral_targets())
    # f = sum_i a_i k(x_i, .) with a = S^1/2 (K~ + regparam I)^-1 Y~.
    return spectral.residuals(filters) * spectral.weight_roots[:, np.newaxis]
