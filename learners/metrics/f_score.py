"""Precision, recall and F at a threshold, and the threshold that maximises F."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.metrics._labels import check_binary


@dataclass(frozen=True)
class ThresholdScores:
    """Precision, recall and F when scores of at least ``threshold`` count as positive."""

    threshold: float
    precision: float
    recall: float
    f: float


def precision_recall_f(hits: int, n_predicted: int, n_positive: int) -> tuple[float, float, float]:
    """Of ``n_predicted`` predictions, ``hits`` of them right, where ``n_positive`` were to be found.

    Without a prediction, or without anything to find, what would be 0 / 0 is 0.

    Examples
    --------
    >>> precision_recall_f(2, 2, 3)
    (1.0, 0.6666666666666666, 0.8)
    >>> precision_recall_f(0, 0, 3)
    (0.0, 0.0, 0.0)
    """
    return hits / max(n_predicted, 1), hits / max(n_positive, 1), 2 * hits / max(n_predicted + n_positive, 1)


def scores_at(y_true: Any, y_score: Any, threshold: float) -> ThresholdScores:
    """Precision, recall and F of predicting the positive class where the score is at least ``threshold``.

    Without a positive prediction precision and F are 0. The greater of the two labels is positive.

    Examples
    --------
    >>> scores_at([0, 1, 1, 1], [0.1, 0.2, 0.7, 0.9], 0.5)
    ThresholdScores(threshold=0.5, precision=1.0, recall=0.6666666666666666, f=0.8)
    """
    positive, scores = check_binary(y_true, y_score)
    predicted = scores >= threshold
    hits = int(np.sum(predicted & positive))
    return ThresholdScores(float(threshold), *precision_recall_f(hits, int(np.sum(predicted)), int(np.sum(positive))))


def best_threshold(y_true: Any, y_score: Any) -> ThresholdScores:
    """The threshold with the greatest F, over all thresholds at once: O(m log m).

    Examples of equal score are never separated. The threshold lies half-way between the last score it lets
    in and the next; of equally good ones the highest is chosen.

    Examples
    --------
    >>> best_threshold([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    ThresholdScores(threshold=0.25, precision=0.6666666666666666, recall=1.0, f=0.8)
    """
    positive, scores = check_binary(y_true, y_score)
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    # A cut may fall only where the score changes, or after the last example.
    cuts = np.append(np.flatnonzero(ranked[1:] < ranked[:-1]), len(ranked) - 1)
    hits = np.cumsum(positive[order])[cuts]
    n_predicted, n_positive = cuts + 1, int(np.sum(positive))
    f = 2 * hits / (n_predicted + n_positive)
    best = int(np.argmax(f))
    last = ranked[cuts[best]]
    below = ranked[cuts[best] + 1] if best < len(cuts) - 1 else last
    middle = below + (last - below) / 2
    threshold = float(middle if middle > below else last)
    return ThresholdScores(
        threshold, float(hits[best] / n_predicted[best]), float(hits[best] / n_positive), float(f[best])
    )
