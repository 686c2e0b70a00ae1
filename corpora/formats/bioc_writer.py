"""From Documents to BioC; the inverse of :mod:`corpora.formats.bioc_reader`.

A Sentence becomes a passage, or a ``sentence`` of a passage if that is what it was read from.  Offsets that would
make passages overlap (a corpus whose sentences all begin at 0) are laid out one after the other instead.
"""

from __future__ import annotations

import json
from itertools import takewhile

from corpora.errors import CorpusError
from corpora.formats import bioc_model as bioc
from corpora.formats.common import roles_from_infons, sentence_id
from corpora.formats.identifiers import join_identifiers, parse_concepts
from corpora.loss import ConversionLosses
from corpora.types import ConceptRelation, Document, Entity, Infons, Pair, Relation, Sentence

_LABEL_TEXT = {label: text for text, label in bioc.LABELS.items()}
_RESERVED_DOCUMENT_KEYS = {bioc.CORPUS, bioc.ORIG_ID}
_RESERVED_SENTENCE_KEYS = {bioc.SENTENCE_ID, bioc.OFFSET, bioc.ORIG_ID}
_RESERVED_ENTITY_KEYS = {bioc.TYPE, bioc.IDENTIFIER, bioc.IDENTIFIERS, bioc.ORIG_ID}
_RESERVED_PAIR_KEYS = {bioc.TYPE, bioc.INTERACTION, bioc.LEVEL}
_RESERVED_RELATION_KEYS = {bioc.TYPE, bioc.LEVEL}
_RESERVED_CONCEPT_KEYS = {bioc.TYPE, bioc.CONCEPTS, *bioc.CONCEPT_ENDS[0]}


def to_bioc(document: Document, source: str | None, losses: ConversionLosses) -> bioc.BioCDocument:
    """The document as BioC; parses and events, which have no place there, are counted in ``losses``.

    Raises
    ------
    CorpusError
        If an entity, pair or relation has an empty id, which in BioC is none.
    """
    if _has_empty_id(document):
        raise CorpusError("expected ids that are not empty, got an empty one; name it", id=document.id)
    losses.drop_events(document)
    own = [] if document.corpus == source else [(bioc.CORPUS, document.corpus or "")]
    if document.orig_id is not None:
        own.append((bioc.ORIG_ID, document.orig_id))
    bioc_document = bioc.BioCDocument(
        document.id, [], infons=_merge_infons(own, document.infons, _RESERVED_DOCUMENT_KEYS, losses)
    )
    sentence_by_entity = {entity.id: sentence.id for sentence in document.sentences for entity in sentence.entities}
    identifiers = {
        identifier
        for sentence in document.sentences
        for entity in sentence.entities
        for identifier in entity.identifiers
    }
    bioc_document.relations = [_relation(relation, sentence_by_entity, losses) for relation in document.relations]
    bioc_document.relations += [_concepts(relation, identifiers, losses) for relation in document.concept_relations]
    end = -1  # so that the first sentence may begin at 0
    outer: Infons | None = None
    for index, sentence in enumerate(document.sentences):
        offset = sentence.offset if sentence.offset > end else end + 1
        end = offset + len(sentence.text)
        passage_infons = _leading_passage_infons(sentence.infons)
        same_passage = outer is not None and passage_infons == outer
        if not same_passage:
            # only the number that it will have on reading marks a split passage
            starts_passage = passage_infons and passage_infons[0] == (bioc.PASSAGE, str(len(bioc_document.passages)))
            outer = passage_infons if starts_passage else None
        _add_sentence(bioc_document, sentence, index, offset, outer, same_passage, losses)
    return bioc_document


def _has_empty_id(document: Document) -> bool:
    ids = [relation.id for relation in document.relations]
    ids.extend(relation.id for relation in document.concept_relations)
    for sentence in document.sentences:
        ids.extend(entity.id for entity in sentence.entities)
        ids.extend(pair.id for pair in sentence.pairs)
    return not all(ids)


def _add_sentence(
    bioc_document: bioc.BioCDocument,
    sentence: Sentence,
    index: int,
    offset: int,
    outer: Infons | None,
    same_passage: bool,
    losses: ConversionLosses,
) -> None:
    if outer is None:
        passage = bioc.BioCPassage(offset, sentence.text)
        _fill_part(passage, bioc_document.id, sentence, index, sentence.infons, losses)
        bioc_document.passages.append(passage)
        return
    if not same_passage:
        passage_infons = [(name.removeprefix(bioc.PASSAGE_PREFIX), value) for name, value in outer[1:]]
        bioc_document.passages.append(bioc.BioCPassage(offset, None, infons=passage_infons))
    part = bioc.BioCSentence(offset, sentence.text)
    _fill_part(part, bioc_document.id, sentence, index, sentence.infons[len(outer) :], losses)
    bioc_document.passages[-1].sentences.append(part)


