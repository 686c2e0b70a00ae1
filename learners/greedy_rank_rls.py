"""Greedy RankRLS: linear ranking with a few features, chosen by leave-query-out error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import scipy.sparse as sp
from scipy.linalg import solve
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from learners._greedy_selection import Candidates, HoldOuts, Step
from learners._pairwise_cost import check_not_constant
from learners._queries import Queries
from learners._ranker import LinearRankerMixin
from learners._validation import check_choice, check_regparam
from learners.errors import LearnerError, QueryError

_CHUNK_ELEMENTS = 1 << 21  # numbers in a block of candidate columns in the low-memory form


class GreedyRankRLS(LinearRankerMixin, BaseEstimator):
    r"""RankRLS on greedily selected features [Pahikkala2010_, Algorithm 1].

    Starting from none, adds the feature with which RankRLS,

        min_w sum_Q 1 / (2 |Q|) sum_{i,j in Q} (y_i - y_j - (x_i - x_j)^T w)^2 + regparam ||w||^2,      [eq. 3]

    has the least leave-query-out error: the sum over queries of the squared, query-wise centered residuals of
    the model trained without the query [Theorem 3.1, eq. 7].  For a global ranking (no ``qid``) the examples
    are left out one by one.  Each criterion is exact, as if the model had been trained again.

    O(k m n) time and O(m n) memory for k selected of n features.  The low-memory form keeps O(m k) numbers
    and the data, which may be sparse, and takes O(k^2 m n).

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        How many features to choose; half of them if None.
    regparam : float, default=1.0
        The regularizer's weight, positive.
    n_candidates : int or None, default=None
        Choose each feature among this many, drawn at random anew for each step; among all if None.
    low_memory : bool or "auto", default="auto"
        Whether to recompute what the candidates need in every step instead of keeping it; "auto" does so for
        sparse X, which would be filled otherwise.  Random candidates are always recomputed.
    random_state : int, RandomState or None
        For drawing candidates.

    Attributes
    ----------
    selected_ : ndarray of shape (n_features_to_select,)
        Column indices in the order chosen.
    coef_ : ndarray of shape (n_features,)
        Weights; 0 for features that were not chosen.
    criterion_path_ : ndarray of shape (n_features_to_select,)
        The leave-query-out error after each step.
    coef_path_ : list of ndarray
        The weights of ``selected_[:k]`` after each step k.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from learners.greedy_rank_rls import GreedyRankRLS
    >>> rng = np.random.default_rng(0)
    >>> X, qid = rng.normal(size=(60, 8)), np.arange(60) // 5
    >>> model = GreedyRankRLS(n_features_to_select=2).fit(X, 3 * X[:, 6] - X[:, 1], qid=qid)
    >>> model.selected_.tolist()
    [6, 1]

    References
    ----------
    .. [Pahikkala2010] T. Pahikkala, A. Airola, P. Naula, T. Salakoski. Greedy RankRLS: a linear time algorithm for
       learning sparse ranking models. SIGIR workshop on feature generation and selection, 2010.
    """

    def __init__(
        self,
        n_features_to_select: int | None = None,
        regparam: float = 1.0,
        *,
        n_candidates: int | None = None,
        low_memory: bool | Literal["auto"] = "auto",
        random_state: Any = None,
    ):
        self.n_features_to_select = n_features_to_select
        self.regparam = regparam
        self.n_candidates = n_candidates
        self.low_memory = low_memory
        self.random_state = random_state

    def fit(self, X: Any, y: Any, *, qid: Any = None) -> Self:
        """Select features and learn their weights.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            Scores, higher is better.
        qid : array of shape (n_samples,), optional
            The query of each example.  Without it, all examples are one ranking.
        """
        regparam = check_regparam(self.regparam)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        n_selected = self._check_count("n_features_to_select", max(1, X.shape[1] // 2), X.shape[1])
        data = _hold_outs(X, y.astype(np.float64), qid, regparam)
        steps = self._select(data, n_selected)
        self._has_queries = qid is not None
        self.selected_ = np.array([step.feature for step in steps])
        self.coef_path_ = _weights_path(data, steps)
        self.coef_ = np.zeros(X.shape[1])
        self.coef_[self.selected_] = self.coef_path_[-1]
        return self

    def _select(self, data: HoldOuts, n_selected: int) -> list[Step]:
        """Lines 6-29 of Algorithm 1; see :mod:`learners._greedy_selection` for what stands for its lines 10-15."""
        n = data.X.shape[1]
        steps: list[Step] = []
        source = self._source(data, steps)
        residuals = data.scale * data.y
        criteria = []
        chosen = np.zeros(n, dtype=bool)
        for _ in range(n_selected):
            block, position, change = source.best(chosen)
            column = block.H[:, position]
            # c = G h, the chosen feature's column of C: G starts as I / regparam, and every step has taken
            # c c^T / (1 + h^T c) from it (Sherman-Morrison-Woodbury; line 28 does so for all columns).
            image = column / data.regparam
            for step in steps:
                image -= step.image * (step.image @ column) / (1.0 + step.image @ step.column)
            step = block.step(position, image, residuals)
            criteria.append(residuals @ residuals + change)  # sum over Q of p_Q^T p_Q [eq. 7]
            sizes = np.diff(np.append(data.starts, len(residuals)))
            residuals = residuals - np.repeat(step.beta, sizes) * step.unpredicted  # p_Q (line 25)
            steps.append(step)
            chosen[step.feature] = True
            source.advance(step)
        self.criterion_path_ = np.array(criteria)
        return steps

    def _source(self, data: HoldOuts, steps: list[Step]) -> _Kept | _Recomputed:
        n = data.X.shape[1]
        check_choice("low_memory", self.low_memory, ("auto", True, False))
        sparse = sp.issparse(data.X)
        recompute = sparse if self.low_memory == "auto" else bool(self.low_memory)
        if self.n_candidates is None and not recompute:
            return _Kept(data)
        n_candidates = self._check_count("n_candidates", n, n)
        return _Recomputed(data, steps, n_candidates, check_random_state(self.random_state))

    def _check_count(self, name: str, default: int, n_features: int) -> int:
        value = getattr(self, name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= n_features:
            raise LearnerError(
                f"expected {name} to be an integer from 1 to the {n_features} features of X, or None, got {value!r}; "
                "try None"
            )
        return int(value)


class _Choice(NamedTuple):
    """The best candidate: its block, its position in it, and how it changes the criterion."""

    block: Candidates
    position: int
    change: float


def _best_of(block: Candidates, changes: np.ndarray) -> _Choice:
    position = int(np.argmin(changes))
    return _Choice(block, position, float(changes[position]))


class _Kept:
    """All candidates, their bookkeeping kept from step to step: O(m n) per step and in memory."""

    def __init__(self, data: HoldOuts):
        self._block = Candidates(data, np.arange(data.X.shape[1]))

    def best(self, chosen: np.ndarray) -> _Choice:
        return _best_of(self._block, np.where(chosen, np.inf, self._block.changes))

    def advance(self, step: Step) -> None:
        self._block.advance(step)


class _Recomputed:
    """Candidates whose bookkeeping is replayed from the first step: O(k m n) per step, O(m k) in memory."""

    def __init__(self, data: HoldOuts, steps: list[Step], n_candidates: int, random_state: Any):
        self._data, self._steps = data, steps
        self._n_candidates, self._random_state = n_candidates, random_state
        if sp.issparse(data.X):
            self._data = replace(data, X=data.X.tocsc())

    def best(self, chosen: np.ndarray) -> _Choice:
        left = np.flatnonzero(~chosen)
        if self._n_candidates < len(left):
            left = np.sort(self._random_state.choice(left, self._n_candidates, replace=False))
        width = max(1, _CHUNK_ELEMENTS // len(self._data.y))
        chunks = (left[start : start + width] for start in range(0, len(left), width))
        return min((self._replayed_best(chunk) for chunk in chunks), key=lambda choice: choice.change)

    def _replayed_best(self, features: np.ndarray) -> _Choice:
        block = Candidates(self._data, features)
        for step in self._steps:
            block.advance(step)
        return _best_of(block, block.changes)

    def advance(self, step: Step) -> None:
        """Nothing is kept, so there is nothing to update."""


def _hold_outs(X: Any, y: np.ndarray, qid: Any, regparam: float) -> HoldOuts:
    m = X.shape[0]
    queries = Queries.from_qid(qid, m)
    check_not_constant(y[:, None], queries)
    if qid is not None and queries.n_queries < 2:
        raise QueryError(
            "expected at least two queries for leave-query-out, got 1; leave qid out for a global ranking, whose "
            "examples are then left out one by one"
        )
    if qid is None:
        return HoldOuts(X, queries.centered(y), queries, np.arange(m), 1.0 / (1.0 - 1.0 / m), regparam)
    if not queries.is_sorted:
        X, y = X[queries.order], y[queries.order]
        queries = Queries.from_qid(queries.index[queries.order], m)
    return HoldOuts(X, queries.centered(y), queries, queries.starts, 1.0, regparam)


def _weights_path(data: HoldOuts, steps: list[Step]) -> list[np.ndarray]:
    """w = (X_S^T X_S + regparam I)^-1 X_S^T y of every prefix of the selection [eq. 5]."""
    H = np.column_stack([step.column for step in steps])
    gram, right = H.T @ H + data.regparam * np.eye(len(steps)), H.T @ data.y
    return [solve(gram[:k, :k], right[:k], assume_a="pos") for k in range(1, len(steps) + 1)]
