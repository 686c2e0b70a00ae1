"""A fixed number of worker processes and a short queue before them."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.process import BaseProcess
from typing import Any

from ppi.errors import PpiError
from ppi.web.limits import Limits
from ppi.web.problems import Refusal, busy
from ppi.web.worker import READY, Failure, work

log = logging.getLogger("ppi.web")
#: For a worker to import the packages and load pipeline and model.
START_SECONDS = 300.0
_processes = multiprocessing.get_context("spawn")  # nothing of the server's memory or sockets is inherited


class _Lost(Exception):
    """The worker took too long (True) or ended by itself (False)."""

    def __init__(self, late: bool) -> None:
        super().__init__(late)
        self.late = late


class _Worker:
    """The server's end of a worker process; every method blocks."""

    def __init__(self, annotator: Callable[[], Any], limits: Limits) -> None:
        self._annotator, self._limits = annotator, limits
        self.jobs = 0
        self._process: BaseProcess | None = None

    def start(self) -> None:
        self._connection, theirs = _processes.Pipe()
        self._process = _processes.Process(target=work, args=(theirs, self._annotator, self._limits), daemon=True)
        self._process.start()
        theirs.close()
        self.jobs = 0

    def wait_until_ready(self) -> None:
        try:
            answer = self._connection.recv() if self._connection.poll(START_SECONDS) else None
        except (EOFError, OSError):
            answer = None
        if answer != READY:
            self.end()
            if isinstance(answer, Exception):
                raise answer
            reason = answer.place if isinstance(answer, Failure) else "it ended or did not answer"
            raise PpiError(f"expected a worker that loads the annotator, got: {reason}; try `ppi annotate` to see more")

    def call(self, job: str, request: dict[str, Any]) -> bytes | Refusal | Failure:
        self.jobs += 1
        try:
            self._connection.send((job, request))
            if not self._connection.poll(self._limits.seconds):
                raise _Lost(late=True)
            return self._connection.recv()
        except (EOFError, OSError):
            raise _Lost(late=False) from None

    def replace(self) -> None:
        self.end()
        self.start()
        self.wait_until_ready()

    def end(self) -> None:
        if self._process is not None:
            self._connection.close()
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None


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
        self._workers = [_Worker(annotator, limits) for _ in range(limits.workers)]
        self._threads = ThreadPoolExecutor(limits.workers, thread_name_prefix="ppi-worker")
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
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
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, job: str, request: dict[str, Any]) -> bytes:
        """The job's answer.

        Raises
        ------
        Refusal
            What the job refuses; ``busy`` when too many wait; ``too-slow`` past the time limit.
        """
        worker = await self._next_worker()
        call = asyncio.get_running_loop().run_in_executor(self._threads, worker.call, job, request)
        # A client that leaves cancels this coroutine but not the call; the worker is free when the call is done.
        call.add_done_callback(lambda done: self._release(worker, done))
        try:
            answer = await asyncio.shield(call)
        except _Lost as lost:
            raise self._refusal(job, lost) from None
        if isinstance(answer, Refusal):
            raise answer
        if isinstance(answer, Failure):
            log.error("%s failed: %s", job, answer.place)
            raise Refusal(500, "failed", "the annotator failed on this text; the server's log says where")
        return answer

    async def _next_worker(self) -> _Worker:
        if self._idle.empty() and self.waiting >= self._limits.queue:
            raise busy()
        self.waiting += 1
        try:
            return await asyncio.wait_for(self._idle.get(), self._limits.queue_seconds)
        except TimeoutError:
            raise busy() from None
        finally:
            self.waiting -= 1

    def _refusal(self, job: str, lost: _Lost) -> Refusal:
        if not lost.late:
            log.error("%s: the worker ended unexpectedly", job)
            return Refusal(500, "failed", "the worker ended while it annotated this text; send less of it at once")
        log.warning("%s: ended after %g seconds", job, self._limits.seconds)
        return Refusal(
            422,
            "too-slow",
            f"expected text that is annotated within {self._limits.seconds:g} seconds, got more; "
            "send it in parts, or use `ppi annotate`, which has no limits",
        )

    def _release(self, worker: _Worker, done: asyncio.Future[Any]) -> None:
        if self._closed:
            return
        lost = not done.cancelled() and isinstance(done.exception(), _Lost)
        if lost or worker.jobs >= self._limits.worker_jobs:
            task = asyncio.get_running_loop().create_task(self._replace(worker))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            self._idle.put_nowait(worker)

    async def _replace(self, worker: _Worker) -> None:
        while not self._closed:
            try:
                await asyncio.get_running_loop().run_in_executor(self._threads, worker.replace)
            except (PpiError, OSError) as error:
                log.error("a worker could not be started again: %s; trying again", error)
                await asyncio.sleep(5)
            else:
                self._idle.put_nowait(worker)
                return
