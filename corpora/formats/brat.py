"""Stub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from corpora.loss import Losses
from corpora.source import Source
from corpora.types import Document


def read(source: Source, losses: Losses) -> Iterator[Document]:
    """Documents of the folder."""
    raise NotImplementedError


def write_folder(documents: Iterable[Document], folder: Path, losses: Losses) -> None:
    """Write documents into an empty folder."""
    raise NotImplementedError
