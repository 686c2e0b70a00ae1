"""Documents a handful at a time: enough to keep a parser busy, few enough to bound memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from corpora.types import Document

#: Documents parsed at a time.
BATCH_DOCUMENTS = 64
#: Of the documents parsed at a time, except a single longer one.
BATCH_CHARACTERS = 400_000

T = TypeVar("T")


def characters_of(document: Document) -> int:
    """The characters of a document's sentences."""
    return sum(len(sentence.text) for sentence in document.sentences)


def batches(documents: Iterable[Document], size: int = BATCH_DOCUMENTS) -> Iterator[list[Document]]:
    """Up to ``size`` documents, fewer if they are long; reads no document before it is needed."""
    return batches_of(documents, size, characters_of, most=BATCH_CHARACTERS)


def batches_of(items: Iterable[T], size: int, length: Callable[[T], int], *, most: int) -> Iterator[list[T]]:
    """Up to ``size`` items, fewer as soon as their lengths make ``most``; reads no item before it is needed.

    >>> list(batches_of(["a", "bb", "ccc", "d", "e", "f"], 3, len, most=3))
    [['a', 'bb'], ['ccc'], ['d', 'e', 'f']]
    """
    batch: list[T] = []
    total = 0
    for item in items:
        batch.append(item)
        total += length(item)
        if len(batch) == size or total >= most:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
