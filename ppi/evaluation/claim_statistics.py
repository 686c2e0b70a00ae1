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


class Ranked(NamedTuple):
    """Predictions of all documents: the document's number, the probability, whether each is right."""

    document: int
    probability: float
    right: bool


def document_draws(n_documents: int, n_resamples: int, random_state: int) -> np.ndarray:
    """How often each document is drawn in each resample; one row per resample."""
    if not n_documents:
        return np.zeros((n_resamples, 0), dtype=int)
    rng = np.random.default_rng(random_state)
    return rng.multinomial(n_documents, np.full(n_documents, 1 / n_documents), size=n_resamples)


def rates_of(counts: np.ndarray) -> np.ndarray:
    """Precision, recall and F of rows of (gold, predicted, right); what would be 0 / 0 is 0."""
    gold, predicted, right = counts.T
    return np.stack(
        [right / np.maximum(predicted, 1), right / np.maximum(gold, 1), 2 * right / np.maximum(gold + predicted, 1)],
        axis=1,
    )


def average_precision(ranked: Sequence[Ranked], wanted: float, weights: np.ndarray) -> float:
    """Of predictions by falling probability, each document counting ``weights`` times; equal ones count together."""
    if not ranked or not wanted:
        return 0.0
    number, probability, right = (np.array(column) for column in zip(*ranked, strict=True))
    weight = weights[number]
    last = np.append(probability[1:] != probability[:-1], True)  # of its threshold
    hits, predicted = np.cumsum(weight * right)[last], np.cumsum(weight)[last]
    gained = np.diff(hits, prepend=0.0) / wanted
    return float(np.sum(gained * hits / np.maximum(predicted, 1)))


def average_precision_interval(
    ranked: list[Ranked] | None, gold: np.ndarray, weights: np.ndarray
) -> tuple[float | None, Interval | None]:
    """The average precision and its interval; None without probabilities or anything to find."""
    if not ranked or not gold.sum():
        return None, None
    ranked = sorted(ranked, key=lambda each: -each.probability)
    once = np.ones(len(gold), dtype=int)
    drawn = [average_precision(ranked, float(row @ gold), row) for row in weights]
    return average_precision(ranked, float(gold.sum()), once), percentiles(np.array(drawn))


def auc_with_interval(
    labels: np.ndarray, scores: np.ndarray, groups: np.ndarray, n_resamples: int, random_state: int
) -> tuple[float | None, Interval | None]:
    """AUC and its interval; None unless there are positives and negatives.  ``-inf`` is what nobody predicted."""
    if not 0 < labels.sum() < len(labels):
        return None, None
    lowest = np.min(scores[np.isfinite(scores)], initial=0.0) - 1.0
    scores = np.where(np.isfinite(scores), scores, lowest)
    try:
        found = bootstrap_interval(
            auc, labels, scores, groups=groups, n_resamples=n_resamples, random_state=random_state
        )
    except LearnerError:  # so few documents that most resamples lack a class
        return auc(labels, scores), None
    return found.estimate, (found.low, found.high)


def rate_intervals(counts: np.ndarray, weights: np.ndarray) -> tuple[Interval, ...]:
    """Of precision, recall and F."""
    return tuple(percentiles(column) for column in rates_of(weights @ counts).T)


def percentiles(values: np.ndarray) -> Interval:
    """What 95 % of the values lie between."""
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def rates(counts: Counts) -> tuple[float, float, float] | tuple[None, None, None]:
    """Precision, recall and F; None where there is nothing to find."""
    return precision_recall_f(counts.right, counts.predicted, counts.gold) if counts.gold else (None, None, None)


def total_of(counts: Iterable[Counts]) -> Counts:
    """The counts of several documents together."""
    gold, predicted, right = (sum(column) for column in zip(Counts(0, 0, 0), *counts, strict=True))
    return Counts(gold, predicted, right)
