"""List what a database is made of: the finished parts of a run, or files of interactions, and the state of each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from corpora import printable, truncate_repr
from ppi.core import DatabaseError
from ppi.server.runs.manifest import MANIFEST_FORMAT, MANIFEST_NAME, MANIFEST_VERSION
from ppi.server.runs.parts import PARTS_FOLDER
from ppi.server.runs.run_reader import READABLE_SUFFIXES, is_run

#: Endings of JSON lines that are packed.
_GZIP_JSONL_SUFFIX = ".jsonl.gz"
#: The name of the file with the judgements of a run, or its ending.
JUDGEMENTS_NAME = "curation.jsonl"


@dataclass(frozen=True)
class PartFile:
    """A file of interactions, and what shows whether it has changed; a folder can be moved without that."""

    name: str
    size: int
    mtime_ns: int
    folder: Path = field(default=Path(), compare=False)

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder / self.name

    @property
    def is_parquet(self) -> bool:
        """Whether it is a table already; JSON lines are made into one first."""
        return self.name.endswith(".parquet")


def list_parts(path: str | Path) -> tuple[PartFile, ...]:
    """The files behind a path: finished parts of a run, a file, or the files of a folder.

    DatabaseError if there is nothing of the kind, or the run is of another version.
    """
    path = Path(path)
    if is_run(path):
        _check_manifest(path)
        folder = path / PARTS_FOLDER
        files = _visible_files(folder.iterdir() if folder.is_dir() else ())
        other = [file for file in files if not _is_readable(file)]
        if other:
            raise DatabaseError(
                f"{printable(str(other[0]))}: expected parts that can be read back, {READABLE_SUFFIXES}, got "
                f"{other[0].suffix!r}; run again with --to parquet in another folder"
            )
    elif path.is_dir():
        files = [file for file in _visible_files(path.iterdir()) if _is_readable(file)]
        if not files:
            raise DatabaseError(
                f"{printable(str(path))}: expected the folder of a run, or one with .parquet or .jsonl files, got "
                f"neither; make a run first: ppi annotate INPUT --run {printable(str(path))}"
            )
    elif not path.is_file():
        raise DatabaseError(
            f"{printable(str(path))}: expected the folder of a run or a file of interactions, got nothing of that "
            "name; check the path"
        )
    elif not _is_readable(path):
        raise DatabaseError(
            f"{printable(str(path))}: expected a .parquet or .jsonl file, or the folder of a run, got another ending; "
            "write one: ppi annotate INPUT -o found.parquet"
        )
    else:
        files = [path]
    statuses = [file.stat() for file in files]
    return tuple(
        PartFile(file.name, status.st_size, status.st_mtime_ns, file.parent.resolve())
        for file, status in zip(files, statuses)
    )


def state_digest(parts: Iterable[PartFile], version: int) -> str:
    """A short name of exactly these files in this state, for an index of this version."""
    state = json.dumps([version, *((part.name, part.size, part.mtime_ns) for part in parts)])
    return hashlib.sha256(state.encode()).hexdigest()[:24]


def _visible_files(paths: Iterable[Path]) -> list[Path]:
    """Files in order; hidden ones are being written."""
    return sorted(path for path in paths if path.is_file() and not path.name.startswith("."))


def _is_readable(path: Path) -> bool:
    if path.name.endswith(JUDGEMENTS_NAME):  # a file of them lies beside what was judged
        return False
    return path.suffix in READABLE_SUFFIXES or path.name.endswith(_GZIP_JSONL_SUFFIX)


def _check_manifest(folder: Path) -> None:
    """Refuse the run of another version before its parts are taken for ours."""
    with open(folder / MANIFEST_NAME, "rb") as stream:
        line = stream.readline(1_000_000)
    try:
        head = json.loads(line)
        format, version = head["format"], head["version"]
        got = f"{truncate_repr(format)}, version {truncate_repr(version)}"
    except (ValueError, KeyError, TypeError, RecursionError):
        format, version, got = None, None, truncate_repr(line[:40])
    if format != MANIFEST_FORMAT or version != MANIFEST_VERSION:
        raise DatabaseError(
            f"{printable(str(folder / MANIFEST_NAME))}: expected a run of {MANIFEST_FORMAT!r}, version "
            f"{MANIFEST_VERSION}, got {got}; use the version that made it, or make the run again"
        )
