"""What has been finished, kept in a folder under a digest of everything it was made from.

The name of a kept file holds a digest of the part's name, of its inputs (parameters, sizes, contents of files and of
other parts) and of the package's version.  Whatever is asked for with other inputs has another file, so that a small
run never passes for a large one.  Changes of the code within a version are not seen: delete the folder after them.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import scipy.sparse as sp

from corpora import atomic_output
from lab.frame.crew import Crew
from ppi.core import UsageError

T = TypeVar("T")
#: Hexadecimal digits of a digest: no two inputs of a project will share so many.
_DIGITS = 20


class OutOfTime(Exception):
    """The seconds allowed are used up; what was finished is kept."""


@dataclass(frozen=True)
class Part:
    """Something to compute once: its name, everything it depends on, and how.

    ``inputs`` are JSON values, dataclasses and paths; a path stands for the contents of its file or folder.
    """

    name: str
    inputs: Mapping[str, Any]
    compute: Callable[[], Any]

    @property
    def digest(self) -> str:
        """Differs whenever name, inputs or version do."""
        return digest({"name": self.name, "version": version("ppi-miner"), "inputs": self.inputs})


class Cache:
    """Parts that are kept in ``folder``; None keeps nothing.

    ``seconds`` of this process's computing may be spent in all; after that :class:`OutOfTime` is raised instead of
    beginning another part.
    """

    def __init__(self, folder: Path | None = None, *, seconds: float | None = None) -> None:
        self.folder, self._seconds = folder, seconds

    def json(self, part: Part) -> Any:
        """Plain values, kept as JSON beside the inputs that they were made from."""
        return self.keep(part, ".json", save=lambda value, path: _write_json(part, value, path), load=_read_json)

    def matrix(self, part: Part) -> sp.csr_matrix:
        """A sparse matrix, kept as plain arrays."""
        return self.keep(part, ".npz", save=_write_matrix, load=lambda path: sp.csr_matrix(sp.load_npz(path)))

    def keep(self, part: Part, suffix: str, *, save: Callable[[Any, Path], None], load: Callable[[Path], T]) -> T:
        """The part as ``load`` reads it from the file that ``save``, which writes it whole or not at all, has made."""
        if self.folder is None:
            self._check_time()
            computed: T = part.compute()
            return computed
        path = self._path(self.folder, part, suffix)
        if not self.holds(part, suffix):
            self._check_time()
            value = part.compute()
            path.parent.mkdir(parents=True, exist_ok=True)
            save(value, path)
        return load(path)

    def holds(self, part: Part, suffix: str = ".json") -> bool:
        """Whether the part is kept."""
        return self.folder is not None and self._path(self.folder, part, suffix).is_file()

    def forget(self, part: Part, suffix: str = ".json") -> None:
        """Keep the part no longer."""
        if self.folder is not None:
            self._path(self.folder, part, suffix).unlink(missing_ok=True)

    def finished(self, parts: Sequence[Part], *, crew: Crew | None = None) -> tuple[list[Any], list[str]]:
        """The values that are there or can be computed in time, and the names of the other parts.

        With a ``crew`` that has workers missing parts are computed side by side; each is kept as soon as it is there.
        """
        wanted = list(parts)
        if crew is not None and not crew.is_alone:
            missing = [place for place, part in enumerate(parts) if not self.holds(part)]
            computed = crew.results(_compute, [parts[place] for place in missing])
            for place, value in zip(missing, computed, strict=True):
                wanted[place] = replace(parts[place], compute=partial(_identity, value))
                self.json(wanted[place])
        found, unfinished = [], []
        for part in wanted:
            try:
                found.append(self.json(part))
            except OutOfTime:
                unfinished.append(part.name)
        return found, unfinished

    @staticmethod
    def _path(folder: Path, part: Part, suffix: str) -> Path:
        return folder / f"{slug(part.name)}-{part.digest}{suffix}"

    def _check_time(self) -> None:
        if self._seconds is not None and time.process_time() > self._seconds:
            raise OutOfTime


def digest(value: Any) -> str:
    """A short hexadecimal digest of JSON values, dataclasses and the contents of paths.

    >>> digest({"sizes": (1, 2)}) == digest({"sizes": [1, 2]}) != digest({"sizes": [1, 3]})
    True
    """
    text = json.dumps(_plain(value), sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:_DIGITS]


def slug(name: str) -> str:
    """A file's name for a part.

    >>> slug("RankRLS (21), all pairs")
    'rankrls-21-all-pairs'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return {"contents": _contents_digest(value)}
    if is_dataclass(value) and not isinstance(value, type):
        named = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__, **named}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value  # json refuses what it does not know


def _contents_digest(path: Path) -> str:
    if not path.exists():
        raise UsageError(f"expected {path.name!r}, got no such file or folder ({path}); check PPI_CORPORA and the path")
    found = hashlib.sha256()
    for file in _files(path):
        with open(file, "rb") as stream:
            content = hashlib.file_digest(stream, "sha256").hexdigest()
        found.update(f"{file.relative_to(path)} {content}\n".encode())
    return found.hexdigest()


def _files(path: Path) -> Iterable[Path]:
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def _compute(part: Part) -> Any:
    return part.compute()


def _identity(value: Any) -> Any:
    return value


def _write_json(part: Part, value: Any, path: Path) -> None:
    document = {"name": part.name, "inputs": _plain(part.inputs), "value": value}
    with atomic_output(path) as output:
        output.write(json.dumps(document).encode("utf-8"))


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))["value"]


def _write_matrix(matrix: sp.csr_matrix, path: Path) -> None:
    with atomic_output(path) as output:
        sp.save_npz(output, matrix, compressed=False)
