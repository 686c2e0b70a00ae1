"""Reduced-set RLS: the function is spanned by a few basis vectors, all examples count."""

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from learners._basis_kernel import BasisKernel
from learners._reduced_set import independent_basis
from learners._shortcuts import HoldOutShortcuts
from learners._sparse_spectral import decompose_sparse, sparse_hold_out_each
from learners._validation import (
    Kernel,
    check_positive_weights,
    check_regparam,
    check_regparams,
    check_targets,
)


class SparseRLS(BasisKernel, HoldOutShortcuts, MultiOutputMixin, RegressorMixin, BaseEstimator):
    """RLS whose function is a combination of r basis vectors (subset of regressors).

    Minimises, over the coefficients a of the basis vectors R, a subset of the training examples M,

        sum_i s_i (y_i - (K_MR a)_i)^2 + regparam a^T K_RR a

    with example weights s_i (1 unless given) and no intercept. This is RLS with the Nystrom kernel
    K_MR K_RR^-1 K_RM [thesis, eq. 2.8]; with every example in R it is RLS itself. Costs O(m r^2 + r^3) time
    and O(m r) memory. If K_RR is singular, an independent part of the basis spans the same functions and is
    used instead; see ``kept_``.

    The hold-out shortcuts leave out examples together with their basis vectors: a basis vector of the
    hold-out would have seen the test data.

    Parameters
    ----------
    regparam : float, default=1.0
        The regularizer's weight, positive.
    kernel : "linear", "precomputed" or callable, default="linear"
        With "precomputed", ``fit`` takes the n_samples x n_samples matrix, or, when ``basis`` is given, just
        its columns for the basis vectors in that order; ``predict`` takes the same columns.
    n_basis : int, default=1000
        How many basis vectors to draw at random without replacement; all examples if there are fewer.
    basis : array of int, optional
        Indices of the training examples to use as basis vectors, instead of drawing them.
    rank_tol : float, optional
        Basis vectors whose squared distance to the span of the others is at most this part of the greatest
        k(x, x) count as dependent; r times the float64 epsilon if not given.
    random_state : int, RandomState or None
        For drawing the basis.

    Attributes
    ----------
    basis_ : ndarray of shape (r,)
        Indices of the basis vectors among the training examples.
    kept_ : ndarray of shape (p,)
        Indices of the linearly independent ones: all of ``basis_`` unless K_RR is singular.
    dual_coef_ : ndarray of shape (r,) or (r, n_outputs)
        Coefficients of ``basis_``; 0 for dependent ones.
    coef_ : ndarray of shape (n_features,) or (n_outputs, n_features)
        Weights of the features; linear kernel only.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from learners import RLS, SparseRLS
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    >>> sparse = SparseRLS(kernel="linear", basis=[0, 1, 2, 3]).fit(X, y)
    >>> sparse.basis_.size, sparse.kept_.size  # four vectors span three dimensions
    (4, 3)
    >>> bool(np.allclose(sparse.predict(X), RLS().fit(X, y).predict(X)))
    True
    """

    def __init__(
        self,
        regparam: float = 1.0,
        *,
        kernel: Kernel = "linear",
        n_basis: int = 1000,
        basis: Any = None,
        rank_tol: float | None = None,
        random_state: Any = None,
    ):
        self.regparam = regparam
        self.kernel = kernel
        self.n_basis = n_basis
        self.basis = basis
        self.rank_tol = rank_tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the basis, decompose and solve for ``regparam``; everything is computed in float64."""
        regparam = check_regparam(self.regparam)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, multi_output=True, y_numeric=True)
        targets, self._single_output = check_targets(y, X.shape[0])
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        K_MR = self._training_kernel(X)
        tolerance = self._rank_tolerance()
        independent = independent_basis(K_MR[self.basis_], tolerance)
        self._kept_positions = independent.kept
        self.kept_ = self.basis_[independent.kept]
        self._spectral = decompose_sparse(
            K_MR, self.basis_, independent, targets, np.sqrt(weights), dependence_tol=np.sqrt(tolerance)
        )
        self.dual_coef_ = self.coefficient_path(regparam)[0]
        if self._is("linear"):
            self.coef_ = np.asarray(safe_sparse_dot(X[self.basis_].T, self.dual_coef_, dense_output=True)).T
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Values of f, shape (n_samples,) or (n_samples, n_outputs)."""
        X = self._validate_new(X)
        if self._is("linear"):
            return np.asarray(safe_sparse_dot(X, self.coef_.T, dense_output=True))
        return self._basis_kernel(X, self._X_basis) @ self.dual_coef_

    def predict_path(self, X: Any, regparams: float | Iterable[float]) -> np.ndarray:
        """Predictions for each of ``regparams`` from the one decomposition, regparams first."""
        K = self._basis_kernel(self._validate_new(X), self._X_basis)
        return np.stack([K @ solution for solution in self.coefficient_path(regparams)])

    def coefficient_path(self, regparams: float | Iterable[float]) -> np.ndarray:
        """Coefficients of ``basis_`` for each of ``regparams``, (n_regparams, r[, n_outputs]): O(r^2) each."""
        check_is_fitted(self, "basis_")
        kept = self._spectral.coefficients(check_regparams(regparams))
        solutions = np.zeros((len(kept), len(self.basis_), kept.shape[2]))
        solutions[:, self._kept_positions] = kept
        return solutions[:, :, 0] if self._single_output else solutions

    def _validate_new(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)

    def _n_training_examples(self) -> int:
        check_is_fitted(self)
        return len(self._spectral.rows)

    def _hold_out_each(self, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        check_positive_weights(self._spectral.weight_roots)
        return sparse_hold_out_each(self._spectral, holdouts, regparams)

    def __sklearn_tags__(self):
        """Sparse X is welcome; a precomputed kernel is subset on both axes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._is("precomputed")
        return tags
