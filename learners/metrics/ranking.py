"""How good a ranking is: pairwise errors, rank correlation and the retrieval measures of LETOR.

Every function takes ``y_true`` (higher is better), ``y_score`` and ``qid`` (``None``: one global ranking) and
costs O(m log m).  ``per_query=True`` returns one value per query, in the sorted order of the distinct
identifiers; queries for which a measure is not defined hold NaN, and the averages leave them out.  The
retrieval measures follow LETOR 4.0's evaluation script [Qin2010]_, which defines them for every query.

References
----------
.. [Qin2010] T. Qin, T.-Y. Liu, J. Xu, H. Li. LETOR: A benchmark collection for research on learning to rank
   for information retrieval. Information Retrieval 13(4), 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from learners._order_statistics import PairCounter
from learners._queries import Queries
from learners._validation import check_choice
from learners.errors import LabelError

_MAX_LABEL = 1000  # sums of gains 2^label stay below the greatest float64, 2^1024


Ties = Literal["half", "wrong", "symmetric"]


def disagreement_error(
    y_true: Any, y_score: Any, *, qid: Any = None, ties: Ties = "half", per_query: bool = False, pooled: bool = False
) -> Any:
    """The fraction of pairs that are ordered wrongly, averaged over queries.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n_samples,)
        True and predicted scores, higher is better.
    qid : array of shape (n_samples,), optional
        The query of each example; only examples of one query are compared.
    ties : "half", "wrong" or "symmetric", default="half"
        What equal scores count; compare with a published figure only as its paper counts.

        - "half": a pair with different true scores and equal predictions counts 1/2, pairs with equal true scores do
          not count [Airola2010_, eq. 1; Pahikkala2010_, eq. 2; thesis, eqs. 3.2, 3.3];
        - "wrong": such a pair counts 1, as if it were ordered wrongly [Pahikkala2009_, eq. 1, Paper I of the thesis:
          its sign of 0 is -1];
        - "symmetric": all pairs of a query count, and one that is tied on one side only counts 1/2, be it the
          predicted or the true one [Tsivtsivadze2008_, eq. 1].
    per_query : bool, default=False
        Return one value per query.  Queries without a pair that counts have NaN.
    pooled : bool, default=False
        Give every pair, not every query, the same weight.

    Returns
    -------
    float, or ndarray of shape (n_queries,)

    Raises
    ------
    LabelError
        If no query has a pair that counts, or the options contradict each other.

    Examples
    --------
    >>> y_true, y_score, qid = [2, 1, 0, 1, 0], [3.0, 1.0, 2.0, 0.0, 0.0], [1, 1, 1, 2, 2]
    >>> disagreement_error(y_true, y_score, qid=qid)  # (1/3 + 1/2) / 2
    0.41666666666666663
    >>> disagreement_error(y_true, y_score, qid=qid, ties="wrong")  # (1/3 + 1) / 2
    0.6666666666666666

    References
    ----------
    .. [Airola2010] A. Airola, T. Pahikkala, T. Salakoski. Large scale training methods for linear RankRLS.
       ECML/PKDD workshop on preference learning, 2010.
    .. [Pahikkala2009] T. Pahikkala, E. Tsivtsivadze, A. Airola, J. Jarvinen, J. Boberg. An efficient algorithm for
       learning to rank from preference graphs. Machine Learning 75(1), 2009.
    .. [Pahikkala2010] T. Pahikkala, A. Airola, P. Naula, T. Salakoski. Greedy RankRLS: a linear time algorithm for
       learning sparse ranking models. SIGIR workshop on feature generation and selection, 2010.
    .. [Tsivtsivadze2008] E. Tsivtsivadze, T. Pahikkala, A. Airola, J. Boberg, T. Salakoski. A sparse regularized
       least-squares preference learning algorithm. SCAI 2008.
    """
    check_choice("ties", ties, get_args(Ties))
    if per_query and pooled:
        raise LabelError("expected at most one of per_query and pooled, got both; pooled is one number")
    y_true, y_score, queries = _check(y_true, y_score, qid)
    if ties == "half":
        wrong, pairs = _pair_counts(y_true, y_score, queries)
    else:
        wrong, pairs = _tie_counts(y_true, y_score, queries, ties)
    if not pairs.any():
        raise LabelError(
            "expected two different true scores in at least one query, but the scores are constant in every "
            f"one of the {queries.n_queries} queries; no pair can be ordered wrongly"
        )
    if pooled:
        return float(wrong.sum() / pairs.sum())
    return _summary(_ratio(wrong, pairs), per_query=per_query)


def kendall_tau_b(y_true: Any, y_score: Any, *, qid: Any = None, per_query: bool = False) -> Any:
    """Kendall's tau-b: (concordant - discordant) / sqrt(pairs untied in truth * pairs untied in prediction).

    NaN for a query in which either side is constant.

    Examples
    --------
    >>> kendall_tau_b([1, 2, 3, 4], [1.0, 3.0, 2.0, 4.0])
    0.6666666666666666
    """
    y_true, y_score, queries = _check(y_true, y_score, qid)
    wrong, pairs = _pair_counts(y_true, y_score, queries)
    # `wrong` counts tied predictions 1/2, so pairs - 2 wrong = concordant - discordant.
    difference = pairs - 2.0 * wrong
    untied_in_score = queries.sums(PairCounter(y_score, queries).n_lower.astype(float))
    return _summary(_ratio(difference, np.sqrt(pairs * untied_in_score)), per_query=per_query)


def mean_average_precision(y_true: Any, y_score: Any, *, qid: Any = None, per_query: bool = False) -> Any:
    """The mean over queries of average precision; documents with a positive label are relevant.

    A query without a relevant document counts 0.  Equal scores keep the order of the input.

    Examples
    --------
    >>> mean_average_precision([1, 0, 1], [0.9, 0.8, 0.7])
    0.8333333333333333
    """
    ranked = _rank(*_check(y_true, y_score, qid))
    relevant = (ranked.gains > 0).astype(float)
    n_relevant = ranked.running_sums(relevant)  # among the documents down to each position
    queries = ranked.queries
    precisions = np.add.reduceat(relevant * n_relevant / (ranked.positions + 1), queries.starts)
    average = precisions / np.maximum(np.add.reduceat(relevant, queries.starts), 1.0)
    return _summary(average, per_query=per_query)


def precision_at(k: int, y_true: Any, y_score: Any, *, qid: Any = None, per_query: bool = False) -> Any:
    """P@k: relevant documents (positive label) among the first k, divided by k even where there are fewer.

    Examples
    --------
    >>> precision_at(2, [1, 0, 1], [0.9, 0.8, 0.7])
    0.5
    """
    _check_cutoff(k)
    ranked = _rank(*_check(y_true, y_score, qid))
    hits = (ranked.gains > 0) & (ranked.positions < k)
    return _summary(np.add.reduceat(hits.astype(float), ranked.queries.starts) / k, per_query=per_query)


def ndcg_at(k: int, y_true: Any, y_score: Any, *, qid: Any = None, per_query: bool = False) -> Any:
    """NDCG@k with gain 2^label - 1 and discount 1 at the first two positions, log2(position) after them.

    0 for a query with fewer than k documents or without a relevant one: LETOR 4.0's script says so.

    Examples
    --------
    >>> round(ndcg_at(3, [0, 2, 1], [3.0, 2.0, 1.0]), 4)
    0.9077
    """
    _check_cutoff(k)
    ranked = _rank(*_check(y_true, y_score, qid))
    at_cutoff = np.where(ranked.positions == k - 1, _ndcg_curve(ranked), 0.0)
    return _summary(np.add.reduceat(at_cutoff, ranked.queries.starts), per_query=per_query)


def mean_ndcg(y_true: Any, y_score: Any, *, qid: Any = None, per_query: bool = False) -> Any:
    """The mean of NDCG@1 .. NDCG@l of each query of l documents, averaged over queries.

    Examples
    --------
    >>> mean_ndcg([2, 1, 0], [3.0, 2.0, 1.0])
    1.0
    """
    ranked = _rank(*_check(y_true, y_score, qid))
    total = np.add.reduceat(_ndcg_curve(ranked), ranked.queries.starts)
    return _summary(total / ranked.queries.sizes, per_query=per_query)


@dataclass(frozen=True)
class _RankedGains:
    """The labels in predicted order within each query, and the 0-based position of each."""

    gains: np.ndarray
    ideal_gains: np.ndarray
    positions: np.ndarray
    queries: Queries

    def running_sums(self, values: np.ndarray) -> np.ndarray:
        """Cumulative sums that start anew with every query."""
        # Each query by itself: in differences of one long sum the great gains of one query, up to 2^label, would
        # swallow the small ones of the next.
        sums = np.empty(len(values))
        for start, end in zip(self.queries.starts, self.queries.starts + self.queries.sizes):
            np.cumsum(values[start:end], out=sums[start:end])
        return sums


def _rank(y_true: np.ndarray, y_score: np.ndarray, queries: Queries) -> _RankedGains:
    predicted = np.lexsort((-y_score, queries.index))  # stable: ties keep the order of the input
    ideal = np.lexsort((-y_true, queries.index))
    positions = np.arange(len(y_true)) - np.repeat(queries.starts, queries.sizes)
    return _RankedGains(y_true[predicted], y_true[ideal], positions, queries)


def _ndcg_curve(ranked: _RankedGains) -> np.ndarray:
    """NDCG at every position of every query."""
    # The first two positions are not discounted: log2(2) = 1 is the divisor of the second, and of the first.
    if ranked.gains.max() > _MAX_LABEL:
        raise LabelError(
            f"expected labels of at most {_MAX_LABEL} for NDCG, whose gains are 2^label, got "
            f"{float(ranked.gains.max())!r}; use grades of relevance, such as 0 to 4"
        )
    discounts = np.log2(np.maximum(ranked.positions + 1, 2))
    dcg = ranked.running_sums((2.0**ranked.gains - 1.0) / discounts)
    ideal = ranked.running_sums((2.0**ranked.ideal_gains - 1.0) / discounts)
    has_relevant = np.repeat(ranked.ideal_gains[ranked.queries.starts] > 0, ranked.queries.sizes)
    ndcg: np.ndarray = np.divide(dcg, ideal, out=np.zeros_like(dcg), where=has_relevant)
    return ndcg


def _pair_counts(y_true: np.ndarray, y_score: np.ndarray, queries: Queries) -> tuple[np.ndarray, np.ndarray]:
    """Of each query: the wrongly ordered pairs (tied predictions 1/2), and all pairs with a preference."""
    low, high = (extreme.reduceat(y_true[queries.order], queries.starts) for extreme in (np.minimum, np.maximum))
    relevant = y_true == high[queries.index]
    if np.all(relevant | (y_true == low[queries.index])):
        return _two_class_counts(relevant, y_score, queries)
    counter = PairCounter(y_true, queries)
    strictly = queries.sums(counter.violations(y_score)[0].astype(float))
    or_tied = queries.sums(counter.violations_or_ties(y_score).astype(float))
    return (strictly + or_tied) / 2.0, queries.sums(counter.n_lower.astype(float))


def _tie_counts(y_true: np.ndarray, y_score: np.ndarray, queries: Queries, ties: Ties) -> tuple[np.ndarray, np.ndarray]:
    """Of each query: what the wrongly ordered and the tied pairs count, and the number of pairs that count."""
    counter = PairCounter(y_true, queries)
    pairs = queries.sums(counter.n_lower.astype(float))
    or_tied = queries.sums(counter.violations_or_ties(y_score).astype(float))
    if ties == "wrong":
        return or_tied, pairs
    strictly = queries.sums(counter.violations(y_score)[0].astype(float))
    untied_in_score = queries.sums(PairCounter(y_score, queries).n_lower.astype(float))
    # Pairs untied on both sides are `pairs` without those tied in prediction alone, or_tied - strictly.
    tied_in_truth_alone = untied_in_score - (pairs - (or_tied - strictly))
    return (strictly + or_tied + tied_in_truth_alone) / 2.0, queries.sizes * (queries.sizes - 1) / 2.0


def _two_class_counts(relevant: np.ndarray, y_score: np.ndarray, queries: Queries) -> tuple[np.ndarray, np.ndarray]:
    """The same where no query has more than two different true scores: Wilcoxon-Mann-Whitney, one sort."""
    order = np.lexsort((y_score, queries.index))
    changes = np.ones(len(order) + 1, dtype=bool)
    changes[1:-1] = (np.diff(y_score[order]) != 0) | (np.diff(queries.index[order]) != 0)
    bounds = np.flatnonzero(changes)  # of the runs of equal predictions of one query
    midranks = np.repeat((bounds[:-1] + bounds[1:] + 1) / 2.0, np.diff(bounds))
    midranks -= np.repeat(queries.starts, queries.sizes)
    rank_sums = np.add.reduceat(np.where(relevant[order], midranks, 0.0), queries.starts)
    n_relevant = queries.sums(relevant.astype(float))
    pairs = n_relevant * (queries.sizes - n_relevant)
    return pairs - (rank_sums - n_relevant * (n_relevant + 1) / 2.0), pairs


def _ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    ratios: np.ndarray = np.divide(numerator, denominator, out=np.full(len(numerator), np.nan), where=denominator > 0)
    return ratios


def _summary(values: np.ndarray, *, per_query: bool) -> Any:
    if per_query:
        return values
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def _check(y_true: Any, y_score: Any, qid: Any) -> tuple[np.ndarray, np.ndarray, Queries]:
    y_true = np.asarray(y_true, dtype=float)
    y_score = np.asarray(y_score, dtype=float)
    if y_true.ndim != 1 or y_true.shape != y_score.shape or not len(y_true):
        raise LabelError(
            f"expected y_true and y_score as two vectors of one positive length, got shapes {y_true.shape} "
            f"and {y_score.shape}; evaluate one output at a time"
        )
    for name, values in (("y_true", y_true), ("y_score", y_score)):
        if not np.isfinite(values).all():
            where = int(np.argmin(np.isfinite(values)))
            raise LabelError(
                f"expected finite numbers, but {name}[{where}] is {values[where]!r}; drop such examples first"
            )
    return y_true, y_score, Queries.from_qid(qid, len(y_true))


def _check_cutoff(k: int) -> None:
    if k < 1:
        raise LabelError(f"expected a cutoff k of at least 1, got {k!r}; k counts documents from the top")
