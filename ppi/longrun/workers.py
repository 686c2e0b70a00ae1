"""Who does the tasks: threads of this process, each with an annotating process; or the workers of a Dask cluster."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Protocol
from uuid import uuid4

from ppi.errors import RunError, UsageError
from ppi.longrun.facts import PartFacts
from ppi.longrun.inputs import READ_TRIES, change_error, check_unchanged
from ppi.longrun.parts import PartTask, write_part
from ppi.longrun.supervisor import Supervisor
from ppi.parallel.cluster import connect_client

#: Tasks handed out ahead, for each worker: enough that none waits, few enough that little is planned in vain.
TASKS_PER_WORKER = 2

_thread = threading.local()


class Workers(Protocol):
    """Does tasks in any order."""

    def run(self, tasks: Iterable[PartTask]) -> Iterator[PartFacts]:
        """The facts of each task's part as it is finished."""
        ...

    def close(self) -> None:
        """End what was started."""
        ...


def run_task(task: PartTask) -> PartFacts:
    """Annotate a chunk and write its part; the annotating process stays for the next task of this thread.

    If anything happened to the file meanwhile, what was read may not be what is there now: it is done again.

    Raises
    ------
    RunError
        If the file has changed, or is not there.
    """
    for _ in range(READ_TRIES):
        status = check_unchanged(task.input)
        result = _supervisor(task).annotate(task.chunk)
        if check_unchanged(task.input) == status:
            return write_part(task, result)
    raise change_error(task.input.path)


def _supervisor(task: PartTask) -> Supervisor:
    supervisor: Supervisor | None = getattr(_thread, "supervisor", None)
    limits = (task.settings, task.time_limit, task.memory_limit)
    if supervisor is None or (supervisor.settings, supervisor.time_limit, supervisor.memory_limit) != limits:
        if supervisor is not None:
            supervisor.close()
        _thread.supervisor = supervisor = Supervisor(
            task.settings, time_limit=task.time_limit, memory_limit=task.memory_limit
        )
    return supervisor


class LocalWorkers:
    """``count`` annotating processes on this machine.

    Attributes
    ----------
    supervisors : set of Supervisor
        Who watches over them; there are none before the first tasks.
    """

    def __init__(self, count: int) -> None:
        if count < 1:
            raise UsageError(f"expected at least one worker, got {count}")
        self._count = count
        self.supervisors: set[Supervisor] = set()
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="annotate")

    def run(self, tasks: Iterable[PartTask]) -> Iterator[PartFacts]:
        """The facts of each task's part as it is finished."""
        waiting = iter(tasks)
        running: set[Future[PartFacts]] = set()
        while True:
            n_free = TASKS_PER_WORKER * self._count - len(running)
            running.update(self._pool.submit(self._run_task, task) for task in islice(waiting, n_free))
            if not running:
                return
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()

    def _run_task(self, task: PartTask) -> PartFacts:
        self.supervisors.add(_supervisor(task))
        return run_task(task)

    def close(self) -> None:
        """End the processes at once; tasks that have not finished have written nothing."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for supervisor in list(self.supervisors):
            supervisor.close()


class DaskWorkers:
    """The workers of a running Dask cluster, which must see the input files and the output folder under their paths."""

    def __init__(self, address: str) -> None:
        self._client: Any = connect_client(address)

    def run(self, tasks: Iterable[PartTask]) -> Iterator[PartFacts]:
        """The facts of each task's part as it is finished; the task of a worker that dies goes to another one."""
        from distributed import KilledWorker, as_completed

        # a name for this start: tasks of one that was killed may still be known to the cluster
        start = uuid4().hex
        waiting = iter(tasks)
        futures_ahead = [self._submit(start, task) for task in islice(waiting, self._capacity())]
        futures = as_completed(futures_ahead, loop=self._client.loop)
        for future in futures:
            try:
                yield future.result()
            except KilledWorker as error:
                raise RunError(
                    f"the run stopped, and can be started again: expected workers that stay alive, got: {error}"
                ) from error
            for task in islice(waiting, max(1, self._capacity() - futures.count())):
                futures.add(self._submit(start, task))

    def _capacity(self) -> int:
        return TASKS_PER_WORKER * max(1, sum(self._client.nthreads().values()))

    def _submit(self, start: str, task: PartTask) -> Any:
        return self._client.submit(run_task, task, key=f"ppi-{start}-{task.chunk.part}", pure=False)

    def close(self) -> None:
        """Leave the cluster; tasks that have not finished are given up."""
        self._client.close()
