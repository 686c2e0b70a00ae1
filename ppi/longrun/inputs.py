"""Inputs of a run: what they are when it begins, and whether they still are when a part of them is done.

A file that is replaced, cut short or moved away while it is read would give rows of two versions, or too few.  Its
*status* (sizes, times, inodes) is cheap to look at, and changes with everything that happens to a file; only its
*digest* tells whether its bytes have changed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from corpora.errors import printable
from ppi.errors import RunError
from ppi.longrun.chunks import count_records

_BLOCK_BYTES = 2**20
#: How often a file is read again that does not stay the same for as long as that takes.
READ_TRIES = 3


@dataclass(frozen=True)
class InputFile:
    """A file, or folder of files, of the run.

    ``number`` names its parts; ``size``, ``status`` and ``digest`` tell whether it has changed; ``records`` is None
    for a file that is one task as a whole.
    """

    number: int
    path: str
    format: str
    size: int
    status: str
    digest: str
    records: int | None


def describe_input(number: int, path: str, format: str) -> InputFile:
    """The file as it is now.

    Raises
    ------
    RunError
        If it does not stay the same while it is read.
    """
    for _ in range(READ_TRIES):
        status = status_of(path)
        records = count_records(path, format)
        file = InputFile(number, path, format, size_of(path), status, digest_of(path), records)
        if status_of(path) == status:
            return file
    raise change_error(path)


def check_unchanged(file: InputFile) -> str:
    """The status that the file has now, its bytes being those that the run has planned with.

    Raises
    ------
    RunError
        If its bytes are others, or it is not there.
    """
    try:
        status = status_of(file.path)
        if status != file.status and _digest_of_status(file.path, status) != file.digest:
            raise change_error(file.path)
    except OSError as error:
        raise stop_error(f"{printable(file.path)}: {error.strerror}") from error
    return status


def stop_error(reason: str) -> RunError:
    """The error of a run whose input is not what it was."""
    return RunError(f"the run stopped, and can be started again: {reason}")


def change_error(path: str) -> RunError:
    """The error of a run whose input was changed under it."""
    return stop_error(f"{printable(path)}: expected a file that stays as it is, got one that changed while it was read")


def status_of(path: str | Path) -> str:
    """Sizes, times and inodes of the file, or of all files of the folder; the time of a change cannot be set back."""
    root, hasher = Path(path), hashlib.blake2b(digest_size=16)
    for file in _iter_files(root):
        status = os.stat(file, follow_symlinks=file == root or file.exists())
        values = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        hasher.update(os.fsencode(file) + repr(values).encode())
    return hasher.hexdigest()


def size_of(path: str | Path) -> int:
    """Bytes of the file, or of all files of the folder; 0 if there is none."""
    return sum(file.stat().st_size for file in _iter_files(Path(path)) if file.is_file())


def digest_of(path: str | Path) -> str:
    """Of a file's bytes, or of the names and bytes of a folder's files."""
    root, hasher = Path(path), hashlib.blake2b(digest_size=16)
    for file in _iter_files(root):
        if file != root:
            hasher.update(os.fsencode(file.relative_to(root)))
        if file.is_file() or (file == root and not root.is_dir()):
            with open(file, "rb") as stream:
                while block := stream.read(_BLOCK_BYTES):
                    hasher.update(block)
    return hasher.hexdigest()


@lru_cache(maxsize=256)
def _digest_of_status(path: str, status: str) -> str:
    """The digest, once for each status; empty if the file does not keep it that long."""
    digest = digest_of(path)
    return digest if status_of(path) == status else ""


def _iter_files(path: Path) -> Iterator[Path]:
    yield path
    if path.is_dir():
        yield from sorted(path.rglob("*"))
