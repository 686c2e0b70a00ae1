"""A fixed number of worker processes that annotate, and a short queue before them.

Workers are processes (:class:`ppi.core.SupervisedProcess`) so that a request that takes too long, or brings the parser
down, can be ended without harm to the others, and so that annotating does not hold up the server's answers.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from corpora import CorpusError
from ppi.annotation import warm_up
from ppi.core import PpiError, ProcessEnded, RequestHandler, SupervisedProcess
from ppi.server.web.limits import Limits
from ppi.server.web.problems import HTTPProblem, busy, error_location

log = logging.getLogger("ppi.web")


@dataclass(frozen=True)
class JobFailure:
    """Something that should not happen; ``place`` is for the log and holds no word of the request."""

    place: str


def load(make_annotator: Callable[[], Any], limits: Limits) -> RequestHandler:
    """Make an annotator; what is returned does one job of :mod:`ppi.server.web.jobs` per request."""
    from ppi.server.web import jobs

    annotator = make_annotator()
    warm_up(annotator, explain=True)

    def answer(request: tuple[str, dict[str, Any]]) -> list[bytes | HTTPProblem | JobFailure]:
        try:
            return [jobs.run(annotator, *request, limits)]
        except HTTPProblem as problem:
            return [problem]
        except MemoryError:
            detail = "expected text that can be annotated in the memory there is; send less of it"
            return [HTTPProblem(413, "too-large", detail)]
        except (CorpusError, PpiError) as error:  # about the input, with a text made for people
            return [HTTPProblem(422, "cannot-read", str(error))]
        except Exception as error:  # whatever a parser may raise must not end the worker
            return [JobFailure(error_location(error))]

    return answer


class Pool:
    """Runs jobs on worker processes.

    Parameters
    ----------
    annotator
        Makes an annotator; called once in each worker, so it must be picklable.
    limits
        How many workers, how long a queue, how much time.
    """

    def __init__(self, annotator: Callable[[], Any], limits: Limits) -> None:
        self._limits = limits
        self._workers = [
            SupervisedProcess(partial(load, annotator, limits), name="worker") for _ in range(limits.workers)
        ]
        self._threads = ThreadPoolExecutor(limits.workers, thread_name_prefix="ppi-worker")
        self._idle: asyncio.Queue[SupervisedProcess] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._started = self._closed = False
        self.waiting = 0

    @property
    def idle(self) -> int:
        """Workers that have nothing to do."""
        return self._idle.qsize()

    def start(self) -> None:
        """Start all workers and wait until they are ready; again is no harm.

        Raises
        ------
        PpiError
            Whatever kept a worker from loading its annotator.
        """
        if self._started:
            return
        try:
            for worker in self._workers:
                worker.start()
            for worker in self._workers:
                worker.wait_until_ready()
        except BaseException:
            self.close()
            raise
        for worker in self._workers:
            self._idle.put_nowait(worker)
        self._started = True

    def close(self) -> None:
        """End all workers; a request that is being worked on gets no answer."""
        self._closed = True
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, job: str, request: dict[str, Any]) -> bytes:
        """The job's answer.

        Raises
        ------
        HTTPProblem
            What is wrong with the request; ``busy`` when too many wait; ``too-slow`` past the time limit.
        """
        worker = await self._next_worker()
        work = partial(worker.call, (job, request), seconds=self._limits.seconds)
        call = asyncio.get_running_loop().run_in_executor(self._threads, work)
        # A client that leaves cancels this coroutine but not the call; the worker is free when the call is done.
        call.add_done_callback(lambda done: self._release(worker, done))
        try:
            answer: bytes | HTTPProblem | JobFailure = await asyncio.shield(call)
        except asyncio.CancelledError:
            # Nobody waits for the answer any more: what is nearly done may end by itself, the rest is ended.  Timer and
            # release both run in the loop's thread: a worker that was given to another is never ended here.
            ending = asyncio.get_running_loop().call_later(self._limits.abandoned_seconds, worker.kill)
            call.add_done_callback(lambda done: ending.cancel())
            raise
        except ProcessEnded as ended:
            raise self._process_problem(job, ended) from None
        if isinstance(answer, HTTPProblem):
            raise answer
        if isinstance(answer, JobFailure):
            log.error("%s failed: %s", job, answer.place)
            raise HTTPProblem(500, "failed", "the annotator failed on this text; the server's log says where")
        return answer

    async def _next_worker(self) -> SupervisedProcess:
        if self._idle.empty() and self.waiting >= self._limits.queue:
            raise busy()
        self.waiting += 1
        try:
            return await asyncio.wait_for(self._idle.get(), self._limits.queue_seconds)
        except TimeoutError:
            raise busy() from None
        finally:
            self.waiting -= 1

    def _process_problem(self, job: str, ended: ProcessEnded) -> HTTPProblem:
        if not ended.late:
            log.error("%s failed: it %s", job, ended)
            return HTTPProblem(500, "failed", "the worker ended while it annotated this text; send less of it at once")
        log.warning("%s: ended after %g seconds", job, self._limits.seconds)
        return HTTPProblem(
            422,
            "too-slow",
            f"expected text that is annotated within {self._limits.seconds:g} seconds, got more; "
            "send it in parts, or use `ppi annotate`, which has no limits",
        )

    def _release(self, worker: SupervisedProcess, done: asyncio.Future[Any]) -> None:
        if self._closed:
            return
        # also one that was ended just after its answer had come
        ended = worker.pid is None or (not done.cancelled() and isinstance(done.exception(), ProcessEnded))
        if ended or worker.requests >= self._limits.worker_jobs:
            task = asyncio.get_running_loop().create_task(self._replace(worker))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            self._idle.put_nowait(worker)

    async def _replace(self, worker: SupervisedProcess) -> None:
        while not self._closed:
            try:
                await asyncio.get_running_loop().run_in_executor(self._threads, _restart, worker)
            except (PpiError, OSError) as error:
                if self._closed:
                    return
                log.error("a worker could not be started again: %s; trying again", error)
                await asyncio.sleep(5)
            else:
                self._idle.put_nowait(worker)
                return


def _restart(worker: SupervisedProcess) -> None:
    worker.kill()
    worker.start()
    worker.wait_until_ready()
