"""How much of a file may belong together: a small packed file can hold lines, texts and documents of any size.

Whatever is larger is refused with one of our errors while it is read, before it takes memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from corpora.errors import FormatError

#: Bytes of a line.
LONGEST_LINE = 2**26
#: Bytes of a record that a file is cut into, and of a text that is one document.
LARGEST_RECORD = 2**25
#: Bytes of a JSON value that is spread over the lines of a file.
LARGEST_VALUE = 2**28
#: Mentions, pairs, relations, events and remarks of a document, together.
MOST_ANNOTATIONS = 100_000


def bounded_lines(stream: BinaryIO, most: int) -> Iterator[bytes]:
    """The lines; of a line of more than ``most`` bytes, and after it, pieces of ``most + 1`` bytes at most.

    >>> import io
    >>> list(bounded_lines(io.BytesIO(b"one\\nfifteen\\n"), 4))
    [b'one\\n', b'fifte', b'en\\n']
    """
    return iter(partial(stream.readline, most + 1), b"")


def check_size(what: str, size: int, most: int, *, path: str) -> None:
    """Refuse what is larger than it may be.

    Raises
    ------
    FormatError
        If it is.
    """
    if size > most:
        raise FormatError(f"expected {what} of at most {most:,} bytes, got a longer one; split it", path=path)


def check_annotations(count: int, id: str | None = None) -> None:
    """Refuse a document of so many annotations.

    Raises
    ------
    FormatError
        If they are more than :data:`MOST_ANNOTATIONS`.
    """
    if count > MOST_ANNOTATIONS:
        raise FormatError(
            f"expected at most {MOST_ANNOTATIONS:,} annotations in a document, got {count:,}; split it", id=id
        )
