"""Parts: the finished output of a chunk, in files that are there whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from corpora.source import atomic_output
from ppi import export
from ppi.annotation.settings import AnnotatorSettings
from ppi.longrun.chunks import Chunk
from ppi.longrun.manifest import PartFacts
from ppi.longrun.supervisor import ChunkResult

#: Formats that parts can have: one interaction per row, so that parts together are a table.
PART_FORMATS = ("parquet", "jsonl", "csv", "mitab")
PARTS, ERRORS = "parts", "errors"


@dataclass(frozen=True)
class PartTask:
    """A chunk to annotate and where its part goes; plain values that travel between processes."""

    chunk: Chunk
    input: int
    folder: str
    format: str
    settings: AnnotatorSettings
    time_limit: float


def write_part(task: PartTask, result: ChunkResult) -> PartFacts:
    """Write the interactions and, if there are any, the failures of a chunk."""
    chunk = task.chunk
    errors = errors_path(task.folder, chunk.part)
    if result.failures:
        with atomic_output(errors) as output:
            for failure in result.failures:
                output.write(json.dumps(failure.to_json()).encode() + b"\n")
    else:
        errors.unlink(missing_ok=True)  # left over from a run that was stopped
    export.write(result.documents, part_path(task.folder, chunk.part, task.format), task.format)
    return PartFacts(
        part=chunk.part,
        input=task.input,
        documents=len(result.documents),
        interactions=sum(len(each.interactions) for each in result.documents),
        failures=sum(failure.lost for failure in result.failures),
        seconds=round(result.seconds, 3),
    )


def part_path(folder: str | Path, part: str, format: str) -> Path:
    """The file of a part."""
    return Path(folder) / PARTS / f"{part}{export.FORMATS[format].suffixes[0]}"


def errors_path(folder: str | Path, part: str) -> Path:
    """The file of a part's failures."""
    return Path(folder) / ERRORS / f"{part}.jsonl"


def make_folders(folder: Path) -> None:
    """The folders of a run."""
    for name in (PARTS, ERRORS):
        (folder / name).mkdir(exist_ok=True)


def part_name(input: int, stem: str, chunk: int) -> str:
    """How a part is called: by the number of its input, a readable piece of the file's name, and the chunk."""
    readable = "".join(each if each.isascii() and each.isalnum() else "-" for each in stem)[:60]
    return f"{input:05}-{readable}-{chunk:05}"


def remove_unfinished(folder: Path, done: Collection[str], *, input: int | None = None) -> None:
    """Take away what a stopped run left: temporary files, and parts that the manifest does not know.

    With ``input``, only parts of that input, which has changed.
    """
    for name in (PARTS, ERRORS):
        for path in (folder / name).iterdir():
            part = path.name.split(".", 1)[0]
            if part not in done and (input is None or part.startswith(f"{input:05}-")):
                path.unlink(missing_ok=True)
