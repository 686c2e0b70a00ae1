"""Cut a file into records, and read a range of them: the chunk that one task reads, annotates and writes.

Records are found without parsing: whoever works on the thousandth must get there without parsing those before it, and a
record that is not well formed must spoil only itself, not the file.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import corpora
from corpora import (
    MAX_RECORD_BYTES,
    ConversionLosses,
    CorpusError,
    Document,
    Problem,
    Source,
    is_tar,
    iter_lines,
    readable_name,
)

_BLOCK_BYTES = 2**20
_PREFIX_BYTES = 2**10  # bytes of an oversized record, for its id
_SNIFF_BYTES = 2**16  # bytes that show how a file is cut
_OTHER_ENCODING = re.compile(rb"\A<\?xml[^>]*encoding\s*=\s*[\"'](?!utf-?8|us-ascii)", re.IGNORECASE)
#: Where the id of a record stands, for a record that cannot be read.
_ID_PATTERNS = (
    re.compile(rb'\A\s*\{\s*"id"\s*:\s*"([^"]{1,100})"'),
    re.compile(rb"<PMID[^>]*>([^<]{1,100})</PMID>"),
    re.compile(rb"<id>([^<]{1,100})</id>"),
    re.compile(rb"\A([^\s|]{1,100})\|[ta]\|"),
    re.compile(rb"\APMID- *(\S{1,100})"),
)


@dataclass(frozen=True)
class RecordFormat:
    """How one format is cut into records, and a record made a file again.

    ``split`` gives the bytes of each record, a malformed one included, and of an oversized one its beginning; between
    the file's own head and ``after`` a record is a file that the format's reader takes.
    """

    split: Callable[[BinaryIO], Iterator[bytes]]
    elements: tuple[bytes, ...] = ()
    after: bytes = b""

    def head(self, beginning: bytes) -> bytes:
        """The bytes before the first record of a file that begins so."""
        match = _tags(*self.elements).search(beginning) if self.elements else None
        return beginning[: match.start()] if match else b""

    @property
    def is_lines(self) -> bool:
        """Whether the number of a record is that of its line."""
        return self.split is split_lines


class OversizedRecord(bytes):
    """The beginning of a record of more than ``MAX_RECORD_BYTES`` bytes; the rest of it was passed over."""


def split_lines(stream: BinaryIO) -> Iterator[bytes]:
    """One record per line, blank ones included, so that the number of a record is that of its line."""
    for line in _iter_lines(stream):
        yield _truncate_oversized(line, len(line))


def split_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """One record per block of lines; blank lines part them."""
    block: list[bytes] = []
    size = 0
    for line in _iter_lines(stream):
        if line.strip():
            size += len(line)
            if size <= MAX_RECORD_BYTES or not block:
                block.append(line)
        elif block:
            yield _truncate_oversized(b"".join(block), size)
            block, size = [], 0
    if block:
        yield _truncate_oversized(b"".join(block), size)


def split_elements(stream: BinaryIO, *names: bytes) -> Iterator[bytes]:
    """One record per element of one of these names, which must not nest.

    An element that is not closed before the next one opens is a record by itself, and malformed.  What looks like a tag
    inside a comment is taken for one: no writer of these formats puts any there.
    """
    tag = _tags(*names)
    max_tag_bytes = max(map(len, names)) + 64  # a tag cut by the end of a block is never longer than this
    buffer, position, begin = b"", 0, None  # begin: of the element that is open
    prefix, skipped_bytes = b"", 0  # of the open element, if it is oversized: its beginning, and how much of it is gone
    while more := stream.read(_BLOCK_BYTES):
        keep = position if begin is None else begin
        buffer, position = buffer[keep:] + more, position - keep
        begin = None if begin is None else 0
        for match in tag.finditer(buffer, position):
            if begin is not None:
                end = match.end() if match.group(1) else match.start()
                yield _truncate_oversized(prefix or buffer[begin:end], skipped_bytes + end - begin)
            begin, position = None if match.group(1) else match.start(), match.end()
            prefix, skipped_bytes = b"", 0
        position = max(position, len(buffer) - max_tag_bytes)
        if begin is not None and skipped_bytes + position - begin > MAX_RECORD_BYTES:
            prefix = prefix or buffer[begin : begin + _PREFIX_BYTES]
            skipped_bytes += position - begin
            begin = position
    if begin is not None:
        yield _truncate_oversized(prefix or buffer[begin:], skipped_bytes + len(buffer) - begin)


def _iter_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines; of one that is too long only the beginning."""
    for line in iter_lines(stream, MAX_RECORD_BYTES):
        piece = line if len(line) > MAX_RECORD_BYTES else b""
        while piece and not piece.endswith(b"\n"):
            piece = stream.readline(_BLOCK_BYTES)
        yield line


