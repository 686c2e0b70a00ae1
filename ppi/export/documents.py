"""BioC, PubTator and brat: the documents themselves, with the interactions as relations.

Sentences are put together again to the passages they were split from, and mentions keep ids, offsets, types and
identifiers.  Relations are the interactions found and no others of one sentence: pairs that the input came with
(a gold standard, say) are left out with a warning, because readers could not tell them apart.  Relations of the
document stay.

Their type says how the two interact: ``Binding``, ``Phosphorylation``, ``Modification``, ``Positive_regulation``
and so on, and ``Interaction`` where the model does not say.  Where one acts on the other, their roles are ``Agent`` and
``Target``.

==========  ========================================================================================================
BioC        a ``relation`` in the passage, its nodes the two mentions, with ``probability``, ``score``, the
            probability of its type, ``negated``, ``hedged``, ``same`` (one protein twice) and ``homo`` (the text says
            that it interacts with itself) where they hold, other names of the two under which it was found
            (``aliases_1``, ``aliases_2``) and, where the evidence was asked for, ``path`` as infons
brat        the same as ``R`` with attributes; the text is that of the document, character by character, and
            ``annotation.conf`` names the types for brat
PubTator    relations join concepts, so there is one for each pair of identifiers and type, the agent first, with the
            highest probability in a fifth column; what is negated or hedged is left out, because it cannot be marked;
            mentions that are grounded to nothing are given ``name:`` and their normalized name as
            identifier, if that name takes part in an interaction; the species of an identifier stands behind it,
            ``ncbigene:7157(Tax:9606)``; there is no place for the symbol, but what the lexicon knows as a
            family or complex is of the type ``FAMILY``
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
from corpora.formats.standoff import ROLE_REMARKS, FreeIds, roles_as_infons
from corpora.loss import Losses
from corpora.types import ConceptRelation, Document, Entity, Pair, Sentence
from ppi.annotation.characters import encodable, xml_text
from ppi.annotation.rows import remark
from ppi.annotation.types import AnnotatedDocument, Interaction
from ppi.export.brat_configuration import write_configuration
from ppi.export.passages import as_one_text, with_passages
from ppi.grounding.candidate import GROUPS
from ppi.grounding.identity import NAME_PREFIX
from ppi.grounding.names import name_key
from ppi.pipeline.kinds import FAMILY

#: The type of relations of which no more is known.
RELATION_TYPE = "Interaction"
#: Roles of the mention that acts and of the one that is acted on.
AGENT, TARGET = "Agent", "Target"
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
    doubtful: int = 0


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
    """Write ``ID.txt`` and ``ID.ann`` for each document into the folder, and what brat must know to show them."""
    _write("brat", annotated, folder, lambda each, lost: _for_brat(each, explain, lost))
    write_configuration(folder)


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
    losses.drop("negated or hedged interactions", lost.doubtful)
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
    first, second = interaction.participants
    infons = [("probability", f"{interaction.probability:.4f}"), ("score", f"{interaction.score:.4f}")]
    if interaction.type in interaction.types:
        infons.append((f"probability_{interaction.type}", f"{interaction.type_probability:.4f}"))
    marks = (("same", interaction.same), ("homo", interaction.homo))
    infons.extend((mark, "true") for mark in (*interaction.doubts, *(mark for mark, holds in marks if holds)))
    infons.extend(
        (f"aliases_{which + 1}", clean("|".join(names)))
        for which in (0, 1)
        if (names := interaction.other_names(which))
    )
    if explain and interaction.evidence is not None and interaction.evidence.explanation.path:
        infons.append(("path", clean(interaction.evidence.explanation.path)))
    if interaction.directed:
        infons.extend(roles_as_infons((AGENT, TARGET)))
    return Pair(interaction.pair, first.id, second.id, True, _relation_type(interaction), tuple(infons))


def _relation_type(interaction: Interaction) -> str:
    label = interaction.relationship.label
    return label.capitalize().replace(" ", "_") if label else RELATION_TYPE


def _for_brat(each: AnnotatedDocument, explain: bool, lost: _Lost) -> Document:
    document = _with_pairs(each, explain, encodable, lost)
    whole = as_one_text(document.sentences, f"{document.id}.s0")
    return document if whole is None else replace(document, sentences=(whole,))


def _for_pubtator(each: AnnotatedDocument, lost: _Lost) -> Document:
    stated = tuple(interaction for interaction in each.interactions if not interaction.doubts)
    lost.doubtful += len(each.interactions) - len(stated)
    each = replace(each, interactions=stated)
    document = _with_pairs(each, False, encodable, lost)
    takes_part = {id for sentence in document.sentences for pair in sentence.pairs for id in (pair.e1, pair.e2)}
    names = {
        (entity.type, name_key(entity.text))
        for sentence in document.sentences
        for entity in sentence.entities
        if entity.id in takes_part and not entity.identifiers
    }
    sentences = tuple(_with_names(sentence, names) for sentence in document.sentences)
    ids = [relation.id for relation in document.relations] + [each.id for each in document.concept_relations]
    relations = (*document.concept_relations, *_concept_relations(sentences, FreeIds(ids)))
    bare = [replace(sentence, pairs=(), entities=tuple(map(_of_its_kind, sentence.entities))) for sentence in sentences]
    return replace(document, sentences=tuple(_laid_out(bare)), concept_relations=relations)


def _of_its_kind(entity: Entity) -> Entity:
    """The mention with the type FAMILY if the lexicon knows it as a family or complex: no remarks can say so."""
    return replace(entity, type=FAMILY) if remark(entity, "entity_kind") in GROUPS else entity


def _with_names(sentence: Sentence, names: set[tuple[str | None, str]]) -> Sentence:
    """The sentence with its names as identifiers of the mentions that have no other, if they are among these."""
    entities = tuple(
        replace(entity, identifiers=(f"{NAME_PREFIX}{key}",))
        if not entity.identifiers and (entity.type, key := name_key(entity.text)) in names
        else entity
        for entity in sentence.entities
    )
    return replace(sentence, entities=entities)


def _concept_relations(sentences: Iterable[Sentence], free: FreeIds) -> Iterator[ConceptRelation]:
    """One relation for each two concepts that are said to interact and each type, with the highest probability."""
    best: dict[tuple[str, str, str], float] = {}
    for sentence in sentences:
        entities = {entity.id: entity for entity in sentence.entities}
        for pair in sentence.pairs:
            infons, type = dict(pair.infons), pair.type or RELATION_TYPE
            directed = ROLE_REMARKS[0] in infons
            for first, second in product(entities[pair.e1].identifiers, entities[pair.e2].identifiers):
                key, turned = (type, first, second), (type, second, first)
                if not directed and key not in best and turned in best:
                    key = turned
                best[key] = max(best.get(key, 0.0), float(infons["probability"]))
    for (type, first, second), probability in best.items():
        # "novelty" is how the fifth column is called in our types
        yield ConceptRelation(free.new("R"), type, first, second, (("novelty", f"{probability:.4f}"),))


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
