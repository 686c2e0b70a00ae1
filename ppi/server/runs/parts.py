"""Write and check parts: the finished output of a chunk, in files that are there whole or not at all."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from corpora import atomic_output
from ppi import export
from ppi.annotation import AnnotatorSettings
from ppi.core import RunError
from ppi.server.runs.chunks import Chunk
from ppi.server.runs.manifest import PART_NAME, InputFile, PartFacts, digest_of
from ppi.server.runs.supervisor import ChunkResult

#: Formats that parts can have: one interaction per row, so that parts together are a table.
PART_FORMATS = ("parquet", "jsonl", "csv", "mitab")
PARTS_FOLDER, ERRORS_FOLDER = "parts", "errors"
# a part, or (hidden, with group 2) one that was being written
_PART_FILE_NAME = re.compile(rf"\.?({PART_NAME.pattern})\.[a-z]+(\.[A-Za-z0-9_]+\.part)?")


@dataclass(frozen=True)
class PartTask:
    """A chunk to annotate and where its part goes; plain values that travel between processes."""

    chunk: Chunk
    input: InputFile
    folder: str
    format: str
    settings: AnnotatorSettings
    time_limit: float
    memory_limit: int


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
    path = part_path(task.folder, chunk.part, task.format)
    export.write(result.documents, path, task.format)
    return PartFacts(
        part=chunk.part,
        input=task.input.number,
        documents=len(result.documents),
        interactions=sum(len(document.interactions) for document in result.documents),
        failures=sum(failure.lost for failure in result.failures),
        seconds=round(result.seconds, 3),
        size=path.stat().st_size,
        digest=digest_of(path),
        errors=digest_of(errors) if result.failures else None,
    )


def part_path(folder: str | Path, part: str, format: str) -> Path:
    """The file of a part."""
    return Path(folder) / PARTS_FOLDER / f"{part}{export.FORMATS[format].suffixes[0]}"


def errors_path(folder: str | Path, part: str) -> Path:
    """The file of a part's failures."""
    return Path(folder) / ERRORS_FOLDER / f"{part}.jsonl"


def make_folders(folder: Path) -> None:
    """The folders of a run; RunError if one is a link: what it leads to is not ours to write into and clear away."""
    for name in (PARTS_FOLDER, ERRORS_FOLDER):
        path = folder / name
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise RunError(f"{path}: expected a folder of the run's own, got a link or a file; move it away")
        path.mkdir(exist_ok=True)


def part_name(input: int, stem: str, chunk: int) -> str:
    """How a part is called: by the number of its input, a readable piece of the file's name, and the chunk."""
    readable = "".join(character if character.isascii() and character.isalnum() else "-" for character in stem)[:60]
    return f"{input:05}-{readable}-{chunk:05}"


def find_damaged_parts(folder: Path, done: Mapping[str, PartFacts], format: str) -> set[str]:
    """The finished parts whose files are gone, or not what was written."""
    return {name for name, facts in done.items() if not _is_whole(folder, facts, format)}


def _is_whole(folder: Path, facts: PartFacts, format: str) -> bool:
    path, errors = part_path(folder, facts.part, format), errors_path(folder, facts.part)
    return (
        _is_own_file(path)
        and path.stat().st_size == facts.size
        and digest_of(path) == facts.digest
        and (digest_of(errors) if _is_own_file(errors) else None) == facts.errors
    )


def _is_own_file(path: Path) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)


def remove_unfinished(folder: Path, done: Collection[str], *, input: int | None = None) -> None:
    """Take away what a stopped run left: temporary files, and parts that the manifest does not know.

    With ``input``, only parts of that input, which has changed.  What does not have the name of a part is not ours.
    """
    for name in (PARTS_FOLDER, ERRORS_FOLDER):
        for path in (folder / name).iterdir():
            match = _PART_FILE_NAME.fullmatch(path.name)
            if match is None or (match[2] is not None) != path.name.startswith(".") or path.is_dir():
                continue
            unfinished = match[2] is not None or match[1] not in done
            if unfinished and (input is None or match[1].startswith(f"{input:05}-")):
                path.unlink(missing_ok=True)  # of a link, the link
