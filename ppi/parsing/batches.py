"""Documents a handful at a time: enough to keep a parser busy, few enough to bound memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from corpora.types import Document

#: Documents parsed at a time.
MAX_BATCH_DOCUMENTS = 64
#: Of the documents parsed at a time, except a single longer one.
MAX_BATCH_CHARACTERS = 400_000

T = TypeVar("T")


def count_characters(document: Document) -> int:
    """The characters of a document's sentences."""
    return sum(len(sentence.text) for sentence in document.sentences)


def batch_documents(documents: Iterable[Document], size: int = MAX_BATCH_DOCUMENTS) -> Iterator[list[Document]]:
    """Up to ``size`` documents, fewer if they are long; reads no document before it is needed."""
    return batch_by_length(documents, size, count_characters, max_total=MAX_BATCH_CHARACTERS)


def batch_by_length(items: Iterable[T], size: int, length: Callable[[T], int], *, max_total: int) -> Iterator[list[T]]:
    """Up to ``size`` items, fewer as soon as their lengths make ``most``; reads no item before it is needed.

    >>> list(batch_by_length(["a", "bb", "ccc", "d", "e", "f"], 3, len, most=3))
    [['a', 'bb'], ['ccc'], ['d', 'e', 'f']]
    """
    batch: list[T] = []
    total = 0
    for item in items:
        batch.append(item)
        total += length(item)
        if len(batch) == size or total >= max_total:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
