"""Standoff of the BioNLP shared tasks: ``NAME.txt``, given entities in ``NAME.a1``, events in ``NAME.a2``.

A folder, a tar archive (with parts such as ``train`` and ``devel``, which begin the documents' ids), or one of the
files of a document.  Each text becomes a Document with one Sentence that holds all of it.  Of the lines,

====  ==================================================================================================
T     in .a1 an Entity; in .a2 a Trigger, or an Entity (a site, an anaphor) if its type says so
      (:data:`ENTITY_TYPES`) or an argument refers to it
E     ``E4<TAB>Binding:T27 Theme:T28 Theme2:T1``: an Event; its roles are :data:`ROLES`, numbered or not
M     ``M1<TAB>Negation E2``: a modification of that event, one of :data:`MODIFICATIONS`
``*``  ``*<TAB>Equiv T9 T10``: an equivalence
R     ``R1<TAB>Coreference Subject:T3 Object:T1``: a Relation of the document, if both are entities
====  ==================================================================================================

Notes (#) and relations of triggers are counted as lost.  A text with .a1 alone, as in test sets, is a document without
events.  A document one of whose lines is wrong is left out, because half of its events would make the others untrue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from corpora.errors import CorpusError, FormatError, Problem, ValidationError, truncate_repr
from corpora.events import Equivalence, Event, Trigger, event_problems
from corpora.formats.bionlp_writer import ENTITY_TYPES, EQUIVALENT, MODIFICATIONS, ROLES, is_role, write_folder
from corpora.formats.common import sentence_id
from corpora.formats.standoff_files import BIONLP_ENDINGS, TEXT, StandoffFiles, missing_file, raw_text, standoff_files
from corpora.formats.standoff_lines import (
    StandoffRow,
    check_row,
    parse_role_references,
    parse_text_bound,
    read_standoff_rows,
)
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document, Entity, Relation, Sentence

__all__ = ["read", "write_folder"]

_ENTITY_ENDING = BIONLP_ENDINGS[0]


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Documents of a folder, of a tar archive, or of one of a document's files, in the order of their names."""
    for files in standoff_files(source, losses):
        present = files.first_group(BIONLP_ENDINGS)
        missing = [ending for ending in (TEXT, _ENTITY_ENDING) if ending not in files.files]
        if missing:
            at = present[-1] if present else source
            at.reject(FormatError(missing_file(files, missing[0]), id=files.id))
        else:
            yield from _read_document(files, losses)


def _read_document(files: StandoffFiles, losses: ConversionLosses) -> Iterator[Document]:
    entity_file = files.files[_ENTITY_ENDING]
    try:
        annotations = _Annotations(raw_text(files.files[TEXT]), losses)
        for ending in BIONLP_ENDINGS:
            if ending in files.files:
                annotations.read(files.files[ending], ending)
    except CorpusError as error:  # a file that cannot be decoded; it names itself
        entity_file.reject(error)
        return
    if not annotations.resolve():
        return
    try:
        yield annotations.document(files.id)
    except CorpusError as error:
        entity_file.reject(error)


