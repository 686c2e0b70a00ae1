"""RankSVM: linear ranking with the pairwise hinge loss, by a bundle method."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from learners._bundle import Risk, minimize_risk
from learners._order_statistics import PairCounter
from learners._pairwise_cost import Preferences, check_not_constant
from learners._queries import Queries
from learners._ranker import LinearRankerMixin
from learners._validation import check_choice, check_only_preferences, check_positive, check_regparam


class RankSVM(LinearRankerMixin, BaseEstimator):
    r"""Linear ranking support vector machine.

    Minimises

        1/N sum_{(i,j) of one query, y_i > y_j} max(0, 1 - (x_i - x_j)^T w) + regparam ||w||^2,   [thesis, 4.2]

    where N is the number of such pairs, so that the risk of w = 0 is 1; or, with ``average="queries"``, the mean over
    queries of such a sum for each, so that no query counts more than another for its size.  An iteration of the bundle
    method costs O(m s + m log m) for s non-zeros per example, whatever the number of different scores [Airola2011_]:
    the pairs are never listed, their loss and subgradient follow from how many pairs each example violates
    (4.10-4.13).

    For a kernel, map the data first: ``make_pipeline(map, RankSVM())`` with a Nystrom map is RankSVM with the
    reduced-set kernel.

    Parameters
    ----------
    regparam : float, default=0.01
        The regularizer's weight, positive.
    average : "pairs" or "queries", default="pairs"
        Whether every pair counts the same, or every query that has one.  Concerns scores; preferences count the same.
    tol : float, default=1e-3
        The objective is at most this far above its minimum when the iterations end.
    max_iter : int, default=1000
        The most iterations there may be.
    on_limit : "warn" or "raise", default="warn"
        What happens when they were not enough: the best of them is kept, with a
        :class:`~learners.errors.NotConvergedWarning`, or :class:`~learners.errors.NotConvergedError` is raised.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    n_iter_ : int
    history_ : list of (objective, lower_bound)
        The best objective and the lower bound of its minimum after each iteration.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from learners.rank_svm import RankSVM
    >>> X = np.array([[1.0], [2.0], [4.0]])
    >>> model = RankSVM(regparam=0.1, tol=1e-9).fit(X, [0.0, 1.0, 2.0])
    >>> model.coef_  # all three pairs have a margin of at least 1
    array([1.])

    References
    ----------
    .. [Airola2011] A. Airola, T. Pahikkala, T. Salakoski. Training linear ranking SVMs in linearithmic time using
       red-black trees. Pattern Recognition Letters 32(9), 2011.
    """

    def __init__(
        self,
        regparam: float = 0.01,
        *,
        average: Literal["pairs", "queries"] = "pairs",
        tol: float = 1e-3,
        max_iter: int = 1000,
        on_limit: Literal["warn", "raise"] = "warn",
    ):
        self.regparam = regparam
        self.average = average
        self.tol = tol
        self.max_iter = max_iter
        self.on_limit = on_limit

    def fit(self, X: Any, y: Any = None, *, qid: Any = None, preferences: Any = None) -> Self:
        """Learn from scores y, or from preferences.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            Scores, higher is better, as many different ones as you like.  ``None`` with ``preferences``.
        qid : array of shape (n_samples,), optional
            The query of each example; only examples of one query are compared.  Without it, all are.
        preferences : array of shape (n_preferences, 2 or 3), optional
            Rows (i, j): example i is preferred over example j.  A third column, the magnitude elsewhere, is not
            looked at: every preference asks for a margin of 1.  O(n_preferences) per iteration.
        """
        regparam = check_regparam(self.regparam)
        check_positive(tol=self.tol, max_iter=self.max_iter)
        check_choice("on_limit", self.on_limit, ("warn", "raise"))
        check_choice("average", self.average, ("pairs", "queries"))
        options = {"accept_sparse": "csr", "dtype": np.float64, "ensure_min_samples": 2}
        risk: Risk
        if preferences is None:
            X, y = validate_data(self, X, y, y_numeric=True, **options)
            risk = PairwiseHinge(y, qid=qid, average=self.average)
        else:
            check_only_preferences(y)
            X = validate_data(self, X, **options)
            risk = PreferenceHinge(preferences, X.shape[0], qid=qid)
        self._has_queries = qid is not None
        self.coef_, self.history_ = minimize_risk(
            X, risk, regparam=regparam, tol=self.tol, max_iter=self.max_iter, on_limit=self.on_limit
        )
        self.n_iter_ = len(self.history_)
        return self


class PreferenceHinge:
    """The average hinge loss of predictions over given preferences, and a subgradient.

    1/N sum_{(i,j)} max(0, 1 - (f_i - f_j)) over the N preferences of i over j.

    Parameters
    ----------
    preferences : array of shape (n_preferences, 2 or 3)
        Rows (i, j); a third column is not looked at.
    n_samples : int
        How many examples there are.
    qid : array of shape (n_samples,), optional
        Then preferences have to stay within a query.
    """

    def __init__(self, preferences: Any, n_samples: int, *, qid: Any = None):
        graph = Preferences.from_edges(preferences, n_samples, cost="unit")
        if qid is not None:
            graph.check_within(Queries.from_qid(qid, n_samples))
        self._incidence = graph.incidence
        self._transposed = graph.incidence.T.tocsr()

    def __call__(self, predictions: np.ndarray) -> tuple[float, np.ndarray]:
        """The loss and a subgradient with respect to the predictions."""
        lacking = 1.0 - self._incidence @ predictions
        n = len(lacking)
        return float(np.maximum(lacking, 0.0).sum()) / n, -(self._transposed @ (lacking > 0.0).astype(float)) / n


class PairwiseHinge:
    """The average pairwise hinge loss of predictions, and a subgradient [thesis, eqs. 4.12, 4.13].

    1/N sum_{(i,j) of one query, y_i > y_j} max(0, 1 - (f_i - f_j)), where N is the number of such pairs.

    Parameters
    ----------
    scores : array of shape (n_samples,)
        Scores y, higher is better.
    qid : array of shape (n_samples,), optional
        The query of each example; all are compared without it.
    average : "pairs" or "queries", default="pairs"
        Whether every pair counts the same, or every query that has one.

    Attributes
    ----------
    n_pairs : int
        N above.

    Examples
    --------
    >>> import numpy as np
    >>> loss, gradient = PairwiseHinge([0.0, 1.0, 2.0])(np.array([0.0, 0.0, 3.0]))
    >>> round(loss, 4), gradient.round(4).tolist()  # of the three pairs the first is a tie, the others are far apart
    (0.3333, [0.3333, -0.3333, 0.0])
    """

    def __init__(self, scores: Any, *, qid: Any = None, average: str = "pairs"):
        scores = np.asarray(scores, dtype=np.float64)
        queries = Queries.from_qid(qid, len(scores))
        check_not_constant(scores[:, None], queries)
        self._counter = PairCounter(scores, queries)
        self.n_pairs = self._counter.n_pairs
        #: What a pair of each example counts, or of all the same
        self._weights: np.ndarray | None = None
        if average == "queries":
            # With equal predictions every pair is violated, and asks its lower example to go down once.
            lower, _ = self._counter.violations(np.zeros(len(scores)), margin=1.0)
            pairs = queries.sums(lower.astype(float))
            self._weights = (1.0 / np.maximum(pairs, 1.0) / np.sum(pairs > 0))[queries.index]

    def __call__(self, predictions: np.ndarray) -> tuple[float, np.ndarray]:
        """The loss and a subgradient with respect to the predictions, in O(m log m)."""
        # c_i pairs ask example i to go down, d_i ask it to go up [thesis, eqs. 4.10, 4.11].
        c, d = self._counter.violations(predictions, margin=1.0)
        if self._weights is not None:
            gradient = (c - d) * self._weights
            return float(gradient @ predictions) + float(c @ self._weights), gradient
        gradient = (c - d) / self.n_pairs
        return float(gradient @ predictions) + float(c.sum()) / self.n_pairs, gradient
