"""How long somebody waits for the first thing: help, the import, a first answer on a fresh machine, the next one.

Processor seconds (user and system) of whole processes, start of Python included, median of several; PyTorch is hidden,
which spaCy loads where it is installed and this project does not use.  The first answer is that of an empty folder for
compiled code.  The reference of the answers is a process that uses compiled code from the start: it compiles first, or
loads what was compiled; both have to give the same bytes.  That of help and of the import is Python doing nothing.
"""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from lab.benchmarks.figure import Figure
from ppi.core import PpiError

_TEXT = "Profilin binds actin.\n"
_REPEATS = 5

_HIDE_PYTORCH = "import sys; sys.modules['torch'] = None\n"
_COMMAND = "from ppi.cli import main; sys.exit(main())"
_COMPILED = "from kernels import use_compiled_code; use_compiled_code()\n"


class Process(NamedTuple):
    """The processor seconds of a process, and what it printed."""

    seconds: float
    printed: bytes


def run(scale: float = 1.0) -> Iterator[Figure]:
    """Four figures; ``scale`` below 1 measures each once, and does not compile."""
    repeats = _REPEATS if scale >= 1 else 1
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "t.txt").write_text(_TEXT, encoding="utf-8")
        idle = _median(repeats, folder, "pass")
        shown = _median(repeats, folder, _COMMAND, "--help")
        yield _figure("ppi --help", shown, idle, bar=0.15, same_answer=shown.printed.startswith(b"usage: ppi"))
        yield _figure("from ppi import Annotator", _median(repeats, folder, "from ppi import Annotator"), idle, bar=1.0)

        answer = _COMMAND, "annotate", "t.txt", "--to", "jsonl", "--quiet"
        first = _median(repeats, folder, *answer, fresh=True)
        compiling = _run(folder, _COMPILED + answer[0], *answer[1:], fresh=True) if scale >= 1 else first
        yield _figure(
            "first answer, nothing compiled", first, compiling, bar=10, same_answer=_agree(first, compiling, _TEXT)
        )
        warm = _median(repeats, folder, *answer)
        loading = _median(repeats, folder, _COMPILED + answer[0], *answer[1:]) if scale >= 1 else warm
        yield _figure("next answer", warm, loading, bar=2.5, same_answer=_agree(warm, loading, _TEXT))


def _figure(name: str, measured: Process, reference: Process, *, bar: float, same_answer: bool = True) -> Figure:
    name = f"CPU seconds: {name}"
    return Figure(name, measured.seconds, "lower", bar, bar / 2, same_answer, measured.seconds, reference.seconds)


def _agree(one: Process, other: Process, text: str) -> bool:
    return one.printed == other.printed and text.strip().encode() in one.printed


def _median(repeats: int, folder: Path, code: str, *arguments: str, fresh: bool = False) -> Process:
    runs = [_run(folder, code, *arguments, fresh=fresh) for _ in range(repeats)]
    return Process(median(each.seconds for each in runs), runs[-1].printed)


def _run(folder: Path, code: str, *arguments: str, fresh: bool = False) -> Process:
    """Run Python code; ``fresh`` with an empty folder for compiled code, otherwise with that of the last fresh one."""
    if fresh:
        rmtree(folder / "compiled", ignore_errors=True)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "compiled"), "OMP_NUM_THREADS": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", _HIDE_PYTORCH + code, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise PpiError(f"expected {arguments or code} to run, got {done.stderr.decode()[-500:]}")
    return Process(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout)
