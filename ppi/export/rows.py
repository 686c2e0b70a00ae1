"""An interaction as one row of a table: what CSV and Parquet share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from corpora.types import Document, Entity, Infons, Span
from ppi.annotation.types import AnnotatedDocument, Interaction

# a bare number is taken for a PubMed id only where it is too long for the number of a line or file
_PUBMED = re.compile(r"(?:PMID|pubmed)[:\s]*([1-9][0-9]{0,7})|([1-9][0-9]{4,7})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """One of the two proteins; spans count characters of the document."""

    name: str
    start: int
    end: int
    spans: tuple[Span, ...]
    type: str | None
    identifiers: tuple[str, ...]
    grounding: str | None
    id: str
    remarks: Infons


@dataclass(frozen=True, slots=True)
class Row:
    """An interaction with everything that a table shows of it."""

    document: str
    pubmed: str | None
    sentence_id: str
    pair: str
    first: Mention
    second: Mention
    probability: float
    score: float
    sentence: str
    path: str | None
    offset: int


def rows_of(annotated: Iterable[AnnotatedDocument]) -> Iterator[Row]:
    """A row for each interaction, in order."""
    for each in annotated:
        pubmed = pubmed_id(each.document)
        for interaction in each.interactions:
            yield row_of(interaction, pubmed)


def row_of(interaction: Interaction, pubmed: str | None) -> Row:
    """The row of one interaction."""
    first, second = (_mention(entity, interaction.offset) for entity in interaction.proteins)
    return Row(
        interaction.document,
        pubmed,
        interaction.sentence_id,
        interaction.pair,
        first,
        second,
        interaction.probability,
        interaction.score,
        interaction.sentence,
        None if interaction.evidence is None else interaction.evidence.explanation.path,
        interaction.offset,
    )


def pubmed_id(document: Document) -> str | None:
    """The PubMed id of a document: its id, or that in its corpus, if it is one.

    Numbers of fewer than five digits need ``PMID`` before them: files and lines are numbered, too.

    >>> pubmed_id(Document("10022882")), pubmed_id(Document("AImed.d0", orig_id="PMID: 817")), pubmed_id(Document("12"))
    ('10022882', '817', None)
    """
    for written in (document.id, document.orig_id):
        if written is not None and (found := _PUBMED.fullmatch(written.strip())):
            return found[1] or found[2]
    return None


def remark(entity: Entity, name: str) -> str | None:
    """The first remark of that name."""
    return next((value for key, value in entity.infons if key == name), None)


def _mention(entity: Entity, offset: int) -> Mention:
    return Mention(
        entity.text,
        offset + entity.start,
        offset + entity.end,
        tuple((offset + start, offset + end) for start, end in entity.spans),
        entity.type,
        entity.identifiers,
        remark(entity, "grounding"),
        entity.id,
        entity.infons,
    )
