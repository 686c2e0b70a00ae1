"""The manifest of a run: what goes in, and what is done.

``manifest.jsonl`` only grows, a line at a time, each flushed to the disk before anything relies on it; a line that was
cut off by a crash is taken away when the run is started again.  Only one run at a time may hold a folder.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Self

from corpora.errors import printable, truncate_repr
from ppi.errors import RunError
from ppi.longrun.facts import PartFacts, read_facts
from ppi.longrun.inputs import InputFile

MANIFEST_FORMAT = "ppi-annotate-run"
MANIFEST_VERSION = 2
MANIFEST_NAME = "manifest.jsonl"
_HEADER_START = f'{{"format": "{MANIFEST_FORMAT}"'.encode()


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
        self._all_inputs: list[InputFile] = []
        self._stream = stream

    @classmethod
    def open(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Begin a run in a new folder, or take up the one that is there.

        Raises
        ------
        RunError
            If the folder holds something else, a run with other settings, or one that is at work now.
        """
        path = folder / MANIFEST_NAME
        try:
            if folder.exists() and not os.path.lexists(path) and any(folder.iterdir()):
                raise RunError(
                    f"{printable(str(folder))}: expected a new folder or one of an earlier run, got other files; "
                    "name another"
                )
            folder.mkdir(parents=True, exist_ok=True)
            stream = open(path, "a+", encoding="utf-8", opener=_open_no_follow)  # noqa: SIM115 - held as long as the run lasts
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

    def _resume(self, path: Path) -> None:
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
                else:
                    self._apply(value)
            except RecursionError:
                raise _manifest_error(path, f"line {number}: values nested too deep to read") from None
            except (ValueError, KeyError, TypeError) as error:
                raise _manifest_error(path, f"line {number}: {_error_text(error)}") from None

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
                f"{printable(str(self.folder))}: expected the settings the run was begun with, got others ({differences}); "
                "name another folder, or the same settings"
            )

    def _apply(self, line: dict[str, Any]) -> None:
        if "input" in line:
            self._note_input(read_facts(InputFile, line["input"]))
        else:
            facts = read_facts(PartFacts, line["done"])
            self.done[facts.part] = facts

    def _append(self, value: dict[str, Any]) -> None:
        # ASCII: a file's name may hold what no encoding has
        self._stream.write(json.dumps(value) + "\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())


def _open_no_follow(path: str, flags: int) -> int:
    """A file that is not a link to somebody else's."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)


def _manifest_error(path: Path, what: str) -> RunError:
    return RunError(f"{printable(str(path))}: expected the manifest of a run, got: {what}; name another folder")


def _error_text(error: Exception) -> str:
    return f"the field {error} is missing" if isinstance(error, KeyError) else truncate_message(str(error))


def truncate_message(text: str) -> str:
    """The beginning of a message that may quote what strangers wrote.

    >>> truncate_message("too long" * 100)[-20:]
    'too longtoo longt...'
    """
    return printable(text if len(text) <= 300 else text[:297] + "...")
