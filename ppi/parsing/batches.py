"""Documents a handful at a time: enough to keep a parser busy, few enough to bound memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corpora.types import Document

#: Documents parsed at a time.
BATCH_DOCUMENTS = 64
#: Of the documents parsed at a time, except a single longer one.
BATCH_CHARACTERS = 400_000


def batches(documents: Iterable[Document], size: int = BATCH_DOCUMENTS) -> Iterator[list[Document]]:
    """Up to ``size`` documents, fewer if they are long; reads no document before it is needed."""
    batch: list[Document] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += sum(len(sentence.text) for sentence in document.sentences)
        if len(batch) == size or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
