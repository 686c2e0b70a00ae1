"""Cutting a file into the bytes of its records, fast and without parsing.

A long run hands out ranges of records.  Whoever works on the thousandth must get there without parsing those before it,
and a record that is not well formed must spoil itself only, not the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from corpora.limits import MAX_RECORD_BYTES, iter_lines

_BLOCK_BYTES = 2**20
_PREFIX_BYTES = 2**10  # bytes of an oversized record, for its id
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
    for line in iter_lines(stream, MAX_RECORD_BYTES):
        if len(line) <= MAX_RECORD_BYTES:
            yield line
        else:
            _skip_line(stream, line)
            yield OversizedRecord(line[:_PREFIX_BYTES])


def split_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """One record per block of lines; blank lines part them."""
    block: list[bytes] = []
    size = 0
    for line in iter_lines(stream, MAX_RECORD_BYTES):
        if len(line) > MAX_RECORD_BYTES:
            _skip_line(stream, line)
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
            prefix, skipped_bytes, begin = (
                prefix or buffer[begin : begin + _PREFIX_BYTES],
                skipped_bytes + position - begin,
                position,
            )
    if begin is not None:
        yield _truncate_oversized(prefix or buffer[begin:], skipped_bytes + len(buffer) - begin)


def _skip_line(stream: BinaryIO, line: bytes) -> None:
    """Read on to the end of the line, of which this is a piece."""
    while line and not line.endswith(b"\n"):
        line = stream.readline(_BLOCK_BYTES)


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
    if _OTHER_ENCODING.match(beginning.lstrip(b"\xef\xbb\xbf \t\r\n")):
        return None
    return RECORD_FORMATS.get(format)
