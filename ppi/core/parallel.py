"""Maps a function over independent tasks: in this process, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any, TypeVar

from ppi.core.errors import MissingExtraError, RunError, UsageError

T = TypeVar("T")
R = TypeVar("R")

CONNECT_TIMEOUT_SECONDS = 20
#: What keeps BLAS libraries that are not loaded yet to one thread.
SINGLE_THREAD_ENVIRONMENT = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def map_parallel(
    function: Callable[[T], R], tasks: Sequence[T], *, workers: int | None = None, scheduler: str | None = None
) -> Iterator[R]:
    """``map(function, tasks)``: the results in the order of the tasks, each as soon as it is there.

    Parameters
    ----------
    function
        Of a module, so that other processes find it.
    workers
        Processes, each with one BLAS thread; 1 is this one, with one thread; None is this one as it is.
    scheduler
        Address of a running Dask cluster.
    """
    if workers is not None and workers < 1:
        raise UsageError(f"expected at least one worker, got {workers}")
    if scheduler is None and workers is None:
        return map(function, tasks)
    single_threaded = partial(_call_single_threaded, function)
    if scheduler is not None:
        return _map_on_cluster(single_threaded, tasks, scheduler)
    if workers == 1 or len(tasks) < 2:
        return map(single_threaded, tasks)
    return _map_in_processes(single_threaded, tasks, min(workers or 1, len(tasks)))


def _call_single_threaded(function: Callable[[T], R], task: T) -> R:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return function(task)


def _map_in_processes(function: Callable[[T], R], tasks: Sequence[T], count: int) -> Iterator[R]:
    # spawned, not forked: BLAS and the compiled kernels do not survive a fork with threads
    with ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_limit_process_threads) as pool:
        yield from pool.map(function, tasks)


def _limit_process_threads() -> None:
    os.environ.update(SINGLE_THREAD_ENVIRONMENT)  # before a task imports NumPy


def _map_on_cluster(function: Callable[[T], R], tasks: Sequence[T], address: str) -> Iterator[R]:
    with connect_client(address) as client:
        yield from (future.result() for future in client.map(function, tasks, pure=False))


def connect_client(address: str) -> Any:
    """A ``distributed.Client`` of the scheduler there.

    Raises
    ------
    MissingExtraError
        If the package is not installed.
    RunError
        If no scheduler answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError("distributed", "scale") from None
    make_client: Callable[..., Any] = Client
    try:
        return make_client(address, timeout=CONNECT_TIMEOUT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RunError(
            f"expected a Dask scheduler at {address!r}, got: {error or type(error).__name__}; start one with "
            "`dask scheduler`, and workers with `dask worker ADDRESS`"
        ) from None
