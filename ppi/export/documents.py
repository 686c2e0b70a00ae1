"""BioC, PubTator and brat: the documents themselves, with the interactions as relations.

Sentences are put together again to the passages they were split from, and mentions keep ids, offsets, types and
identifiers.  Relations are the interactions found and no others of one sentence: pairs that the input came with
(a gold standard, say) are left out with a warning, because readers could not tell them apart.  Relations of the
document stay.

==========  ========================================================================================================
BioC        a ``relation`` of type ``Interaction`` in the passage, its nodes the two mentions, with ``probability``,
            ``score`` and, where the evidence was asked for, ``path`` as infons
brat        the same as ``R`` with attributes; the text is that of the document, character by character
PubTator    relations join concepts, so there is one for each pair of identifiers, with the highest probability in a
            fifth column; mentions that are grounded to nothing are given ``name:`` and their normalized name as
            identifier, if that name takes part in an interaction
==========  ========================================================================================================
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import IO

import corpora
from corpora.errors import LossWarning, Problem
from corpora.loss import Losses
from corpora.types import Document, Pair, Relation, Sentence
from ppi.annotation.characters import encodable, xml_text
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.export.passages import as_one_text, with_passages
from ppi.network.identity import NAME_PREFIX, name_key

#: The type of the relations.
RELATION_TYPE = "Interaction"
#: What these formats have no place for and nobody expects there: not worth a warning.
_EXPECTED = frozenset(
    {
        "ids",
        "mentions of positive pairs, which become relations of concepts",
        "original ids",
        "remarks",
        "sentence boundaries",
        "sentence offsets",
        "types with white space, or none",
    }
)


@dataclass
class _Lost:
    """What is left out before a format gets to see it."""

    pairs: int = 0
    characters: int = 0


def write_bioc_json(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write one BioC collection as JSON."""
    _write("bioc-json", annotated, output, lambda each, lost: _with_pairs(each, explain, encodable, lost))


