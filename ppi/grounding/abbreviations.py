"""Abbreviations of a document: every mention of one knows what it stands for, and is of the same kind.

A definition counts in the whole document, whichever sentence or passage it stands in.  Where a document defines an
abbreviation twice, the last definition before a mention counts, or the first one behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from corpora.types import Document, Entity, Sentence
from ppi.grounding.identity import LONG_FORM
from ppi.pipeline.abbreviations import Meanings, Span, definitions
from ppi.pipeline.kinds import CHEMICAL, FAMILY, KINDS, ORGANISM, PROTEIN
from ppi.pipeline.names.long_forms import head_of, kind_of_long_form

_PROTEINS = (PROTEIN, FAMILY)
#: Kinds that a name gets by itself; the others depend on the words around it ("IL-2 promoter", "CD4+ cells").
_BY_NAME = (CHEMICAL, ORGANISM)


class LongForm(NamedTuple):
    """The words that an abbreviation stands for, and the kind of name that they are, if that is known."""

    text: str
    kind: str | None


def expanded(document: Document, *, found: bool = True) -> Document:
    """The document with ``long_form`` infons at the mentions of its abbreviations, and their kinds; O(characters).

    A name that was taken for a protein and abbreviates something else is of that kind (``OTHER``, if it is none of the
    other kinds); one that was taken for a chemical or an organism and abbreviates a protein is a protein.

    Parameters
    ----------
    found
        Whether the mentions are names that the shipped pipeline found; the types of given ones stay as they are.
    """
    meanings = _meanings(document)
    if not meanings:
        return document
    sentences = tuple(
        _with_long_forms(sentence, number, meanings, found) for number, sentence in enumerate(document.sentences)
    )
    return replace(document, sentences=sentences)


def _meanings(document: Document) -> Meanings[LongForm]:
    meanings = Meanings[LongForm]()
    for number, sentence in enumerate(document.sentences):
        for definition in definitions(sentence.text):
            start, end = definition.short
            meanings.add(sentence.text[start:end], (number, start), _long_form(sentence, definition.long))
    return meanings


def _long_form(sentence: Sentence, place: Span) -> LongForm:
    start, end = place
    text = sentence.text[start:end]
    head = start + head_of(text)[1] - 1
    inside = list(_overlapping(sentence, start, end))
    named = next((entity.type for entity in inside if entity.start <= head < entity.end), None)
    has_protein = any(entity.type in _PROTEINS for entity in inside)
    return LongForm(text, kind_of_long_form(text, named=named, has_protein=has_protein))


def _overlapping(sentence: Sentence, start: int, end: int) -> Iterator[Entity]:
    """The found names that share a character with a place; mentions of a sentence are few."""
    for entity in sentence.entities:
        if entity.type in KINDS and entity.start < end and start < entity.end:
            yield entity


def _with_long_forms(sentence: Sentence, number: int, meanings: Meanings[LongForm], found: bool) -> Sentence:
    entities = [_with_long_form(entity, number, meanings, found, sentence) for entity in sentence.entities]
    return replace(sentence, entities=tuple(entities)) if entities != list(sentence.entities) else sentence


def _with_long_form(
    entity: Entity, number: int, meanings: Meanings[LongForm], found: bool, sentence: Sentence
) -> Entity:
    meaning = meanings.of(entity.text, (number, entity.start))
    if meaning is None or meaning.text == entity.text:
        return entity
    infons = tuple((key, value) for key, value in entity.infons if key != LONG_FORM)
    kind = _kind(entity, meaning.kind, sentence) if found else entity.type
    return replace(entity, type=kind, infons=(*infons, (LONG_FORM, meaning.text)))


def _kind(entity: Entity, meant: str | None, sentence: Sentence) -> str | None:
    """The kind of a mention whose long form is of the kind ``meant``."""
    if meant is None or (entity.type in _PROTEINS) == (meant in _PROTEINS):
        return entity.type
    if entity.type in _PROTEINS:
        return meant
    # a sentence that was not parsed, for want of two proteins, does not get a pair any more
    return meant if entity.type in _BY_NAME and sentence.parses else entity.type
