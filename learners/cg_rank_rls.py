"""Linear RankRLS for large sparse data, by conjugate gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit
from sklearn.utils.validation import check_array, validate_data

from learners._conjugate_gradient import conjugate_gradient
from learners._pairwise_cost import Preferences, check_not_constant
from learners._queries import Queries
from learners._ranker import LinearRankerMixin
from learners._validation import (
    check_choice,
    check_only_preferences,
    check_positive,
    check_regparam,
    tell_not_converged,
)
from learners.errors import LearnerError, QueryError, RegParamError
from learners.metrics.ranking import disagreement_error

#: Told the number of an iteration and its solution; True ends the iterations there.
Callback = Callable[[int, np.ndarray], bool | None]


class _Scored(NamedTuple):
    """Examples with their scores and queries: those to train on, or those to stop by."""

    X: Any
    y: np.ndarray
    qid: Any


class CGRankRLS(LinearRankerMixin, BaseEstimator):
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

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        qid: Any = None,
        preferences: Any = None,
        validation: Any = None,
        callback: Callback | None = None,
    ) -> Self:
        """Learn from scores y, or from preferences.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            Scores, higher is better.  ``None`` with ``preferences``.
        qid : array of shape (n_samples,), optional
            The query of each example; only examples of one query are compared.  Without it, all are.
        preferences : array of shape (n_preferences, 2 or 3), optional
            Rows (i, j) or (i, j, magnitude): example i is preferred over example j.
        validation : tuple (X, y) or (X, y, qid), optional
            The data early stopping looks at, instead of a part of the training queries.
        callback : callable, optional
            Called after each iteration with its number and its solution, which the next iteration overwrites: to
            watch, or to end the iterations there by returning True, which is then no failure to converge.
        """
        regparam = self._check_options(validation)
        self._has_queries = qid is not None
        if preferences is not None:
            X = self._validate_with_preferences(X, y)
            graph = Preferences.from_edges(preferences, X.shape[0], cost="magnitude")
            incidence, transposed = graph.incidence, graph.incidence.T.tocsr()
            right = transposed @ graph.targets
            held_out = self._check_validation(validation) if self.early_stopping else None
            return self._solve(X, lambda v: transposed @ (incidence @ v), right, regparam, held_out, callback)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        y = y.astype(np.float64)
        training, held_out = _Scored(X, y, qid), None
        if self.early_stopping:
            training, held_out = self._set_aside(training, validation)
        queries = Queries.from_qid(training.qid, training.X.shape[0])
        check_not_constant(training.y[:, None], queries)
        right = queries.centered(training.y)
        return self._solve(training.X, queries.centered, right, regparam, held_out, callback)

    def _solve(
        self,
        X: Any,
        laplacian: Any,
        right: np.ndarray,
        regparam: float,
        held_out: _Scored | None,
        callback: Callback | None,
    ) -> Self:
        """(X^T L X + regparam I) w = X^T L y [Airola2010, eq. 8]."""
        transposed = X.T

        def product(v: np.ndarray) -> np.ndarray:
            image = transposed @ laplacian(X @ v)
            if regparam:
                image += regparam * v
            return image

        b = np.asarray(transposed @ right)
        self.coef_, self.best_iter_, self.n_iter_ = np.zeros_like(b), 0, 0
        self.residuals_: list[float] = []
        self.validation_errors_: list[float] = []
        for number, w, residual in conjugate_gradient(product, b):
            self.n_iter_ = number
            self.residuals_.append(residual)
            if held_out is None:
                self.coef_, self.best_iter_ = w, number
            elif self._improves(w, held_out):
                self.coef_, self.best_iter_ = w.copy(), number
            if callback is not None and callback(number, w):
                break
            if residual <= self.tol or (held_out is not None and number - self.best_iter_ >= self.patience):
                break
            if number >= self.max_iter:
                tell_not_converged(self._not_converged(residual), self.on_limit)
                break
        return self

    def _improves(self, w: np.ndarray, held_out: _Scored) -> bool:
        error = disagreement_error(held_out.y, np.asarray(held_out.X @ w), qid=held_out.qid)
        self.validation_errors_.append(error)
        return len(self.validation_errors_) == 1 or error < min(self.validation_errors_[:-1])

    def _not_converged(self, residual: float) -> str:
        goal = f"a relative residual of at most tol={self.tol!r}"
        if self.early_stopping:
            goal += f" or {self.patience} iterations without improvement on the validation queries"
        return (
            f"expected {goal} within max_iter={self.max_iter!r} iterations, but the residual is {residual:.3g}; "
            "raise max_iter or regparam, scale the features, or use early_stopping=True"
        )

    def _check_options(self, validation: Any) -> float:
        if self.regparam is None and not self.early_stopping:
            raise RegParamError(
                "expected early_stopping=True with regparam=None, which regularizes by early stopping alone and so "
                "needs early_stopping=True, got False; pass a positive regparam otherwise"
            )
        if validation is not None and not self.early_stopping:
            raise LearnerError(
                "expected no validation data, which is for early_stopping=True, got some with early_stopping=False; "
                "leave it out, or set early_stopping=True"
            )
        check_choice("on_limit", self.on_limit, ("warn", "raise"))
        check_positive(patience=self.patience, max_iter=self.max_iter, tol=self.tol)
        return 0.0 if self.regparam is None else check_regparam(self.regparam)

    def _validate_with_preferences(self, X: Any, y: Any) -> Any:
        check_only_preferences(y)
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, ensure_min_samples=2)

    def _check_validation(self, validation: Any) -> _Scored:
        if validation is None:
            raise LearnerError(
                "expected validation=(X, y[, qid]), got None: early stopping while learning from preferences needs "
                "validation=, since there are no scores to set aside; pass scored examples"
            )
        X, y, qid = validation if len(validation) == 3 else (*validation, None)
        X = check_array(X, accept_sparse="csr", dtype=np.float64)
        y = np.asarray(y, dtype=np.float64)
        if X.shape != (len(y), self.n_features_in_):
            raise LearnerError(
                f"expected validation X of shape ({len(y)}, {self.n_features_in_}), as y and the training data have "
                f"it, got {X.shape!r}; give one row per score and the features of fit"
            )
        check_not_constant(y[:, None], Queries.from_qid(qid, len(y)))
        return _Scored(X, y, qid)

    def _set_aside(self, data: _Scored, validation: Any) -> tuple[_Scored, _Scored]:
        """The data to train on and the data to stop by."""
        if validation is not None:
            return data, self._check_validation(validation)
        X, y, qid = data
        options = {"n_splits": 1, "test_size": self.validation_fraction, "random_state": self.random_state}
        if qid is None:
            train, test = next(ShuffleSplit(**options).split(X))
            return _Scored(X[train], y[train], None), self._check_validation((X[test], y[test]))
        queries = Queries.from_qid(qid, X.shape[0])
        if queries.n_queries < 2:
            raise QueryError(
                "expected at least 2 queries for early stopping, which sets some of them aside, got 1; pass "
                "validation= or leave qid out"
            )
        train, test = next(GroupShuffleSplit(**options).split(X, groups=queries.index))
        qid = np.asarray(qid)
        return _Scored(X[train], y[train], qid[train]), self._check_validation((X[test], y[test], qid[test]))