def write_bioc_xml(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write one BioC collection as XML."""
    _write("bioc-xml", annotated, output, lambda each, lost: _with_pairs(each, explain, xml_text, lost))


def write_pubtator(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write PubTator blocks; evidence has no place there."""
    _write("pubtator", annotated, output, _for_pubtator)


def write_brat(annotated: Iterable[AnnotatedDocument], folder: Path, explain: bool = False) -> None:
    """Write ``ID.txt`` and ``ID.ann`` for each document into the folder."""
    _write("brat", annotated, folder, lambda each, lost: _for_brat(each, explain, lost))


def _write(
    format: str,
    annotated: Iterable[AnnotatedDocument],
    target: IO[bytes] | Path,
    convert: Callable[[AnnotatedDocument, _Lost], Document],
) -> None:
    lost = _Lost()
    losses = Losses(format)
    documents = (convert(each, lost) for each in annotated)
    chosen = corpora.FORMATS[format]
    writer = chosen.write_folder if isinstance(target, Path) else chosen.write
    writer(documents, target, losses)  # type: ignore[misc, arg-type]
    losses.drop("characters, now U+FFFD", lost.characters)
    for what in _EXPECTED:
        losses.counts.pop(what, None)
    losses.report()
    if lost.pairs:
        message = f"{lost.pairs} pairs of the input are left out: relations are the interactions found"
        warnings.warn(LossWarning(Problem(message)), stacklevel=4)


def _with_pairs(each: AnnotatedDocument, explain: bool, clean: Callable[[str], str], lost: _Lost) -> Document:
    """The document whose pairs are the interactions."""
    found: dict[str, list[Pair]] = {}
    for interaction in each.interactions:
        found.setdefault(interaction.sentence_id, []).append(_pair(interaction, explain, clean))
    sentences = tuple(_with_found(sentence, found.get(sentence.id, []), lost) for sentence in each.document.sentences)
    return with_passages(_cleaned(replace(each.document, sentences=sentences), clean, lost))


def _with_found(sentence: Sentence, found: list[Pair], lost: _Lost) -> Sentence:
    if sentence.pairs:
        kept = {pair.id for pair in found}
        lost.pairs += sum(pair.id not in kept for pair in sentence.pairs)
    return replace(sentence, pairs=tuple(found))


def _pair(interaction: Interaction, explain: bool, clean: Callable[[str], str]) -> Pair:
    first, second = interaction.proteins
    infons = [("probability", f"{interaction.probability:.4f}"), ("score", f"{interaction.score:.4f}")]
    if explain and interaction.evidence is not None and interaction.evidence.explanation.path:
        infons.append(("path", clean(interaction.evidence.explanation.path)))
    return Pair(interaction.pair, first.id, second.id, True, RELATION_TYPE, tuple(infons))


def _for_brat(each: AnnotatedDocument, explain: bool, lost: _Lost) -> Document:
    document = _with_pairs(each, explain, encodable, lost)
    whole = as_one_text(document.sentences, f"{document.id}.s0")
    return document if whole is None else replace(document, sentences=(whole,))


def _for_pubtator(each: AnnotatedDocument, lost: _Lost) -> Document:
    document = _with_pairs(each, False, encodable, lost)
    takes_part = {id for sentence in document.sentences for pair in sentence.pairs for id in (pair.e1, pair.e2)}
    names = {
        (entity.type, name_key(entity.text))
        for sentence in document.sentences
        for entity in sentence.entities
        if entity.id in takes_part and not entity.identifiers
    }
    sentences = tuple(_with_names(sentence, names) for sentence in document.sentences)
    relations = (*document.relations, *_concept_relations(sentences, document.relations))
    bare = [replace(sentence, pairs=()) for sentence in sentences]
    return replace(document, sentences=tuple(_laid_out(bare)), relations=relations)


def _with_names(sentence: Sentence, names: set[tuple[str | None, str]]) -> Sentence:
    """The sentence with its names as identifiers of the mentions that have no other, if they are among these."""
    entities = tuple(
        replace(entity, identifiers=(f"{NAME_PREFIX}{key}",))
        if not entity.identifiers and (entity.type, key := name_key(entity.text)) in names
        else entity
        for entity in sentence.entities
    )
    return replace(sentence, entities=entities)


def _concept_relations(sentences: Iterable[Sentence], given: Iterable[Relation]) -> Iterator[Relation]:
    """One relation for each two concepts that are said to interact, with the highest probability."""
    best: dict[tuple[str, str], float] = {}
    for sentence in sentences:
        entities = {entity.id: entity for entity in sentence.entities}
        for pair in sentence.pairs:
            probability = float(dict(pair.infons)["probability"])
            for ends in product(entities[pair.e1].identifiers, entities[pair.e2].identifiers):
                key = ends if ends in best or ends[::-1] not in best else ends[::-1]
                best[key] = max(best.get(key, 0.0), probability)
    taken = {relation.id for relation in given}
    free = (id for number in range(1, len(best) + len(taken) + 1) if (id := f"R{number}") not in taken)
    for (first, second), probability in best.items():
        arguments = (("Arg1", first), ("Arg2", second))
        # "novelty" is how the fifth column is called in our types
        yield Relation(next(free), RELATION_TYPE, arguments, (("novelty", f"{probability:.4f}"),))


def _laid_out(sentences: list[Sentence]) -> list[Sentence]:
    """The title, and everything else as one text, so that offsets are those of the input."""
    split = 1 if sentences and _is_title(sentences[0]) else 0
    title, rest = sentences[:split], sentences[split:]
    begin = title[0].offset + len(title[0].text) + 1 if title else rest[0].offset if rest else 0
    whole = as_one_text(rest, rest[0].id, begin=begin, gap=" ") if rest else None
    return sentences if whole is None else [*title, whole]


def _is_title(sentence: Sentence) -> bool:
    """What the PubTator writer takes for a title."""
    kinds = {"type", "section", "section_type"}
    return any(name.split(":")[-1] in kinds and value.lower() == "title" for name, value in sentence.infons)


def _cleaned(document: Document, clean: Callable[[str], str], lost: _Lost) -> Document:
    """The document without characters that the file cannot hold."""
    texts = [sentence.text for sentence in document.sentences]
    if all(clean(text) == text for text in texts):
        return document
    lost.characters += sum(a != b for text in texts for a, b in zip(text, clean(text), strict=True))
    sentences = tuple(
        replace(
            sentence,
            text=clean(sentence.text),
            entities=tuple(replace(entity, text=clean(entity.text)) for entity in sentence.entities),
        )
        for sentence in document.sentences
    )
    return replace(document, sentences=sentences)
