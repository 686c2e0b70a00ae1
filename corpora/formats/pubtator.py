"""The PubTator format, with relations: title and abstract of a document, and a line for each mention or relation.

::

    12345|t|Profilin binds actin.
    12345|a|It does so in platelets.
    12345   0   8   Profilin   Gene   5216
    12345   15  20  actin      Gene   60;71
    12345   Bind    5216    60

Columns are separated by tabs; offsets count characters of title, one separator and abstract.  A seventh column of
a mention (the names inside a composite one) is kept as its remark ``mentions``, a fifth of a relation as
``novelty``.  The species that GNormPlus writes behind the number of a gene (``22059(Tax:10090)``) is kept as the remark
``taxid``, or ``taxids`` if there are several numbers.  Relations join concepts, not mentions, so they are the
document's ``concept_relations``; no mention needs to have such an identifier, and an end with several of them
(``60;71``) makes a relation of each.  The title becomes a Sentence with the remark ``type=title``, the abstract one
with ``type=abstract``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import IO, Any

from corpora.errors import CorpusError, FormatError, ValidationError
from corpora.formats.common import flatten_whitespace, sentence_id
from corpora.formats.identifiers import parse_concepts, species_as_infons, split_identifiers
from corpora.formats.pubtator_writer import write_document
from corpora.limits import MAX_ANNOTATIONS, check_annotations
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import ConceptRelation, Document, Entity, Sentence

_TEXT_LINE = re.compile(r"([^|\t]+)\|([ta])\|(.*)", re.DOTALL)
_OFFSET = re.compile(r"[0-9]{1,15}")
_KINDS = {"t": "title", "a": "abstract"}
_MENTION_COLUMNS = range(5, 8)
_RELATION_COLUMNS = range(4, 6)


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Documents of a PubTator file, streamed; a line that contradicts the text or the other lines is rejected."""
    block: _Block | None = None
    for number, line in source.lines():
        try:
            match = _TEXT_LINE.fullmatch(line)
            if match is None and line.strip():
                if block is None:
                    raise FormatError(f"expected 'ID|t|TITLE' to begin a document, got {line[:60]!r}")
                block.add_row(number, line)
                continue
            if block is not None and (match is None or match[2] in block.texts):
                complete_block, block = block, None
                yield from complete_block.documents(source)
            if match is not None:
                block = block or _Block(match[1], number)
                block.add_text(match[1], match[2], match[3])
        except CorpusError as error:
            source.reject(error, number)
    if block is not None:
        yield from block.documents(source)


def write(documents: Iterable[Document], output: IO[bytes], losses: ConversionLosses) -> None:
    """Write documents to a binary file, separated by empty lines; see :mod:`corpora.formats.pubtator_writer`."""
    for number, document in enumerate(documents):
        output.write(b"\n" * bool(number) + write_document(document, losses))


