"""Statistics of counted documents: rates, average precision and AUC with bootstrap intervals, paired comparisons.

Two predictions against one gold are paired by document.  For each line of figures that both have: the difference of
precision, recall and F, its bootstrap interval (the same documents are drawn for both), and the p-value of a
permutation test that exchanges, in each document by the toss of a coin, the two predictions: how often that gives a
difference as great, either way.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from learners import LearnerError, auc, bootstrap_interval, precision_recall_f
from ppi.core import ReportError
from ppi.evaluation.records import JsonRecord

RESAMPLES = 1000
MEASURES = ("precision", "recall", "f")
Interval = tuple[float, float]


class Counts(NamedTuple):
    """Of a document: the pairs to be found, those predicted, and how many of these are right."""

    gold: int
    predicted: int
    right: int


class RankedPrediction(NamedTuple):
    """A prediction: its document's number, its probability, whether it is right."""

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
    """The intervals of precision, recall and F."""
    return tuple(percentile_interval(column) for column in row_rates(weights @ counts).T)


def percentile_interval(values: np.ndarray) -> Interval:
    """The bounds of the middle 95 % of the values."""
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def rates(counts: Counts) -> tuple[float, float, float] | tuple[None, None, None]:
    """Precision, recall and F; None where there is nothing to find."""
    return precision_recall_f(counts.right, counts.predicted, counts.gold) if counts.gold else (None, None, None)


def sum_counts(counts: Iterable[Counts]) -> Counts:
    """The counts of several documents together."""
    gold, predicted, right = (sum(column) for column in zip(Counts(0, 0, 0), *counts, strict=True))
    return Counts(gold, predicted, right)


@dataclass(frozen=True)
class ClaimComparison(JsonRecord):
    """First minus second, for one line of figures and one measure; ``documents`` were resampled."""

    level: str
    types: bool
    direction: bool
    measure: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    p_permutation: float
    documents: int


def compare_scores(
    first: Mapping[str, Any], second: Mapping[str, Any], *, n_resamples: int = RESAMPLES, random_state: int = 0
) -> list[ClaimComparison]:
    """Compare what :meth:`ScoringResult.to_dict` (``ppi score --json``) gave for two predictions.

    Raises
    ------
    ReportError
        If the two were not scored against one gold in the same way, or something of a score is missing.
    """
    try:
        rows = [
            row
            for first_score, second_score in _pair_scores(first, second)
            for row in _compare(first_score, second_score, n_resamples, random_state)
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ReportError(
            f"expected two whole results of `ppi score --json`, got a damaged one ({error!r}); score again"
        ) from error
    if not rows:
        raise ReportError(
            f"expected two scores with a line in common, got {_list_levels(first)} and {_list_levels(second)}; "
            "score both with the same --by"
        )
    return rows


def read_scored(path: str | Path) -> dict[str, Any] | None:
    """What ``ppi score --json`` wrote; None if the file is something else, such as a report."""
    if not Path(path).is_file():
        return None
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("scores"), list) else None


def _pair_scores(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    if first["spans"] != second["spans"]:
        raise ReportError(f"expected one way to match mentions, got {first['spans']} and {second['spans']} spans")
    line_key = itemgetter("level", "types", "direction")
    for first_score, second_score in product(first["scores"], second["scores"]):
        if line_key(first_score) == line_key(second_score):
            yield first_score, second_score


def _list_levels(scored: Mapping[str, Any]) -> str:
    return ", ".join(sorted({str(score["level"]) for score in scored["scores"]})) or "none"


def _compare(
    first_score: Mapping[str, Any], second_score: Mapping[str, Any], n_resamples: int, random_state: int
) -> Iterator[ClaimComparison]:
    a, b = (
        np.array([score["documents"][id] for id in first_score["documents"]], dtype=float)
        for score in (first_score, second_score)
    )
    if first_score["documents"].keys() != second_score["documents"].keys() or not np.array_equal(a[:, 0], b[:, 0]):
        raise ReportError("expected two scores against the same gold, got other documents or other pairs to find")
    weights = draw_documents(len(a), n_resamples, random_state)
    resampled_differences = row_rates(weights @ a) - row_rates(weights @ b)
    values = [row_rates(counts.sum(axis=0, keepdims=True))[0] for counts in (a, b)]
    # the differences when the two are exchanged in a random half of the documents
    swaps = np.random.default_rng(random_state).integers(2, size=(n_resamples, len(a)))
    exchanged_counts = swaps @ (b - a)
    permuted_differences = row_rates(a.sum(axis=0) + exchanged_counts) - row_rates(b.sum(axis=0) - exchanged_counts)
    for column, measure in enumerate(MEASURES):
        difference = float(values[0][column] - values[1][column])
        # a rounding error must not make an equal difference a smaller one
        n_extreme = np.sum(np.abs(permuted_differences[:, column]) >= abs(difference) - 1e-12)
        low, high = percentile_interval(resampled_differences[:, column])
        yield ClaimComparison(
            level=first_score["level"],
            types=first_score["types"],
            direction=first_score["direction"],
            measure=measure,
            first=float(values[0][column]),
            second=float(values[1][column]),
            difference=difference,
            low=low,
            high=high,
            p_permutation=float((1 + n_extreme) / (1 + n_resamples)),
            documents=len(a),
        )
