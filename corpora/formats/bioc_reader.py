"""From BioC to Documents.

A passage, or each sentence of a passage that is split, becomes a Sentence.  A relation between two annotations of
one Sentence becomes a Pair, one between two identifiers (named by remarks or by nodes) a ConceptRelation, and every
other relation becomes a Relation of the document.  Where an end names several identifiers, there is a
ConceptRelation for each of them.  Annotation ids have to be unique only where they stand, so one that comes again in
another passage gets a new id (``3``, then ``3-2``) and keeps the old one as ``orig_id``.  A collection's date, key and
version describe the file and are not kept.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from corpora.errors import CorpusError, Problem, ValidationError
from corpora.formats import bioc_model as bioc
from corpora.formats.bioc_infons import pop_concepts, pop_identifiers, pop_infon, pop_label
from corpora.formats.bioc_offsets import Unit, detect_units, relative_spans, text_agrees
from corpora.formats.common import FreeIds, roles_as_infons, sentence_id
from corpora.limits import check_annotations
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import ConceptRelation, Document, Entity, Pair, Relation, Sentence, text_at


def read_documents(
    bioc_documents: Iterable[bioc.BioCDocument], source: Source, losses: ConversionLosses
) -> Iterator[Document]:
    """Documents in our types; one that contradicts itself is rejected whole, with everything that is wrong."""
    for document, unit in detect_units(bioc_documents):
        source.record_line = document.line
        try:
            holders = _holders(document)
            check_annotations(sum(len(holder.annotations) + len(holder.relations) for holder in holders), document.id)
            yield _Builder(document, unit, losses).build()
        except CorpusError as error:
            source.reject(error, document.line)


@dataclass
class _Part:
    """A Sentence in the making."""

    part: bioc.BioCSentence
    infons: bioc.InfonList
    entities: list[Entity] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    #: ids as the file has them, and as they are in the document
    ids: dict[str, str] = field(default_factory=dict)
    #: whether an entity is missing because it was wrong, so that what refers to it is not wrong too
    broken: bool = False

    @property
    def text(self) -> str:
        return self.part.text or ""


class _IdAllocator:
    """Gives each pair, or each relation, of a document an id of its own."""

    def __init__(self, written: set[str]) -> None:
        self.used: set[str] = set()
        self.free = FreeIds(written)

    def allocate(self, written: str | None, infons: bioc.InfonList) -> str:
        """The written id if it comes for the first time; else a new one, and the old one is kept as a remark."""
        if not written:
            return self.free.new("R")
        if written not in self.used:
            self.used.add(written)
            return written
        infons.append((bioc.ORIG_ID, written))
        return self.free.new(f"{written}-", start=2)


class _Builder:
    """Makes one Document; what is wrong is collected and raised at the end."""

    def __init__(self, document: bioc.BioCDocument, unit: Unit, losses: ConversionLosses) -> None:
        self.document = document
        self.unit = unit
        self.losses = losses
        self.problems: list[Problem] = []
        self.relations: list[Relation] = []
        self.concept_relations: list[ConceptRelation] = []
        self.part_by_entity: dict[str, _Part] = {}
        self.ids_by_written_id: defaultdict[str, list[str]] = defaultdict(list)
        self.identifiers: set[str] = set()
        self.parts = list(self._parts())
        holders = _holders(document)
        self.entity_ids = FreeIds(item.id for holder in holders for item in holder.annotations if item.id)
        self.relation_ids = {item.id for holder in holders for item in holder.relations if item.id}
        # a pair and a relation may have the same id, as in our types
        self.pair_id_allocator = _IdAllocator(self.relation_ids)
        self.relation_id_allocator = _IdAllocator(self.relation_ids)

    def build(self) -> Document:
        """The document, or a ValidationError that lists every problem."""
        for annotation_list, part in self._annotation_lists():
            self._add_annotations(annotation_list, part)
        for relations, part in self._relation_lists():
            self._add_relations(relations, part)
        infons = list(self.document.infons)
        corpus = pop_infon(infons, bioc.CORPUS, self.document.source)
        orig_id = pop_infon(infons, bioc.ORIG_ID)
        sentences = tuple(self._sentences())
        if self.problems:
            raise ValidationError(self.problems)
        return Document(
            self.document.id,
            sentences,
            tuple(self.relations),
            corpus or None,
            orig_id,
            tuple(infons),
            concept_relations=tuple(self.concept_relations),
        )

    def _parts(self) -> Iterator[_Part]:
        for number, passage in enumerate(self.document.passages):
            if not passage.sentences:
                yield _Part(passage, list(passage.infons))
                continue
            if passage.text and not _same_words(passage):
                self.losses.drop("passage texts that differ from their sentences")
            outer = [(bioc.PASSAGE, str(number))]
            outer.extend((bioc.PASSAGE_PREFIX + name, value) for name, value in passage.infons)
            for sentence in passage.sentences:
                yield _Part(sentence, outer + sentence.infons)

    def _annotation_lists(self) -> Iterator[tuple[list[bioc.BioCAnnotation], _Part | None]]:
        for part in self.parts:
            yield part.part.annotations, part
        for passage in self.document.passages:
            if passage.sentences:
                yield passage.annotations, None
        yield self.document.annotations, None

    def _relation_lists(self) -> Iterator[tuple[list[bioc.BioCRelation], _Part | None]]:
        for part in self.parts:
            yield part.part.relations, part
        for passage in self.document.passages:
            if passage.sentences:
                yield passage.relations, None
        yield self.document.relations, None

    def _add_annotations(self, annotations: list[bioc.BioCAnnotation], part: _Part | None) -> None:
        seen: set[str] = set()
        for annotation in annotations:
            if not annotation.locations:
                self.losses.drop("annotations without a location")
                continue
            if annotation.id and annotation.id in seen:
                self._problem("expected unique annotation ids, got this one again", annotation)
                continue
            seen.add(annotation.id or "")
            home = part or self._find_part(annotation)
            if home is None:
                self._problem(
                    f"expected locations inside one passage or sentence, got {annotation.locations}", annotation
                )
                continue
            self._add_entity(annotation, home)

    def _find_part(self, annotation: bioc.BioCAnnotation) -> _Part | None:
        """The part that holds an annotation which stands further out in the file."""
        for part in self.parts:
            length = self.unit.length(part.text)
            if all(0 <= start < end <= length for start, end in relative_spans(annotation, part.part)):
                return part
        return None

    def _add_entity(self, annotation: bioc.BioCAnnotation, part: _Part) -> None:
        id = self._entity_id(annotation.id)
        self.ids_by_written_id[annotation.id or id].append(id)
        part.ids[annotation.id or id] = id
        self.part_by_entity[id] = part
        infons = list(annotation.infons)
        type = pop_infon(infons, bioc.TYPE)
        identifiers = pop_identifiers(infons)
        self.identifiers.update(identifiers)
        orig_id = pop_infon(infons, bioc.ORIG_ID)
        if annotation.id and id != annotation.id:
            orig_id = orig_id or annotation.id
        spans = self.unit.spans(part.text, relative_spans(annotation, part.part))
        if spans is None or not text_agrees(part.text, spans, annotation.text):
            self._problem(self._mismatch(annotation, part), annotation)
            part.broken = True
            return
        part.entities.append(Entity(id, text_at(part.text, spans), spans, type, identifiers, orig_id, tuple(infons)))

    def _mismatch(self, annotation: bioc.BioCAnnotation, part: _Part) -> str:
        got = f"{annotation.locations} (offset and length in {self.unit.value})"
        spans = self.unit.spans(part.text, relative_spans(annotation, part.part))
        if spans is None:
            return f"expected locations that begin and end between characters, got {got}"
        if any(not 0 <= start < end <= len(part.text) for start, end in spans):
            length = self.unit.length(part.text)
            return f"expected locations inside the {length} {self.unit.value} from {part.part.offset}, got {got}"
        return f"expected the text {annotation.text!r} at {got}, got {text_at(part.text, spans)!r}"

    def _entity_id(self, written: str | None) -> str:
        if not written:
            return self.entity_ids.new("T")
        if written not in self.part_by_entity:
            return written
        return self.entity_ids.new(f"{written}-", start=2)

    def _add_relations(self, relations: list[bioc.BioCRelation], part: _Part | None) -> None:
        seen: set[str] = set()
        for relation in relations:
            if relation.id and relation.id in seen:
                self._problem("expected unique relation ids, got this one again", relation)
                continue
            seen.add(relation.id or "")
            infons = list(relation.infons)
            ends = pop_concepts(infons, self.identifiers) if len(relation.nodes) < 2 else None
            if ends is not None:
                if relation.nodes:
                    infons.append(("nodes", json.dumps(relation.nodes, ensure_ascii=False)))
                self._add_concepts(relation, infons, ends)
                continue
            arguments = self._arguments(relation, part)
            if arguments is not None:
                self._add_relation(relation, infons, arguments)

    def _add_concepts(
        self, relation: bioc.BioCRelation, infons: bioc.InfonList, ends: tuple[tuple[str, ...], tuple[str, ...]]
    ) -> None:
        check_annotations(len(self.concept_relations) + len(ends[0]) * len(ends[1]), self.document.id)
        type = pop_infon(infons, bioc.TYPE)
        if type is None:
            type = pop_infon(infons, bioc.EXTERNAL_TYPE_KEY, "")
        for first, second in product(*ends):
            relation_infons = list(infons)
            id = self.relation_id_allocator.allocate(relation.id, relation_infons)
            self.concept_relations.append(ConceptRelation(id, type or "", first, second, tuple(relation_infons)))

    def _arguments(self, relation: bioc.BioCRelation, part: _Part | None) -> list[tuple[str, str]] | None:
        """(role, reference) of each end; None, once it is noted, if there is no such thing."""
        arguments: list[tuple[str, str]] = []
        for refid, role in relation.nodes:
            reference = self._reference(refid, part)
            if reference is not None:
                arguments.append((role, reference))
            elif refid in self.relation_ids:
                self.losses.drop("relations of relations")
                return None
            else:
                count = len(self.ids_by_written_id.get(refid, ()))
                got = f"which {count} of them are called" if count else "which is not there"
                self._problem(f"expected an annotation of the document, got {refid!r}, {got}", relation)
                return None
        return arguments

    def _reference(self, refid: str, part: _Part | None) -> str | None:
        if part is not None and refid in part.ids:
            return part.ids[refid]
        matches = self.ids_by_written_id.get(refid, ())
        if matches:
            return matches[0] if len(matches) == 1 else None
        return refid if refid in self.identifiers else None

    def _add_relation(
        self, relation: bioc.BioCRelation, infons: bioc.InfonList, arguments: list[tuple[str, str]]
    ) -> None:
        if len(arguments) == 2 and not any(reference in self.part_by_entity for _, reference in arguments):
            (role1, first), (role2, second) = arguments
            self._add_concepts(relation, [*roles_as_infons((role1, role2)), *infons], ((first,), (second,)))
            return
        level = pop_infon(infons, bioc.LEVEL)
        type = pop_infon(infons, bioc.TYPE)
        homes = [self.part_by_entity.get(reference) for _, reference in arguments]
        if len(homes) == 2 and homes[0] is not None and homes[0] is homes[1] and level is None:
            label = pop_label(infons)
            id = self.pair_id_allocator.allocate(relation.id, infons)
            (role1, e1), (role2, e2) = arguments
            pair_infons = (*roles_as_infons((role1, role2)), *infons)
            homes[0].pairs.append(Pair(id, e1, e2, label, type, pair_infons))
        else:
            id = self.relation_id_allocator.allocate(relation.id, infons)
            self.relations.append(Relation(id, type or "", tuple(arguments), tuple(infons)))

    def _sentences(self) -> Iterator[Sentence]:
        excess = 0  # bytes so far that are no characters of their own
        for index, part in enumerate(self.parts):
            id = pop_infon(part.infons, bioc.SENTENCE_ID) or sentence_id(self.document.id, index)
            orig_id = pop_infon(part.infons, bioc.ORIG_ID)
            offset = self._explicit_offset(part)
            if offset is None:
                offset = part.part.offset - excess
            excess += self.unit.length(part.text) - len(part.text)
            if part.broken:
                continue
            try:
                yield Sentence(
                    id, part.text, tuple(part.entities), tuple(part.pairs), (), offset, orig_id, tuple(part.infons)
                )
            except CorpusError as error:
                self.problems.extend(error.with_location(line=part.part.line).problems)

    def _explicit_offset(self, part: _Part) -> int | None:
        written = pop_infon(part.infons, bioc.OFFSET)
        if written is None or bioc.NUMBER.fullmatch(written):
            return None if written is None else int(written)
        self.problems.append(Problem(f"expected a number as {bioc.OFFSET}, got {written!r}", line=part.part.line))
        return None

    def _problem(self, message: str, item: bioc.BioCAnnotation | bioc.BioCRelation) -> None:
        self.problems.append(Problem(message, item.id, item.line))


def _holders(document: bioc.BioCDocument) -> list[bioc.BioCDocument | bioc.BioCSentence]:
    """Everything that can hold annotations and relations."""
    return [document, *document.passages, *(part for passage in document.passages for part in passage.sentences)]


def _same_words(passage: bioc.BioCPassage) -> bool:
    inside = "".join(sentence.text or "" for sentence in passage.sentences)
    return "".join(inside.split()) == "".join((passage.text or "").split())
