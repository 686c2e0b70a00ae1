"""Expands the abbreviations of a document: every mention gets its long form and that form's kind.

A definition counts in the whole document, whichever sentence or passage it stands in.  Where a document defines an
abbreviation twice, the last definition before a mention counts, or the first one after it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from corpora import Document, Entity, Sentence, Span
from ppi.grounding.identity import LONG_FORM
from ppi.language import (
    CHEMICAL,
    FAMILY,
    KINDS,
    ORGANISM,
    PROTEIN,
    Meanings,
    classify_long_form,
    find_definitions,
    find_head,
)

_PROTEINS = (PROTEIN, FAMILY)
#: Kinds that a name gets by itself; the others depend on the words around it ("IL-2 promoter", "CD4+ cells").
_CONTEXT_FREE_KINDS = (CHEMICAL, ORGANISM)


class LongForm(NamedTuple):
    """The words that an abbreviation stands for, and the kind of name that they are, if that is known."""

    text: str
    kind: str | None


def expand_abbreviations(document: Document, *, from_pipeline: bool = True) -> Document:
    """The document with ``long_form`` infons at the mentions of its abbreviations, and their kinds; O(characters).

    A name that was taken for a protein and abbreviates something else is of that kind (``OTHER``, if it is none of the
    other kinds); one that was taken for a chemical or an organism and abbreviates a protein is a protein.

    Parameters
    ----------
    from_pipeline
        Whether the mentions are names that the shipped pipeline found; the types of given ones stay as they are.
    """
    meanings = Meanings[LongForm]()
    for number, sentence in enumerate(document.sentences):
        for definition in find_definitions(sentence.text):
            start, end = definition.short
            meanings.add(sentence.text[start:end], (number, start), _classify_definition(sentence, definition.long))
    if not meanings:
        return document
    sentences = []
    for number, sentence in enumerate(document.sentences):
        entities = []
        for entity in sentence.entities:
            meaning = meanings.look_up(entity.text, (number, entity.start))
            if meaning is not None and meaning.text != entity.text:
                infons = tuple((key, value) for key, value in entity.infons if key != LONG_FORM)
                kind = _resolve_kind(entity, meaning.kind, sentence) if from_pipeline else entity.type
                entity = replace(entity, type=kind, infons=(*infons, (LONG_FORM, meaning.text)))
            entities.append(entity)
        sentences.append(replace(sentence, entities=tuple(entities)))
    return replace(document, sentences=tuple(sentences))


def _classify_definition(sentence: Sentence, span: Span) -> LongForm:
    """The long form at a place of a sentence, and its kind by its words and by the names found in them."""
    start, end = span
    text = sentence.text[start:end]
    head = start + find_head(text)[1] - 1
    overlapping = [
        entity for entity in sentence.entities if entity.type in KINDS and entity.start < end and start < entity.end
    ]
    head_type = next((entity.type for entity in overlapping if entity.start <= head < entity.end), None)
    has_protein = any(entity.type in _PROTEINS for entity in overlapping)
    return LongForm(text, classify_long_form(text, head_kind=head_type, has_protein=has_protein))


def _resolve_kind(entity: Entity, long_form_kind: str | None, sentence: Sentence) -> str | None:
    """The kind of a mention whose long form is of this kind."""
    if long_form_kind is None or (entity.type in _PROTEINS) == (long_form_kind in _PROTEINS):
        return entity.type
    # a sentence that was not parsed, for want of two proteins, does not get a pair any more
    is_changed = entity.type in _PROTEINS or (entity.type in _CONTEXT_FREE_KINDS and sentence.parses)
    return long_form_kind if is_changed else entity.type
