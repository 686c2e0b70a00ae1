"""CPU time: what other processes of the machine do not change."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def cpu_seconds(function: Callable[[], T], *, repeats: int = 1) -> tuple[float, T]:
    """The shortest of several CPU times, and the last result."""
    shortest = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        result = function()
        shortest = min(shortest, time.process_time() - start)
    return shortest, result