class _Annotations:
    """The annotations of one document; ``read`` each file, then ``resolve`` what refers to something else."""

    def __init__(self, text: str, losses: ConversionLosses) -> None:
        self.text = text
        self.losses = losses
        self.is_valid = True
        #: the lines of everything that has an id; of those that came twice, the second
        self.rows: dict[str, StandoffRow] = {}
        self.entities: list[Entity] = []
        #: text-bound annotations of .a2, of which it turns out later whether they are triggers
        self.bound: list[Entity] = []
        self.events: list[Event] = []
        self.modifications: list[tuple[str, str, StandoffRow]] = []
        self.relations: list[Relation] = []
        self.equivalences: list[Equivalence] = []
        self.triggers: list[Trigger] = []

    def read(self, source: Source, ending: str) -> None:
        """Take in the lines of one file."""
        for row in read_standoff_rows(source):
            self.is_valid &= row.attempt(self._add_a1_row if ending == _ENTITY_ENDING else self._add_a2_row)

    def _add_a1_row(self, row: StandoffRow) -> None:
        """A line of .a1."""
        check_row(row, "T*#")
        self._register_id(row)
        add = {"T": self._add_entity, "*": self._add_equivalence, "#": self._drop_note}
        add[row.kind](row)

    def _add_a2_row(self, row: StandoffRow) -> None:
        """A line of .a2."""
        check_row(row, "TEMR*#")
        self._register_id(row)
        add = {
            "T": self._add_bound,
            "E": self._add_event,
            "M": self._add_modification,
            "R": self._add_relation,
            "*": self._add_equivalence,
            "#": self._drop_note,
        }
        add[row.kind](row)

    def resolve(self) -> bool:
        """Tell triggers from entities and check what refers to something else; whether everything was right."""
        trigger_ids = {event.trigger for event in self.events}
        referenced_ids = {reference for event in self.events for _, reference in event.arguments}
        referenced_ids.update(member for members in self.equivalences for member in members)
        for bound in self.bound:
            is_entity = bound.type in ENTITY_TYPES or bound.id in referenced_ids
            if is_entity and bound.id not in trigger_ids:
                self.entities.append(bound)
            else:
                self.triggers.append(Trigger(bound.id, bound.text, bound.spans, str(bound.type)))
        self._drop_relations_of_triggers()
        self._modify_events()
        for problem in self._problems():
            row = self.rows[str(problem.id)]
            row.source.reject(ValidationError([replace(problem, id=row.id)]), row.line)
            self.is_valid = False
        return self.is_valid

    def document(self, id: str) -> Document:
        """The document, its text in one piece."""
        return Document(
            id,
            (Sentence(sentence_id(id, 0), self.text, tuple(self.entities)),),
            tuple(self.relations),
            triggers=tuple(self.triggers),
            events=tuple(self.events),
            equivalences=tuple(self.equivalences),
        )

    def _problems(self) -> Iterator[Problem]:
        """What is wrong beyond single lines; what a wrong line announced is not missing as well."""
        entities = {entity.id for entity in self.entities}
        triggers = {trigger.id for trigger in self.triggers}
        sound = entities | triggers | {event.id for event in self.events}
        broken = {id for id in self.rows if id[:1] in "TE" and id not in sound}
        yield from event_problems(entities | broken, triggers | broken, self.events, self.equivalences)
        for relation in self.relations:
            for role, reference in relation.arguments:
                if reference not in entities | broken:
                    yield Problem(
                        f"expected the id of an entity as {role}, got {truncate_repr(reference)}", relation.id
                    )

    def _drop_relations_of_triggers(self) -> None:
        """A pronoun may stand for an event, but relations of our types join mentions."""
        triggers = {trigger.id for trigger in self.triggers}
        kept = [
            relation
            for relation in self.relations
            if triggers.isdisjoint(reference for _, reference in relation.arguments)
        ]
        self.losses.drop("relations of triggers", len(self.relations) - len(kept))
        self.relations = kept

    def _modify_events(self) -> None:
        index_by_event = {event.id: index for index, event in enumerate(self.events)}
        for modification, target, row in self.modifications:
            if target in index_by_event:
                event = self.events[index_by_event[target]]
                self.events[index_by_event[target]] = replace(event, modifications=(*event.modifications, modification))
            elif target not in self.rows or target[:1] != "E":
                self.is_valid &= row.attempt(_reject_target)

    def _register_id(self, row: StandoffRow) -> None:
        if row.kind in "*#":
            return
        if not re.fullmatch(r"[TEMR][0-9]+", row.id):
            raise FormatError(f"expected an id such as {row.kind}1, got {truncate_repr(row.id)}")
        earlier = self.rows.get(row.id)
        self.rows[row.id] = row
        if earlier is not None:
            raise ValidationError(
                f"expected unique annotation ids, got this one again (first in line {earlier.line} of "
                f"{earlier.source.path.name}); number it anew",
                id=row.id,
            )

    def _add_entity(self, row: StandoffRow) -> None:
        self.entities.append(parse_text_bound(row, self.text))

    def _add_bound(self, row: StandoffRow) -> None:
        self.bound.append(parse_text_bound(row, self.text))

    def _add_event(self, row: StandoffRow) -> None:
        (type, trigger), *arguments = parse_role_references(row.words, row)
        if not type:
            raise FormatError(f"expected 'TYPE:TRIGGER', got {row.words[0]!r}", id=row.id)
        for role, _ in arguments:
            if not is_role(role):
                expected_roles = ", ".join(ROLES)
                raise FormatError(
                    f"expected a role, one of {expected_roles}, got {truncate_repr(role)}; rename it", id=row.id
                )
        self.events.append(Event(row.id, type, trigger, tuple(arguments)))

    def _add_modification(self, row: StandoffRow) -> None:
        if len(row.words) != 2 or row.words[0] not in MODIFICATIONS:
            expected = " or ".join(f"'{name} E1'" for name in MODIFICATIONS)
            raise FormatError(f"expected {expected}, got {truncate_repr(' '.join(row.words))}", id=row.id)
        self.modifications.append((row.words[0], row.words[1], row))

    def _add_relation(self, row: StandoffRow) -> None:
        arguments = parse_role_references(row.words[1:], row)
        if len(arguments) != 2:
            raise FormatError(
                f"expected 'TYPE Subject:T1 Object:T2', got {truncate_repr(' '.join(row.words))}", id=row.id
            )
        self.relations.append(Relation(row.id, row.words[0], tuple(arguments)))

    def _add_equivalence(self, row: StandoffRow) -> None:
        if row.words[0] != EQUIVALENT or len(row.words) < 3:
            raise FormatError(f"expected '{EQUIVALENT} T1 T2', got {truncate_repr(' '.join(row.words))}", id=row.id)
        self.equivalences.append(tuple(row.words[1:]))
        self.rows[f"*{len(self.equivalences)}"] = row

    def _drop_note(self, row: StandoffRow) -> None:
        self.losses.drop("notes")


def _reject_target(row: StandoffRow) -> None:
    raise ValidationError(
        f"expected the id of an event, got {truncate_repr(row.words[1])}; add the event or take this line away",
        id=row.id,
    )
