"""A function over independent tasks: here, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

from ppi.errors import UsageError

T = TypeVar("T")
R = TypeVar("R")

#: What keeps BLAS libraries that are not loaded yet to one thread.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def in_parallel(
    function: Callable[[T], R], tasks: Sequence[T], *, workers: int | None = None, scheduler: str | None = None
) -> list[R]:
    """``[function(task) for task in tasks]``, by whoever is asked to.

    Parameters
    ----------
    function
        Of a module, so that other processes find it.
    workers
        Processes, each with one BLAS thread; 1 is this one, with one thread; None is this one as it is.
    scheduler
        Address of a running Dask cluster.
    """
    return list(results_in_order(function, tasks, workers=workers, scheduler=scheduler))


def results_in_order(
    function: Callable[[T], R], tasks: Sequence[T], *, workers: int | None = None, scheduler: str | None = None
) -> Iterator[R]:
    """What :func:`in_parallel` returns, one by one as soon as it is there."""
    if workers is not None and workers < 1:
        raise UsageError(f"expected at least one worker, got {workers}")
    if scheduler is None and workers is None:
        return map(function, tasks)
    on_one_thread = partial(_on_one_thread, function)
    if scheduler is not None:
        return _on_cluster(on_one_thread, tasks, scheduler)
    if workers == 1 or len(tasks) < 2:
        return map(on_one_thread, tasks)
    return _in_processes(on_one_thread, tasks, min(workers or 1, len(tasks)))


def _on_one_thread(function: Callable[[T], R], task: T) -> R:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return function(task)


def _in_processes(function: Callable[[T], R], tasks: Sequence[T], count: int) -> Iterator[R]:
    # spawned, not forked: BLAS and the compiled kernels do not survive a fork with threads
    with ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_prepare_process) as pool:
        yield from pool.map(function, tasks)


def _prepare_process() -> None:
    os.environ.update(ONE_THREAD)  # before a task imports NumPy


def _on_cluster(function: Callable[[T], R], tasks: Sequence[T], address: str) -> Iterator[R]:
    from ppi.parallel.cluster import connected

    with connected(address) as client:
        yield from (future.result() for future in client.map(function, tasks, pure=False))
