"""The interactions of a run, a part at a time: while it goes on, and without holding them all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from corpora.types import Document
from ppi.errors import RunError
from ppi.longrun.manifest import NAME
from ppi.longrun.parts import PARTS

if TYPE_CHECKING:
    from ppi.annotation.types import AnnotatedDocument, Interaction

#: Formats of parts from which interactions can be read back.
READABLE = (".parquet", ".jsonl")


def is_run(path: str | Path) -> bool:
    """Whether the path is the folder of a run."""
    return (Path(path) / NAME).is_file()


def read_run(folder: str | Path) -> Iterator[tuple[Interaction, str | None]]:
    """The interactions of all finished parts, in the order of the inputs, each with its PubMed id if known.

    Raises
    ------
    RunError
        If the parts are of a format that is only written.
    """
    from ppi.export import jsonl, parquet

    for path in sorted((Path(folder) / PARTS).iterdir()):
        if path.name.startswith("."):  # being written
            continue
        if path.suffix not in READABLE:
            raise RunError(f"{path}: expected parts that can be read back, {READABLE}, got {path.suffix!r}")
        yield from (parquet.read if path.suffix == ".parquet" else jsonl.read)(path)


def annotated_documents(found: Iterator[tuple[Interaction, str | None]]) -> Iterator[AnnotatedDocument]:
    """Interactions in a row as documents again, without their texts, for exporters that make tables and networks."""
    from ppi.annotation.types import AnnotatedDocument

    current: list[Interaction] = []
    pubmed: str | None = None
    for interaction, each in found:
        if current and interaction.document != current[0].document:
            yield AnnotatedDocument(Document(current[0].document, orig_id=_orig_id(pubmed)), tuple(current))
            current = []
        current.append(interaction)
        pubmed = each
    if current:
        yield AnnotatedDocument(Document(current[0].document, orig_id=_orig_id(pubmed)), tuple(current))


def _orig_id(pubmed: str | None) -> str | None:
    return None if pubmed is None else f"PMID:{pubmed}"
