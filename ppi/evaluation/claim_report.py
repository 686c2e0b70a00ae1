"""Scored predictions as text for the terminal: what was counted, the figures, the types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from corpora.short import pluralize
from ppi.evaluation.aligning import format_columns
from ppi.evaluation.claim_matching import IDENTIFIERS, MENTIONS
from ppi.evaluation.claim_scores import ClaimScore, ScoringResult
from ppi.evaluation.claim_statistics import Interval, rates

_SCORE_COLUMNS = ("by", "gold", "predicted", "right", "P", "R", "F", "95 % of F", "AP", "95 % of AP", "AUC")
_TYPE_COLUMNS = ("type", "gold", "predicted", "right", "P", "R", "F")
#: Ids that are named; of more, only how many.
_MAX_LISTED_NAMES = 3


def line_name(level: str, types: bool, direction: bool) -> str:
    """How a line of figures is called.

    >>> line_name("mentions", True, True)
    'mentions, type, direction'
    """
    return ", ".join([level, *(["type"] if types else []), *(["direction"] if direction else [])])


def scores_table(scored: ScoringResult) -> str:
    """Percentages, one line per level and aspect, then one per type."""
    parts = [format_columns([_SCORE_COLUMNS, *map(_row, scored.scores)])]
    for score in scored.scores:
        if score.types and not score.direction:
            parts.append(f"{line_name(score.level, True, False)}:")
            parts.append(format_columns([_TYPE_COLUMNS, *_type_rows(score)]))
    return "\n".join(parts)


def describe_coverage(scored: ScoringResult) -> Iterator[str]:
    """What was left out and what may surprise, one sentence each."""
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


def _row(score: ClaimScore) -> tuple[str, ...]:
    return (
        line_name(score.level, score.types, score.direction),
        *(str(count) for count in (score.gold, score.predicted, score.right)),
        *(_percent(value) for value in (score.precision, score.recall, score.f)),
        _interval(score.f_interval),
        _percent(score.average_precision),
        _interval(score.average_precision_interval),
        _percent(score.auc),
    )


def _type_rows(score: ClaimScore) -> Iterator[tuple[str, ...]]:
    for type, counts in score.by_type.items():
        yield (type or "(none)", *map(str, counts), *map(_percent, rates(counts)))


def _list_documents(ids: Iterable[str]) -> str:
    listed_ids = list(ids)
    return f"{pluralize(len(listed_ids), 'document')} ({_abbreviate_names(listed_ids)})"


def _abbreviate_names(names: Sequence[str]) -> str:
    return ", ".join(names[:_MAX_LISTED_NAMES]) + (" ..." if len(names) > _MAX_LISTED_NAMES else "")


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _interval(interval: Interval | None) -> str:
    return "-" if interval is None else f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}"
