"""A chunk of a file: the range of records that one task reads, annotates and writes."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import corpora
from corpora.errors import CorpusError, Problem
from corpora.limits import MAX_RECORD_BYTES
from corpora.loss import ConversionLosses
from corpora.source import Source, readable_name
from corpora.tar import is_tar
from corpora.types import Document
from ppi.longrun.records import OversizedRecord, RecordFormat, record_format

_SNIFF_BYTES = 2**16  # bytes that tell how a file is cut
#: Where the id of a record stands, for a record that cannot be read.
_ID_PATTERNS = (
    re.compile(rb'\A\s*\{\s*"id"\s*:\s*"([^"]{1,100})"'),
    re.compile(rb"<PMID[^>]*>([^<]{1,100})</PMID>"),
    re.compile(rb"<id>([^<]{1,100})</id>"),
    re.compile(rb"\A([^\s|]{1,100})\|[ta]\|"),
    re.compile(rb"\APMID- *(\S{1,100})"),
)


@dataclass(frozen=True)
class Chunk:
    """The records from ``first`` up to ``last`` (None: all that follow) of a file; ``part`` names its output."""

    path: str
    format: str
    first: int
    last: int | None
    part: str


@dataclass(frozen=True)
class RecordFailure:
    """What went wrong with a record or document; ``record`` is its number in the file.

    ``lost`` says that there is no result for it; otherwise only a part was left out (an annotation outside the text).
    """

    path: str
    record: int
    document: str | None
    reason: str
    lost: bool = True

    def to_json(self) -> dict[str, Any]:
        """Plain values, as a line of an error file holds them; of a name that is no text, what is not is escaped."""
        return asdict(self) | {"path": readable_name(self.path)}


@dataclass(frozen=True)
class Record:
    """What a reader made of one record of a file, the ``number``-th."""

    number: int
    documents: tuple[Document, ...]
    failures: tuple[RecordFailure, ...]


class RecordSource(Source):
    """A record of a file as a file of its own, which keeps the name, and lines their numbers, for ids and messages."""

    def __init__(self, path: str | Path, content: bytes, *, problems: list[Problem], lines_before: int) -> None:
        super().__init__(path, problems=problems)
        self._content = content
        self._lines_before = lines_before

    @contextlib.contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes of the record."""
        yield BytesIO(self._content)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Numbered lines, the numbers being those of the whole file where a record is a line."""
        for number, line in super().lines():
            yield self._lines_before + number, line


def detect_record_format(path: str | Path, format: str) -> tuple[RecordFormat | None, bytes]:
    """How the file is cut into records (None: it is one task as a whole), and what stands before the first one."""
    if Path(path).is_dir():
        return None, b""
    with Source(path).open() as stream:
        beginning = stream.read(_SNIFF_BYTES)
    if is_tar(beginning):
        return None, b""
    layout = record_format(format, beginning)
    return layout, layout.head(beginning) if layout is not None else b""


def count_records(path: str | Path, format: str) -> int | None:
    """The number of records, without parsing them; None for a file that is one task as a whole."""
    layout, _ = detect_record_format(path, format)
    if layout is None:
        return None
    with Source(path).open() as stream:
        return sum(1 for _ in layout.split(stream))


def read_chunk(chunk: Chunk) -> Iterator[Record]:
    """The records of a chunk, one at a time; one that cannot be read holds the reason instead of a document."""
    layout, head = detect_record_format(chunk.path, chunk.format)
    if layout is None:
        yield from islice(_read_whole_file(chunk), chunk.first, chunk.last)
        return
    losses = ConversionLosses(f"documents read from {chunk.format}", path=chunk.path)
    with Source(chunk.path).open() as stream:
        for number, record in enumerate(islice(layout.split(stream), chunk.first, chunk.last), start=chunk.first):
            problems: list[Problem] = []
            if isinstance(record, OversizedRecord):
                reason = f"expected a record of at most {MAX_RECORD_BYTES:,} bytes, got a larger one; split it"
                yield Record(number, (), (RecordFailure(chunk.path, number, _guess_id(record), reason),))
                continue
            lines_before = number if layout.is_lines else 0
            source = RecordSource(
                chunk.path, head + record + layout.after, problems=problems, lines_before=lines_before
            )
            documents: list[Document] = []
            try:
                documents.extend(corpora.FORMATS[chunk.format].read(source, losses))
            except CorpusError as error:
                problems.extend(error.problems)
            except Exception as error:  # whatever a record makes a reader do is that record's failure
                problems.append(Problem(f"{type(error).__name__}: {error}"))
            id = documents[0].id if documents else _guess_id(record)
            yield Record(number, tuple(documents), _first_failure(chunk.path, number, id, problems, lost=not documents))


def _first_failure(
    path: str, number: int, id: str | None, problems: list[Problem], *, lost: bool
) -> tuple[RecordFailure, ...]:
    return (RecordFailure(path, number, id, problems[0].message, lost=lost),) if problems else ()


def _read_whole_file(chunk: Chunk) -> Iterator[Record]:
    """One record per document; problems that the reader found on the way come with the document that follows them."""
    problems: list[Problem] = []
    number = 0
    try:
        for document in corpora.read(chunk.path, chunk.format, problems=problems, unique=False):
            yield Record(number, (document,), tuple(_drain_failures(chunk.path, number, problems)))
            number += 1
    except CorpusError as error:
        if not os.path.exists(chunk.path):
            raise  # moved away: the run stops
        # the reader cannot find the next record after this: what follows is lost, and said to be
        problems.extend(
            replace(problem, message=f"{problem.message}; the rest was not read") for problem in error.problems
        )
    if problems:
        yield Record(number, (), tuple(_drain_failures(chunk.path, number, problems)))


def _drain_failures(path: str, number: int, problems: list[Problem]) -> Iterator[RecordFailure]:
    while problems:
        problem = problems.pop(0)
        yield RecordFailure(path, number, problem.id, problem.message)


def _guess_id(record: bytes) -> str | None:
    for pattern in _ID_PATTERNS:
        if match := pattern.search(record):
            return match.group(1).decode("utf-8", "replace")
    return None
