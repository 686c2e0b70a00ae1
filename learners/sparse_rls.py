"""Reduced-set RLS: the function is spanned by a few basis vectors, all examples count."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from learners._kernel import Kernel
from learners._kernel_learner import ReducedKernelLearner
from learners._least_squares import WeightedLeastSquares
from learners.decomposition import SparseRLSDecomposition


class SparseRLS(ReducedKernelLearner, WeightedLeastSquares, BaseEstimator):
    """RLS whose function is a combination of r basis vectors (subset of regressors).

    Minimises, over the intercept b and the coefficients a of the basis vectors R,

        sum_i s_i (y_i - (K_MR a)_i - b)^2 + regparam a^T K_RR a

    with example weights s_i (1 unless given). R is a subset of the training examples M, or any other rows. This is
    RLS with the Nystrom kernel K_MR K_RR^-1 K_RM [thesis, eq. 2.8]; with every example in R it is RLS itself. Costs
    O(m r^2 + r^3) time and O(m r) memory. If K_RR is singular, an independent part of the basis spans the same
    functions and is used instead; see ``kept_``.

    The hold-out shortcuts leave out examples together with their basis vectors: a basis vector of the
    hold-out would have seen the test data. Basis vectors given as rows stay, whatever is held out: they are taken for
    chosen without the training examples, as centres of another sample are. If they were made from these, hold-out
    estimates are too good.

    Parameters
    ----------
    regparam : float, default=1.0
        The regularizer's weight, positive.
    fit_intercept : bool, default=True
        Whether there is a b, which is not penalised.
    kernel : str or callable, default="linear"
        "linear", the name of one of scikit-learn's pairwise kernels ("rbf", "poly", ...), or a callable that maps
        ``(X, Y)`` to the matrix of k(x_i, y_j).
        With "precomputed", ``fit`` takes the n_samples x n_samples matrix, or, when ``basis`` is given, just
        its columns for the basis vectors in that order; ``predict`` takes the same columns.
    gamma, degree, coef0 : float
        Parameters of the kernels that have names, those of ``sklearn.kernel_ridge.KernelRidge``; gamma is
        1 / n_features unless given.
    n_basis : int, default=1000
        How many basis vectors to draw at random without replacement; all examples if there are fewer.
    basis : array of int, or array or sparse matrix of shape (r, n_features), optional
        Indices of the training examples to use as basis vectors, instead of drawing them, or the vectors themselves.
    rank_tol : float, optional
        Basis vectors whose squared distance to the span of the others is at most this part of the greatest
        k(x, x) count as dependent; r times the float64 epsilon if not given.
    random_state : int, RandomState or None
        For drawing the basis.

    Attributes
    ----------
    basis_ : ndarray of shape (r,), or (r, n_features)
        Indices of the basis vectors among the training examples, or the vectors, if ``basis`` has them.
    kept_ : ndarray of shape (p,)
        The linearly independent ones: all of ``basis_`` unless K_RR is singular. Indices of training examples, or of
        rows of ``basis_``.
    dual_coef_ : ndarray of shape (r,) or (r, n_outputs)
        Coefficients of ``basis_``; 0 for dependent ones.
    intercept_ : float or ndarray of shape (n_outputs,)
        b; 0 without ``fit_intercept``.
    coef_ : ndarray of shape (n_features,) or (n_outputs, n_features)
        Weights of the features; linear kernel only.
    decomposition_ : SparseRLSDecomposition
        From which the path and the shortcuts are read.
    regparam_ : float
        That of ``fit``: the shortcuts use it unless given another.
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
        fit_intercept: bool = True,
        kernel: Kernel = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        n_basis: int = 1000,
        basis: Any = None,
        rank_tol: float | None = None,
        random_state: Any = None,
    ):
        self.regparam = regparam
        self.fit_intercept = fit_intercept
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_basis = n_basis
        self.basis = basis
        self.rank_tol = rank_tol
        self.random_state = random_state

    def _problem(
        self, X: Any, targets: np.ndarray, weight_roots: np.ndarray, single_output: bool
    ) -> SparseRLSDecomposition:
        K_MR, reduced = self._reduce(X)
        return SparseRLSDecomposition(
            K_MR, reduced, targets, weight_roots, single_output=single_output, fit_intercept=bool(self.fit_intercept)
        )
