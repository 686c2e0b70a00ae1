"""Writing standoff of the BioNLP shared tasks: ``ID.txt``, ``ID.a1`` and ``ID.a2`` for each document.

Sentences stand in the text where their offsets say, with white space between them, so that offsets of a text that was
split stay right; sentences that overlap stand on a line each.  Ids of the form that the format wants (``T1``, ``E1``)
stay; others are numbered anew.  Modifications are numbered in the order of their events.  What is lost is counted,
except the corpus's name, which is the folder's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from corpora.events import Event, Trigger, sort_topologically
from corpora.formats.common import FreeIds, flatten_whitespace, sentence_id
from corpora.formats.standoff_files import write_files
from corpora.formats.standoff_names import StandoffNames, is_standoff_id
from corpora.loss import ConversionLosses
from corpora.types import Document, Relation, Sentence, Span, text_at

#: Roles of arguments; a number tells several of one role apart (``Theme2``), and which of them a site belongs to.
ROLES = (
    "Theme",
    "Cause",
    "Site",
    "CSite",
    "AtLoc",
    "FromLoc",
    "ToLoc",
    "Product",
    "Participant",
    "Instrument",
    "Sidechain",
    "Contextgene",
)
MODIFICATIONS = ("Negation", "Speculation")
#: Types of entities that stand in .a2, because finding them is part of the task: sites, domains, anaphors.
ENTITY_TYPES = ("Entity", "Protein_domain_or_region", "DNA_domain_or_region", "Anaphora")
EQUIVALENT = "Equiv"

_ROLE = re.compile(rf"({'|'.join(ROLES)})[0-9]{{0,3}}")


def is_role(role: str) -> bool:
    """Whether the role is one of :data:`ROLES`, with a number or without.

    >>> is_role("Theme2"), is_role("Agent")
    (True, False)
    """
    return _ROLE.fullmatch(role) is not None


def write_folder(documents: Iterable[Document], folder: Path, losses: ConversionLosses) -> None:
    """Write the files of each document into a folder; a ``/`` in an id makes folders inside it.

    Raises
    ------
    CorpusError
        If an id cannot be a file name, or two documents have the same one.
    """
    for document in documents:
        write_files(folder, document, _Writer(document, losses).files())


class _Writer:
    """The three files of one document."""

    def __init__(self, document: Document, losses: ConversionLosses) -> None:
        self.document = document
        self.losses = losses
        entities = [entity for sentence in document.sentences for entity in sentence.entities]
        taken = [*(entity.id for entity in entities), *(trigger.id for trigger in document.triggers)]
        self.names = StandoffNames(losses)
        self.free_ids = {
            "T": FreeIds(id for id in taken if is_standoff_id(id, "T")),
            "E": FreeIds(event.id for event in document.events if is_standoff_id(event.id, "E")),
            "R": FreeIds(relation.id for relation in document.relations if is_standoff_id(relation.id, "R")),
        }
        self.ids: dict[str, str] = {}
        self.offsets = _sentence_offsets(document.sentences)
        self.text = _lay_out_text(document.sentences, self.offsets)
        self.entity_lines: list[str] = []
        self.event_lines: list[str] = []

    def files(self) -> dict[str, str]:
        """The files by their endings."""
        self._count_losses()
        for sentence, offset in zip(self.document.sentences, self.offsets, strict=True):
            self._add_entities(sentence, offset)
        mentions = dict(self.ids)
        for members in self.document.equivalences:
            self.event_lines.append(f"*\t{EQUIVALENT} {' '.join(self.ids[member] for member in members)}")
        for trigger in self.document.triggers:
            self._add_trigger(trigger)
        self._add_events()
        for relation in self.document.relations:
            self._add_relation(relation, mentions)
        a1_text, a2_text = ("".join(f"{line}\n" for line in lines) for lines in (self.entity_lines, self.event_lines))
        return {".txt": self.text, ".a1": a1_text, ".a2": a2_text}

    def _count_losses(self) -> None:
        document, drop = self.document, self.losses.drop
        drop("original ids", document.orig_id is not None)
        drop("remarks", len(document.infons))
        drop("relations of concepts", len(document.concept_relations))
        drop("sentence boundaries", max(len(document.sentences) - 1, 0))
        for index, sentence in enumerate(document.sentences):
            drop("remarks", len(sentence.infons))
            drop("parses", len(sentence.parses))
            drop("pairs", len(sentence.pairs))
            drop("original ids", sentence.orig_id is not None)
            drop("ids", sentence.id != sentence_id(document.id, index))
            drop("sentence offsets", sentence.offset != self.offsets[index] or (index == 0 and sentence.offset != 0))

    def _add_entities(self, sentence: Sentence, offset: int) -> None:
        for entity in sentence.entities:
            id = self.ids[entity.id] = self.names.id(entity.id, "T", self.free_ids["T"])
            self.losses.drop("original ids", entity.orig_id is not None)
            self.losses.drop("identifiers", len(entity.identifiers))
            self.losses.drop("remarks", len(entity.infons))
            type = self.names.word(entity.type, "Entity")
            spans = tuple((offset + start, offset + end) for start, end in entity.spans)
            lines = self.event_lines if type in ENTITY_TYPES else self.entity_lines
            lines.append(_text_bound(id, type, spans, entity.text))

    def _add_trigger(self, trigger: Trigger) -> None:
        spans = self._output_spans(trigger)
        if spans is None:
            self.losses.drop("triggers outside of sentences, with their events")
            return
        id = self.ids[trigger.id] = self.names.id(trigger.id, "T", self.free_ids["T"])
        self.event_lines.append(_text_bound(id, self.names.word(trigger.type, "Entity"), spans, trigger.text))

    def _output_spans(self, trigger: Trigger) -> tuple[Span, ...] | None:
        """The trigger's spans in the text that is written; None if its words are not there."""
        for sentence, offset in zip(self.document.sentences, self.offsets, strict=True):
            spans = tuple(
                (start - sentence.offset + offset, end - sentence.offset + offset) for start, end in trigger.spans
            )
            inside = all(offset <= start and end <= offset + len(sentence.text) for start, end in spans)
            if inside and text_at(self.text, spans) == trigger.text:
                return spans
        return None

    def _add_events(self) -> None:
        """Events in the document's order, without those that cannot be written and those that refer to them."""
        for event in sort_topologically(self.document.events):
            if all(is_role(role) for role, _ in event.arguments) and all(
                id in self.ids for id in (event.trigger, *(reference for _, reference in event.arguments))
            ):
                self.ids[event.id] = self.names.id(event.id, "E", self.free_ids["E"])
            else:
                self.losses.drop("events whose trigger, roles or arguments cannot be written")
        kept = [event for event in self.document.events if event.id in self.ids]
        self.event_lines.extend(self._event(event) for event in kept)
        numbers = count(1)
        for event in kept:
            for modification in event.modifications:
                if modification in MODIFICATIONS:
                    self.event_lines.append(f"M{next(numbers)}\t{modification} {self.ids[event.id]}")
                else:
                    self.losses.drop("modifications of other kinds")

    def _event(self, event: Event) -> str:
        type = self.names.word(event.type, "Event")
        arguments = "".join(f" {role}:{self.ids[reference]}" for role, reference in event.arguments)
        return f"{self.ids[event.id]}\t{type}:{self.ids[event.trigger]}{arguments}"

    def _add_relation(self, relation: Relation, mentions: dict[str, str]) -> None:
        ends = [(role, mentions[reference]) for role, reference in relation.arguments if reference in mentions]
        if len(ends) != 2 or len(relation.arguments) != 2:
            self.losses.drop("relations of other than two mentions")
            return
        self.losses.drop("remarks", len(relation.infons))
        id = self.names.id(relation.id, "R", self.free_ids["R"])
        arguments = " ".join(f"{self.names.word(role, 'Arg')}:{end}" for role, end in ends)
        self.event_lines.append(f"{id}\t{self.names.word(relation.type, 'Relation')} {arguments}")


def _sentence_offsets(sentences: tuple[Sentence, ...]) -> list[int]:
    """Where each sentence begins in the text that is written: at its offset, if the sentences do not overlap there."""
    end = 0
    for sentence in sentences:
        if sentence.offset < end:
            break
        end = sentence.offset + len(sentence.text)
    else:
        return [sentence.offset for sentence in sentences]
    offsets, end = [], 0
    for sentence in sentences:
        offsets.append(end)
        end += len(sentence.text) + 1
    return offsets


def _lay_out_text(sentences: tuple[Sentence, ...], offsets: list[int]) -> str:
    parts: list[str] = []
    end = 0
    for sentence, offset in zip(sentences, offsets, strict=True):
        # a line break between sentences, and spaces for what else stood there
        parts.append("\n".ljust(offset - end) if offset > end else "")
        parts.append(sentence.text)
        end = offset + len(sentence.text)
    return "".join(parts)


def _text_bound(id: str, type: str, spans: tuple[Span, ...], text: str) -> str:
    bounds = ";".join(f"{start} {end}" for start, end in spans)
    return f"{id}\t{type} {bounds}\t{flatten_whitespace(text)}"
