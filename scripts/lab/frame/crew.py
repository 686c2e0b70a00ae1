"""Who does the independent parts of an experiment, and how much time of the processor they take."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from ppi.parallel.mapping import results_in_order

T = TypeVar("T")
R = TypeVar("R")


class Crew:
    """This process, ``workers`` processes, or the Dask cluster of ``scheduler``."""

    def __init__(self, *, workers: int | None = None, scheduler: str | None = None) -> None:
        self._workers, self._scheduler = workers, scheduler
        self._elsewhere = 0.0

    def map(
        self, function: Callable[[T], R], tasks: Sequence[T], *, done: Callable[[int], None] = lambda count: None
    ) -> list[R]:
        """``[function(task) for task in tasks]``; ``done`` is told how many are finished.

        ``function`` belongs to a module, so that other processes find it; the same results in the same order, whoever
        does the work, as long as a task brings its own randomness.
        """
        start = time.process_time()
        found, seconds = [], 0.0
        timed = partial(_timed, function)
        for value, taken in results_in_order(timed, tasks, workers=self._workers, scheduler=self._scheduler):
            found.append(value)
            seconds += taken
            done(len(found))
        self._elsewhere += seconds - (time.process_time() - start)
        return found

    def cpu_seconds(self) -> float:
        """A clock: CPU seconds of this process, with those of tasks wherever they were done."""
        return time.process_time() + self._elsewhere


def _timed(function: Callable[[T], R], task: T) -> tuple[R, float]:
    start = time.process_time()
    value = function(task)
    return value, time.process_time() - start
