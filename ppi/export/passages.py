"""Sentences put together again to the passages they were split from, so that offsets are those of the input.

Between two sentences of a passage there is white space or nothing; how much, their offsets tell.  It comes back as
spaces (line breaks between passages): every character that matters is where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from corpora.types import Document, Entity, Sentence

#: A wider gap between sentences is no white space that was left out, and is not filled.
MAX_GAP_CHARACTERS = 10_000


def join_passages(document: Document) -> Document:
    """The document with the sentences of each passage as one; parses are left out.

    >>> parts = (Sentence("p.0", "A binds B."), Sentence("p.1", "C too.", offset=12))
    >>> [sentence.text for sentence in join_passages(Document("d", parts)).sentences]
    ['A binds B.  C too.']
    """
    passages = tuple(_join_group(group, _passage_id(group), " ") for group in _group_passages(document.sentences))
    return replace(document, sentences=passages)


def join_sentences(sentences: Sequence[Sentence], id: str, *, begin: int = 0, gap: str = "\n") -> Sentence | None:
    """All sentences as one, which begins at that offset; None if they overlap, or lie too far apart.

    ``gap`` is the character that fills the space between them.
    """
    if not sentences or not _is_in_order(sentences) or not 0 <= sentences[0].offset - begin <= MAX_GAP_CHARACTERS:
        return None
    joined = _join_group(sentences, id, gap)
    lead = sentences[0].offset - begin
    if not lead:
        return joined
    entities = tuple(_shift_entity(entity, lead) for entity in joined.entities)
    return replace(joined, text=gap * lead + joined.text, entities=entities, offset=begin)


def _group_passages(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    group: list[Sentence] = []
    for sentence in sentences:
        if group and not _continues(group, sentence):
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group


def _continues(group: list[Sentence], sentence: Sentence) -> bool:
    """Whether the sentence is the next one of the passage; splitting numbers them ``ID.0``, ``ID.1`` and so on."""
    base, _, number = sentence.id.rpartition(".")
    first = group[0]
    return (
        first.id == f"{base}.0"
        and number == str(len(group))
        and (first.infons, first.orig_id) == (sentence.infons, sentence.orig_id)
        and _is_in_order((group[-1], sentence))
    )


def _passage_id(group: Sequence[Sentence]) -> str:
    return group[0].id if len(group) == 1 else group[0].id.rpartition(".")[0]


def _is_in_order(sentences: Sequence[Sentence]) -> bool:
    return all(0 <= after.offset - _sentence_end(before) <= MAX_GAP_CHARACTERS for before, after in pairwise(sentences))


def _join_group(group: Sequence[Sentence], id: str, gap: str) -> Sentence:
    first = group[0]
    if len(group) == 1:
        return replace(first, id=id, parses=())
    parts = [first.text]
    for before, after in pairwise(group):
        parts += [gap * (after.offset - _sentence_end(before)), after.text]
    entities = (_shift_entity(entity, part.offset - first.offset) for part in group for entity in part.entities)
    pairs = (pair for part in group for pair in part.pairs)
    return replace(first, id=id, text="".join(parts), entities=tuple(entities), pairs=tuple(pairs), parses=())


def _shift_entity(entity: Entity, distance: int) -> Entity:
    return replace(entity, spans=tuple((start + distance, end + distance) for start, end in entity.spans))


def _sentence_end(sentence: Sentence) -> int:
    return sentence.offset + len(sentence.text)
