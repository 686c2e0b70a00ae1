"""The driver's side of the program that is disturbed: starting it, knowing what it does, ending it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ppi.core import RunError

T = TypeVar("T")
#: Seconds that are waited for something that must happen; the machine may be busy.
PATIENCE = 900.0
_LOOK = 0.01


@dataclass(frozen=True)
class Setting:
    """Of the runs of a trial: what they have in common."""

    inputs: Sequence[Path]
    chunk: int
    workers: int
    time_limit: float
    memory_limit: int
    settings: str


@dataclass(frozen=True)
class Worker:
    """What an annotating process is doing; ``size`` is None while it loads or reads."""

    pid: int
    ready: bool
    path: Path | None
    first: int | None
    size: int | None


class Coordinator:
    """A long run as a process, started again as often as is wanted; ``said`` keeps what its starts wrote."""

    def __init__(self, setting: Setting, folder: Path, work: Path) -> None:
        self.setting = setting
        self.folder = folder
        self.starts = 0
        self._work = work
        self._log = work / f"{folder.name}.log"
        self._status = work / f"{folder.name}.status"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, if it is not running."""
        if self.running():
            return
        self._status.unlink(missing_ok=True)
        specification = {
            "inputs": [os.fsencode(path).hex() for path in self.setting.inputs],
            "folder": str(self.folder),
            "status": str(self._status),
            "chunk": self.setting.chunk,
            "workers": self.setting.workers,
            "time_limit": self.setting.time_limit,
            "memory_limit": self.setting.memory_limit,
            "settings": self.setting.settings,
        }
        path = self._work / f"{self.folder.name}.json"
        path.write_text(json.dumps(specification))
        self.starts += 1
        with open(self._log, "ab") as log:
            self._begin = log.tell()
            self._process = subprocess.Popen([sys.executable, "-m", f"{__package__}.coordinator", path], stderr=log)

    def running(self) -> bool:
        """Whether there is one at work."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """End it with SIGKILL; its annotating processes notice, and end."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def wait(self) -> tuple[int, str]:
        """Its exit code, and what this start said."""
        if self._process is None:
            raise RunError("expected a run that was started, got none")
        code = self._process.wait()
        return code, self._log.read_bytes()[self._begin :].decode("utf-8", "replace")

    def workers(self) -> list[Worker]:
        """Its annotating processes, as it said a moment ago."""
        with contextlib.suppress(OSError, ValueError):
            told = json.loads(self._status.read_text())
            if self._process is not None and told["pid"] == self._process.pid:
                return [_worker(each) for each in told["workers"] if each["pid"] is not None]
        return []

    def parts_done(self) -> int:
        """Parts that the manifest has; those that were made again count again."""
        with contextlib.suppress(OSError):
            return (self.folder / "manifest.jsonl").read_bytes().count(b'{"done"')
        return 0

    def until(self, look: Callable[[], T | None]) -> T | None:
        """What ``look`` finds first; None if the run ends before, or never finds it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := look():
                return found
            if not self.running():
                return None
            time.sleep(_LOOK)
        return None


def kill_worker(worker: Worker) -> bool:
    """End an annotating process with SIGKILL; whether it was there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker.pid, signal.SIGKILL)
        return True
    return False


def _worker(told: dict[str, Any]) -> Worker:
    path = None if told["path"] is None else Path(os.fsdecode(bytes.fromhex(told["path"])))
    return Worker(told["pid"], told["ready"], path, told["first"], told["size"])
