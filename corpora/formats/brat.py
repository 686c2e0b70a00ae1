"""brat standoff: a folder (or tar archive) of ``NAME.txt`` with ``NAME.ann`` (or BioNLP's ``NAME.a1`` and ``NAME.a2``).

Each text becomes a Document with one Sentence that holds all of it.  Of the annotations,

====  ==================================================================================================
T     text-bound: an Entity
N     normalization: one of the Entity's identifiers (without the database if that is ``unknown``)
R     relation: a positive Pair; roles other than ``Arg1`` and ``Arg2`` are its remarks
E     event whose participants are all text-bound: a Relation, the trigger being its first argument
``*``  equivalence: a Relation, all of whose arguments have the role ``Arg``
A, M  attribute: a remark of its target (``true`` if it has no value)
#     note: a remark of its target, named after the note's type
====  ==================================================================================================

What else there is (events of events, free comments, attributes of attributes) is counted as lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from corpora.errors import CorpusError, FormatError, ValidationError
from corpora.formats.brat_writer import EQUIVALENT, TRIGGER, UNKNOWN_DATABASE, write_folder
from corpora.formats.common import flatten_whitespace, roles_as_infons, sentence_id
from corpora.formats.standoff_files import (
    BIONLP_ENDINGS,
    BRAT_ENDINGS,
    TEXT,
    StandoffFiles,
    missing_file,
    raw_text,
    standoff_files,
)
from corpora.formats.standoff_lines import (
    StandoffRow,
    check_row,
    parse_role_references,
    parse_text_bound,
    read_standoff_rows,
)
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document, Entity, Pair, Relation, Sentence

__all__ = ["read", "write_folder"]

#: A note's type and target, and its words where no tab comes before them.
_NOTE = re.compile(r"\s*(\S+)\s+([A-Z*#][0-9]+)(?:\s(.*))?", re.DOTALL)
_KINDS = "TREAMN*#"

_Item = TypeVar("_Item", Entity, Pair, Relation)


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Documents of a folder, of a tar archive, or of one text or .ann file, in the order of their names."""
    for files in standoff_files(source, losses):
        yield from _read_document(source, files, losses)


def _read_document(source: Source, files: StandoffFiles, losses: ConversionLosses) -> Iterator[Document]:
    annotation_files = files.first_group(BRAT_ENDINGS, BIONLP_ENDINGS)
    if not annotation_files or TEXT not in files.files:
        missing = TEXT if annotation_files else BRAT_ENDINGS[0]
        source.reject(FormatError(missing_file(files, missing), id=files.id))
        return
    try:
        annotations = _Annotations(raw_text(files.files[TEXT]), losses)
        for file in annotation_files:
            annotations.read(file)
    except CorpusError as error:  # a file that cannot be decoded; it names itself
        source.reject(error)
        return
    annotations.resolve()
    try:
        sentence = Sentence(
            sentence_id(files.id, 0),
            annotations.text,
            tuple(annotations.entities.values()),
            tuple(annotations.pairs.values()),
        )
        yield Document(files.id, (sentence,), tuple(annotations.relations.values()))
    except CorpusError as error:
        annotation_files[0].reject(error)


