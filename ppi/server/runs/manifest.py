"""Keep the manifest of a run: its inputs, whether they are still what they were, and the parts that are done.

An input that is replaced, cut short or moved away while it is read would give rows of two versions, or too few.  Its
*status* (sizes, times, inodes) is cheap to look at, and changes with everything that happens to a file; only its
*digest* shows whether its bytes have changed.

``manifest.jsonl`` only grows, a line at a time, each flushed to the disk before anything relies on it; a line that was
cut off by a crash is taken away when the run is started again.  Only one run at a time may hold a folder.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Self, TypeVar

from corpora import printable, truncate_repr
from ppi.core import RunError
from ppi.server.runs.chunks import count_records

T = TypeVar("T")

MANIFEST_FORMAT = "ppi-annotate-run"
MANIFEST_VERSION = 2
MANIFEST_NAME = "manifest.jsonl"
_HEADER_START = f'{{"format": "{MANIFEST_FORMAT}"'.encode()
#: How parts are called: by the number of the input, a readable piece of the file's name, and the number of the chunk.
PART_NAME = re.compile(r"[0-9]{5,12}-[A-Za-z0-9-]{0,60}-[0-9]{5,12}")
#: How often a file is read again that does not stay the same for as long as that takes.
READ_TRIES = 3
_MAX_COUNT = 2**63 - 1
#: A byte of gzip holds at most so many bytes, and a record has at least one.
_MAX_GZIP_RATIO = 1032


@dataclass(frozen=True)
class InputFile:
    """A file, or folder of files, of the run.

    ``number`` names its parts; ``size``, ``status`` and ``digest`` show whether it has changed; ``records`` is None
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
    """The file as it is now; RunError if it does not stay the same while it is read."""
    for _ in range(READ_TRIES):
        status = status_of(path)
        records = count_records(path, format)
        file = InputFile(number, path, format, size_of(path), status, digest_of(path), records)
        if status_of(path) == status:
            return file
    raise change_error(path)


def check_unchanged(file: InputFile) -> str:
    """The status of the file now; RunError if it is gone, or its bytes are not those that the run has planned with."""
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
                hashlib.file_digest(stream, lambda: hasher)
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


@dataclass(frozen=True)
class PartFacts:
    """A finished part: which input it belongs to, what is in it, and what its files are.

    ``size`` and ``digest`` are those of its file, ``errors`` is the digest of the file of its failures, None if there
    is none.
    """

    part: str
    input: int
    documents: int
    interactions: int
    failures: int
    seconds: float
    size: int
    digest: str
    errors: str | None


def read_facts(cls: type[T], value: Any) -> T:
    """An InputFile or PartFacts of a JSON object.

    Raises
    ------
    ValueError
        If a field is missing, unknown, of another type, or cannot be true.

    Examples
    --------
    >>> read_facts(PartFacts, {"part": 3})
    Traceback (most recent call last):
        ...
    ValueError: expected the fields part, input, ..., got {'part': 3}
    """
    types = {field.name: str(field.type) for field in fields(cls)}  # type: ignore[arg-type]
    if not isinstance(value, dict) or value.keys() != types.keys():
        raise ValueError(f"expected the fields {', '.join(types)}, got {truncate_repr(value)}")
    for name, type in types.items():
        if not _TYPE_CHECKS[type](value[name]):
            raise ValueError(f"expected {type} for {name!r}, got {truncate_repr(value[name])}")
    facts = cls(**value)
    if isinstance(facts, PartFacts) and not PART_NAME.fullmatch(facts.part):
        raise ValueError(f"expected the name of a part, got {truncate_repr(facts.part)}")
    if isinstance(facts, InputFile) and (facts.records or 0) > _MAX_GZIP_RATIO * facts.size:
        raise ValueError(f"expected no more records than {facts.size} bytes can hold, got {facts.records}")
    return facts


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_COUNT


_TYPE_CHECKS: dict[str, Callable[[Any], bool]] = {
    "int": _is_count,
    "int | None": lambda value: value is None or _is_count(value),
    "str": lambda value: isinstance(value, str),
    "str | None": lambda value: value is None or isinstance(value, str),
    "float": lambda value: _is_count(value) or (isinstance(value, float) and math.isfinite(value) and value >= 0),
}


