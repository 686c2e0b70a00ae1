"""Where the time of an evaluation went."""

from __future__ import annotations

import time


class Clock:
    """Seconds of each stage; ``before`` are those of stages that are over."""

    def __init__(self, **previous: float) -> None:
        self._stages = dict(previous)
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """End a stage; the next one begins."""
        now = time.perf_counter()
        self._stages[stage] = now - self._last
        self._last = now

    def seconds(self) -> dict[str, float]:
        """Of each stage, and ``total``."""
        rounded = {stage: round(value, 3) for stage, value in self._stages.items()}
        return {**rounded, "total": round(sum(self._stages.values()), 3)}
