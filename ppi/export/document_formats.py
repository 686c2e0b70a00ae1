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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import IO

import corpora
from corpora import (
    ROLE_INFONS,
    ROLES,
    ConceptRelation,
    ConversionLosses,
    Document,
    Entity,
    FreeIds,
    LossWarning,
    Pair,
    Problem,
    Sentence,
    roles_as_infons,
)
from ppi.annotation import AnnotatedDocument, Interaction, encodable_text, first_infon, xml_text
from ppi.grounding import GROUP_KINDS, NAME_PREFIX, name_key
from ppi.language import FAMILY

#: The type of relations of which no more is known.
RELATION_TYPE = "Interaction"
#: Roles of the mention that acts and of the one that is acted on.
AGENT, TARGET = "Agent", "Target"
#: What these formats have no place for and nobody expects there: not worth a warning.
_EXPECTED_LOSSES = frozenset(
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
class _DropCounts:
    """What is left out before a format gets to see it."""

    pairs: int = 0
    characters: int = 0
    negated_or_hedged: int = 0


def write_bioc_json(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write one BioC collection as JSON."""
    _write_corpus("bioc-json", annotated, output, partial(_set_interaction_pairs, explain=explain))


def write_bioc_xml(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write one BioC collection as XML."""
    _write_corpus("bioc-xml", annotated, output, partial(_set_interaction_pairs, explain=explain, clean=xml_text))


def write_pubtator(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write PubTator blocks; evidence has no place there."""
    _write_corpus("pubtator", annotated, output, _convert_for_pubtator)


def write_brat(annotated: Iterable[AnnotatedDocument], folder: Path, explain: bool = False) -> None:
    """Write ``ID.txt`` and ``ID.ann`` for each document into the folder, and what brat must know to show them."""
    _write_corpus("brat", annotated, folder, partial(_convert_for_brat, explain=explain))
    write_brat_configuration(folder)


def _write_corpus(
    format: str,
    annotated: Iterable[AnnotatedDocument],
    target: IO[bytes] | Path,
    convert: Callable[[AnnotatedDocument, _DropCounts], Document],
) -> None:
    drop_counts = _DropCounts()
    losses = ConversionLosses(format)
    documents = (convert(annotated_document, drop_counts) for annotated_document in annotated)
    corpus_format = corpora.FORMATS[format]
    writer = corpus_format.write_folder if isinstance(target, Path) else corpus_format.write
    writer(documents, target, losses)  # type: ignore[misc, arg-type]
    losses.drop("characters, now U+FFFD", drop_counts.characters)
    losses.drop("negated or hedged interactions", drop_counts.negated_or_hedged)
    for loss in _EXPECTED_LOSSES:
        losses.counts.pop(loss, None)
    losses.report()
    if drop_counts.pairs:
        message = f"{drop_counts.pairs} pairs of the input are left out: relations are the interactions found"
        warnings.warn(LossWarning(Problem(message)), stacklevel=4)


def _set_interaction_pairs(
    annotated_document: AnnotatedDocument,
    drop_counts: _DropCounts,
    *,
    explain: bool = False,
    clean: Callable[[str], str] = encodable_text,
) -> Document:
    """The document whose pairs are the interactions."""
    document = annotated_document.document
    pairs_by_sentence: dict[str, list[Pair]] = {sentence.id: [] for sentence in document.sentences}
    for interaction in annotated_document.interactions:
        pairs_by_sentence.setdefault(interaction.sentence_id, []).append(_make_pair(interaction, explain, clean))
    for sentence in document.sentences:
        pair_ids = {pair.id for pair in pairs_by_sentence[sentence.id]}
        drop_counts.pairs += sum(pair.id not in pair_ids for pair in sentence.pairs)
    sentences = (replace(sentence, pairs=tuple(pairs_by_sentence[sentence.id])) for sentence in document.sentences)
    return join_passages(_replace_characters(replace(document, sentences=tuple(sentences)), clean, drop_counts))


def _make_pair(interaction: Interaction, explain: bool, clean: Callable[[str], str]) -> Pair:
    first, second = interaction.participants
    infons = [("probability", f"{interaction.probability:.4f}"), ("score", f"{interaction.score:.4f}")]
    if interaction.type in interaction.types:
        infons.append((f"probability_{interaction.type}", f"{interaction.type_probability:.4f}"))
    flags = (("same", interaction.same), ("homo", interaction.homo))
    infons.extend((flag, "true") for flag in (*interaction.doubts, *(mark for mark, holds in flags if holds)))
    infons.extend(
        (f"aliases_{which + 1}", clean("|".join(names)))
        for which in (0, 1)
        if (names := interaction.other_names(which))
    )
    if explain and interaction.evidence is not None and interaction.evidence.explanation.path:
        infons.append(("path", clean(interaction.evidence.explanation.path)))
    if interaction.directed:
        infons.extend(roles_as_infons((AGENT, TARGET)))
    type = interaction.relationship.label.capitalize().replace(" ", "_") or RELATION_TYPE
    return Pair(interaction.pair, first.id, second.id, True, type, tuple(infons))


def _convert_for_brat(annotated_document: AnnotatedDocument, drop_counts: _DropCounts, *, explain: bool) -> Document:
    document = _set_interaction_pairs(annotated_document, drop_counts, explain=explain)
    single_sentence = join_sentences(document.sentences, f"{document.id}.s0")
    return document if single_sentence is None else replace(document, sentences=(single_sentence,))


def _convert_for_pubtator(annotated_document: AnnotatedDocument, drop_counts: _DropCounts) -> Document:
    asserted = tuple(interaction for interaction in annotated_document.interactions if not interaction.doubts)
    drop_counts.negated_or_hedged += len(annotated_document.interactions) - len(asserted)
    document = _set_interaction_pairs(replace(annotated_document, interactions=asserted), drop_counts)
    participant_ids = {id for sentence in document.sentences for pair in sentence.pairs for id in (pair.e1, pair.e2)}
    names = {
        (entity.type, name_key(entity.text))
        for sentence in document.sentences
        for entity in sentence.entities
        if entity.id in participant_ids and not entity.identifiers
    }
    sentences = tuple(_add_name_identifiers(sentence, names) for sentence in document.sentences)
    concept_ids = [relation.id for relation in document.concept_relations]
    ids = [relation.id for relation in document.relations] + concept_ids
    relations = (*document.concept_relations, *_concept_relations(sentences, FreeIds(ids)))
    plain_sentences = [
        replace(sentence, pairs=(), entities=tuple(map(_set_family_type, sentence.entities))) for sentence in sentences
    ]
    return replace(document, sentences=tuple(_merge_body(plain_sentences)), concept_relations=relations)


def _set_family_type(entity: Entity) -> Entity:
    """The mention with the type FAMILY if the lexicon knows it as a family or complex: there is no other place."""
    return replace(entity, type=FAMILY) if first_infon(entity, "entity_kind") in GROUP_KINDS else entity


def _add_name_identifiers(sentence: Sentence, names: set[tuple[str | None, str]]) -> Sentence:
    """The sentence with its names as identifiers of the mentions that have no other, if they are among these."""
    entities = tuple(
        replace(entity, identifiers=(f"{NAME_PREFIX}{key}",))
        if not entity.identifiers and (entity.type, key := name_key(entity.text)) in names
        else entity
        for entity in sentence.entities
    )
    return replace(sentence, entities=entities)


def _concept_relations(sentences: Iterable[Sentence], free_ids: FreeIds) -> Iterator[ConceptRelation]:
    """One relation for each two concepts that are said to interact and each type, with the highest probability."""
    max_probabilities: dict[tuple[str, str, str], float] = {}
    for sentence in sentences:
        entities = {entity.id: entity for entity in sentence.entities}
        for pair in sentence.pairs:
            infons, type = dict(pair.infons), pair.type or RELATION_TYPE
            directed = ROLE_INFONS[0] in infons
            for first, second in product(entities[pair.e1].identifiers, entities[pair.e2].identifiers):
                key, reversed_key = (type, first, second), (type, second, first)
                if not directed and key not in max_probabilities and reversed_key in max_probabilities:
                    key = reversed_key
                max_probabilities[key] = max(max_probabilities.get(key, 0.0), float(infons["probability"]))
    for (type, first, second), probability in max_probabilities.items():
        # "novelty" is how the fifth column is called in our types
        yield ConceptRelation(free_ids.new("R"), type, first, second, (("novelty", f"{probability:.4f}"),))


def _merge_body(sentences: list[Sentence]) -> list[Sentence]:
    """The title, and everything else as one text, so that offsets are those of the input."""
    split = 1 if sentences and _is_title(sentences[0]) else 0
    title, rest = sentences[:split], sentences[split:]
    begin = title[0].offset + len(title[0].text) + 1 if title else rest[0].offset if rest else 0
    body = join_sentences(rest, rest[0].id, begin=begin, gap=" ") if rest else None
    return sentences if body is None else [*title, body]


def _is_title(sentence: Sentence) -> bool:
    """What the PubTator writer takes for a title."""
    kinds = {"type", "section", "section_type"}
    return any(name.split(":")[-1] in kinds and value.lower() == "title" for name, value in sentence.infons)


def _replace_characters(document: Document, clean: Callable[[str], str], drop_counts: _DropCounts) -> Document:
    """The document without characters that the file cannot hold."""
    dirty = [sentence.text for sentence in document.sentences if clean(sentence.text) != sentence.text]
    if not dirty:
        return document
    drop_counts.characters += sum(a != b for text in dirty for a, b in zip(text, clean(text), strict=True))
    sentences = tuple(
        replace(
            sentence,
            text=clean(sentence.text),
            entities=tuple(replace(entity, text=clean(entity.text)) for entity in sentence.entities),
        )
        for sentence in document.sentences
    )
    return replace(document, sentences=sentences)


# Passages: between two sentences there is white space or nothing; how much, their offsets tell.  It comes back as
# spaces (line breaks between passages), so that every character that matters is where it was.

#: A wider gap between sentences is no white space that was left out, and is not filled.
MAX_GAP_CHARACTERS = 10_000


def join_passages(document: Document) -> Document:
    """The document with the sentences of each passage as one; parses are left out.

    >>> parts = (Sentence("p.0", "A binds B."), Sentence("p.1", "C too.", offset=12))
    >>> [sentence.text for sentence in join_passages(Document("d", parts)).sentences]
    ['A binds B.  C too.']
    """
    passages = (
        _join_group(group, group[0].id if len(group) == 1 else group[0].id.rpartition(".")[0], " ")
        for group in _group_passages(document.sentences)
    )
    return replace(document, sentences=tuple(passages))


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


# ``annotation.conf`` (https://brat.nlplab.org/configuration.html): without it brat shows a folder with its own default
# types and marks every other as an error.  Each of the four sections must be there: types of entities, relations with
# the roles and types of their arguments, events (none), and attributes.

BRAT_CONFIGURATION_FILE = "annotation.conf"
#: Attributes of relations that have no value: they hold, or are not there.
RELATION_FLAGS = ("negated", "hedged", "same", "homo")


def write_brat_configuration(folder: Path) -> None:
    """Write the file for the annotations that are in the folder, if there are any; one pass over them."""
    entities: set[str] = set()
    relations: dict[str, tuple[str, ...]] = {}
    files = sorted(folder.rglob("*.ann"))
    for file in files:
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                _collect_brat_types(line, entities, relations)
    if not files:
        return
    relation_lines = []
    for type, roles in sorted(relations.items()):
        arguments = [f"{role}:<ENTITY>" for role in roles] + (["<REL-TYPE>:symmetric"] if roles == ROLES else [])
        relation_lines.append(f"{type}\t{', '.join(arguments)}")
    sections = {
        "entities": sorted(entities),
        "relations": relation_lines,
        "events": [],
        "attributes": [f"{flag}\tArg:<RELATION>" for flag in RELATION_FLAGS] if relations else [],
    }
    text = "".join(f"{line}\n" for name, lines in sections.items() for line in (f"[{name}]", "", *lines, ""))
    (folder / BRAT_CONFIGURATION_FILE).write_text(text, encoding="utf-8")


def _collect_brat_types(line: str, entities: set[str], relations: dict[str, tuple[str, ...]]) -> None:
    id, tab, rest = line.partition("\t")
    if not tab:
        return
    type, *words = rest.split()
    if id.startswith("T"):
        entities.add(type)
    elif id.startswith("R"):
        relations[type] = tuple(word.partition(":")[0] for word in words)
