"""Who does the independent parts of an experiment, and how much time of the processor they take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from ppi.core import map_parallel

T = TypeVar("T")
R = TypeVar("R")


class Crew:
    """This process, ``workers`` processes, or the Dask cluster of ``scheduler``."""

    def __init__(self, *, workers: int | None = None, scheduler: str | None = None) -> None:
        self.workers, self.scheduler = workers, scheduler
        self._elsewhere = 0.0

    @property
    def is_alone(self) -> bool:
        """Whether this process does everything itself."""
        return self.workers is None and self.scheduler is None

    def map(
        self, function: Callable[[T], R], tasks: Sequence[T], *, done: Callable[[int], None] = lambda count: None
    ) -> list[R]:
        """``[function(task) for task in tasks]``; ``done`` is told how many are finished."""
        found = []
        for value in self.results(function, tasks):
            found.append(value)
            done(len(found))
        return found

    def results(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """What :meth:`map` returns, one by one as soon as it is there.

        ``function`` belongs to a module, so that other processes find it; the same results in the same order, whoever
        does the work, as long as a task brings its own randomness.
        """
        timed = partial(_timed, function)
        stream = map_parallel(timed, tasks, workers=self.workers, scheduler=self.scheduler)
        while True:
            start = time.process_time()
            following = next(stream, None)
            here = time.process_time() - start
            if following is None:
                self._elsewhere -= here
                return
            value, taken = following
            self._elsewhere += taken - here
            yield value

    def cpu_seconds(self) -> float:
        """A clock: CPU seconds of this process, with those of tasks wherever they were done."""
        return time.process_time() + self._elsewhere


def _timed(function: Callable[[T], R], task: T) -> tuple[R, float]:
    start = time.process_time()
    value = function(task)
    return value, time.process_time() - start
