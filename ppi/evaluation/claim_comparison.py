"""Two predictions against one gold, paired by document.

For each line of figures that both have: the difference of precision, recall and F, its bootstrap interval (the same
documents are drawn for both), and the p-value of a permutation test that exchanges, in each document by the toss of a
coin, which of the two predicted what: how often that gives a difference as great, either way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ppi.errors import ReportError
from ppi.evaluation.claim_statistics import RESAMPLES, draw_documents, percentile_interval, row_rates

MEASURES = ("precision", "recall", "f")


@dataclass(frozen=True)
class ClaimComparison:
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

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def compare_scores(
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    *,
    n_resamples: int = RESAMPLES,
    random_state: int = 0,
) -> list[ClaimComparison]:
    """Compare what :meth:`Scored.to_dict` (``ppi score --json``) gave for two predictions.

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
    for first_score in first["scores"]:
        for second_score in second["scores"]:
            if _score_key(first_score) == _score_key(second_score):
                yield first_score, second_score


def _score_key(score: Mapping[str, Any]) -> tuple[Any, ...]:
    return score["level"], score["types"], score["direction"]


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
    permuted_differences = _permute_differences(a, b, n_resamples, random_state)
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


def _permute_differences(a: np.ndarray, b: np.ndarray, n_resamples: int, random_state: int) -> np.ndarray:
    """Differences of the rates when the two are exchanged in a random half of the documents."""
    swaps = np.random.default_rng(random_state).integers(2, size=(n_resamples, len(a)))
    exchanged_counts = swaps @ (b - a)
    return row_rates(a.sum(axis=0) + exchanged_counts) - row_rates(b.sum(axis=0) - exchanged_counts)
