"""Drive ``ppi annotate --run`` as its user would, kill it on the way, start it again, and watch what it takes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ppi.core import MEBIBYTE, RunError, resident_bytes

_LOOK = 1.0  # seconds between two looks at parts and memory


@dataclass
class Course:
    """How a run went: one entry of ``seconds`` per start; ``peak`` is of all its processes together, in MB."""

    seconds: list[float] = field(default_factory=list)
    cpu_seconds: float = 0.0
    killed_at: list[int] = field(default_factory=list)
    peak: float = 0.0


def drive(
    inputs: Sequence[Path], folder: Path, *, workers: int, chunk: int, kills: int, say: Callable[[str], None]
) -> Course:
    """Do the run, ending all its processes with SIGKILL ``kills`` times, each time some parts after it was started.

    Raises
    ------
    RunError
        If it ends by itself with another exit code than 0.
    """
    command = [sys.executable, "-m", "ppi", "annotate", *map(str, inputs), "--run", str(folder), "--to", "parquet"]
    command += ["--workers", str(workers), "--chunk", str(chunk)]
    course = Course()
    for start in range(kills + 1):
        before, began = _parts(folder), time.monotonic()
        process = subprocess.Popen(command, start_new_session=True)
        # the more parts there are, the later the next kill: 10, 20, 30 ... parts after the start
        most = before + 10 * (start + 1) if start < kills else None
        code = _watch(process, folder, most, course)
        course.seconds.append(time.monotonic() - began)
        say(f"start {start + 1}: {_parts(folder) - before} parts in {course.seconds[-1]:.0f} s, exit {code}")
        if code == 0:
            return course
        if code != -signal.SIGKILL:
            raise RunError(f"expected the run to end well or to be killed, got exit code {code}; see above")
        course.killed_at.append(_parts(folder))
    return course


def _watch(process: subprocess.Popen[bytes], folder: Path, most: int | None, course: Course) -> int:
    cpu = 0.0
    while process.poll() is None:
        pids = _session(process.pid)
        course.peak = max(course.peak, sum(map(_resident, pids)) / MEBIBYTE)
        cpu = max(cpu, sum(map(_cpu_seconds, pids)))
        if most is not None and _parts(folder) >= most:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for pid in pids:  # what left the group notices that its coordinator has gone; it is not waited for
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(_LOOK)
    course.cpu_seconds += cpu
    return process.returncode


def _parts(folder: Path) -> int:
    with contextlib.suppress(OSError):
        return (folder / "manifest.jsonl").read_bytes().count(b'{"done"')
    return 0


def _session(leader: int) -> list[int]:
    """The processes of a session, from Linux's account of them."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            if os.getsid(int(entry.name)) == leader:
                found.append(int(entry.name))
    return found


def _resident(pid: int) -> float:
    with contextlib.suppress(OSError, ValueError):
        return resident_bytes(pid)
    return 0.0


def _cpu_seconds(pid: int) -> float:
    with contextlib.suppress(OSError, ValueError, IndexError):
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0
