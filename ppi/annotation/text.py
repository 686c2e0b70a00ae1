"""Text, perhaps with given mentions, as a document: a passage for each paragraph."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Integral

from corpora.errors import shown
from corpora.types import Document, Entity, Sentence, Span, text_at
from ppi.errors import UsageError
from ppi.parsing.intervals import Cover

#: The id of the document that a bare text becomes.
TEXT_ID = "text"
_BLANK_LINES = re.compile(r"\n[ \t\r\f\v]*\n\s*")


def document_of_text(
    text: str, entities: Sequence[Span] | Sequence[Entity] | None = None, *, id: str = TEXT_ID
) -> Document:
    """A document whose passages are the paragraphs of ``text``; offsets are those in ``text``.

    Parameters
    ----------
    entities
        Mentions: (start, end) in characters of the text, end-exclusive; or entities whose spans are that.  A
        mention may hold a blank line, the paragraphs are then one passage.

    Raises
    ------
    UsageError
        If a mention lies outside the text, is empty, or is there twice.

    Examples
    --------
    >>> document = document_of_text("A binds B.\\n\\nC does not.", [(0, 1), (8, 9), (12, 13)])
    >>> [(each.text, each.offset, [entity.text for entity in each.entities]) for each in document.sentences]
    [('A binds B.', 0, ['A', 'B']), ('C does not.', 12, ['C'])]
    """
    given = _given(text, entities)
    paragraphs = _paragraphs(text, given)
    owned: list[list[Entity]] = [[] for _ in paragraphs]
    starts = [start for start, _ in paragraphs]
    for entity in given:
        home = bisect_right(starts, entity.start) - 1
        owned[home].append(_shifted(entity, starts[home]))
    return Document(
        id,
        tuple(
            Sentence(f"{id}.s{number}", text[start:end], tuple(own), offset=start)
            for number, ((start, end), own) in enumerate(zip(paragraphs, owned))
        ),
    )


def _given(text: str, entities: Sequence[Span] | Sequence[Entity] | None) -> list[Entity]:
    """The mentions, checked: each once.  Entities of different ids may stand at the same place."""
    if isinstance(entities, str | bytes) or not isinstance(entities, Iterable | None):
        raise UsageError(f"expected mentions as (start, end), or entities, got {shown(entities)}")
    mentions: list[Span | Entity] = list(entities or ())
    given = [_entity(text, number, each) for number, each in enumerate(mentions)]
    keys = Counter(each.id if isinstance(mention, Entity) else each.spans for mention, each in zip(mentions, given))
    for key, count in keys.items():
        if count > 1:
            what = f"the id {key!r}" if isinstance(key, str) else f"{key[0]}"
            raise UsageError(f"expected each mention once, got {what} {count} times; leave the others out")
    return given


def _entity(text: str, number: int, given: Span | Entity) -> Entity:
    spans: tuple[Span, ...] = given.spans if isinstance(given, Entity) else (given,)
    for span in spans:
        numbers = isinstance(span, Sequence) and len(span) == 2 and all(isinstance(bound, Integral) for bound in span)
        if not numbers or not 0 <= span[0] < span[1] <= len(text):
            raise UsageError(
                f"expected mentions as (start, end) inside the {len(text)} characters of the text, got {shown(span)}; "
                "offsets are zero-based and end-exclusive"
            )
    found = text_at(text, spans)
    if not isinstance(given, Entity):
        return Entity(f"e{number}", found, ((int(given[0]), int(given[1])),))
    if found != given.text:
        raise UsageError(f"expected the text {given.text!r} of entity {given.id!r} at {spans}, got {found!r}")
    return given


def _paragraphs(text: str, entities: Sequence[Entity]) -> list[Span]:
    """Extents between blank lines that touch no entity; those that hold nothing are left out.

    O(characters + (paragraphs + entities) log entities).
    """
    mentions = Cover((entity.start, entity.end) for entity in entities)
    firsts = sorted(entity.start for entity in entities)
    cuts = [gap.span() for gap in _BLANK_LINES.finditer(text) if not mentions.reaches_over(gap.end(), gap.start())]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    return [
        (start, end)
        for start, end in zip(starts, ends)
        if text[start:end].strip() or bisect_left(firsts, start) < bisect_left(firsts, end)
    ]


def _shifted(entity: Entity, by: int) -> Entity:
    return replace(entity, spans=tuple((start - by, end - by) for start, end in entity.spans))
