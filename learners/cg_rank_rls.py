"""Linear RankRLS for large sparse data, by conjugate gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator

from learners._conjugate_gradient import Iterate, conjugate_gradient
from learners._iterative_ranker import IterativeRanker, Product
from learners._ranker import LinearRankerMixin


class CGRankRLS(LinearRankerMixin, IterativeRanker, BaseEstimator):
    r"""Linear RankRLS by conjugate gradients: O(t m s) for t iterations and s non-zeros per example.

    From scores it minimises, each ordered pair of the examples of a query once,

        sum_Q 1 / (2 |Q|) sum_{i,j in Q} (y_i - y_j - (x_i - x_j)^T w)^2 + regparam ||w||^2   [Airola2010_, eq. 3]

    which is what ``RankRLS(regparam)`` minimises, and from preferences

        sum_{(i, j) in E} (z_ij - (x_i - x_j)^T w)^2 + regparam ||w||^2,                      [eq. 9]

    where z is the magnitude, or 1.  X is never centered, and X^T L X never formed: an iteration is one product
    with X, one with X^T and O(m + n + preferences) besides.  Three ways to regularize [Airola2010_, sec. 3]:

    - Tikhonov: ``regparam`` > 0, iterations until the residual is below ``tol``;
    - by iteration: ``regparam=None, early_stopping=True``, the iterate with the lowest disagreement error on
      validation queries is kept, and ``patience`` iterations without improvement end the search;
    - hybrid: ``regparam`` > 0 and ``early_stopping=True``.

    Parameters
    ----------
    regparam : float or None, default=1.0
        The regularizer's weight, positive; None for regularization by iteration alone.
    early_stopping : bool, default=False
        Keep the iterate that ranks validation queries best.
    validation_fraction : float, default=0.2
        The part of the queries (of the examples, in a global ranking) set aside for early stopping when ``fit``
        gets no ``validation``.
    patience : int, default=10
        Iterations without improvement on the validation queries before stopping.
    tol : float, default=1e-6
        The relative residual |b - A w| / |b| at which the iterations have converged.
    max_iter : int, default=1000
        The most iterations there may be.
    on_limit : "warn" or "raise", default="warn"
        What happens when they were not enough: the best of them is kept, with a
        :class:`~learners.errors.NotConvergedWarning`, or :class:`~learners.errors.NotConvergedError` is raised.
    random_state : int, RandomState or None
        For drawing the validation queries.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    n_iter_ : int
        Iterations done.
    best_iter_ : int
        The iteration whose solution was kept; ``n_iter_`` without early stopping.
    residuals_ : list of float
        The relative residual after each iteration.
    validation_errors_ : list of float
        The disagreement error after each iteration; empty without early stopping.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from learners.cg_rank_rls import CGRankRLS
    >>> X = np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 1.0], [3.0, 0.0]])
    >>> model = CGRankRLS(regparam=1.0).fit(X, [1.0, 2.0, 0.0, 3.0], qid=[1, 1, 2, 2])
    >>> model.coef_.round(3).tolist(), model.n_iter_
    ([0.818, -0.091], 2)

    References
    ----------
    .. [Airola2010] A. Airola, T. Pahikkala, T. Salakoski. Large scale training methods for linear RankRLS.
       ECML/PKDD workshop on preference learning, 2010.
    """

    def __init__(
        self,
        regparam: float | None = 1.0,
        *,
        early_stopping: bool = False,
        validation_fraction: float = 0.2,
        patience: int = 10,
        tol: float = 1e-6,
        max_iter: int = 1000,
        on_limit: Literal["warn", "raise"] = "warn",
        random_state: Any = None,
    ):
        self.regparam = regparam
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.tol = tol
        self.max_iter = max_iter
        self.on_limit = on_limit
        self.random_state = random_state

    def _system(self, X: Any, laplacian: Product, right: np.ndarray, regparam: float) -> _NormalEquations:
        return _NormalEquations(X, laplacian, right, regparam)

    def _store_solution(self, solution: np.ndarray) -> None:
        self.coef_ = solution


class _NormalEquations:
    """(X^T L X + regparam I) w = X^T L y [Airola2010, eq. 8]."""

    def __init__(self, X: Any, laplacian: Product, right: np.ndarray, regparam: float):
        self._X, self._laplacian, self._right, self._regparam = X, laplacian, right, regparam

    @property
    def n_coefficients(self) -> int:
        return int(self._X.shape[1])

    def iterates(self) -> Iterator[Iterate]:
        transposed = self._X.T

        def product(v: np.ndarray) -> np.ndarray:
            image: np.ndarray = transposed @ self._laplacian(self._X @ v)
            if self._regparam:
                image += self._regparam * v
            return image

        return conjugate_gradient(product, np.asarray(transposed @ self._right))

    def predictor(self, X: Any) -> Product:
        return lambda w: np.asarray(X @ w)