@dataclass
class _Block:
    """The lines of one document."""

    id: str
    line: int
    texts: dict[str, str] = field(default_factory=dict)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    n_rows: int = 0

    def add_row(self, number: int, line: str) -> None:
        self.n_rows += 1
        if self.n_rows <= MAX_ANNOTATIONS:  # more are only counted: the document will be refused
            self.rows.append((number, line.split("\t")))

    def add_text(self, id: str, kind: str, text: str) -> None:
        if id != self.id:
            raise FormatError(
                f"expected the {_KINDS[kind]} of document {self.id!r}, got that of {id!r}; "
                "put an empty line between documents"
            )
        self.texts[kind] = text

    def documents(self, source: Source) -> Iterator[Document]:
        """The document, unless it is rejected."""
        try:
            check_annotations(self.n_rows, self.id)
        except CorpusError as error:
            source.reject(error, self.line)
            return
        parts = self._parts()
        relations: list[tuple[int, list[str]]] = []
        for number, row in self.rows:
            try:
                if row[0] != self.id:
                    raise ValidationError(f"expected a line of document {self.id!r}, got one of {row[0]!r}")
                if _is_mention(row):
                    _add_mention(row, parts)
                elif len(row) in _RELATION_COLUMNS:
                    relations.append((number, row))
                else:
                    raise FormatError(
                        f"expected a mention (6 columns) or a relation (4 columns), got {len(row)} columns",
                        id=self.id,
                    )
            except CorpusError as error:
                source.reject(error, number)
        source.record_line = self.line
        try:
            yield self._document(parts, relations, source)
        except CorpusError as error:
            source.reject(error, self.line)

    def _parts(self) -> list[_Part]:
        parts, offset = [], 0
        for kind, name in _KINDS.items():
            if kind in self.texts:
                parts.append(_Part(name, self.texts[kind], offset))
            # an abstract without a title begins where it would after an empty one
            offset += len(self.texts.get(kind, "")) + 1
        return parts

    def _document(self, parts: list[_Part], rows: list[tuple[int, list[str]]], source: Source) -> Document:
        sentences: list[Sentence] = []
        number = 0
        for index, part in enumerate(parts):
            entities = []
            for entity in part.entities:
                number += 1
                entities.append(Entity(f"T{number}", *entity))
            sentences.append(
                Sentence(
                    sentence_id(self.id, index),
                    part.text,
                    tuple(entities),
                    offset=part.offset,
                    infons=(("type", part.kind),),
                )
            )
        identifiers = {id for part in parts for entity in part.entities for id in entity[3]}
        relations: list[ConceptRelation] = []
        for line, row in rows:
            try:
                for first, second in _ends(row, identifiers):
                    infons = tuple(("novelty", value) for value in row[4:])
                    relations.append(ConceptRelation(f"R{len(relations) + 1}", row[1], first, second, infons))
            except CorpusError as error:
                source.reject(error, line)
        return Document(self.id, tuple(sentences), concept_relations=tuple(relations))


@dataclass
class _Part:
    """Title or abstract; its entities are the arguments of Entity after the id."""

    kind: str
    text: str
    offset: int
    entities: list[tuple[Any, ...]] = field(default_factory=list)


def _is_mention(row: list[str]) -> bool:
    return len(row) > 3 and all(_OFFSET.fullmatch(column) for column in row[1:3])


def _add_mention(row: list[str], parts: list[_Part]) -> None:
    if len(row) not in _MENTION_COLUMNS:
        raise FormatError(
            f"expected id, start, end, text, type and identifiers of a mention, got {len(row)} columns", id=row[0]
        )
    start, end = int(row[1]), int(row[2])
    text, type = row[3:5]
    for part in parts:
        span = (start - part.offset, end - part.offset)
        if 0 <= span[0] < span[1] <= len(part.text):
            break
    else:
        raise ValidationError(
            f"expected a mention inside the title or the abstract, got {text!r} at {start}-{end}", id=row[0]
        )
    actual = part.text[span[0] : span[1]]
    if flatten_whitespace(actual) != flatten_whitespace(text):
        raise ValidationError(f"expected the text {text!r} at {start}-{end}, got {actual!r}", id=row[0])
    identifiers, species = species_as_infons(split_identifiers(row[5]) if len(row) > 5 else ())
    infons = (("mentions", row[6]),) if len(row) > 6 else ()
    part.entities.append((actual, (span,), type or None, identifiers, None, (*species, *infons)))


def _ends(row: list[str], known_identifiers: set[str]) -> Iterator[tuple[str, str]]:
    """The two identifiers of a relation; more often than once if an end names several."""
    ends = [parse_concepts(written, known_identifiers) for written in row[2:4]]
    for written, identifiers in zip(row[2:4], ends, strict=True):
        if not identifiers:
            raise ValidationError(f"expected an identifier at each end of a relation, got {written!r}", id=row[0])
    check_annotations(len(ends[0]) * len(ends[1]), row[0])
    yield from product(*ends)
