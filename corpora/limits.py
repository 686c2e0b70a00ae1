"""How much of a file may belong together: a small packed file can hold lines, texts and documents of any size.

Whatever is larger is refused with one of our errors while it is read, before it takes memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from corpora.errors import FormatError

#: Bytes of a line.
MAX_LINE_BYTES = 2**26
#: Bytes of a record that a file is cut into, and of a text that is one document.
MAX_RECORD_BYTES = 2**25
#: Bytes of a JSON value that is spread over the lines of a file.
MAX_VALUE_BYTES = 2**28
#: Mentions, pairs, relations, events and remarks of a document, together.
MAX_ANNOTATIONS = 100_000


def iter_lines(stream: BinaryIO, max_bytes: int) -> Iterator[bytes]:
    """The lines; of a line of more than ``most`` bytes, and after it, pieces of ``most + 1`` bytes at most.

    >>> import io
    >>> list(iter_lines(io.BytesIO(b"one\\nfifteen\\n"), 4))
    [b'one\\n', b'fifte', b'en\\n']
    """
    return iter(partial(stream.readline, max_bytes + 1), b"")


def check_size(what: str, size: int, max_bytes: int, *, path: str) -> None:
    """Refuse what is larger than it may be.

    Raises
    ------
    FormatError
        If it is.
    """
    if size > max_bytes:
        raise FormatError(f"expected {what} of at most {max_bytes:,} bytes, got a longer one; split it", path=path)


def check_annotations(count: int, id: str | None = None) -> None:
    """Refuse a document of so many annotations.

    Raises
    ------
    FormatError
        If they are more than :data:`MAX_ANNOTATIONS`.
    """
    if count > MAX_ANNOTATIONS:
        raise FormatError(
            f"expected at most {MAX_ANNOTATIONS:,} annotations in a document, got {count:,}; split it", id=id
        )
