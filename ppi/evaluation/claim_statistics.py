"""Figures of counted documents: rates, average precision, AUC, and percentiles of a bootstrap over documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from learners.errors import LearnerError
from learners.metrics import auc, bootstrap_interval, precision_recall_f

RESAMPLES = 1000
Interval = tuple[float, float]


class Counts(NamedTuple):
    """Of a document: what is to be found, what was predicted, how much of it is right."""

    gold: int
    predicted: int
    right: int


class RankedPrediction(NamedTuple):
    """Predictions of all documents: the document's number, the probability, whether each is right."""

    document: int
    probability: float
    right: bool


def draw_documents(n_documents: int, n_resamples: int, random_state: int) -> np.ndarray:
    """How often each document is drawn in each resample; one row per resample."""
    if not n_documents:
        return np.zeros((n_resamples, 0), dtype=int)
    rng = np.random.default_rng(random_state)
    return rng.multinomial(n_documents, np.full(n_documents, 1 / n_documents), size=n_resamples)


def row_rates(counts: np.ndarray) -> np.ndarray:
    """Precision, recall and F of rows of (gold, predicted, right); what would be 0 / 0 is 0."""
    gold, predicted, right = counts.T
    return np.stack(
        [right / np.maximum(predicted, 1), right / np.maximum(gold, 1), 2 * right / np.maximum(gold + predicted, 1)],
        axis=1,
    )


class Ranking:
    """Predictions by falling probability, as columns."""

    def __init__(self, ranked: Sequence[RankedPrediction]) -> None:
        sorted_predictions = sorted(ranked, key=lambda prediction: -prediction.probability)
        self.document = np.array([prediction.document for prediction in sorted_predictions], dtype=int)
        self.right = np.array([prediction.right for prediction in sorted_predictions], dtype=float)
        probability = np.array([prediction.probability for prediction in sorted_predictions])
        #: the last prediction of each threshold: equal ones count together
        self.last = (
            np.append(probability[1:] != probability[:-1], True) if sorted_predictions else np.zeros(0, dtype=bool)
        )

    def average_precision(self, n_gold: float, weights: np.ndarray) -> float:
        """The sum over thresholds of precision times the recall gained, documents counting ``weights`` times.

        >>> ranked = [RankedPrediction(0, 0.9, True), RankedPrediction(0, 0.8, False), RankedPrediction(0, 0.7, True)]
        >>> Ranking(ranked).average_precision(3, np.array([1]))
        0.5555555555555556
        """
        if not n_gold:
            return 0.0
        weight = weights[self.document]
        hits, predicted = np.cumsum(weight * self.right)[self.last], np.cumsum(weight)[self.last]
        gained = np.diff(hits, prepend=0.0) / n_gold
        return float(np.sum(gained * hits / np.maximum(predicted, 1)))


def average_precision_with_interval(
    ranked: Sequence[RankedPrediction] | None, gold: np.ndarray, weights: np.ndarray
) -> tuple[float | None, Interval | None]:
    """The average precision and its interval; None without probabilities or anything to find."""
    if not ranked or not gold.sum():
        return None, None
    ranking = Ranking(ranked)
    resampled_values = [ranking.average_precision(float(row @ gold), row) for row in weights]
    unit_weights = np.ones(len(gold), dtype=int)
    return ranking.average_precision(float(gold.sum()), unit_weights), percentile_interval(np.array(resampled_values))


def auc_with_interval(
    labels: np.ndarray, scores: np.ndarray, groups: np.ndarray, n_resamples: int, random_state: int
) -> tuple[float | None, Interval | None]:
    """AUC and its interval; None unless there are positives and negatives.  ``-inf`` is what nobody predicted."""
    if not 0 < labels.sum() < len(labels):
        return None, None
    lowest = np.min(scores[np.isfinite(scores)], initial=0.0) - 1.0
    scores = np.where(np.isfinite(scores), scores, lowest)
    try:
        interval = bootstrap_interval(
            auc, labels, scores, groups=groups, n_resamples=n_resamples, random_state=random_state
        )
    except LearnerError:  # so few documents that most resamples lack a class
        return auc(labels, scores), None
    return interval.estimate, (interval.low, interval.high)


def rate_intervals(counts: np.ndarray, weights: np.ndarray) -> tuple[Interval, ...]:
    """Of precision, recall and F."""
    return tuple(percentile_interval(column) for column in row_rates(weights @ counts).T)


def percentile_interval(values: np.ndarray) -> Interval:
    """What 95 % of the values lie between."""
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def rates(counts: Counts) -> tuple[float, float, float] | tuple[None, None, None]:
    """Precision, recall and F; None where there is nothing to find."""
    return precision_recall_f(counts.right, counts.predicted, counts.gold) if counts.gold else (None, None, None)


def sum_counts(counts: Iterable[Counts]) -> Counts:
    """The counts of several documents together."""
    gold, predicted, right = (sum(column) for column in zip(Counts(0, 0, 0), *counts, strict=True))
    return Counts(gold, predicted, right)
