"""Stub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from corpora.loss import Losses
from corpora.source import Source
from corpora.types import Document


def read(source: Source, losses: Losses) -> Iterator[Document]:
    """Documents of the file."""
    raise NotImplementedError


def write(documents: Iterable[Document], output: IO[bytes], losses: Losses) -> None:
    """Write documents to a binary file."""
    raise NotImplementedError
