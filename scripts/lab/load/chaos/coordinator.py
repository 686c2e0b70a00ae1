"""The program that is disturbed: a long run that says, in a file, what its workers are doing.

``python -m lab.load.chaos.coordinator SPECIFICATION.json``; exit 0: finished; 1: stopped with one of our errors.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from ppi.core import PpiError
from ppi.server import LocalWorkers, Run, Supervisor, annotate_files

_SECONDS = 0.02  # between two statements


def main() -> int:
    """Do the run of the specification."""
    specification = json.loads(Path(sys.argv[1]).read_text())
    workers = LocalWorkers(specification["workers"])
    threading.Thread(target=_tell, args=(workers, Path(specification["status"])), daemon=True).start()
    module, name = specification["settings"].split(":")
    run = Run(
        [Path(os.fsdecode(bytes.fromhex(path))) for path in specification["inputs"]],
        Path(specification["folder"]),
        getattr(import_module(module), name)(),
        part_format="jsonl",
        chunk_records=specification["chunk"],
        time_limit=specification["time_limit"],
        memory_limit=specification["memory_limit"],
    )
    try:
        annotate_files(run, workers, notice=lambda text: print(text, file=sys.stderr, flush=True))
    except PpiError as error:
        print(f"stopped: {error}", file=sys.stderr)
        return 1
    return 0


def _tell(workers: LocalWorkers, path: Path) -> None:
    temporary = path.with_suffix(".new")
    while True:
        told = {"pid": os.getpid(), "workers": [_told(each) for each in list(workers.supervisors)]}
        temporary.write_text(json.dumps(told))
        temporary.replace(path)
        time.sleep(_SECONDS)


def _told(supervisor: Supervisor) -> dict[str, Any]:
    at_work, chunk = supervisor.at_work, supervisor.chunk
    return {
        "pid": supervisor.process.pid,
        "ready": supervisor.process.ready,
        "path": None if chunk is None else os.fsencode(chunk.path).hex(),
        "first": None if at_work is None else at_work.first,
        "size": None if at_work is None else at_work.size,
    }


if __name__ == "__main__":
    sys.exit(main())
