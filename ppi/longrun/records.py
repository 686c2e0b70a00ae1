"""Cutting a file into the bytes of its records, fast and without parsing.

A long run hands out ranges of records.  Whoever works on the thousandth must get there without parsing those before it,
and a record that is not well formed must spoil itself only, not the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from corpora.limits import LARGEST_RECORD, bounded_lines

_BLOCK = 2**20
_KEPT = 2**10  # bytes of an oversized record, for its id
_OTHER_ENCODING = re.compile(rb"\A<\?xml[^>]*encoding\s*=\s*[\"'](?!utf-?8|us-ascii)", re.IGNORECASE)


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
        """What stands before the first record of a file that begins so."""
        found = _tags(*self.elements).search(beginning) if self.elements else None
        return beginning[: found.start()] if found else b""

    @property
    def is_lines(self) -> bool:
        """Whether the number of a record is that of its line."""
        return self.split is split_lines


class Oversized(bytes):
    """The beginning of a record of more than ``LARGEST_RECORD`` bytes; the rest of it was passed over."""


def split_lines(stream: BinaryIO) -> Iterator[bytes]:
    """One record per line, blank ones included, so that the number of a record is that of its line."""
    for line in bounded_lines(stream, LARGEST_RECORD):
        if len(line) <= LARGEST_RECORD:
            yield line
        else:
            _pass_over_line(stream, line)
            yield Oversized(line[:_KEPT])


def split_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """One record per block of lines; blank lines part them."""
    block: list[bytes] = []
    size = 0
    for line in bounded_lines(stream, LARGEST_RECORD):
        if len(line) > LARGEST_RECORD:
            _pass_over_line(stream, line)
        if line.strip():
            size += len(line)
            if size <= LARGEST_RECORD or not block:
                block.append(line)
        elif block:
            yield _sized(b"".join(block), size)
            block, size = [], 0
    if block:
        yield _sized(b"".join(block), size)


def split_elements(stream: BinaryIO, *names: bytes) -> Iterator[bytes]:
    """One record per element of one of these names, which must not nest.

    An element that is not closed before the next one opens is a record by itself, and malformed.  What looks like a tag
    inside a comment is taken for one: no writer of these formats puts any there.
    """
    tag = _tags(*names)
    longest = max(map(len, names)) + 64  # a tag cut by the end of a block is never longer than this
    buffer, position, begin = b"", 0, None  # begin: of the element that is open
    kept, passed = b"", 0  # of the open element, if it is oversized: its beginning, and how much of it is gone
    while more := stream.read(_BLOCK):
        keep = position if begin is None else begin
        buffer, position = buffer[keep:] + more, position - keep
        begin = None if begin is None else 0
        for found in tag.finditer(buffer, position):
            if begin is not None:
                end = found.end() if found.group(1) else found.start()
                yield _sized(kept or buffer[begin:end], passed + end - begin)
            begin, position = None if found.group(1) else found.start(), found.end()
            kept, passed = b"", 0
        position = max(position, len(buffer) - longest)
        if begin is not None and passed + position - begin > LARGEST_RECORD:
            kept, passed, begin = kept or buffer[begin : begin + _KEPT], passed + position - begin, position
    if begin is not None:
        yield _sized(kept or buffer[begin:], passed + len(buffer) - begin)


def _pass_over_line(stream: BinaryIO, line: bytes) -> None:
    """Read on to the end of the line, of which this is a piece."""
    while line and not line.endswith(b"\n"):
        line = stream.readline(_BLOCK)


def _sized(record: bytes, size: int) -> bytes:
    return record if size <= LARGEST_RECORD else Oversized(record[:_KEPT])


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
    if _OTHER_ENCODING.match(beginning.lstrip(b"\xef\xbb\xbf \t\r\n")):
        return None
    return RECORD_FORMATS.get(format)
