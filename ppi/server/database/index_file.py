"""Find the index that belongs to the files of a run, or make it, or make an earlier one longer.

The index is a file in a folder ``index`` beside the parts (``FILE.index`` beside a file); its name shows of which
files, in which state, and by which version it was made.  So an index is either exactly that of the files or not looked
at; a new one is complete before it has its name, and only one process at a time makes one.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from corpora import printable
from ppi.core import DatabaseError
from ppi.server.database.index import (
    INDEX_VERSION,
    connect_for_reading,
    connect_for_writing,
    create_tables,
    require_duckdb,
)
from ppi.server.database.ingest import add_parts, build_aggregates
from ppi.server.database.sources import PartFile, state_digest

_INDEX_SUFFIX, _LOCK_NAME = ".duckdb", "lock"


def index_folder(path: Path) -> Path:
    """Where the index of a path is kept."""
    return path / "index" if path.is_dir() else path.with_name(f"{path.name}.index")


def ensure_index(path: Path, parts: Sequence[PartFile]) -> Path:
    """The index of exactly these files, made now if it is not there.

    Where nothing can be written beside the files, it is made in a folder of its own for as long as this process lasts.
    """
    folder = index_folder(path)
    name = f"{state_digest(parts, INDEX_VERSION)}{_INDEX_SUFFIX}"
    if _read_indexed_parts(folder / name) is not None:
        return folder / name
    try:
        folder.mkdir(exist_ok=True)
        with open(folder / _LOCK_NAME, "w", encoding="utf-8") as stream:
            # another process that makes an index is waited for, and what it has made is then found
            fcntl.flock(stream, fcntl.LOCK_EX)
            return _build_index(folder, name, parts)
    except OSError as error:
        if not isinstance(error, PermissionError) and error.errno != errno.EROFS:
            raise DatabaseError(
                f"{printable(str(folder))}: expected a folder that an index can be written to, got: {error.strerror}"
            ) from None
        return _build_index(Path(tempfile.mkdtemp(prefix="ppi-index-")), name, parts)


def _build_index(folder: Path, name: str, parts: Sequence[PartFile]) -> Path:
    target = folder / name
    if _read_indexed_parts(target) is not None:  # by another process, in the meantime
        return target
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)  # of a process that was killed
    work.mkdir()
    try:
        unfinished = work / name
        indexed_parts = _copy_earlier_index(folder, parts, unfinished)
        with contextlib.closing(connect_for_writing(unfinished, work)) as connection:
            if not indexed_parts:
                create_tables(connection)
            add_parts(connection, [part for part in parts if part not in indexed_parts])
            build_aggregates(connection)
            connection.execute("CHECKPOINT")
        os.replace(unfinished, target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for other in folder.glob(f"*{_INDEX_SUFFIX}"):
        if other != target:
            other.unlink(missing_ok=True)  # whoever has it open keeps it until then
    return target


def _copy_earlier_index(folder: Path, parts: Sequence[PartFile], copy: Path) -> set[PartFile]:
    """An index of some of these files, and of no others, is copied to be made longer; the files that it has."""
    best: set[PartFile] = set()
    best_path = None
    for path in folder.glob(f"*{_INDEX_SUFFIX}"):
        indexed_parts = _read_indexed_parts(path) or set()
        if indexed_parts <= set(parts) and len(indexed_parts) > len(best):
            best, best_path = indexed_parts, path
    if best_path is not None:
        shutil.copyfile(best_path, copy)
    return best


def _read_indexed_parts(path: Path) -> set[PartFile] | None:
    """The files of an index of our version; None for another, or a damaged one, which are made anew."""
    if not path.is_file():
        return None
    duckdb = require_duckdb()
    try:
        with contextlib.closing(connect_for_reading(path)) as connection:
            [(version,)] = connection.execute("SELECT version FROM about").fetchall()
            if version != INDEX_VERSION:
                return None
            connection.execute("SELECT count(*) FROM edge, known, name WHERE false").fetchall()
            return {PartFile(*row) for row in connection.execute("SELECT name, size, changed FROM part").fetchall()}
    except (duckdb.Error, ValueError):
        return None
