"""Score anybody's predictions against gold: precision, recall, F and AP with intervals, AUC where gold has negatives.

What is counted:

* the documents of gold.  One that the predictions lack counts as one in which nothing was predicted; what is predicted
  in documents, or in text, that gold does not have cannot be scored: it is left out and reported;
* by mentions: two mentions are a pair wherever sentences begin and end, because places are characters of the document
  (:mod:`ppi.evaluation.scoring.claim_alignment`);
* by identifiers: the different pairs of identifiers of a document, however many mentions state it; each identifier of
  a mention that has several counts;
* a predicted pair that gold holds as not annotated is left out.

AP is the sum over thresholds of precision times the recall gained, all of gold being wanted: what was never predicted
adds nothing.  AUC ranks the positive and negative pairs that gold has labelled; those without a prediction come last.
Intervals are percentiles of a bootstrap over documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from corpora import pluralize
from ppi.core import UsageError
from ppi.evaluation.reports.markdown import format_columns, percent
from ppi.evaluation.scoring.claim_alignment import AlignedDocument, Coverage, align, count_partial_claims
from ppi.evaluation.scoring.claim_files import ClaimFile
from ppi.evaluation.scoring.claim_matching import IDENTIFIERS, LEVELS, MENTIONS, Aspect, ClaimMatcher, items_of
from ppi.evaluation.scoring.claim_statistics import (
    MEASURES,
    RESAMPLES,
    Counts,
    Interval,
    auc_with_interval,
    average_precision_with_interval,
    draw_documents,
    rate_intervals,
    rates,
    sum_counts,
)
from ppi.evaluation.scoring.claims import Claim, normalize_type

#: What a level needs, in the words of an error.
_LEVEL_NEEDS = {MENTIONS: "pairs of mentions", IDENTIFIERS: "identifiers of both ends"}
_SCORE_COLUMNS = ("by", "gold", "predicted", "right", "P", "R", "F", "95 % of F", "AP", "95 % of AP", "AUC")
_TYPE_COLUMNS = ("type", "gold", "predicted", "right", "P", "R", "F")
#: Ids that are named; of more, only how many.
_MAX_LISTED_NAMES = 3


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
class ScoringResult:
    """All figures of one file of predictions against one of gold."""

    gold: str
    predicted: str
    spans: str
    min_probability: float | None
    told: Coverage
    scores: list[ClaimScore]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**vars(self), "told": asdict(self.told), "scores": [score.to_dict() for score in self.scores]}


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
) -> ScoringResult:
    """Score predictions against gold.

    Parameters
    ----------
    gold, predicted
        Files that were read by :func:`ppi.evaluation.read_claims`.
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
    >>> from ppi.evaluation import claims_of_documents
    >>> sample = claims_of_documents(corpora.load("sample"))
    >>> score = score_claims(sample, sample).scores[0]
    >>> score.level, score.gold, score.right, score.f
    ('mentions', 30, 30, 1.0)
    """
    if not gold.texts:
        raise UsageError(f"{gold.name}: expected documents as gold, got none; give the annotated file first")
    coverage = Coverage(len(gold.texts), len(predicted.texts), len(gold.problems), len(predicted.problems))
    documents = align(gold, predicted, coverage)
    scores = []
    for level in _select_levels(gold, predicted, levels):
        matcher = ClaimMatcher(level, documents, overlap=overlap and level == MENTIONS, min_probability=min_probability)
        scores += [
            _score(matcher, aspect, n_resamples, random_state)
            for aspect in _select_aspects(documents, level, exact_types, coverage)
        ]
    count_partial_claims(documents, coverage)
    spans = "overlapping" if overlap else "exact"
    return ScoringResult(gold.name, predicted.name, spans, min_probability, coverage, scores)


def _select_levels(gold: ClaimFile, predicted: ClaimFile, requested: Sequence[str] | None) -> Sequence[str]:
    if unknown := sorted(set(requested or ()) - set(LEVELS)):
        raise UsageError(f"expected levels among {', '.join(LEVELS)}, got {unknown[0]!r}")
    in_gold, in_predicted = _available_levels(gold), _available_levels(predicted)
    if requested:
        if missing := [level for level in requested if level not in in_gold]:
            raise UsageError(
                f"{gold.name}: expected something to find by {missing[0]}, got no positive pair with "
                f"{_LEVEL_NEEDS[missing[0]]}; score by {' or '.join(in_gold) or 'another file'}"
            )
        return requested
    common = [level for level in in_gold if level in in_predicted]
    return common or in_gold or [MENTIONS]


def _available_levels(file: ClaimFile) -> list[str]:
    claims = [claim for document_claims in file.claims.values() for claim in document_claims if claim.label]
    return [level for level in LEVELS if any(items_of([claim], level) for claim in claims)]


def _select_aspects(documents: Iterable[AlignedDocument], level: str, exact: bool, coverage: Coverage) -> list[Aspect]:
    """The two ends alone; with types, if any is common to both; with direction, if both have some.

    Without predictions those that gold has.
    """
    gold = _select_positive((claim for document in documents for claim in document.gold), level)
    predicted = _select_positive((claim for document in documents for claim in document.predicted), level)
    in_gold, in_predicted = (
        {normalize_type(claim.type, exact=exact) for claim in claims} - {""} for claims in (gold, predicted)
    )
    has_types = bool(in_gold & in_predicted) if predicted else bool(in_gold)
    if in_gold and in_predicted and not has_types:
        coverage.types_of_gold, coverage.types_predicted = sorted(in_gold), sorted(in_predicted)
    has_direction = any(claim.directed for claim in gold) and (
        not predicted or any(claim.directed for claim in predicted)
    )
    return [
        Aspect(types, direction, exact)
        for direction in (False, True)
        for types in (False, True)
        if (has_types or not types) and (has_direction or not direction)
    ]


def _select_positive(claims: Iterable[Claim], level: str) -> list[Claim]:
    return [claim for claim in claims if claim.label and items_of([claim], level)]


def _score(matcher: ClaimMatcher, aspect: Aspect, n_resamples: int, random_state: int) -> ClaimScore:
    match_counts = matcher.count_matches(aspect)
    counts = match_counts.counts
    counts_by_document = np.array(list(counts.values()), dtype=float).reshape(-1, 3)
    total = sum_counts(counts.values())
    weights = draw_documents(len(counts_by_document), n_resamples, random_state)
    average, average_interval = average_precision_with_interval(match_counts.ranked, counts_by_document[:, 0], weights)
    plain = not (aspect.types or aspect.direction)  # a negative pair has neither
    labels, scores, groups = matcher.labels_and_scores(with_scores=bool(match_counts.ranked) and plain)
    area, area_interval = auc_with_interval(labels, scores, groups, n_resamples, random_state)
    precision, recall, f = rates(total)
    intervals = rate_intervals(counts_by_document, weights) if total.gold else (None, None, None)
    return ClaimScore(
        level=matcher.level,
        types=aspect.types,
        direction=aspect.direction,
        **total._asdict(),
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
        by_type={type: sum_counts(type_counts) for type, type_counts in sorted(match_counts.by_type.items())},
    )


def line_name(level: str, types: bool, direction: bool) -> str:
    """The name of a line of figures.

    >>> line_name("mentions", True, True)
    'mentions, type, direction'
    """
    return ", ".join([level, *(["type"] if types else []), *(["direction"] if direction else [])])


def scores_table(scored: ScoringResult) -> str:
    """Percentages, one line per level and aspect, then one per type."""
    parts = [format_columns([_SCORE_COLUMNS, *map(_row, scored.scores)])]
    for score in scored.scores:
        if score.types and not score.direction:
            rows = [(type or "(none)", *counts, *map(percent, rates(counts))) for type, counts in score.by_type.items()]
            parts.append(f"{line_name(score.level, True, False)}:\n{format_columns([_TYPE_COLUMNS, *rows])}")
    return "\n".join(parts)


def describe_coverage(scored: ScoringResult) -> Iterator[str]:
    """What was left out and what may be unexpected, one sentence each."""
    coverage, levels = scored.told, {score.level for score in scored.scores}
    yield f"{pluralize(coverage.gold_documents, 'document')} of gold, {coverage.predicted_documents:,} of predictions"
    if coverage.documents_only_in_gold:
        yield f"{_list_documents(coverage.documents_only_in_gold)} only in gold: everything there is missed"
    if coverage.documents_only_predicted:
        yield f"{_list_documents(coverage.documents_only_predicted)} only in the predictions: not judged"
    if coverage.types_of_gold:
        yield (
            f"no type in common, so types are not compared: {_abbreviate_names(coverage.types_of_gold)} in gold, "
            f"{_abbreviate_names(coverage.types_predicted)} predicted"
        )
    counted_notes = [
        (coverage.matched_by_pubmed, "document", "matched by PubMed id, the ids being different"),
        (coverage.sentences_only_in_gold, "sentence", "of gold not in the predicted documents"),
        (coverage.sentences_only_predicted, "sentence", "of the predicted documents not in gold"),
        (
            coverage.claims_without_sentence,
            "prediction",
            "without a sentence's id, by which gold's are told apart: not judged",
        ),
        (coverage.claims_outside_gold, "prediction", "outside the text that gold has: not judged"),
        (coverage.claims_not_annotated, "prediction", "that gold holds as not annotated: not judged"),
        (coverage.claims_repeated, "prediction", "repeated: counted once"),
        (
            coverage.mentions_with_other_text,
            "predicted mention",
            "with another text in gold: are offsets of the same text?",
        ),
    ]
    if IDENTIFIERS in levels:
        reason = "without identifiers at both ends: not counted by identifiers"
        counted_notes += [
            (coverage.gold_without_identifiers, "gold pair", reason),
            (coverage.claims_without_identifiers, "prediction", reason),
        ]
    if MENTIONS in levels:
        reason = "of identifiers alone: by mentions only as projected (--by mentions)"
        counted_notes += [
            (coverage.gold_without_mentions, "gold pair", reason),
            (coverage.claims_without_mentions, "prediction", reason),
        ]
    for count, what, how in counted_notes:
        if count:
            yield f"{pluralize(count, what)} {how}"


def _row(score: ClaimScore) -> tuple[Any, ...]:
    return (
        line_name(score.level, score.types, score.direction),
        score.gold,
        score.predicted,
        score.right,
        *map(percent, (score.precision, score.recall, score.f)),
        _interval(score.f_interval),
        percent(score.average_precision),
        _interval(score.average_precision_interval),
        percent(score.auc),
    )


def _list_documents(ids: Sequence[str]) -> str:
    return f"{pluralize(len(ids), 'document')} ({_abbreviate_names(ids)})"


def _abbreviate_names(names: Sequence[str]) -> str:
    return ", ".join(names[:_MAX_LISTED_NAMES]) + (" ..." if len(names) > _MAX_LISTED_NAMES else "")


def _interval(interval: Interval | None) -> str:
    return "-" if interval is None else f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}"
