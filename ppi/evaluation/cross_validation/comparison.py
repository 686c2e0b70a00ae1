"""Compare two evaluation reports on the same folds, paired by fold and by document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners import auc, wilcoxon_signed_rank
from ppi.core import ReportError
from ppi.evaluation.records import JsonRecord
from ppi.evaluation.scoring.claim_statistics import percentile_interval

RESAMPLES = 1000
_Statistic = Callable[[np.ndarray, np.ndarray], float]


@dataclass(frozen=True)
class Comparison(JsonRecord):
    """First minus second, for one corpus and one measure.

    ``p_wilcoxon`` is of the signed-rank test over folds (None if no fold differs); ``low`` and ``high`` bound 95 %
    of the difference of the pooled measure when whole documents are resampled.
    """

    corpus: str
    #: its name in the second report: the same corpus may be read from files of two names
    second_corpus: str
    measure: str
    first: float
    second: float
    difference: float
    p_wilcoxon: float | None
    pooled_difference: float
    low: float
    high: float


def match_reports(
    first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The evaluations of one corpus and seed in both reports, in the order of the first.

    They are matched by name, and those that are left by their pairs and folds, because a file may have another name.

    Raises
    ------
    ReportError
        If there is none, or something of a report is missing.
    """
    try:
        first_keys, second_keys = (
            [(evaluation["corpus"], evaluation["seed"]) for evaluation in report] for report in (first, second)
        )
        unmatched = dict(zip(second_keys, second, strict=True))
        matched = {number: unmatched.pop(key) for number, key in enumerate(first_keys) if key in unmatched}
        for number, evaluation in enumerate(first):
            # a generator, since sets of pairs are large and mostly not needed
            matching_keys = (
                key for key in unmatched if number not in matched and _contents(evaluation) == _contents(unmatched[key])
            )
            if (key := next(matching_keys, None)) is not None:
                matched[number] = unmatched.pop(key)
        if not matched:
            raise ReportError(
                f"expected a corpus (and seed) in both reports, by name or by its pairs and folds, got {first_keys} "
                f"and {second_keys}"
            )
    except (KeyError, TypeError) as error:
        raise _damage_error(error) from error
    return [(first[number], matched[number]) for number in sorted(matched)]


def _contents(report: Mapping[str, Any]) -> tuple[Any, ...]:
    """What identifies a corpus on its folds, whatever its name."""
    pairs = {(pair["document"], pair["pair"], pair["label"]) for pair in report["pairs"]}
    return report["seed"], report["fold_of"], pairs


def _damage_error(error: Exception) -> ReportError:
    return ReportError(
        f"expected two whole reports of `ppi evaluate --report`, got a damaged one ({error!r}); evaluate again"
    )


def compare_reports(first: Mapping[str, Any], second: Mapping[str, Any], *, random_state: int = 0) -> list[Comparison]:
    """Compare two evaluations of one corpus by F and by AUC.

    Raises
    ------
    ReportError
        If they are not of the same corpus, folds and pairs, or something of a report is missing.
    """
    try:
        return _compare(first, second, random_state)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _damage_error(error) from error


def _compare(first: Mapping[str, Any], second: Mapping[str, Any], random_state: int) -> list[Comparison]:
    if first["fold_of"] != second["fold_of"]:
        same = first["fold_of"].keys() == second["fold_of"].keys()
        raise ReportError(
            f"expected two evaluations of one corpus on the same folds, got {first['corpus']} and "
            f"{second['corpus']}{' on other folds' if same else ', which have other documents'}"
        )
    # ids of pairs are unique only in their document
    a, b = ({(pair["document"], pair["pair"]): pair for pair in report["pairs"]} for report in (first, second))
    if a.keys() != b.keys():
        raise ReportError(f"expected the same pairs in both reports, got {len(a.keys() ^ b.keys())} in only one")
    order = list(a)
    labels = np.array([a[pair]["label"] for pair in order])
    documents = np.array([document for document, _ in order])
    results = []
    statistics: tuple[tuple[str, _Statistic, str], ...] = (("f", _f_of_decisions, "interacts"), ("auc", auc, "score"))
    for measure, statistic, field in statistics:
        first_values, second_values = (np.array([side[pair][field] for pair in order], dtype=float) for side in (a, b))
        low, high = _bootstrap_difference(statistic, labels, first_values, second_values, documents, random_state)
        means = first["mean"][measure], second["mean"][measure]
        results.append(
            Comparison(
                corpus=first["corpus"],
                second_corpus=second["corpus"],
                measure=measure,
                first=means[0],
                second=means[1],
                difference=means[0] - means[1],
                p_wilcoxon=_wilcoxon(first, second, measure),
                pooled_difference=statistic(labels, first_values) - statistic(labels, second_values),
                low=low,
                high=high,
            )
        )
    return results


def _wilcoxon(first: Mapping[str, Any], second: Mapping[str, Any], measure: str) -> float | None:
    rows = [
        (first_fold[measure], second_fold[measure])
        for first_fold, second_fold in zip(first["folds"], second["folds"], strict=True)
        if first_fold[measure] is not None and second_fold[measure] is not None
    ]
    if all(first_value == second_value for first_value, second_value in rows):
        return None
    return wilcoxon_signed_rank(*zip(*rows, strict=True)).p_value


def _f_of_decisions(labels: np.ndarray, decisions: np.ndarray) -> float:
    return float(2 * np.sum(labels * decisions) / max(labels.sum() + decisions.sum(), 1))


def _bootstrap_difference(
    statistic: _Statistic,
    labels: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    documents: np.ndarray,
    random_state: int,
) -> tuple[float, float]:
    rng = np.random.default_rng(random_state)
    members = [np.flatnonzero(documents == id) for id in np.unique(documents)]
    values = []
    for _ in range(RESAMPLES):
        rows = np.concatenate([members[index] for index in rng.integers(len(members), size=len(members))])
        if 0 < labels[rows].sum() < len(rows):
            values.append(statistic(labels[rows], first[rows]) - statistic(labels[rows], second[rows]))
    return percentile_interval(np.array(values))
