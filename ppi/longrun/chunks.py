"""A chunk of a file: the range of records that one task reads, annotates and writes."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import corpora
from corpora.errors import CorpusError, Problem
from corpora.loss import Losses
from corpora.source import Source
from corpora.types import Document
from ppi.longrun.records import RecordFormat, record_format

_BEGINNING = 2**16  # bytes that tell how a file is cut
#: Where the id of a record stands, for a record that cannot be read.
_IDS = (
    re.compile(rb'\A\s*\{\s*"id"\s*:\s*"([^"]{1,100})"'),
    re.compile(rb"<PMID[^>]*>([^<]{1,100})</PMID>"),
    re.compile(rb"<id>([^<]{1,100})</id>"),
    re.compile(rb"\A([^\s|]{1,100})\|[ta]\|"),
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
class Failure:
    """What went wrong with a record or document; ``record`` is its number in the file.

    ``lost`` says that there is no result for it; otherwise only a part was left out (an annotation outside the text).
    """

    path: str
    record: int
    document: str | None
    reason: str
    lost: bool = True

    def to_json(self) -> dict[str, Any]:
        """Plain values, as a line of an error file holds them."""
        return asdict(self)


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


def cutting(path: str | Path, format: str) -> tuple[RecordFormat | None, bytes]:
    """How the file is cut into records (None: it is one task as a whole), and what stands before the first one."""
    if Path(path).is_dir():
        return None, b""
    with Source(path).open() as stream:
        beginning = stream.read(_BEGINNING)
    cut = record_format(format, beginning)
    return cut, cut.head(beginning) if cut is not None else b""


def count_records(path: str | Path, format: str) -> int | None:
    """The number of records, without parsing them; None for a file that is one task as a whole."""
    cut, _ = cutting(path, format)
    if cut is None:
        return None
    with Source(path).open() as stream:
        return sum(1 for _ in cut.split(stream))


def read_chunk(chunk: Chunk) -> Iterator[tuple[int, Document | Failure]]:
    """The documents of a chunk with the numbers of their records; what cannot be read comes as a failure."""
    cut, head = cutting(chunk.path, chunk.format)
    if cut is None:
        yield from _whole_file(chunk)
        return
    reader = corpora.FORMATS[chunk.format].read
    losses = Losses(f"documents read from {chunk.format}", path=chunk.path)
    with Source(chunk.path).open() as stream:
        for number, record in enumerate(islice(cut.split(stream), chunk.first, chunk.last), start=chunk.first):
            problems: list[Problem] = []
            content = head + record + cut.after
            source = RecordSource(chunk.path, content, problems=problems, lines_before=number if cut.is_lines else 0)
            try:
                found = list(reader(source, losses))
            except CorpusError as error:
                found = []
                problems.extend(error.problems)
            for document in found:
                yield number, document
            if problems:
                id = found[0].id if found else _guessed_id(record)
                yield number, Failure(chunk.path, number, id, problems[0].message, lost=not found)


def _whole_file(chunk: Chunk) -> Iterator[tuple[int, Document | Failure]]:
    problems: list[Problem] = []
    number = -1
    try:
        for number, document in enumerate(corpora.read(chunk.path, chunk.format, problems=problems, unique=False)):
            yield number, document
    except CorpusError as error:
        # the reader cannot find the next record after this: what follows is lost, and said to be
        reason = f"{error.problems[0].message}; the rest of the file was not read"
        yield number + 1, Failure(chunk.path, number + 1, error.problems[0].id, reason)
    for problem in problems:
        yield number + 1, Failure(chunk.path, number + 1, problem.id, str(problem))


def _guessed_id(record: bytes) -> str | None:
    for pattern in _IDS:
        if found := pattern.search(record):
            return found.group(1).decode("utf-8", "replace")
    return None
