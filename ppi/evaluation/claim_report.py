"""Scored predictions as text for the terminal: what was counted, the figures, the types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from corpora.short import counted
from ppi.evaluation.aligning import aligned
from ppi.evaluation.claim_matching import IDENTIFIERS, MENTIONS
from ppi.evaluation.claim_scores import ClaimScore, Scored
from ppi.evaluation.claim_statistics import Interval, rates

_HEAD = ("by", "gold", "predicted", "right", "P", "R", "F", "95 % of F", "AP", "95 % of AP", "AUC")
_TYPES_HEAD = ("type", "gold", "predicted", "right", "P", "R", "F")
#: Ids that are named; of more, only how many.
_NAMED = 3


def line_name(level: str, types: bool, direction: bool) -> str:
    """How a line of figures is called.

    >>> line_name("mentions", True, True)
    'mentions, type, direction'
    """
    return ", ".join([level, *(["type"] if types else []), *(["direction"] if direction else [])])


def scores_table(scored: Scored) -> str:
    """Percentages, one line per level and aspect, then one per type."""
    parts = [aligned([_HEAD, *map(_row, scored.scores)])]
    for score in scored.scores:
        if score.types and not score.direction:
            parts.append(f"{line_name(score.level, True, False)}:")
            parts.append(aligned([_TYPES_HEAD, *_type_rows(score)]))
    return "\n".join(parts)


def told_lines(scored: Scored) -> Iterator[str]:
    """What was left out and what may surprise, one sentence each."""
    told, levels = scored.told, {score.level for score in scored.scores}
    yield f"{counted(told.gold_documents, 'document')} of gold, {told.predicted_documents:,} of predictions"
    if told.documents_only_in_gold:
        yield f"{_ids(told.documents_only_in_gold)} only in gold: everything there is missed"
    if told.documents_only_predicted:
        yield f"{_ids(told.documents_only_predicted)} only in the predictions: not judged"
    if told.types_of_gold:
        yield (
            f"no type in common, so types are not compared: {_some(told.types_of_gold)} in gold, "
            f"{_some(told.types_predicted)} predicted"
        )
    sentences = [
        (told.matched_by_pubmed, "document", "matched by PubMed id, the ids being different"),
        (told.sentences_only_in_gold, "sentence", "of gold not in the predicted documents"),
        (told.sentences_only_predicted, "sentence", "of the predicted documents not in gold"),
        (
            told.claims_without_sentence,
            "prediction",
            "without a sentence's id, by which gold's are told apart: not judged",
        ),
        (told.claims_outside_gold, "prediction", "outside the text that gold has: not judged"),
        (told.claims_not_annotated, "prediction", "that gold holds as not annotated: not judged"),
        (told.claims_repeated, "prediction", "repeated: counted once"),
        (
            told.mentions_with_other_text,
            "predicted mention",
            "with another text in gold: are offsets of the same text?",
        ),
    ]
    if IDENTIFIERS in levels:
        bare = "without identifiers at both ends: not counted by identifiers"
        sentences += [
            (told.gold_without_identifiers, "gold pair", bare),
            (told.claims_without_identifiers, "prediction", bare),
        ]
    if MENTIONS in levels:
        bare = "of identifiers alone: by mentions only as projected (--by mentions)"
        sentences += [
            (told.gold_without_mentions, "gold pair", bare),
            (told.claims_without_mentions, "prediction", bare),
        ]
    for count, what, how in sentences:
        if count:
            yield f"{counted(count, what)} {how}"


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


def _ids(ids: Iterable[str]) -> str:
    listed = list(ids)
    return f"{counted(len(listed), 'document')} ({_some(listed)})"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (" ..." if len(names) > _NAMED else "")


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _interval(interval: Interval | None) -> str:
    return "-" if interval is None else f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}"
