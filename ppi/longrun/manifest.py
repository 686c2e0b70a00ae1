"""The manifest of a run: what goes in, and what is done.

``manifest.jsonl`` only grows, a line at a time, each flushed to the disk before anything relies on it; a line that was
cut off by a crash is taken away when the run is started again.  Only one run at a time may hold a folder.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Self

from ppi.errors import RunError

FORMAT = "ppi-annotate-run"
VERSION = 1
NAME = "manifest.jsonl"


@dataclass(frozen=True)
class InputFile:
    """A file of the run.

    ``number`` names its parts; ``size``, ``modified`` and ``digest`` tell whether it has changed; ``records`` is None
    for a file that is one task as a whole.
    """

    number: int
    path: str
    format: str
    size: int
    modified: int
    digest: str
    records: int | None


@dataclass(frozen=True)
class PartFacts:
    """A finished part: which input it belongs to and what is in it."""

    part: str
    input: int
    documents: int
    interactions: int
    failures: int
    seconds: float


class Manifest:
    """The state of a run in a folder; use :meth:`open`.

    Attributes
    ----------
    inputs : dict of str to InputFile
        By path.
    done : dict of str to PartFacts
        By the name of the part.
    """

    def __init__(self, folder: Path, stream: IO[str], settings: Mapping[str, Any]) -> None:
        self.folder = folder
        self.settings = dict(settings)
        self.inputs: dict[str, InputFile] = {}
        self.done: dict[str, PartFacts] = {}
        self._stream = stream

    @classmethod
    def open(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Begin a run in a new folder, or take up the one that is there.

        Raises
        ------
        RunError
            If the folder holds something else, a run with other settings, or one that is at work now.
        """
        path = folder / NAME
        if folder.exists() and not path.exists() and any(folder.iterdir()):
            raise RunError(f"{folder}: expected a new folder or one of an earlier run, got other files; name another")
        folder.mkdir(parents=True, exist_ok=True)
        stream = open(path, "a+", encoding="utf-8")  # noqa: SIM115 - held as long as the run lasts
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            stream.close()
            raise RunError(f"{folder}: expected a folder that no run is using, got one in use; wait for it") from None
        manifest = cls(folder, stream, settings)
        manifest._take_up(path)
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

    def next_number(self) -> int:
        """The number of the next new input; numbers are not used again, so no part is taken for another's."""
        return 1 + max((file.number for file in self._all_inputs), default=-1)

    def _note_input(self, file: InputFile) -> None:
        old = self.inputs.get(file.path)
        if old is not None:
            self.done = {name: facts for name, facts in self.done.items() if facts.input != old.number}
        self.inputs[file.path] = file
        self._all_inputs.append(file)

    def _take_up(self, path: Path) -> None:
        self._all_inputs: list[InputFile] = []
        content = path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.truncate(path, len(whole))
        lines = whole.decode("utf-8").splitlines()
        if not lines:
            self._append({"format": FORMAT, "version": VERSION, "settings": self.settings})
            return
        try:
            self._check_head(json.loads(lines[0]))
            for line in lines[1:]:
                self._note(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise RunError(f"{path}: expected the manifest of a run, got: {error}; name another folder") from None

    def _check_head(self, head: dict[str, Any]) -> None:
        if head["format"] != FORMAT or head["version"] != VERSION:
            raise ValueError(f"format {head['format']!r}, version {head['version']!r}")
        known = head["settings"]
        changed = sorted(key for key in {*known, *self.settings} if known.get(key) != self.settings.get(key))
        if changed:
            listed = ", ".join(f"{key} was {known.get(key)!r} and is {self.settings.get(key)!r}" for key in changed)
            raise RunError(
                f"{self.folder}: expected the settings the run was begun with, got others ({listed}); "
                "name another folder, or the same settings"
            )

    def _note(self, line: dict[str, Any]) -> None:
        if "input" in line:
            self._note_input(InputFile(**line["input"]))
        else:
            facts = PartFacts(**line["done"])
            self.done[facts.part] = facts

    def _append(self, value: dict[str, Any]) -> None:
        self._stream.write(json.dumps(value, ensure_ascii=False) + "\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())
