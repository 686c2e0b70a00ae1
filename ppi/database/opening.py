"""Opening a run: the index that belongs to its files, made or made longer where it is not there.

The index is a file in a folder ``index`` beside the parts (``FILE.index`` beside a file); its name tells of which
files, in which state, and by which version it was made.  So an index is either exactly that of the files or not looked
at; a new one is complete before it has its name, and only one process at a time makes one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpora.errors import printable
from ppi.database.connection import reading, require_duckdb, writing
from ppi.database.deriving import derive
from ppi.database.filling import add_parts
from ppi.database.run import OpenRun
from ppi.database.sources import Part, parts_of, state_of
from ppi.database.tables import VERSION, make_tables
from ppi.errors import DatabaseError
from ppi.export.parquet import require_pyarrow

_SUFFIX, _LOCK = ".duckdb", "lock"


def open_run(path: str | Path) -> OpenRun:
    """Open the folder of a long run, a Parquet file, JSON lines, or a folder of such files.

    The first time, an index is made beside them, which for a million interactions takes a minute or two; from then on
    opening takes a moment.  While the run goes on, what is finished can be searched: :meth:`OpenRun.refresh`.

    Raises
    ------
    MissingExtraError
        Without DuckDB or pyarrow (the extra ``database``).
    DatabaseError
        If there is nothing to open, it is of another version, or a part is damaged.

    Examples
    --------
    >>> import tempfile, ppi
    >>> file = f"{tempfile.mkdtemp()}/found.parquet"
    >>> ppi.write([ppi.Annotator().annotate_document("Profilin binds actin.")], file)
    >>> run = ppi.open_run(file)
    >>> [found.names for found in run.search("profilin", type="binding")]
    [('Profilin', 'actin')]
    """
    require_duckdb()
    require_pyarrow()
    home = Path(path)
    parts = parts_of(home)
    return OpenRun(home, fresh_index(home, parts), parts, reopen=fresh_index)


def index_folder(path: Path) -> Path:
    """Where the index of a path is kept."""
    return path / "index" if path.is_dir() else path.with_name(f"{path.name}.index")


def fresh_index(path: Path, parts: Sequence[Part]) -> Path:
    """The index of exactly these files, made now if it is not there.

    Where nothing can be written beside the files, it is made in a folder of its own for as long as this process lasts.
    """
    folder = index_folder(path)
    name = f"{state_of(parts, VERSION)}{_SUFFIX}"
    if _is_ours(folder / name):
        return folder / name
    try:
        folder.mkdir(exist_ok=True)
        with _locked(folder):
            return _made(folder, name, parts)
    except OSError as error:
        if not isinstance(error, PermissionError) and error.errno != 30:  # EROFS
            raise DatabaseError(
                f"{printable(str(folder))}: expected a folder that an index can be written to, got: {error.strerror}"
            ) from None
        return _made(Path(tempfile.mkdtemp(prefix="ppi-index-")), name, parts)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder; another process that makes an index is waited for, and what it has made is then found."""
    with open(folder / _LOCK, "w", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _made(folder: Path, name: str, parts: Sequence[Part]) -> Path:
    target = folder / name
    if _is_ours(target):  # by another process, in the meantime
        return target
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)  # of a process that was killed
    work.mkdir()
    try:
        unfinished = work / name
        known = _copy_of_earlier(folder, parts, unfinished)
        connection = writing(unfinished, work)
        try:
            if not known:
                make_tables(connection)
            add_parts(connection, [part for part in parts if part not in known])
            derive(connection)
            connection.execute("CHECKPOINT")
        finally:
            connection.close()
        os.replace(unfinished, target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for other in folder.glob(f"*{_SUFFIX}"):
        if other != target:
            other.unlink(missing_ok=True)  # whoever has it open keeps it until then
    return target


def _copy_of_earlier(folder: Path, parts: Sequence[Part], copy: Path) -> set[Part]:
    """An index of some of these files, and of no others, is copied to be made longer; the files that it has."""
    best: tuple[int, Path, set[Part]] | None = None
    for path in folder.glob(f"*{_SUFFIX}"):
        held = _parts_in(path)
        if held and held <= set(parts) and (best is None or len(held) > best[0]):
            best = len(held), path, held
    if best is None:
        return set()
    shutil.copyfile(best[1], copy)
    return best[2]


def _is_ours(path: Path) -> bool:
    return _parts_in(path) is not None


def _parts_in(path: Path) -> set[Part] | None:
    """The files of an index of our version; None for another, or a damaged one, which are made anew."""
    if not path.is_file():
        return None
    duckdb = require_duckdb()
    try:
        connection = reading(path)
        try:
            [(version,)] = connection.execute("SELECT version FROM about").fetchall()
            if version != VERSION:
                return None
            connection.execute("SELECT count(*) FROM edge, known, name WHERE false").fetchall()
            return {Part(*row) for row in connection.execute("SELECT name, size, changed FROM part").fetchall()}
        finally:
            connection.close()
    except (duckdb.Error, ValueError):
        return None
