"""A function over independent tasks: here, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from ppi.errors import UsageError

T = TypeVar("T")
R = TypeVar("R")


def in_parallel(
    function: Callable[[T], R], tasks: Sequence[T], *, workers: int | None = None, scheduler: str | None = None
) -> list[R]:
    """``[function(task) for task in tasks]``, by whoever is asked to.

    Parameters
    ----------
    function
        Of a module, so that other processes find it.
    workers
        Processes, each with one BLAS thread; None or 1 does everything in this one.
    scheduler
        Address of a running Dask cluster.
    """
    if workers is not None and workers < 1:
        raise UsageError(f"expected at least one worker, got {workers}")
    if scheduler is not None:
        return _on_cluster(function, tasks, scheduler)
    if workers is None or workers == 1 or len(tasks) < 2:
        return [function(task) for task in tasks]
    # spawned, not forked: BLAS and the compiled kernels do not survive a fork with threads
    with ProcessPoolExecutor(
        min(workers, len(tasks)), mp_context=get_context("spawn"), initializer=_use_one_thread
    ) as pool:
        return list(pool.map(function, tasks))


def _use_one_thread() -> None:
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1)


def _on_cluster(function: Callable[[T], R], tasks: Sequence[T], address: str) -> list[R]:
    from ppi.longrun.cluster import connected

    with connected(address) as client:
        return client.gather(client.map(function, tasks, pure=False))
