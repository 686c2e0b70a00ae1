"""What rankers by conjugate gradients share: their data, their three ways to regularize, and their loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit
from sklearn.utils.validation import check_array, validate_data

from learners._conjugate_gradient import Iterate
from learners._pairwise_cost import Preferences, check_not_constant
from learners._queries import Queries
from learners._validation import (
    check_choice,
    check_only_preferences,
    check_positive,
    check_regparam,
    report_not_converged,
)
from learners.errors import LearnerError, QueryError, RegParamError
from learners.metrics.ranking import disagreement_error

#: Called with the number of an iteration and its solution; True ends the iterations there.
Callback = Callable[[int, np.ndarray], bool | None]
#: A product with a vector, of the Laplacian or of any other matrix.
Product = Callable[[np.ndarray], np.ndarray]


class ScoredExamples(NamedTuple):
    """Examples with their scores and queries: those to train on, or those to stop by."""

    X: Any
    y: np.ndarray
    qid: Any


class IterativeSystem(Protocol):
    """The equations of a ranking problem, known by products."""

    @property
    def n_coefficients(self) -> int:
        """How many numbers a solution has."""

    def iterates(self) -> Iterator[Iterate]:
        """Better and better solutions."""

    def predictor(self, X: Any) -> Product:
        """From a solution to the predictions of the rows of X."""


class IterativeRanker(ABC):
    """``fit`` of rankers with the parameters of :class:`~learners.cg_rank_rls.CGRankRLS`.

    A subclass says with ``_system`` what is solved, and with ``_store_solution`` where the solution goes.
    """

    regparam: float | None
    early_stopping: bool
    validation_fraction: float
    patience: int
    tol: float
    max_iter: int
    on_limit: str
    random_state: Any
    n_features_in_: int

    @abstractmethod
    def _system(self, X: Any, laplacian: Product, right: np.ndarray, regparam: float) -> IterativeSystem:
        """The system of the training examples X, L f by ``laplacian`` and M N as ``right``."""

    @abstractmethod
    def _store_solution(self, solution: np.ndarray) -> None:
        """Make it the model's."""

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
            validation_data = self._check_validation(validation) if self.early_stopping else None
            return self._solve(X, lambda v: transposed @ (incidence @ v), right, regparam, validation_data, callback)
        X, y = self._validate_with_scores(X, y)
        y = y.astype(np.float64)
        training, validation_data = ScoredExamples(X, y, qid), None
        if self.early_stopping:
            training, validation_data = self._split_validation(training, validation)
        queries = Queries.from_qid(training.qid, training.X.shape[0])
        check_not_constant(training.y[:, None], queries)
        right = queries.center(training.y)
        return self._solve(training.X, queries.center, right, regparam, validation_data, callback)

    def _solve(
        self,
        X: Any,
        laplacian: Product,
        right: np.ndarray,
        regparam: float,
        validation_data: ScoredExamples | None,
        callback: Callback | None,
    ) -> Self:
        """Iterate until the residual, the validation queries, the callback or the limit says stop."""
        system = self._system(X, laplacian, right, regparam)
        predict = None if validation_data is None else system.predictor(validation_data.X)
        solution = np.zeros(system.n_coefficients)
        self.best_iter_, self.n_iter_ = 0, 0
        self.residuals_: list[float] = []
        self.validation_errors_: list[float] = []
        for number, iterate, residual in system.iterates():
            self.n_iter_ = number
            self.residuals_.append(residual)
            if validation_data is None or predict is None:
                solution, self.best_iter_ = iterate, number
            elif self._improves(predict(iterate), validation_data):
                solution, self.best_iter_ = iterate.copy(), number
            if callback is not None and callback(number, iterate):
                break
            if residual <= self.tol or (validation_data is not None and number - self.best_iter_ >= self.patience):
                break
            if number >= self.max_iter:
                report_not_converged(self._not_converged_message(residual), self.on_limit)
                break
        self._store_solution(solution)
        return self

    def _improves(self, predictions: np.ndarray, validation_data: ScoredExamples) -> bool:
        error = disagreement_error(validation_data.y, predictions, qid=validation_data.qid)
        self.validation_errors_.append(error)
        return len(self.validation_errors_) == 1 or error < min(self.validation_errors_[:-1])

    def _not_converged_message(self, residual: float) -> str:
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

    def _validate_with_scores(self, X: Any, y: Any) -> tuple[Any, np.ndarray]:
        options = {"accept_sparse": "csr", "dtype": np.float64, "y_numeric": True, "ensure_min_samples": 2}
        X, y = validate_data(self, X, y, **options)
        return X, y

    def _validate_with_preferences(self, X: Any, y: Any) -> Any:
        check_only_preferences(y)
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, ensure_min_samples=2)

    def _check_validation(self, validation: Any) -> ScoredExamples:
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
        return ScoredExamples(X, y, qid)

    def _split_validation(self, data: ScoredExamples, validation: Any) -> tuple[ScoredExamples, ScoredExamples]:
        """The data to train on and the data to stop by."""
        if validation is not None:
            return data, self._check_validation(validation)
        X, y, qid = data
        options = {"n_splits": 1, "test_size": self.validation_fraction, "random_state": self.random_state}
        if qid is None:
            train, test = next(ShuffleSplit(**options).split(X))
            return ScoredExamples(X[train], y[train], None), self._check_validation((X[test], y[test]))
        queries = Queries.from_qid(qid, X.shape[0])
        if queries.n_queries < 2:
            raise QueryError(
                "expected at least 2 queries for early stopping, which sets some of them aside, got 1; pass "
                "validation= or leave qid out"
            )
        train, test = next(GroupShuffleSplit(**options).split(X, groups=queries.index))
        qid = np.asarray(qid)
        return ScoredExamples(X[train], y[train], qid[train]), self._check_validation((X[test], y[test], qid[test]))