class Manifest:
    """The state of a run in a folder; use :meth:`open`.

    Attributes
    ----------
    inputs, done : dict
        InputFile by path; PartFacts by the name of the part.
    """

    def __init__(self, folder: Path, stream: IO[str], settings: Mapping[str, Any]) -> None:
        self.folder = folder
        self.settings = dict(settings)
        self.inputs: dict[str, InputFile] = {}
        self.done: dict[str, PartFacts] = {}
        self._all_inputs: list[InputFile] = []
        self._stream = stream

    @classmethod
    def open(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Begin a run in a new folder, or take up the one that is there.

        RunError if the folder holds something else, a run with other settings, or one that is at work now.
        """
        path = folder / MANIFEST_NAME
        try:
            if folder.exists() and not os.path.lexists(path) and any(folder.iterdir()):
                raise RunError(
                    f"{printable(str(folder))}: expected a new folder or one of an earlier run, got other files; "
                    "name another"
                )
            folder.mkdir(parents=True, exist_ok=True)
            # not a link to somebody else's file; held as long as the run lasts
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666)
            stream = open(handle, "a+", encoding="utf-8")  # noqa: SIM115
        except OSError as error:
            raise RunError(
                f"{printable(str(path))}: expected a file of our own, got: {error.strerror}; name another folder"
            ) from None
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            stream.close()
            raise RunError(
                f"{printable(str(folder))}: expected a folder that no run is using, got one in use; wait for it"
            ) from None
        manifest = cls(folder, stream, settings)
        try:
            manifest._resume(path)
        except BaseException:
            stream.close()
            raise
        return manifest

    def close(self) -> None:
        """Let go of the folder."""
        self._stream.close()

    def add_input(self, file: InputFile) -> None:
        """A file to work on; one that is known already by its path has changed, and its parts are forgotten."""
        self._append({"input": asdict(file)})
        self._note_input(file)

    def finish(self, facts: PartFacts) -> None:
        """A part is complete and under its final name."""
        self._append({"done": asdict(facts)})
        self.done[facts.part] = facts

    def forget(self, parts: Collection[str]) -> None:
        """Parts that are to be made again, and until then are as good as missing."""
        self.done = {name: facts for name, facts in self.done.items() if name not in parts}

    def next_number(self) -> int:
        """The number of the next new input; numbers are not used again, so no part is taken for another's."""
        return 1 + max((file.number for file in self._all_inputs), default=-1)

    def _note_input(self, file: InputFile) -> None:
        old = self.inputs.get(file.path)
        if old is not None:
            self.done = {name: facts for name, facts in self.done.items() if facts.input != old.number}
        self.inputs[file.path] = file
        self._all_inputs.append(file)

    def _resume(self, path: Path) -> None:  # noqa: C901 - one case per kind of line
        content = path.read_bytes()
        complete_lines = content[: content.rfind(b"\n") + 1]
        if not content.startswith(_HEADER_START[: len(content)]):  # of which nothing may be cut off: it is not ours
            raise _manifest_error(path, f"{truncate_repr(content[:40])} at its beginning")
        if len(complete_lines) < len(content):
            os.truncate(path, len(complete_lines))
        if not complete_lines:
            self._append({"format": MANIFEST_FORMAT, "version": MANIFEST_VERSION, "settings": self.settings})
            return
        # bytes, since str.splitlines parts lines at characters that JSON leaves as they are
        for number, line in enumerate(complete_lines.split(b"\n")[:-1], start=1):
            try:
                value = json.loads(line)
                if not isinstance(value, dict):
                    raise ValueError(f"expected an object, got {truncate_repr(value)}")
                if number == 1:
                    self._check_head(value)
                elif "input" in value:
                    self._note_input(read_facts(InputFile, value["input"]))
                else:
                    facts = read_facts(PartFacts, value["done"])
                    self.done[facts.part] = facts
            except RecursionError:
                raise _manifest_error(path, f"line {number}: values nested too deep to read") from None
            except KeyError as error:
                raise _manifest_error(path, f"line {number}: the field {error} is missing") from None
            except (ValueError, TypeError) as error:
                text = str(error)  # may quote what strangers wrote
                text = printable(text if len(text) <= 300 else text[:297] + "...")
                raise _manifest_error(path, f"line {number}: {text}") from None

    def _check_head(self, head: dict[str, Any]) -> None:
        if head["format"] != MANIFEST_FORMAT or head["version"] != MANIFEST_VERSION:
            raise ValueError(f"format {truncate_repr(head['format'])}, version {truncate_repr(head['version'])}")
        saved_settings = head["settings"]
        if not isinstance(saved_settings, dict):
            raise ValueError(f"expected settings, got {truncate_repr(saved_settings)}")
        differing_keys = sorted(
            key for key in {*saved_settings, *self.settings} if saved_settings.get(key) != self.settings.get(key)
        )
        if differing_keys:
            differences = ", ".join(
                f"{printable(key)} was {saved_settings.get(key)!r:.500} and is {self.settings.get(key)!r:.500}"
                for key in differing_keys[:10]
            )
            raise RunError(
                f"{printable(str(self.folder))}: expected the settings the run was begun with, got others "
                f"({differences}); name another folder, or the same settings"
            )

    def _append(self, value: dict[str, Any]) -> None:
        # ASCII: a file's name may hold what no encoding has
        self._stream.write(json.dumps(value) + "\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())


def _manifest_error(path: Path, what: str) -> RunError:
    return RunError(f"{printable(str(path))}: expected the manifest of a run, got: {what}; name another folder")