def _leading_passage_infons(infons: Infons) -> Infons:
    """The leading remarks of a sentence that are those of the passage it was in; its own follow."""
    if not infons or infons[0][0] != bioc.PASSAGE:
        return ()
    return (infons[0], *takewhile(lambda infon: infon[0].startswith(bioc.PASSAGE_PREFIX), infons[1:]))


def _fill_part(
    part: bioc.BioCSentence, document_id: str, sentence: Sentence, index: int, infons: Infons, losses: ConversionLosses
) -> None:
    losses.drop("parses", len(sentence.parses))
    own = []
    if sentence.id != sentence_id(document_id, index):
        own.append((bioc.SENTENCE_ID, sentence.id))
    if sentence.offset != part.offset:
        own.append((bioc.OFFSET, str(sentence.offset)))
    if sentence.orig_id is not None:
        own.append((bioc.ORIG_ID, sentence.orig_id))
    part.infons = _merge_infons(own, infons, _RESERVED_SENTENCE_KEYS, losses)
    part.annotations = [_annotation(entity, part.offset, losses) for entity in sentence.entities]
    part.relations = [_pair(pair, losses) for pair in sentence.pairs]


def _annotation(entity: Entity, offset: int, losses: ConversionLosses) -> bioc.BioCAnnotation:
    own = [] if entity.type is None else [(bioc.TYPE, entity.type)]
    joined = join_identifiers(entity.identifiers)
    misleading = not entity.identifiers and any(name in bioc.EXTERNAL_IDENTIFIER_KEYS for name, _ in entity.infons)
    if joined is None or misleading:
        own.append((bioc.IDENTIFIERS, json.dumps(entity.identifiers, ensure_ascii=False)))
    elif joined:
        own.append((bioc.IDENTIFIER, joined))
    if entity.orig_id is not None:
        own.append((bioc.ORIG_ID, entity.orig_id))
    locations = [(offset + start, end - start) for start, end in entity.spans]
    infons = _merge_infons(own, entity.infons, _RESERVED_ENTITY_KEYS, losses)
    return bioc.BioCAnnotation(entity.id, entity.text, locations, infons)


def _pair(pair: Pair, losses: ConversionLosses) -> bioc.BioCRelation:
    own = [] if pair.type is None else [(bioc.TYPE, pair.type)]
    if pair.label is not True:
        own.append((bioc.INTERACTION, _LABEL_TEXT[pair.label]))
    (role1, role2), infons = roles_from_infons(pair.infons)
    nodes = [(pair.e1, role1), (pair.e2, role2)]
    return bioc.BioCRelation(pair.id, nodes, _merge_infons(own, infons, _RESERVED_PAIR_KEYS, losses))


def _relation(relation: Relation, sentence_by_entity: dict[str, str], losses: ConversionLosses) -> bioc.BioCRelation:
    own = [(bioc.TYPE, relation.type)] if relation.type else []
    homes = [sentence_by_entity.get(reference) for _, reference in relation.arguments]
    if len(homes) == 2 and homes[0] is not None and homes[0] == homes[1]:
        own.append((bioc.LEVEL, "document"))
    nodes = [(reference, role) for role, reference in relation.arguments]
    return bioc.BioCRelation(relation.id, nodes, _merge_infons(own, relation.infons, _RESERVED_RELATION_KEYS, losses))


def _concepts(relation: ConceptRelation, known_identifiers: set[str], losses: ConversionLosses) -> bioc.BioCRelation:
    """As BioRED writes them: no nodes, which would have to be mentions."""
    own = [(bioc.TYPE, relation.type)]
    ends = (relation.first, relation.second)
    if all(parse_concepts(end, known_identifiers) == (end,) and not end.startswith("{") for end in ends):
        own.extend(zip(bioc.CONCEPT_ENDS[0], ends, strict=True))
    else:
        own.append((bioc.CONCEPTS, json.dumps(ends, ensure_ascii=False)))
    return bioc.BioCRelation(relation.id, [], _merge_infons(own, relation.infons, _RESERVED_CONCEPT_KEYS, losses))


def _merge_infons(own: bioc.InfonList, infons: Infons, reserved: set[str], losses: ConversionLosses) -> bioc.InfonList:
    kept = [infon for infon in infons if infon[0] not in reserved]
    losses.drop("remarks whose name is taken", len(infons) - len(kept))
    return own + kept
