"""The process that learns from judgements: a model that ships or was named, changed by all of them at every click.

It is a process of its own, so that parsing sentences holds up nobody's page, and started when it is first needed.  What
it knows of a sentence it keeps; a click then costs the closed form (:mod:`ppi.server.curation.feedback_model`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from ppi.annotation import Interaction
from ppi.core import LoadingError, PpiError, ProcessEnded, RequestHandler, SupervisedProcess
from ppi.server.curation.judgement import Judgement, RowKey, row_key
from ppi.server.web.limits import LimitedThreads, Limits
from ppi.server.web.problems import HTTPProblem, error_location
from ppi.server.web.worker_pool import JobFailure

log = logging.getLogger("ppi.web")
#: Sentences that the process reads at a time.
_BATCH_SENTENCES = 25


class SupportsFeedback(Protocol):
    """What the server needs of :class:`ppi.server.curation.feedback_model.FeedbackModel`."""

    def learn(self, judged: Any, rows: Any = ()) -> Any:
        """The model with these judgements, and what it predicts for the rows."""

    def next_to_judge(self, strategy: str, judged: Any, rows: Any, count: int) -> list[Any]:
        """The rows that are most useful to judge next."""


def load_feedback_model(model: str | None, parser: str) -> SupportsFeedback:
    """What learns, from the file of a model; None is the one that ships."""
    from ppi.extraction import Extractor
    from ppi.server.curation.feedback_model import FeedbackModel

    return FeedbackModel(None if model is None else Extractor.load(model), parser=parser)


@dataclass(frozen=True)
class FeedbackTask:
    """What was judged, and the interactions that are to be ranked or chosen from; ``strategy`` is how to choose."""

    judged: Sequence[Judgement]
    rows: Sequence[Interaction]
    strategy: str | None = None
    count: int = 0


def load(make_model: Callable[[], SupportsFeedback]) -> RequestHandler:
    """Make what learns; what is returned does one task per request: ranks rows, or gives places of those to judge."""
    from ppi.server.curation.feedback_model import PairInSentence, training_labels

    model = make_model()

    def answer(task: FeedbackTask) -> list[Any]:
        try:
            rows, judged = [PairInSentence.of(interaction) for interaction in task.rows], training_labels(task.judged)
            if task.strategy is None:
                return [_update_json(model.learn(judged, rows))]
            places = {row: place for place, row in reversed(list(enumerate(rows)))}
            return [[places[row] for row in model.next_to_judge(task.strategy, judged, rows, task.count)]]
        except PpiError as error:
            return [HTTPProblem(422, "cannot-learn", str(error))]
        except Exception as error:  # whatever a parser may raise must not end the process
            return [JobFailure(error_location(error))]

    return answer


def _update_json(update: Any) -> dict[str, Any]:
    return {
        "before": [_prediction_json(reading) for reading in update.before],
        "after": [_prediction_json(reading) for reading in update.predictions],
        "feedback": None if update.feedback is None else update.feedback.to_dict(),
        "left_out": update.left_out,
    }


def _prediction_json(prediction: Any) -> dict[str, Any] | None:
    return None if prediction is None else {"probability": float(prediction.probability), "type": prediction.type}


class FeedbackProcess:
    """The server's end of the process; tasks wait for each other.

    Parameters
    ----------
    make_model
        Makes what learns, in the process, so it must be picklable.
    limits
        How long a task may take, and how many may wait.
    """

    def __init__(self, make_model: Callable[[], SupportsFeedback], limits: Limits) -> None:
        self._process = SupervisedProcess(partial(load, make_model), name="learner")
        self._known_rows: set[RowKey] = set()  # what the process knows already
        self._threads = LimitedThreads(1, max_waiting=limits.queue + 1, name="ppi-learner")
        self._limits = limits

    async def run(self, task: FeedbackTask) -> Any:
        """What the task gives.

        Raises
        ------
        HTTPProblem
            ``busy`` when too many wait; ``too-slow`` past the time limit; what is wrong with the task.
        """
        answer = await self._threads.run(self._call, task)
        if isinstance(answer, HTTPProblem):
            raise answer
        if isinstance(answer, JobFailure):
            log.error("learning failed: %s", answer.place)
            raise HTTPProblem(500, "failed", "the model failed on these sentences; the server's log says where")
        return answer

    def close(self) -> None:
        """End the process; a task at work gets no answer."""
        self._process.close()
        self._threads.close()

    def _call(self, task: FeedbackTask) -> Any:
        try:
            if not self._process.ready:
                self._known_rows.clear()
                self._process.start()
                self._process.wait_until_ready()
            problem = self._preload([*(judgement.interaction for judgement in task.judged), *task.rows])
            return self._process.call(task, seconds=self._limits.seconds) if problem is None else problem
        except LoadingError as error:
            return HTTPProblem(500, "cannot-learn", str(error))
        except ProcessEnded as ended:
            if ended.late:
                return HTTPProblem(
                    422, "too-slow", f"expected sentences that are read within {self._limits.seconds:g} s"
                )
            log.error("learning failed: it %s", ended)
            return HTTPProblem(500, "failed", "the process that learns ended; try again")

    def _preload(self, interactions: Sequence[Interaction]) -> HTTPProblem | None:
        """Have the process read what is new, a few sentences at a time; past the time of a request, try again later."""
        end = time.monotonic() + self._limits.seconds
        new = {
            row: interaction for interaction in interactions if (row := row_key(interaction)) not in self._known_rows
        }
        todo = list(new.items())
        for start in range(0, len(todo), _BATCH_SENTENCES):
            if time.monotonic() > end:
                detail = f"{start:,} of {len(todo):,} sentences are read anew; try again in a moment"
                return HTTPProblem(503, "busy", detail, 1)
            part = todo[start : start + _BATCH_SENTENCES]
            answer = self._process.call(
                FeedbackTask((), [interaction for _, interaction in part]), seconds=self._limits.seconds
            )
            if isinstance(answer, (HTTPProblem, JobFailure)):
                return answer if isinstance(answer, HTTPProblem) else None  # the task itself will fail, and say so
            self._known_rows.update(row for row, _ in part)
        return None
