"""The memory of one annotating process over a long time of real text."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from ppi.annotation import AnnotatorSettings
from ppi.core import MEBIBYTE, resident_bytes
from ppi.server import Chunk, Supervisor

#: Records between two samples.
STEP = 100


@dataclass
class Memory:
    """Resident megabytes after each step: (seconds, documents, megabytes)."""

    samples: list[tuple[float, int, float]] = field(default_factory=list)

    @property
    def first(self) -> float:
        """The median of the second tenth: in the first, caches are being filled."""
        return self._part(0.1, 0.2)

    @property
    def last(self) -> float:
        """The median of the last tenth."""
        return self._part(0.9, 1.0)

    @property
    def growth(self) -> float:
        """From the one to the other, as a fraction."""
        return self.last / self.first - 1

    def _part(self, begin: float, end: float) -> float:
        count = len(self.samples)
        some = self.samples[int(begin * count) : max(int(end * count), int(begin * count) + 1)]
        return median(megabytes for _, _, megabytes in some)


def memory_over_time(path: Path, n_records: int, minutes: float, say: Callable[[str], None]) -> Memory:
    """Annotate the records of a JSON lines file one step after another, from the beginning again when they are done."""
    supervisor = Supervisor(AnnotatorSettings())
    found, began, documents, first = Memory(), time.monotonic(), 0, 0
    try:
        while (seconds := time.monotonic() - began) < 60 * minutes:
            result = supervisor.annotate(Chunk(str(path), "jsonl", first, first + STEP, "memory"))
            documents += len(result.documents)
            first = first + STEP if first + STEP < n_records else 0
            pid = supervisor.process.pid
            if pid is not None:
                found.samples.append((seconds, documents, resident_bytes(pid) / MEBIBYTE))
                say(f"{seconds:6.0f} s, {documents} documents: {found.samples[-1][2]:.0f} MB")
    finally:
        supervisor.close()
    return found
