"""Writing brat standoff.

The sentences of a document are joined by line breaks into one text, and spans follow.  Ids of the form that brat
wants (``T1``, ``R1``) stay; others are numbered anew.  Negative and unannotated pairs are left out, because
everybody else would take them for positive ones.  What is lost is counted, except the corpus's name, which is the
folder's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from corpora.formats.common import FreeIds, flatten_whitespace, roles_from_infons, sentence_id
from corpora.formats.standoff_files import write_files
from corpora.formats.standoff_names import StandoffNames, is_standoff_id
from corpora.loss import ConversionLosses
from corpora.types import Document, Entity, Infons, Pair, Relation, Sentence

#: The database of an identifier that names none; brat wants one before the colon.
UNKNOWN_DATABASE = "unknown"
#: The type of an entity, or of a pair, that has none; brat wants one.
ENTITY_TYPE = "Entity"
PAIR_TYPE = "Interaction"
#: Roles of an event's trigger, and of what an equivalence joins.
TRIGGER = "Trigger"
EQUIVALENT = "Arg"

_WORD = re.compile(r"\S+")


def write_folder(documents: Iterable[Document], folder: Path, losses: ConversionLosses) -> None:
    """Write ``ID.txt`` and ``ID.ann`` for each document into a folder; a ``/`` in an id makes folders inside it.

    Raises
    ------
    CorpusError
        If an id cannot be a file name, or two documents have the same one.
    """
    for document in documents:
        writer = _Writer(document, losses)
        write_files(folder, document, {".txt": writer.text(), ".ann": writer.annotations()})


class _Writer:
    """The two files of one document."""

    def __init__(self, document: Document, losses: ConversionLosses) -> None:
        self.document = document
        self.losses = losses
        self.names = StandoffNames(losses)
        self.lines: list[str] = []
        self.infon_lines: list[str] = []
        written = (entity.id for sentence in document.sentences for entity in sentence.entities)
        self.free_ids = FreeIds(id for id in written if is_standoff_id(id, "T"))
        self.ids: dict[str, str] = {}
        self.numbers = {kind: count(1) for kind in "NA#"}

    def text(self) -> str:
        """The text, its sentences on a line each."""
        return "\n".join(sentence.text for sentence in self.document.sentences)

    def annotations(self) -> str:
        """The annotations: entities first, then what refers to them."""
        document, drop = self.document, self.losses.drop
        drop("original ids", document.orig_id is not None)
        self.losses.drop_events(document)
        drop("remarks", len(document.infons))
        drop("sentence boundaries", max(len(document.sentences) - 1, 0))
        offset = 0
        for index, sentence in enumerate(document.sentences):
            drop("remarks", len(sentence.infons))
            drop("parses", len(sentence.parses))
            drop("original ids", sentence.orig_id is not None)
            drop("ids", sentence.id != sentence_id(document.id, index))
            drop("sentence offsets", sentence.offset != offset)
            self._add_entities(sentence, offset)
            offset += len(sentence.text) + 1
        self._add_relations()
        return "".join(f"{line}\n" for line in self.lines + self.infon_lines)

    def _add_entities(self, sentence: Sentence, offset: int) -> None:
        for entity in sentence.entities:
            id = self.ids[entity.id] = self.names.id(entity.id, "T", self.free_ids)
            self.losses.drop("original ids", entity.orig_id is not None)
            spans = ";".join(f"{offset + start} {offset + end}" for start, end in entity.spans)
            self.lines.append(
                f"{id}\t{self.names.word(entity.type, ENTITY_TYPE)} {spans}\t{flatten_whitespace(entity.text)}"
            )
            self._add_identifiers(entity, id)
            self._add_infons(id, entity.infons)

    def _add_identifiers(self, entity: Entity, id: str) -> None:
        for identifier in entity.identifiers:
            if not _WORD.fullmatch(identifier) or identifier.startswith(f"{UNKNOWN_DATABASE}:"):
                self.losses.drop("identifiers with white space")
                continue
            qualified_identifier = identifier if ":" in identifier else f"{UNKNOWN_DATABASE}:{identifier}"
            self.lines.append(
                f"N{next(self.numbers['N'])}\tReference {id} {qualified_identifier}\t{flatten_whitespace(entity.text)}"
            )

    def _add_relations(self) -> None:
        self.losses.drop("relations of concepts", len(self.document.concept_relations))
        pairs = [pair for sentence in self.document.sentences for pair in sentence.pairs]
        relations = self.document.relations
        free_ids = {
            "R": FreeIds(pair.id for pair in pairs if is_standoff_id(pair.id, "R")),
            "E": FreeIds(relation.id for relation in relations if is_standoff_id(relation.id, "E")),
        }
        for pair in pairs:
            self._add_pair(pair, free_ids["R"])
        equivalences = 0
        for relation in relations:
            ends = [(role, self.ids.get(reference)) for role, reference in relation.arguments]
            if any(end is None for _, end in ends):
                self.losses.drop("relations of concepts")
            elif ends and all(role == EQUIVALENT for role, _ in ends):
                equivalences += 1
                self.losses.drop("ids", relation.id != f"*{equivalences}")
                self.losses.drop("remarks", len(relation.infons))
                members = " ".join(str(end) for _, end in ends)
                self.lines.append(f"*\t{self.names.word(relation.type, PAIR_TYPE)} {members}")
            else:
                self._add_relation(relation, [(role, str(end)) for role, end in ends], free_ids)

    def _add_pair(self, pair: Pair, free_ids: FreeIds) -> None:
        if pair.label is not True:
            self.losses.drop("unannotated pairs" if pair.label is None else "negative pairs")
            return
        roles, infons = roles_from_infons(pair.infons)
        id = self.names.id(pair.id, "R", free_ids)
        ends = [(roles[0], self.ids[pair.e1]), (roles[1], self.ids[pair.e2])]
        self.lines.append(f"{id}\t{self.names.word(pair.type, PAIR_TYPE)} {self._arguments(ends)}")
        self._add_infons(id, infons)

    def _add_relation(self, relation: Relation, ends: list[tuple[str, str]], free_ids: dict[str, FreeIds]) -> None:
        type = self.names.word(relation.type, PAIR_TYPE)
        if ends and ends[0][0] == TRIGGER:
            id = self.names.id(relation.id, "E", free_ids["E"])
            self.lines.append(f"{id}\t{type}:{ends[0][1]} {self._arguments(ends[1:])}".rstrip())
        elif len(ends) == 2:
            self.losses.drop("relations of the document, which become pairs")
            id = free_ids["R"].new("R")
            self.lines.append(f"{id}\t{type} {self._arguments(ends)}")
        else:
            self.losses.drop("relations of other than two mentions")
            return
        self._add_infons(id, relation.infons)

    def _arguments(self, ends: list[tuple[str, str]]) -> str:
        return " ".join(f"{self.names.word(role, EQUIVALENT)}:{end}" for role, end in ends)

    def _add_infons(self, id: str, infons: Infons) -> None:
        """Attributes where the value is a word, notes where it is more."""
        for name, value in infons:
            if not _WORD.fullmatch(name) or value != flatten_whitespace(value):
                self.losses.drop("remarks")
            elif value == "true":
                self.infon_lines.append(f"A{next(self.numbers['A'])}\t{name} {id}")
            elif _WORD.fullmatch(value):
                self.infon_lines.append(f"A{next(self.numbers['A'])}\t{name} {id} {value}")
            else:
                self.infon_lines.append(f"#{next(self.numbers['#'])}\t{name} {id}\t{value}")
