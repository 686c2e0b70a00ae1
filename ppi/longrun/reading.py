"""The interactions of a run, a part at a time: while it goes on, and without holding them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
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
        If there are no parts, or they are of a format that is only written.
    """
    from ppi.export import jsonl, parquet

    if not (Path(folder) / PARTS).is_dir():
        raise RunError(f"{folder}: expected a folder {PARTS!r} in that of a run, got none; start the run again")
    for path in sorted((Path(folder) / PARTS).iterdir()):
        if path.name.startswith("."):  # being written
            continue
        if path.suffix not in READABLE:
            raise RunError(f"{path}: expected parts that can be read back, {READABLE}, got {path.suffix!r}")
        yield from (parquet.read if path.suffix == ".parquet" else jsonl.read)(path)


def read_interactions(paths: Iterable[str | Path]) -> Iterator[tuple[Interaction, str | None]]:
    """Interactions of folders of runs, Parquet files and JSON lines (``-``: standard input), one after another."""
    from ppi.export import jsonl, parquet
    from ppi.progress import track

    for path in paths:
        if is_run(path):
            found = read_run(path)
        else:
            found = (parquet.read if str(path).endswith(".parquet") else jsonl.read)(path)
        yield from track(found, str(path))


def annotated_documents(found: Iterable[tuple[Interaction, str | None]]) -> Iterator[AnnotatedDocument]:
    """Interactions in a row as documents again, without their texts, for exporters that make tables and networks."""
    from ppi.annotation.types import AnnotatedDocument

    for id, group in groupby(found, key=lambda each: each[0].document):
        interactions, pubmed = zip(*group, strict=True)
        yield AnnotatedDocument(Document(id, orig_id=_orig_id(pubmed[0])), interactions)


def _orig_id(pubmed: str | None) -> str | None:
    return None if pubmed is None else f"PMID:{pubmed}"