class _Annotations:
    """The annotations of one document; ``read`` each file, then ``resolve`` what refers to something else."""

    def __init__(self, text: str, losses: ConversionLosses) -> None:
        self.text = text
        self.losses = losses
        self.entities: dict[str, Entity] = {}
        self.pairs: dict[str, Pair] = {}
        self.relations: dict[str, Relation] = {}
        self.rows: list[StandoffRow] = []
        self.equivalences = 0
        #: of all annotations, also those that cannot be kept
        self.ids: set[str] = set()

    def read(self, source: Source) -> None:
        """Entities at once, everything else as rows."""
        for row in read_standoff_rows(source):
            row.attempt(self._read_row)

    def _read_row(self, row: StandoffRow) -> None:
        if row.kind == "#" and not (row.fields and _NOTE.fullmatch(row.fields[0])):
            self.losses.drop("free comments")
            return
        check_row(row, _KINDS)
        if row.kind not in "*#":
            if row.id in self.ids:
                raise ValidationError("expected unique annotation ids, got this one again", id=row.id)
            self.ids.add(row.id)
        if row.kind == "T":
            self.entities[row.id] = parse_text_bound(row, self.text)
        else:
            self.rows.append(row)

    def resolve(self) -> None:
        """Work through the rows in the file's order; remarks come last, because their targets must be there."""
        steps: tuple[dict[str, Callable[[StandoffRow], None]], ...] = (
            {"N": self._add_identifier, "E": self._add_event, "R": self._add_pair, "*": self._add_equivalence},
            {"A": self._add_attribute, "M": self._add_attribute, "#": self._add_note},
        )
        for step in steps:
            for row in self.rows:
                if row.kind in step:
                    row.attempt(step[row.kind])

    def _add_identifier(self, row: StandoffRow) -> None:
        if len(row.words) != 3:
            raise FormatError(f"expected 'Reference T1 DATABASE:ID', got {' '.join(row.words)!r}", id=row.id)
        _, target, identifier = row.words
        if self._is_lost([target], row):
            self.losses.drop("normalizations of events and relations")
            return
        entity = self._entity(target, row)
        if len(row.fields) > 1 and row.fields[1] not in ("", flatten_whitespace(entity.text)):
            self.losses.drop("names in normalizations")
        identifiers = (*entity.identifiers, identifier.removeprefix(f"{UNKNOWN_DATABASE}:"))
        self.entities[entity.id] = replace(entity, identifiers=identifiers)

    def _add_event(self, row: StandoffRow) -> None:
        (type, trigger), *participants = parse_role_references(row.words, row)
        if self._is_lost([trigger, *(reference for _, reference in participants)], row):
            self.losses.drop("events of events")
            return
        arguments = self._check_arguments([(TRIGGER, trigger), *participants], row)
        self.relations[row.id] = Relation(row.id, type, arguments)

    def _add_pair(self, row: StandoffRow) -> None:
        arguments = parse_role_references(row.words[1:], row)
        if len(arguments) != 2:
            raise FormatError(f"expected 'TYPE Arg1:T1 Arg2:T2', got {' '.join(row.words)!r}", id=row.id)
        if self._is_lost([reference for _, reference in arguments], row):
            self.losses.drop("relations of events")
            return
        (role1, e1), (role2, e2) = self._check_arguments(arguments, row)
        self.pairs[row.id] = Pair(row.id, e1, e2, True, row.words[0], roles_as_infons((role1, role2)))

    def _add_equivalence(self, row: StandoffRow) -> None:
        type, *references = row.words
        if self._is_lost(references, row):
            self.losses.drop("equivalences of events")
            return
        self.equivalences += 1
        id = f"*{self.equivalences}"
        arguments = self._check_arguments([(EQUIVALENT, reference) for reference in references], row)
        self.relations[id] = Relation(id, type, arguments)

    def _add_attribute(self, row: StandoffRow) -> None:
        if len(row.words) < 2:
            raise FormatError(f"expected an attribute's name and target, got {row.words[0]!r}", id=row.id)
        name, target, *values = row.words
        self._attach_infon(target, (name, " ".join(values) or "true"), row)

    def _add_note(self, row: StandoffRow) -> None:
        """A note's words come after a tab or, as some tools write them, after a space."""
        name, target, words = _NOTE.fullmatch(row.fields[0]).groups("")  # type: ignore[union-attr]
        self._attach_infon(target, (name, "".join([words, *row.fields[1:]])), row)

    def _attach_infon(self, target: str, infon: tuple[str, str], row: StandoffRow) -> None:
        if target in self.entities:
            _add_infon(self.entities, target, infon)
        elif target in self.pairs:
            _add_infon(self.pairs, target, infon)
        elif target in self.relations:
            _add_infon(self.relations, target, infon)
        elif target in self.ids:
            self.losses.drop("remarks on what is not kept")
        else:
            raise ValidationError(f"expected the id of an annotation, got {target!r}", id=row.id)

    def _is_lost(self, references: list[str], row: StandoffRow) -> bool:
        """Whether one of the references is to an event or relation, which our types cannot refer to."""
        event_references = [reference for reference in references if reference[0] in "ER"]
        for reference in event_references:
            if reference not in self.ids:
                raise ValidationError(f"expected the id of an annotation, got {reference!r}", id=row.id)
        return bool(event_references)

    def _entity(self, id: str, row: StandoffRow) -> Entity:
        if id not in self.entities:
            raise ValidationError(f"expected the id of a text-bound annotation, got {id!r}", id=row.id)
        return self.entities[id]

    def _check_arguments(self, arguments: list[tuple[str, str]], row: StandoffRow) -> tuple[tuple[str, str], ...]:
        return tuple((role, self._entity(reference, row).id) for role, reference in arguments)


def _add_infon(items: dict[str, _Item], target: str, infon: tuple[str, str]) -> None:
    items[target] = replace(items[target], infons=(*items[target].infons, infon))
