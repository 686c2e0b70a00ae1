"""Anybody's predictions against gold: precision, recall, F and AP with intervals, AUC where gold has negatives.

What is counted:

* the documents of gold.  One that the predictions lack counts as one in which nothing was predicted; what is predicted
  in documents, or in text, that gold does not have cannot be judged, is left out, and is told;
* by mentions: two mentions are a pair wherever sentences begin and end, because places are characters of the document
  (:mod:`ppi.evaluation.claim_layout`);
* by identifiers: the different pairs of identifiers of a document, however many mentions say it; each identifier of
  a mention that has several counts;
* a predicted pair that gold holds as not annotated is left out.

AP is the sum over thresholds of precision times the recall gained, all of gold being wanted: what was never predicted
adds nothing.  AUC ranks the positive and negative pairs that gold has labelled; those without a prediction come last.
Intervals are percentiles of a bootstrap over documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ppi.errors import UsageError
from ppi.evaluation.claim_alignment import Judged, Told, align, tell_claims
from ppi.evaluation.claim_files import ClaimFile
from ppi.evaluation.claim_judging import Judge
from ppi.evaluation.claim_matching import IDENTIFIERS, LEVELS, MENTIONS, Aspect, items_of
from ppi.evaluation.claim_statistics import (
    RESAMPLES,
    Counts,
    Interval,
    auc_with_interval,
    average_precision_interval,
    document_draws,
    rate_intervals,
    rates,
    total_of,
)
from ppi.evaluation.claim_types import type_name
from ppi.evaluation.claims import Claim

MEASURES = ("precision", "recall", "f")
#: What a level needs, in the words of an error.
_NEEDS = {MENTIONS: "pairs of mentions", IDENTIFIERS: "identifiers of both ends"}


@dataclass(frozen=True)
class ClaimScore:
    """One line of figures; measures are None where there is nothing to find.

    ``documents`` are the counts of each gold document, by which predictions can be compared; ``by_type`` those of each
    type, where types are compared.
    """

    level: str
    types: bool
    direction: bool
    gold: int
    predicted: int
    right: int
    precision: float | None
    recall: float | None
    f: float | None
    precision_interval: Interval | None
    recall_interval: Interval | None
    f_interval: Interval | None
    average_precision: float | None
    average_precision_interval: Interval | None
    negatives: int
    auc: float | None
    auc_interval: Interval | None
    documents: Mapping[str, Counts]
    by_type: Mapping[str, Counts]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        value = asdict(self)
        value["documents"] = {id: list(counts) for id, counts in self.documents.items()}
        value["by_type"] = {
            type: {**counts._asdict(), **dict(zip(MEASURES, rates(counts), strict=True))}
            for type, counts in self.by_type.items()
        }
        return value


@dataclass(frozen=True)
class Scored:
    """All figures of one file of predictions against one of gold."""

    gold: str
    predicted: str
    spans: str
    min_probability: float | None
    told: Told
    scores: list[ClaimScore]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "gold": self.gold,
            "predicted": self.predicted,
            "spans": self.spans,
            "min_probability": self.min_probability,
            "told": asdict(self.told),
            "scores": [score.to_dict() for score in self.scores],
        }


def score_claims(
    gold: ClaimFile,
    predicted: ClaimFile,
    *,
    levels: Sequence[str] | None = None,
    overlap: bool = False,
    exact_types: bool = False,
    min_probability: float | None = None,
    n_resamples: int = RESAMPLES,
    random_state: int = 0,
) -> Scored:
    """Score predictions against gold.

    Parameters
    ----------
    gold, predicted
        Files that were read by :func:`ppi.evaluation.claim_files.read_claims`.
    levels
        ``mentions``, ``identifiers`` or both; by default those for which gold has positive pairs, and predictions,
        if there are any, have too.
    overlap
        Whether mentions that share a character are the same; each pair then counts once.
    exact_types
        Whether types are compared by name instead of as binding, modification, regulation.
    min_probability
        Predictions below it are not counted for precision, recall and F.
    n_resamples, random_state
        Of the bootstrap.

    Raises
    ------
    UsageError
        If gold has no document, a level is unknown, or gold has no positive pair for one that was asked for.

    Examples
    --------
    >>> import corpora
    >>> from ppi.evaluation.claim_files import claims_of_documents
    >>> sample = claims_of_documents(corpora.load("sample"))
    >>> score = score_claims(sample, sample).scores[0]
    >>> score.level, score.gold, score.right, score.f
    ('mentions', 30, 30, 1.0)
    """
    if not gold.texts:
        raise UsageError(f"{gold.name}: expected documents as gold, got none; give the annotated file first")
    told = Told(len(gold.texts), len(predicted.texts), len(gold.problems), len(predicted.problems))
    documents = align(gold, predicted, told)
    scores = []
    for level in _levels(gold, predicted, levels):
        judge = Judge(level, documents, overlap=overlap and level == MENTIONS, min_probability=min_probability)
        scores += [
            _score(judge, aspect, n_resamples, random_state) for aspect in _aspects(documents, level, exact_types, told)
        ]
    tell_claims(documents, told)
    spans = "overlapping" if overlap else "exact"
    return Scored(gold.name, predicted.name, spans, min_probability, told, scores)


def _levels(gold: ClaimFile, predicted: ClaimFile, wanted: Sequence[str] | None) -> Sequence[str]:
    if unknown := sorted(set(wanted or ()) - set(LEVELS)):
        raise UsageError(f"expected levels among {', '.join(LEVELS)}, got {unknown[0]!r}")
    in_gold, in_predicted = _levels_of(gold), _levels_of(predicted)
    if wanted:
        if missing := [level for level in wanted if level not in in_gold]:
            raise UsageError(
                f"{gold.name}: expected something to find by {missing[0]}, got no positive pair with "
                f"{_NEEDS[missing[0]]}; score by {' or '.join(in_gold) or 'another file'}"
            )
        return wanted
    common = [level for level in in_gold if level in in_predicted]
    return common or in_gold or [MENTIONS]


def _levels_of(file: ClaimFile) -> list[str]:
    claims = [claim for listed in file.claims.values() for claim in listed if claim.label]
    return [level for level in LEVELS if any(items_of([claim], level) for claim in claims)]


def _aspects(documents: Iterable[Judged], level: str, exact: bool, told: Told) -> list[Aspect]:
    """The two ends alone; with types, if any is common to both; with direction, if both have some.

    Without predictions those that gold has.
    """
    gold = _positive((claim for each in documents for claim in each.gold), level)
    predicted = _positive((claim for each in documents for claim in each.predicted), level)
    in_gold, in_predicted = (
        {type_name(claim.type, exact=exact) for claim in each} - {""} for each in (gold, predicted)
    )
    typed = bool(in_gold & in_predicted) if predicted else bool(in_gold)
    if in_gold and in_predicted and not typed:
        told.types_of_gold, told.types_predicted = sorted(in_gold), sorted(in_predicted)
    directed = any(claim.directed for claim in gold) and (not predicted or any(each.directed for each in predicted))
    return [
        Aspect(types, direction, exact)
        for direction in (False, True)
        for types in (False, True)
        if (typed or not types) and (directed or not direction)
    ]


def _positive(claims: Iterable[Claim], level: str) -> list[Claim]:
    return [claim for claim in claims if claim.label and items_of([claim], level)]


def _score(judge: Judge, aspect: Aspect, n_resamples: int, random_state: int) -> ClaimScore:
    judgement = judge.judge(aspect)
    counts = judgement.counts
    table = np.array(list(counts.values()), dtype=float).reshape(-1, 3)
    total = total_of(counts.values())
    weights = document_draws(len(table), n_resamples, random_state)
    average, average_interval = average_precision_interval(judgement.ranked, table[:, 0], weights)
    plain = not (aspect.types or aspect.direction)  # a negative pair has neither
    labels, scores, groups = judge.labelled(with_scores=bool(judgement.ranked) and plain)
    area, area_interval = auc_with_interval(labels, scores, groups, n_resamples, random_state)
    precision, recall, f = rates(total)
    intervals = rate_intervals(table, weights) if total.gold else (None, None, None)
    return ClaimScore(
        level=judge.level,
        types=aspect.types,
        direction=aspect.direction,
        gold=total.gold,
        predicted=total.predicted,
        right=total.right,
        precision=precision,
        recall=recall,
        f=f,
        precision_interval=intervals[0],
        recall_interval=intervals[1],
        f_interval=intervals[2],
        average_precision=average,
        average_precision_interval=average_interval,
        negatives=int(np.sum(~labels)),
        auc=area,
        auc_interval=area_interval,
        documents=counts,
        by_type={type: total_of(found) for type, found in sorted(judgement.by_type.items())},
    )