def _truncate_oversized(record: bytes, size: int) -> bytes:
    return record if size <= MAX_RECORD_BYTES else OversizedRecord(record[:_PREFIX_BYTES])


def _tags(*names: bytes) -> re.Pattern[bytes]:
    """Opening and (group 1) closing tags of these elements."""
    alternatives = b"|".join(re.escape(name) for name in names)
    return re.compile(rb"(</(?:" + alternatives + rb")\s*>)|<(?:" + alternatives + rb")[\s>]")


def _elements(*names: bytes, root: bytes) -> RecordFormat:
    return RecordFormat(lambda stream: split_elements(stream, *names), names, b"</" + root + b">")


RECORD_FORMATS = {
    "jsonl": RecordFormat(split_lines),
    "text-lines": RecordFormat(split_lines),
    "pubtator": RecordFormat(split_blocks),
    "medline": RecordFormat(split_blocks),
    "pubmed": _elements(b"PubmedArticle", b"PubmedBookArticle", root=b"PubmedArticleSet"),
    "bioc-xml": _elements(b"document", root=b"collection"),
}


def record_format(format: str, beginning: bytes) -> RecordFormat | None:
    """How to cut a file of this format that begins so; None if it is one record as a whole."""
    other_encoding = _OTHER_ENCODING.match(beginning.lstrip(b"\xef\xbb\xbf \t\r\n"))
    return None if other_encoding else RECORD_FORMATS.get(format)


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

    ``lost`` means that there is no result for it; otherwise only a part was left out (an annotation outside the text).
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

    def __init__(self, path: str | Path, content: bytes, *, problems: list[Problem], lines_before: int = 0) -> None:
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
    layout = None if is_tar(beginning) else record_format(format, beginning)
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
            content = head + record + layout.after
            lines_before = number if layout.is_lines else 0
            source = RecordSource(chunk.path, content, problems=problems, lines_before=lines_before)
            documents: list[Document] = []
            try:
                documents.extend(corpora.FORMATS[chunk.format].read(source, losses))
            except CorpusError as error:
                problems.extend(error.problems)
            except Exception as error:  # whatever a record makes a reader do is that record's failure
                problems.append(Problem(f"{type(error).__name__}: {error}"))
            id = documents[0].id if documents else _guess_id(record)
            failures = [RecordFailure(chunk.path, number, id, problem.message, not documents) for problem in problems]
            yield Record(number, tuple(documents), tuple(failures[:1]))


def _read_whole_file(chunk: Chunk) -> Iterator[Record]:
    """One record per document; problems that the reader found on the way come with the document that follows them."""
    problems: list[Problem] = []
    number = 0
    try:
        for document in corpora.read(chunk.path, chunk.format, problems=problems, unique=False):
            yield Record(number, (document,), _take_failures(chunk.path, number, problems))
            number += 1
    except CorpusError as error:
        if not os.path.exists(chunk.path):
            raise  # moved away: the run stops
        # the reader cannot find the next record after this: what follows is lost, and reported as lost
        problems.extend(
            replace(problem, message=f"{problem.message}; the rest was not read") for problem in error.problems
        )
    if problems:
        yield Record(number, (), _take_failures(chunk.path, number, problems))


def _take_failures(path: str, number: int, problems: list[Problem]) -> tuple[RecordFailure, ...]:
    failures = tuple(RecordFailure(path, number, problem.id, problem.message) for problem in problems)
    problems.clear()
    return failures


def _guess_id(record: bytes) -> str | None:
    for pattern in _ID_PATTERNS:
        if match := pattern.search(record):
            return match.group(1).decode("utf-8", "replace")
    return None
