"""How long a call takes: by the processor, which other work of the machine does not change, or by the wall clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def cpu_seconds(function: Callable[[], T], *, repeats: int = 1) -> tuple[float, T]:
    """The shortest of several CPU times, and the last result."""
    return _shortest(time.process_time, function, repeats)


def wall_seconds(function: Callable[[], T], *, repeats: int = 1) -> tuple[float, T]:
    """The shortest of several wall-clock times, and the last result."""
    return _shortest(time.perf_counter, function, repeats)


def _shortest(clock: Callable[[], float], function: Callable[[], T], repeats: int) -> tuple[float, T]:
    shortest = float("inf")
    for _ in range(repeats):
        start = clock()
        result = function()
        shortest = min(shortest, clock() - start)
    return shortest, result
