"""The process that learns from judgements: a model that ships or was named, changed by all of them at every click.

It is a process of its own, so that parsing sentences holds up nobody's page, and started when it is first needed.  What
it knows of a sentence it keeps; a click then costs the closed form (:mod:`ppi.curation.relearning`).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from ppi.annotation.types import Interaction
from ppi.curation.judgement import Judgement, Row, row_of
from ppi.errors import LoadingError, PpiError
from ppi.parallel.supervised import Answers, ProcessEnded, Supervised
from ppi.web.limits import Limits
from ppi.web.problems import Refusal, busy, place_of
from ppi.web.worker import Failure

log = logging.getLogger("ppi.web")
#: Sentences that the process reads at a time.
_BATCH = 25


class Relearns(Protocol):
    """What the server needs of :class:`ppi.curation.relearning.Relearner`."""

    def learn(self, judged: Any, rows: Any = ()) -> Any:
        """The model with these judgements, and what it says of the rows."""

    def next_to_judge(self, way: str, judged: Any, rows: Any, count: int) -> list[Any]:
        """The rows that are most useful to judge next."""


def relearner_of(model: str | None, parser: str) -> Relearns:
    """What learns, from the file of a model; None is the one that ships."""
    from ppi.curation.relearning import Relearner
    from ppi.extraction import Extractor

    return Relearner(None if model is None else Extractor.load(model), parser=parser)


@dataclass(frozen=True)
class Task:
    """What was judged, and the interactions that are to be ranked or chosen from; ``way`` is how to choose."""

    judged: Sequence[Judgement]
    rows: Sequence[Interaction]
    way: str | None = None
    count: int = 0


def load(relearner: Callable[[], Relearns]) -> Answers:
    """Make what learns; what is returned does one task per request."""
    made = relearner()

    def answer(task: Task) -> list[Any]:
        try:
            return [_ranked(made, task) if task.way is None else _chosen(made, task)]
        except PpiError as error:
            return [Refusal(422, "cannot-learn", str(error))]
        except Exception as error:  # whatever a parser may raise must not end the process
            return [Failure(place_of(error))]

    return answer


def _ranked(relearner: Relearns, task: Task) -> dict[str, Any]:
    rows, judged = _rows(task)
    found = relearner.learn(judged, rows)
    return {
        "before": [_reading(reading) for reading in found.before],
        "after": [_reading(reading) for reading in found.readings],
        "feedback": None if found.feedback is None else found.feedback.to_dict(),
        "left_out": found.left_out,
    }


def _chosen(relearner: Relearns, task: Task) -> list[int]:
    """Places of the rows to judge next."""
    rows, judged = _rows(task)
    places = {row: place for place, row in reversed(list(enumerate(rows)))}
    return [places[row] for row in relearner.next_to_judge(str(task.way), judged, rows, task.count)]


def _rows(task: Task) -> tuple[list[Any], list[tuple[Any, Any]]]:
    from ppi.curation.learning import lessons_of
    from ppi.curation.relearning import Row

    return [Row.of(each) for each in task.rows], lessons_of(task.judged)


def _reading(reading: Any) -> dict[str, Any] | None:
    return None if reading is None else {"probability": float(reading.probability), "type": reading.type}


class Learner:
    """The server's end of the process; tasks wait for each other.

    Parameters
    ----------
    relearner
        Makes what learns, in the process, so it must be picklable.
    limits
        How long a task may take, and how many may wait.
    """

    def __init__(self, relearner: Callable[[], Relearns], limits: Limits) -> None:
        self._process = Supervised(partial(load, relearner), name="learner")
        self._read: set[Row] = set()  # what the process knows already
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="ppi-learner")
        self._limits = limits
        self._waiting = 0

    async def run(self, task: Task) -> Any:
        """What the task gives.

        Raises
        ------
        Refusal
            ``busy`` when too many wait; ``too-slow`` past the time limit; what the task refuses.
        """
        if self._waiting > self._limits.queue:
            raise busy()
        self._waiting += 1
        try:
            answer = await asyncio.get_running_loop().run_in_executor(self._threads, self._call, task)
        finally:
            self._waiting -= 1
        if isinstance(answer, Refusal):
            raise answer
        if isinstance(answer, Failure):
            log.error("learning failed: %s", answer.place)
            raise Refusal(500, "failed", "the model failed on these sentences; the server's log says where")
        return answer

    def close(self) -> None:
        """End the process; a task at work gets no answer."""
        self._process.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _call(self, task: Task) -> Any:
        try:
            if not self._process.ready:
                self._read.clear()
                self._process.start()
                self._process.wait_until_ready()
            refusal = self._read_all([*(each.interaction for each in task.judged), *task.rows])
            return self._process.call(task, seconds=self._limits.seconds) if refusal is None else refusal
        except LoadingError as error:
            return Refusal(500, "cannot-learn", str(error))
        except ProcessEnded as ended:
            if ended.late:
                return Refusal(422, "too-slow", f"expected sentences that are read within {self._limits.seconds:g} s")
            log.error("learning failed: it %s", ended)
            return Refusal(500, "failed", "the process that learns ended; try again")

    def _read_all(self, interactions: Sequence[Interaction]) -> Refusal | None:
        """Have the process read what is new, a few sentences at a time; past the time of a request, try again later."""
        end = time.monotonic() + self._limits.seconds
        new = {row: each for each in interactions if (row := row_of(each)) not in self._read}
        todo = list(new.items())
        for start in range(0, len(todo), _BATCH):
            if time.monotonic() > end:
                detail = f"{start:,} of {len(todo):,} sentences are read anew; try again in a moment"
                return Refusal(503, "busy", detail, retry_after=1)
            part = todo[start : start + _BATCH]
            answer = self._process.call(Task((), [each for _, each in part]), seconds=self._limits.seconds)
            if isinstance(answer, (Refusal, Failure)):
                return answer if isinstance(answer, Refusal) else None  # the task itself will fail, and say so
            self._read.update(row for row, _ in part)
        return None
