"""Cutting a file into the bytes of its records, fast and without parsing.

A long run hands out ranges of records.  Whoever works on the thousandth must get there without parsing those before it,
and a record that is not well formed must spoil itself only, not the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

_BLOCK = 2**20
_OTHER_ENCODING = re.compile(rb"\A<\?xml[^>]*encoding\s*=\s*[\"'](?!utf-?8|us-ascii)", re.IGNORECASE)


@dataclass(frozen=True)
class RecordFormat:
    """How one format is cut into records, and records put together to a file again.

    ``split`` gives the bytes of each record, a malformed one included; joined by ``joined``, the records from number
    ``first`` on are a file that the format's reader takes.
    """

    split: Callable[[BinaryIO], Iterator[bytes]]
    joined: Callable[[Sequence[bytes], int], bytes]


def split_lines(stream: BinaryIO) -> Iterator[bytes]:
    """A record a line, blank ones included, so that the number of a record is that of its line."""
    return iter(stream)


def split_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """A record a block of lines; blank lines part them."""
    block: list[bytes] = []
    for line in stream:
        if line.strip():
            block.append(line)
        elif block:
            yield b"".join(block)
            block = []
    if block:
        yield b"".join(block)


def split_elements(stream: BinaryIO, *names: bytes) -> Iterator[bytes]:
    """A record an element of one of these names, which must not nest.

    An element that is not closed before the next one opens is a record by itself, and malformed.  What looks like a tag
    inside a comment is taken for one: no writer of these formats puts any there.
    """
    alternatives = b"|".join(re.escape(name) for name in names)
    tag = re.compile(rb"(</(?:" + alternatives + rb")\s*>)|<(?:" + alternatives + rb")[\s>]")
    longest = max(map(len, names)) + 64  # a tag cut by the end of a block is never longer than this
    buffer, position, begin = b"", 0, None  # begin: of the element that is open
    while more := stream.read(_BLOCK):
        keep = position if begin is None else begin
        buffer, position = buffer[keep:] + more, position - keep
        begin = None if begin is None else 0
        for found in tag.finditer(buffer, position):
            if begin is not None:
                yield buffer[begin : found.end() if found.group(1) else found.start()]
            begin, position = None if found.group(1) else found.start(), found.end()
        position = max(position, len(buffer) - longest)
    if begin is not None:
        yield buffer[begin:]


def _join_lines(records: Sequence[bytes], first: int) -> bytes:
    # blank lines for those before, so that ids made of line numbers, and errors, are those of the whole file
    return b"\n" * first + b"".join(records)


def _join_blocks(records: Sequence[bytes], first: int) -> bytes:
    return b"\n".join(record if record.endswith(b"\n") else record + b"\n" for record in records)


def _join_elements(root: bytes, head: bytes = b"") -> Callable[[Sequence[bytes], int], bytes]:
    def join(records: Sequence[bytes], first: int) -> bytes:
        return b"<" + root + b">" + head + b"\n".join(records) + b"</" + root + b">"

    return join


def _split_pubmed(stream: BinaryIO) -> Iterator[bytes]:
    return split_elements(stream, b"PubmedArticle", b"PubmedBookArticle")


def _split_bioc(stream: BinaryIO) -> Iterator[bytes]:
    return split_elements(stream, b"document")


RECORD_FORMATS = {
    "jsonl": RecordFormat(split_lines, _join_lines),
    "text-lines": RecordFormat(split_lines, _join_lines),
    "pubtator": RecordFormat(split_blocks, _join_blocks),
    "pubmed": RecordFormat(_split_pubmed, _join_elements(b"PubmedArticleSet")),
    "bioc-xml": RecordFormat(_split_bioc, _join_elements(b"collection", b"<source></source><date></date><key></key>")),
}


def record_format(format: str, beginning: bytes) -> RecordFormat | None:
    """How to cut a file of this format that begins so; None if it is one record as a whole."""
    if _OTHER_ENCODING.match(beginning.lstrip(b"\xef\xbb\xbf \t\r\n")):
        return None
    return RECORD_FORMATS.get(format)
