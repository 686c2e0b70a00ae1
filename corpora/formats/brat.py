"""brat standoff: a folder of ``NAME.txt`` with ``NAME.ann`` (or BioNLP's ``NAME.a1`` and ``NAME.a2``).

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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from corpora.errors import CorpusError, CorpusNotFoundError, FormatError, ValidationError
from corpora.formats.brat_writer import EQUIVALENT, TRIGGER, UNKNOWN_DATABASE, write_folder
from corpora.formats.standoff import flat, roles_as_infons, sentence_id
from corpora.loss import Losses
from corpora.source import Source
from corpora.types import Document, Entity, Pair, Relation, Sentence, Span, text_at

__all__ = ["read", "write_folder"]

#: File name endings of annotations, in the order in which they are read; a text needs one of the groups.
ANNOTATION_ENDINGS = ((".ann",), (".a1", ".a2"))

_ID = re.compile(r"[A-Z*#][0-9]+")
_ENTITY = re.compile(r"(\S+) ([0-9]{1,15} [0-9]{1,15}(?:;[0-9]{1,15} [0-9]{1,15})*)")


_Item = TypeVar("_Item", Entity, Pair, Relation)


def read(source: Source, losses: Losses) -> Iterator[Document]:
    """Documents of a folder (and the folders in it), in the order of their names, or of one text or .ann file."""
    if source.path.is_dir():
        yield from _read_folder(source, losses)
        return
    if not source.path.is_file():
        raise CorpusNotFoundError("expected a folder, or one of its files, got none; check the path", path=source.name)
    stem = source.path.with_name(_stem(source.path.name))
    yield from _read_document(source, stem, stem.name, losses)


def _read_folder(source: Source, losses: Losses) -> Iterator[Document]:
    files = (path for path in source.path.rglob("*") if _is_ours(path.name) and path.is_file())
    stems = sorted({path.with_name(_stem(path.name)) for path in files})
    if not stems:
        raise source.format_error("expected a folder with .txt and .ann files, got none of them")
    for stem in stems:
        if not _annotation_files(stem):
            losses.drop("text files without annotations beside them")
            continue
        yield from _read_document(source, stem, stem.relative_to(source.path).as_posix(), losses)


def _read_document(source: Source, stem: Path, id: str, losses: Losses) -> Iterator[Document]:
    files = _annotation_files(stem)
    text_file = _existing(stem, ".txt")
    if not files or text_file is None:
        missing = f"{stem.name}.txt" if files else f"{stem.name}.ann"
        source.reject(FormatError(f"expected {missing} beside {source.path.name}, got none", id=id))
        return
    try:
        annotations = _Annotations(_raw_text(Source(text_file)), losses)
        for path in files:
            annotations.read(Source(path, problems=source.problems))
    except CorpusError as error:  # a file that cannot be decoded; it names itself
        source.reject(error)
        return
    annotations.resolve()
    try:
        sentence = Sentence(
            sentence_id(id, 0),
            annotations.text,
            tuple(annotations.entities.values()),
            tuple(annotations.pairs.values()),
        )
        yield Document(id, (sentence,), tuple(annotations.relations.values()))
    except CorpusError as error:
        Source(files[0], problems=source.problems).reject(error)


def _is_ours(name: str) -> bool:
    return _stem(name) != name and not name.startswith(".")


def _stem(name: str) -> str:
    plain = name.removesuffix(".gz")
    for ending in (".txt", *(ending for group in ANNOTATION_ENDINGS for ending in group)):
        if plain.endswith(ending) and plain != ending:
            return plain.removesuffix(ending)
    return name


def _annotation_files(stem: Path) -> list[Path]:
    for group in ANNOTATION_ENDINGS:
        found = [path for ending in group if (path := _existing(stem, ending)) is not None]
        if found:
            return found
    return []


def _existing(stem: Path, ending: str) -> Path | None:
    for suffix in (ending, f"{ending}.gz"):
        path = stem.with_name(stem.name + suffix)
        if path.is_file():
            return path
    return None


def _raw_text(source: Source) -> str:
    """The text exactly as it is, because offsets count every character, also those of line ends."""
    with source.open() as stream:
        data = stream.read()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise source.format_error(
            f"expected UTF-8, got byte {data[error.start : error.start + 1]!r}; convert the file to UTF-8", line
        ) from None


@dataclass
class _Row:
    """A line that refers to others, kept until all are read."""

    kind: str
    id: str
    words: list[str]
    text: list[str]
    line: int
    source: Source


class _Annotations:
    """The annotations of one document; ``read`` each file, then ``resolve`` what refers to something else."""

    def __init__(self, text: str, losses: Losses) -> None:
        self.text = text
        self.losses = losses
        self.entities: dict[str, Entity] = {}
        self.pairs: dict[str, Pair] = {}
        self.relations: dict[str, Relation] = {}
        self.rows: list[_Row] = []
        self.equivalences = 0
        #: of all annotations, also those that cannot be kept
        self.ids: set[str] = set()

    def read(self, source: Source) -> None:
        """Entities at once, everything else as rows."""
        for number, line in source.lines():
            if not line.strip():
                continue
            try:
                self._read_line(line, number, source)
            except CorpusError as error:
                source.reject(error, number)

    def _read_line(self, line: str, number: int, source: Source) -> None:
        id, *fields = line.split("\t", 2)
        kind = "A" if id[:1] == "M" else id[:1]
        if not kind or kind not in "TREAN*#":
            raise FormatError(f"expected a line of kind T, R, E, A, M, N, * or #, got {line[:60]!r}")
        words = fields[0].split() if fields else []
        if kind == "#" and (len(words) < 2 or not _ID.fullmatch(words[1])):
            self.losses.drop("free comments")
            return
        if not words or " " in id:
            raise FormatError(f"expected an id, a tab and an annotation, got {line[:60]!r}")
        if kind not in "*#":
            if id in self.ids:
                raise ValidationError("expected unique annotation ids, got this one again", id=id)
            self.ids.add(id)
        if kind == "T":
            self._add_entity(id, fields)
        else:
            self.rows.append(_Row(kind, id, words, fields[1:], number, source))

    def _add_entity(self, id: str, fields: list[str]) -> None:
        found = _ENTITY.fullmatch(fields[0])
        if found is None or len(fields) < 2:
            raise FormatError(f"expected 'TYPE START END', a tab and the text, got {fields[0][:60]!r}", id=id)
        spans = tuple(_span(piece) for piece in found[2].split(";"))
        outside = [span for span in spans if not span[0] < span[1] <= len(self.text)]
        if outside:
            raise ValidationError(
                f"expected spans inside the {len(self.text)} characters of the text, got {outside[0]}", id=id
            )
        text = text_at(self.text, spans)
        if flat(text) != flat(fields[1]):
            raise ValidationError(f"expected the text {fields[1]!r} at {spans}, got {text!r}", id=id)
        self.entities[id] = Entity(id, text, spans, found[1])

    def resolve(self) -> None:
        """Work through the rows in the file's order; remarks come last, because their targets must be there."""
        steps: tuple[dict[str, Callable[[_Row], None]], ...] = (
            {"N": self._add_identifier, "E": self._add_event, "R": self._add_pair, "*": self._add_equivalence},
            {"A": self._add_remark, "#": self._add_remark},
        )
        for step in steps:
            for row in self.rows:
                if row.kind in step:
                    self._try(step[row.kind], row)

    def _try(self, add: Callable[[_Row], None], row: _Row) -> None:
        try:
            add(row)
        except CorpusError as error:
            row.source.reject(error, row.line)

    def _add_identifier(self, row: _Row) -> None:
        if len(row.words) != 3:
            raise FormatError(f"expected 'Reference T1 DATABASE:ID', got {' '.join(row.words)!r}", id=row.id)
        _, target, identifier = row.words
        if self._is_lost([target], row):
            self.losses.drop("normalizations of events and relations")
            return
        entity = self._entity(target, row)
        if row.text and row.text[0] not in ("", flat(entity.text)):
            self.losses.drop("names in normalizations")
        known = (*entity.identifiers, identifier.removeprefix(f"{UNKNOWN_DATABASE}:"))
        self.entities[entity.id] = replace(entity, identifiers=known)

    def _add_event(self, row: _Row) -> None:
        (type, trigger), *participants = _arguments(row.words, row)
        if self._is_lost([trigger, *(reference for _, reference in participants)], row):
            self.losses.drop("events of events")
            return
        arguments = self._checked([(TRIGGER, trigger), *participants], row)
        self.relations[row.id] = Relation(row.id, type, arguments)

    def _add_pair(self, row: _Row) -> None:
        arguments = _arguments(row.words[1:], row)
        if len(arguments) != 2:
            raise FormatError(f"expected 'TYPE Arg1:T1 Arg2:T2', got {' '.join(row.words)!r}", id=row.id)
        if self._is_lost([reference for _, reference in arguments], row):
            self.losses.drop("relations of events")
            return
        (role1, e1), (role2, e2) = self._checked(arguments, row)
        self.pairs[row.id] = Pair(row.id, e1, e2, True, row.words[0], roles_as_infons((role1, role2)))

    def _add_equivalence(self, row: _Row) -> None:
        type, *references = row.words
        if self._is_lost(references, row):
            self.losses.drop("equivalences of events")
            return
        self.equivalences += 1
        id = f"*{self.equivalences}"
        arguments = self._checked([(EQUIVALENT, reference) for reference in references], row)
        self.relations[id] = Relation(id, type, arguments)

    def _add_remark(self, row: _Row) -> None:
        if len(row.words) < 2:
            raise FormatError(f"expected an attribute's name and target, got {row.words[0]!r}", id=row.id)
        name, target, *values = row.words
        value = "".join(row.text) if row.kind == "#" else " ".join(values) or "true"
        if target in self.entities:
            _remark(self.entities, target, (name, value))
        elif target in self.pairs:
            _remark(self.pairs, target, (name, value))
        elif target in self.relations:
            _remark(self.relations, target, (name, value))
        elif target in self.ids:
            self.losses.drop("remarks on what is not kept")
        else:
            raise ValidationError(f"expected the id of an annotation, got {target!r}", id=row.id)

    def _is_lost(self, references: list[str], row: _Row) -> bool:
        """Whether one of the references is to an event or relation, which our types cannot refer to."""
        others = [reference for reference in references if reference[0] in "ER"]
        for reference in others:
            if reference not in self.ids:
                raise ValidationError(f"expected the id of an annotation, got {reference!r}", id=row.id)
        return bool(others)

    def _entity(self, id: str, row: _Row) -> Entity:
        if id not in self.entities:
            raise ValidationError(f"expected the id of a text-bound annotation, got {id!r}", id=row.id)
        return self.entities[id]

    def _checked(self, arguments: list[tuple[str, str]], row: _Row) -> tuple[tuple[str, str], ...]:
        return tuple((role, self._entity(reference, row).id) for role, reference in arguments)


def _remark(kept: dict[str, _Item], target: str, infon: tuple[str, str]) -> None:
    kept[target] = replace(kept[target], infons=(*kept[target].infons, infon))


def _arguments(words: list[str], row: _Row) -> list[tuple[str, str]]:
    """(role, reference) of each ``role:reference``."""
    arguments = []
    for word in words:
        role, colon, reference = word.rpartition(":")
        if not colon or not reference:
            raise FormatError(f"expected 'ROLE:ID', got {word!r}", id=row.id)
        arguments.append((role, reference))
    return arguments


def _span(piece: str) -> Span:
    start, end = piece.split(" ")
    return int(start), int(end)
