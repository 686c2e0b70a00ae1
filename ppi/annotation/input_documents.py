"""Turns a text with given mentions into a document, one passage per paragraph; finds PubMed id and year."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Integral

from corpora import Document, Entity, Sentence, Span, text_at, truncate_repr
from ppi.core import UsageError
from ppi.language import SpanCover

#: The id of the document that a bare text becomes.
TEXT_ID = "text"
_BLANK_LINES = re.compile(r"\n[ \t\r\f\v]*\n\s*")
#: The remark in which the readers of PubMed, MEDLINE and PubMed Central record when a paper was published.
YEAR_INFON = "year"
_YEAR = re.compile(r"[12][0-9]{3}")
# a bare number is taken for a PubMed id only where it is too long for the number of a line or file
_PUBMED = re.compile(r"(?:PMID|pubmed)[:\s]*([1-9][0-9]{0,7})|([1-9][0-9]{4,7})", re.IGNORECASE)


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
    mentions = _check_mentions(text, entities)
    paragraphs = _paragraphs(text, mentions)
    paragraph_entities: list[list[Entity]] = [[] for _ in paragraphs]
    starts = [start for start, _ in paragraphs]
    for entity in mentions:
        paragraph = bisect_right(starts, entity.start) - 1
        spans = tuple((start - starts[paragraph], end - starts[paragraph]) for start, end in entity.spans)
        paragraph_entities[paragraph].append(replace(entity, spans=spans))
    return Document(
        id,
        tuple(
            Sentence(f"{id}.s{number}", text[start:end], tuple(own), offset=start)
            for number, ((start, end), own) in enumerate(zip(paragraphs, paragraph_entities))
        ),
    )


def _check_mentions(text: str, entities: Sequence[Span] | Sequence[Entity] | None) -> list[Entity]:
    """The mentions, checked: each once.  Entities of different ids may stand at the same place."""
    if isinstance(entities, str | bytes) or not isinstance(entities, Iterable | None):
        raise UsageError(f"expected mentions as (start, end), or entities, got {truncate_repr(entities)}")
    mentions: list[Span | Entity] = list(entities or ())
    checked_entities = [_entity(text, number, mention) for number, mention in enumerate(mentions)]
    keys = Counter(
        entity.id if isinstance(mention, Entity) else entity.spans
        for mention, entity in zip(mentions, checked_entities)
    )
    for key, count in keys.items():
        if count > 1:
            what = f"the id {key!r}" if isinstance(key, str) else f"{key[0]}"
            raise UsageError(f"expected each mention once, got {what} {count} times; leave the others out")
    return checked_entities


def _entity(text: str, number: int, mention: Span | Entity) -> Entity:
    spans: tuple[Span, ...] = mention.spans if isinstance(mention, Entity) else (mention,)
    for span in spans:
        numbers = isinstance(span, Sequence) and len(span) == 2 and all(isinstance(bound, Integral) for bound in span)
        if not numbers or not 0 <= span[0] < span[1] <= len(text):
            raise UsageError(
                f"expected mentions as (start, end) inside the {len(text)} characters of the text, got "
                f"{truncate_repr(span)}; offsets are zero-based and end-exclusive"
            )
    covered_text = text_at(text, spans)
    if not isinstance(mention, Entity):
        return Entity(f"e{number}", covered_text, ((int(mention[0]), int(mention[1])),))
    if covered_text != mention.text:
        raise UsageError(
            f"expected the text {mention.text!r} of entity {mention.id!r} at {spans}, got {covered_text!r}"
        )
    return mention


def _paragraphs(text: str, entities: Sequence[Entity]) -> list[Span]:
    """Extents between blank lines that touch no entity; those that hold nothing are left out.

    O(characters + (paragraphs + entities) log entities).
    """
    mentions = SpanCover((entity.start, entity.end) for entity in entities)
    firsts = sorted(entity.start for entity in entities)
    cuts = [gap.span() for gap in _BLANK_LINES.finditer(text) if not mentions.reaches_over(gap.end(), gap.start())]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    return [
        (start, end)
        for start, end in zip(starts, ends)
        if text[start:end].strip() or bisect_left(firsts, start) < bisect_left(firsts, end)
    ]


def pubmed_id(document: Document) -> str | None:
    """The PubMed id of a document: its id, or that in its corpus, if it is one.

    Numbers of fewer than five digits need ``PMID`` before them: files and lines are numbered, too.

    >>> pubmed_id(Document("10022882")), pubmed_id(Document("AImed.d0", orig_id="PMID: 817")), pubmed_id(Document("12"))
    ('10022882', '817', None)
    """
    for candidate_id in (document.id, document.orig_id):
        if candidate_id is not None and (match := _PUBMED.fullmatch(candidate_id.strip())):
            return match[1] or match[2]
    return None


def year_of(document: Document) -> int | None:
    """The year in which the document was published, where its file gives it.

    >>> year_of(Document("d", infons=(("journal", "J"), ("year", "1999")))), year_of(Document("d"))
    (1999, None)
    """
    year_text = next((value for name, value in document.infons if name == YEAR_INFON), "")
    return int(year_text) if _YEAR.fullmatch(year_text.strip()) else None
