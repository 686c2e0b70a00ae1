"""Reduced-set RankRLS: the ranking function is spanned by a few basis vectors, all examples count."""

from __future__ import annotations

from typing import Any, Literal

from sklearn.base import BaseEstimator

from learners._kernel import Kernel
from learners._kernel_learner import ReducedKernelLearner
from learners._pairwise_cost import PairwiseCost
from learners._pairwise_least_squares import PairwiseLeastSquares
from learners.rank_decomposition import SparseRankRLSDecomposition


class SparseRankRLS(ReducedKernelLearner, PairwiseLeastSquares, BaseEstimator):
    r"""RankRLS whose function is a combination of r basis vectors.

    Minimises, over the coefficients a of the basis vectors R, a subset of the training examples M or any other rows,

        cost(K_MR a) + regparam a^T K_RR a                      [Tsivtsivadze2008_, eq. 8; Pahikkala2009_, eq. 41]

    with the pairwise cost of :class:`~learners.rank_rls.RankRLS`, which it equals with every example in R.
    O(m r^2 + r^3) time and O(m r) memory.  If K_RR is singular, an independent part of the basis spans the same
    functions and is used instead; see ``kept_``.

    Parameters
    ----------
    regparam, kernel, gamma, degree, coef0, n_basis, basis, rank_tol, random_state
        As in :class:`~learners.sparse_rls.SparseRLS`.
    cost, ties, normalize
        As in :class:`~learners.rank_rls.RankRLS`.

    Attributes
    ----------
    basis_, kept_, dual_coef_, coef_, regparam_, n_features_in_
        As in :class:`~learners.sparse_rls.SparseRLS`.
    decomposition_ : SparseRankRLSDecomposition
        From which the path and leave-query-out are read.

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
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
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
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_basis = n_basis
        self.basis = basis
        self.cost = cost
        self.ties = ties
        self.normalize = normalize
        self.rank_tol = rank_tol
        self.random_state = random_state

    def _problem(self, X: Any, costs: list[PairwiseCost], single_output: bool) -> SparseRankRLSDecomposition:
        K_MR, reduced = self._reduce(X)
        return SparseRankRLSDecomposition(K_MR, reduced, costs, single_output=single_output)
