"""Area under the ROC curve: the estimate, its confidence interval, and its cross-validation estimates.

AUC is the probability that a random positive example scores higher than a random negative one, ties counting
one half [thesis, sec. 5.4]. The estimates from hold-out predictions differ in which pairs they compare:

- pooled: every pair, also of examples predicted by different models; pessimistically biased on small data;
- averaged: only pairs of one hold-out, which one model predicted; unbiased, but few pairs, high variance;
- leave-pair-out: each positive-negative pair is a hold-out of its own; all pairs, one model for each.

References
----------
DeLong, DeLong, Clarke-Pearson: Comparing the areas under two or more correlated receiver operating
characteristic curves, Biometrics 44, 1988. Sun, Xu: Fast implementation of DeLong's algorithm, IEEE Signal
Processing Letters 21, 2014.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import norm, rankdata

from learners._validation import check_groups, check_pairs, group_members
from learners.errors import LabelError
from learners.metrics._labels import check_binary, check_level, check_two_classes


def auc(y_true: Any, y_score: Any) -> float:
    """AUC of all pairs, O(m log m); over the predictions of a cross-validation, its pooled estimate.

    The greater of the two labels is the positive class.

    Examples
    --------
    >>> auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    positive, scores = check_binary(y_true, y_score)
    wins, pairs = _wins(positive, scores)
    return wins / pairs


def _wins(positive: np.ndarray, scores: np.ndarray) -> tuple[float, int]:
    """Positive-negative pairs in the right order, ties as halves, and the number of such pairs."""
    n_positive = int(np.sum(positive))
    n_pairs = n_positive * (len(scores) - n_positive)
    rank_sum = float(np.sum(rankdata(scores)[positive]))
    return rank_sum - n_positive * (n_positive + 1) / 2, n_pairs


@dataclass(frozen=True)
class AucInterval:
    """An AUC with its standard error and confidence limits."""

    auc: float
    standard_error: float
    low: float
    high: float


def auc_interval(y_true: Any, y_score: Any, *, level: float = 0.95) -> AucInterval:
    """AUC with DeLong's normal confidence interval, cut to [0, 1]; O(m log m).

    The examples must be independent and scored by one model; for dependent ones (pairs of one document) use
    :func:`learners.metrics.bootstrap_interval` with ``groups``.

    Examples
    --------
    >>> interval = auc_interval([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
    >>> round(interval.auc, 3), round(interval.low, 3), interval.high
    (0.889, 0.581, 1.0)
    """
    check_level(level)
    positive, scores = check_binary(y_true, y_score)
    counts = np.array([np.sum(positive), np.sum(~positive)])
    if counts.min() < 2:
        raise LabelError(
            f"expected two examples of each class for the variance of AUC, got {counts[0]} positive and {counts[1]} "
            "negative; use auc alone"
        )
    # Placement of each example among those of the other class: midrank overall minus midrank within its own.
    overall = rankdata(scores)
    above = (overall[positive] - rankdata(scores[positive])) / counts[1]
    below = 1.0 - (overall[~positive] - rankdata(scores[~positive])) / counts[0]
    value = float(np.mean(above))
    error = float(np.sqrt(np.var(above, ddof=1) / counts[0] + np.var(below, ddof=1) / counts[1]))
    margin = float(norm.ppf(0.5 + level / 2)) * error
    return AucInterval(value, error, max(0.0, value - margin), min(1.0, value + margin))


def averaged_auc(y_true: Any, y_score: Any, groups: Any) -> float:
    """AUC over the pairs within hold-outs: sum of right orders over sum of pairs [thesis, sec. 5.4].

    Hold-outs of one class have no pair and do not count.

    Examples
    --------
    >>> averaged_auc([0, 1, 0, 1, 1], [1.0, 2.0, 9.0, 8.0, 9.5], groups=["a", "a", "b", "b", "b"])
    0.6666666666666666
    """
    positive, scores = check_binary(y_true, y_score)
    codes, labels = check_groups(groups, len(scores))
    totals = np.zeros(2)
    for members in group_members(codes, len(labels)):
        totals += _wins(positive[members], scores[members])
    if totals[1] == 0:
        raise LabelError(
            f"expected groups with both classes, but none of the {len(labels)} groups holds both classes, so there is "
            "no pair to compare; use leave-pair-out, or pool the predictions with auc"
        )
    return float(totals[0] / totals[1])


def leave_pair_out_auc(y_true: Any, pairs: Any, predictions: Any) -> Any:
    """AUC from leave-pair-out predictions: the positive-negative pairs ordered rightly by their own model.

    Parameters
    ----------
    y_true : array of shape (n_samples,)
        Labels of two classes.
    pairs : array of shape (n_pairs, 2)
        Example indices; pairs of one class are left out.
    predictions : array of shape ([n_regparams,] n_pairs, 2)
        As ``leave_pair_out`` of a learner returns them.

    Returns
    -------
    float, or ndarray of shape (n_regparams,)
    """
    labels, values = np.asarray(y_true), np.asarray(predictions, dtype=np.float64)
    positive = check_two_classes(labels).astype(int)
    first, second = check_pairs(pairs, len(labels))
    if values.shape[-2:] != (len(first), 2):
        raise LabelError(
            f"expected predictions of shape (..., {len(first)}, 2) for {len(first)} pairs, got {values.shape!r}; pass "
            "those of leave_pair_out for these pairs"
        )
    sign = positive[first] - positive[second]
    if not np.any(sign):
        raise LabelError(
            f"expected pairs of both classes, but none of the {len(first)} pairs holds a positive and a negative "
            "example; pass such pairs"
        )
    orders = np.sign(values[..., 0] - values[..., 1])[..., sign != 0] * sign[sign != 0]
    estimate = np.mean((1 + orders) / 2, axis=-1)
    return float(estimate) if estimate.ndim == 0 else estimate
