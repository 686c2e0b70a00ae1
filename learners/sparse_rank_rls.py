"""Reduced-set RankRLS: the ranking function is spanned by a few basis vectors, all examples count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.extmath import safe_sparse_dot

from learners._basis_kernel import BasisKernel
from learners._ranker import PairwiseInputs, RankerMixin, RegparamPath
from learners._reduced_set import independent_basis
from learners._sparse_rank_system import ReducedSet, SparseRankSystem
from learners._validation import Kernel, check_regparam


class SparseRankRLS(BasisKernel, PairwiseInputs, RegparamPath, RankerMixin, BaseEstimator):
    r"""RankRLS whose function is a combination of r basis vectors.

    Minimises, over the coefficients a of the basis vectors R, a subset of the training examples M,

        cost(K_MR a) + regparam a^T K_RR a                      [Tsivtsivadze2008_, eq. 8; Pahikkala2009_, eq. 41]

    with the pairwise cost of :class:`~learners.rank_rls.RankRLS`, which it equals with every example in R.
    O(m r^2 + r^3) time and O(m r) memory.  If K_RR is singular, an independent part of the basis spans the same
    functions and is used instead; see ``kept_``.

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
    cost, ties, normalize
        As in :class:`~learners.rank_rls.RankRLS`.
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
    >>> from learners.rank_rls import RankRLS
    >>> from learners.sparse_rank_rls import SparseRankRLS
    >>> rng = np.random.default_rng(0)
    >>> X, y, qid = rng.normal(size=(50, 3)), rng.normal(size=50), np.arange(50) // 5
    >>> sparse = SparseRankRLS(basis=[0, 1, 2, 3]).fit(X, y, qid=qid)
    >>> sparse.basis_.size, sparse.kept_.size  # four vectors span three dimensions
    (4, 3)
    >>> bool(np.allclose(sparse.predict(X), RankRLS().fit(X, y, qid=qid).predict(X)))
    True

    References
    ----------
    .. [Tsivtsivadze2008] E. Tsivtsivadze, T. Pahikkala, A. Airola, J. Boberg, T. Salakoski. A sparse regularized
       least-squares preference learning algorithm. SCAI 2008.
    .. [Pahikkala2009] T. Pahikkala, E. Tsivtsivadze, A. Airola, J. Jarvinen, J. Boberg. An efficient algorithm for
       learning to rank from preference graphs. Machine Learning 75(1), 2009.
    """

    def __init__(
        self,
        regparam: float = 1.0,
        *,
        kernel: Kernel = "linear",
        n_basis: int = 1000,
        basis: Any = None,
        cost: Literal["magnitude", "unit", "relative"] = "magnitude",
        ties: Literal["auto", "include", "exclude"] = "auto",
        normalize: Literal["size", "pairs"] | None = "size",
        rank_tol: float | None = None,
        random_state: Any = None,
    ):
        self.regparam = regparam
        self.kernel = kernel
        self.n_basis = n_basis
        self.basis = basis
        self.cost = cost
        self.ties = ties
        self.normalize = normalize
        self.rank_tol = rank_tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, qid: Any = None, preferences: Any = None) -> Self:
        """Learn from scores y, or from preferences, as :meth:`learners.rank_rls.RankRLS.fit` does."""
        regparam = check_regparam(self.regparam)
        X, y = self._validate_training(X, y, preferences)
        costs = self._pairwise_costs(X.shape[0], y, qid, preferences)
        K_MR = self._training_kernel(X)
        tolerance = self._rank_tolerance()
        independent = independent_basis(K_MR[self.basis_], tolerance)
        self._kept_positions = independent.kept
        self.kept_ = self.basis_[independent.kept]
        # A direction counts as lost at the square root of the tolerance of squared distances.
        reduced = ReducedSet(K_MR, self.basis_, independent, float(np.sqrt(tolerance)))
        self._systems = [SparseRankSystem(reduced, cost) for cost in costs]
        self.dual_coef_ = self.coefficient_path(regparam)[0]
        if self._is("linear"):
            self.coef_ = np.asarray(safe_sparse_dot(X[self.basis_].T, self.dual_coef_, dense_output=True)).T
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Scores, shape (n_samples,) or (n_samples, n_outputs); only their differences mean anything."""
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
        values = self._path_regparams(regparams)
        kept = np.concatenate([system.coefficients(values) for system in self._systems], axis=2)
        solutions = np.zeros((len(kept), len(self.basis_), kept.shape[2]))
        solutions[:, self._kept_positions] = kept
        return solutions[:, :, 0] if self._single_output else solutions

    def leave_query_out(self, regparams: float | Iterable[float] | None = None) -> np.ndarray:
        """Prediction of every training example by the model trained without its query.

        The query's basis vectors leave with it: they would have seen the test data.

        Returns
        -------
        ndarray of shape ([n_regparams,] n_samples[, n_outputs])
        """
        values = self._path_regparams(regparams)
        self._check_several_queries()
        predictions = np.concatenate([system.leave_query_out(values) for system in self._systems], axis=2)
        return self._path_shape(predictions, regparams)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is("precomputed")
        tags.target_tags.multi_output = True
        return tags
