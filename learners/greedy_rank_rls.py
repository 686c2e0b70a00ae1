"""Greedy RankRLS: linear ranking with a few features, chosen by leave-query-out error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
import scipy.sparse as sp
from scipy.linalg import solve
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from learners._greedy_floating import search_floating, search_forward
from learners._greedy_selection import HoldOuts
from learners._greedy_state import BackFittedCandidates, CachedCandidates, GreedyState, RecomputedCandidates
from learners._pairwise_cost import check_not_constant
from learners._queries import Queries
from learners._ranker import LinearRankerMixin
from learners._validation import check_choice, check_regparam
from learners.errors import LearnerError, QueryError


class GreedyRankRLS(LinearRankerMixin, BaseEstimator):
    r"""RankRLS on greedily selected features [Pahikkala2010_, Algorithm 1].

    Starting from none, adds the feature with which RankRLS,

        min_w sum_Q 1 / (2 |Q|) sum_{i,j in Q} (y_i - y_j - (x_i - x_j)^T w)^2 + regparam ||w||^2,      [eq. 3]

    has the least leave-query-out error: the sum over queries of the squared, query-wise centered residuals of
    the model trained without the query [Theorem 3.1, eq. 7].  For a global ranking (no ``qid``) the examples
    are left out one by one.  Each criterion is exact, as if the model had been trained again.

    O(k m n) time and O(m n) memory for k selected of n features.  The low-memory form keeps O(m k) numbers
    and the data, which may be sparse, and takes O(k^2 m n).  Two more variants that the article names [sec. 5]:

    - ``fitting="back"`` judges a candidate with the weights of the features chosen before as they are, and trains all
      of them again only with the one that is chosen: O(k^2 s n) for s non-zero entries per feature, when examples have
      queries.  The criterion of the chosen features stays exact; which ones are chosen may differ.
    - ``floating=True`` gives features up again where the rest is then better than every set of its size before, since
      the best k features need not be among the best k + 1.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        How many features to choose; half of them if None.
    regparam : float, default=1.0
        The regularizer's weight, positive.
    floating : bool, default=False
        Whether features can be given up again.
    fitting : "pre" or "back", default="pre"
        Whether a candidate is judged with all weights trained together, or with the others as they are.
    n_candidates : int or None, default=None
        Choose each feature among this many, drawn at random anew for each step; among all if None.
    low_memory : bool or "auto", default="auto"
        Whether to recompute what the candidates need in every step instead of keeping it; "auto" does so for
        sparse X, which would be filled otherwise.  Random candidates and back-fitting always do.
    random_state : int, RandomState or None
        For drawing candidates.

    Attributes
    ----------
    selected_ : ndarray of shape (n_features_to_select,)
        Column indices in the order chosen.
    coef_ : ndarray of shape (n_features,)
        Weights; 0 for features that were not chosen.
    subsets_ : list of ndarray
        The features of every size k up to the last: ``selected_[:k]``, unless the search is floating.
    criterion_path_ : ndarray of shape (n_features_to_select,)
        The leave-query-out error of each.
    coef_path_ : list of ndarray
        The weights of each.
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
        floating: bool = False,
        fitting: Literal["pre", "back"] = "pre",
        n_candidates: int | None = None,
        low_memory: bool | Literal["auto"] = "auto",
        random_state: Any = None,
    ):
        self.n_features_to_select = n_features_to_select
        self.regparam = regparam
        self.floating = floating
        self.fitting = fitting
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
        search = search_floating if self.floating else search_forward
        subsets = search(self._state(data), n_selected)
        self._has_queries = qid is not None
        self.subsets_ = [np.array(subset.features) for subset in subsets]
        self.criterion_path_ = np.array([subset.criterion for subset in subsets])
        self.coef_path_ = [_weights(data, subset.features) for subset in subsets]
        self.selected_ = self.subsets_[-1]
        self.coef_ = np.zeros(X.shape[1])
        self.coef_[self.selected_] = self.coef_path_[-1]
        return self

    def _state(self, data: HoldOuts) -> GreedyState:
        """A search that has chosen nothing yet, with the proposer that the options ask for."""
        n = data.X.shape[1]
        if sp.issparse(data.X):
            data = replace(data, X=data.X.tocsc())  # what is looked at are columns
        check_choice("fitting", self.fitting, ("pre", "back"))
        check_choice("low_memory", self.low_memory, ("auto", True, False))
        recompute = sp.issparse(data.X) if self.low_memory == "auto" else bool(self.low_memory)
        if self.fitting == "pre" and self.n_candidates is None and not recompute:
            return GreedyState(data, lambda: CachedCandidates(data))
        n_candidates = self._check_count("n_candidates", n, n)
        random_state = check_random_state(self.random_state)
        kind = RecomputedCandidates if self.fitting == "pre" else BackFittedCandidates
        return GreedyState(data, lambda: kind(data, n_candidates, random_state))

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
        return HoldOuts(X, queries.center(y), queries, np.arange(m), 1.0 / (1.0 - 1.0 / m), regparam)
    if not queries.is_sorted:
        X, y = X[queries.order], y[queries.order]
        queries = Queries.from_qid(queries.index[queries.order], m)
    return HoldOuts(X, queries.center(y), queries, queries.starts, 1.0, regparam)


def _weights(data: HoldOuts, features: list[int]) -> np.ndarray:
    """w = (X_S^T X_S + regparam I)^-1 X_S^T y [eq. 5]."""
    H = data.columns(np.array(features))
    weights: np.ndarray = solve(H.T @ H + data.regparam * np.eye(len(features)), H.T @ data.y, assume_a="pos")
    return weights
