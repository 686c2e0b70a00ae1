"""Annotate many files, chunk by chunk, into parts; a run that is started again does what is missing and nothing twice.

The tasks are done by threads of this process, each with an annotating process, or by the workers of a Dask cluster.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from corpora import CorpusError, Source, detect_format, file_stem, printable
from ppi import export
from ppi.annotation import AnnotatorSettings
from ppi.core import RunError, UsageError, connect_client
from ppi.server.runs.chunks import Chunk
from ppi.server.runs.manifest import (
    READ_TRIES,
    InputFile,
    Manifest,
    PartFacts,
    change_error,
    check_unchanged,
    describe_input,
    digest_of,
    size_of,
    status_of,
    stop_error,
)
from ppi.server.runs.parts import (
    PART_FORMATS,
    PartTask,
    find_damaged_parts,
    make_folders,
    part_name,
    remove_unfinished,
    write_part,
)
from ppi.server.runs.supervisor import MEMORY_LIMIT_MB, TIME_LIMIT_SECONDS, Supervisor

CHUNK_RECORDS = 1000
#: Tasks handed out ahead, for each worker: enough that none waits, few enough that little is planned in vain.
TASKS_PER_WORKER = 2

_thread = threading.local()


class Workers(Protocol):
    """Does tasks in any order."""

    def run(self, tasks: Iterable[PartTask]) -> Iterator[PartFacts]:
        """The facts of each task's part as it is finished."""

    def close(self) -> None:
        """End what was started."""


def run_task(task: PartTask) -> PartFacts:
    """Annotate a chunk and write its part; the annotating process stays for the next task of this thread.

    If anything happened to the file meanwhile, what was read may not be what is there now: it is done again.  RunError
    if the file has changed, or is not there.
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
        make_queue: Any = as_completed  # has no types
        futures = make_queue(futures_ahead, loop=self._client.loop)
        for future in futures:
            try:
                yield future.result()
            except KilledWorker as error:
                raise stop_error(f"expected workers that stay alive, got: {error}") from error
            for task in islice(waiting, max(1, self._capacity() - futures.count())):
                futures.add(self._submit(start, task))

    def _capacity(self) -> int:
        return TASKS_PER_WORKER * max(1, int(sum(self._client.nthreads().values())))

    def _submit(self, start: str, task: PartTask) -> Any:
        return self._client.submit(run_task, task, key=f"ppi-{start}-{task.chunk.part}", pure=False)

    def close(self) -> None:
        """Leave the cluster; tasks that have not finished are given up."""
        self._client.close()


@dataclass(frozen=True)
class Run:
    """What a run does, wherever it is done.

    Parameters
    ----------
    inputs
        Files of any format that :func:`corpora.read` takes.
    folder
        Where parts, errors and manifest go: a new folder, or that of the run to go on with.
    settings
        Of the annotator.
    source_format
        Of all inputs; None finds it out from each file.
    part_format
        One of :data:`~ppi.server.runs.parts.PART_FORMATS`.
    chunk_records
        Records of a task; files of formats that cannot be cut are one task each.
    time_limit
        Seconds for a batch of documents.
    memory_limit
        Megabytes that a worker may have; what makes it take more is listed as a failure.
    retry_failed
        Whether parts with documents that failed are made again.
    """

    inputs: Sequence[str | Path]
    folder: Path
    settings: AnnotatorSettings
    source_format: str | None = None
    part_format: str = "parquet"
    chunk_records: int = CHUNK_RECORDS
    time_limit: float = TIME_LIMIT_SECONDS
    memory_limit: int = MEMORY_LIMIT_MB
    retry_failed: bool = False

    def fingerprint(self) -> dict[str, Any]:
        """What must be the same when the run is taken up again, for its parts to belong together."""
        return {
            "version": version("ppi-miner"),
            "annotator": self.settings.to_json(),
            "files": {name: _digest_setting(path) for name, path in self.settings.files().items()},
            "part_format": self.part_format,
            "chunk_records": self.chunk_records,
        }


@dataclass
class RunSummary:
    """What a run has done: ``parts`` now and, taken up from before, ``parts_before``."""

    parts: int = 0
    parts_before: int = 0
    documents: int = 0
    interactions: int = 0
    failures: int = 0


def annotate_files(
    run: Run,
    workers: Workers,
    *,
    report: Callable[[PartFacts, float], None] = lambda facts, fraction: None,
    notice: Callable[[str], None] = lambda text: None,
) -> RunSummary:
    """Do everything of a run that is not done yet.

    Parameters
    ----------
    report
        Called with the facts of each finished part and the fraction of the input, by size, that is done.
    notice
        Called with what a user should know: inputs or parts that are not what they were, and are done anew.

    Raises
    ------
    RunError
        If the folder is in use, belongs to other settings, or cannot be written, or an input changes or is moved
        away meanwhile; what is finished stays.
    """
    _check_run(run)
    manifest = Manifest.open(run.folder, run.fingerprint())
    try:
        make_folders(run.folder)
        remove_unfinished(run.folder, manifest.done)
        _forget_parts(run, manifest, notice)
        plan = _RunPlan(run, manifest, notice)
        for facts in workers.run(plan.tasks()):
            manifest.finish(facts)
            plan.summary.parts += 1
            plan.count(facts)
            report(facts, plan.fraction)
        plan.check_inputs()
        return plan.summary
    except (OSError, CorpusError) as error:
        raise RunError(f"{printable(str(run.folder))}: the run stopped, and can be started again: {error}") from error
    finally:
        workers.close()
        manifest.close()


def _forget_parts(run: Run, manifest: Manifest, notice: Callable[[str], None]) -> None:
    """Have parts made again whose files are not what was written and, if asked for, those with failures."""
    input_numbers = {file.number for path in _paths(run) if (file := manifest.inputs.get(path)) is not None}
    done = {name: facts for name, facts in manifest.done.items() if facts.input in input_numbers}
    damaged = find_damaged_parts(run.folder, done, run.part_format)
    if damaged:
        notice(f"{len(damaged)} finished parts are missing or damaged, and are made again")
    manifest.forget(damaged)
    if run.retry_failed:
        failed = {name for name, facts in done.items() if facts.failures} - damaged
        notice(f"{len(failed)} parts with failed documents are made again")
        manifest.forget(failed)


class _RunPlan:
    """The tasks of a run, planned file by file while others are being done."""

    def __init__(self, run: Run, manifest: Manifest, notice: Callable[[str], None]) -> None:
        self._run = run
        self._manifest = manifest
        self._notice = notice
        self._paths = _paths(run)
        self._total = sum(map(size_of, self._paths))
        self._bytes_by_part: dict[str, float] = {}
        self._read_inputs: list[InputFile] = []
        self._done_bytes = 0.0
        self.summary = RunSummary()

    @property
    def fraction(self) -> float:
        """Of the input, by size, that is done."""
        return min(1.0, self._done_bytes / self._total) if self._total else 1.0

    def count(self, facts: PartFacts) -> None:
        """Count a finished part."""
        self.summary.documents += facts.documents
        self.summary.interactions += facts.interactions
        self.summary.failures += facts.failures
        self._done_bytes += self._bytes_by_part.get(facts.part, 0.0)

    def tasks(self) -> Iterator[PartTask]:
        """What is to be done; what is done already is counted on the way."""
        for path in self._paths:
            file = self._current_input(path)
            tasks = list(_plan_tasks(self._run, file))
            self._bytes_by_part.update((task.chunk.part, file.size / len(tasks)) for task in tasks)
            if any(task.chunk.part not in self._manifest.done for task in tasks):
                self._read_inputs.append(file)
            for task in tasks:
                if (facts := self._manifest.done.get(task.chunk.part)) is None:
                    yield task
                else:
                    self.summary.parts_before += 1
                    self.count(facts)

    def check_inputs(self) -> None:
        """RunError if the bytes of an input that was read are not what was planned with; its parts are forgotten.

        The end of each part looks only at times, which are coarse: of two changes in one tick, one is not seen.
        """
        for file in self._read_inputs:
            if digest_of(file.path) != file.digest:
                self._register_input(file.path)
                raise change_error(file.path)

    def _current_input(self, path: str) -> InputFile:
        """The input as it is now; one that is new or not what it was goes into the manifest."""
        previous = self._manifest.inputs.get(path)
        if previous is None:
            return self._register_input(path)
        status, size = status_of(path), size_of(path)
        if size == previous.size and (status == previous.status or digest_of(path) == previous.digest):
            return replace(previous, status=status)
        self._notice(f"{printable(path)} has changed; its parts are made anew")
        return self._register_input(path)

    def _register_input(self, path: str) -> InputFile:
        previous = self._manifest.inputs.get(path)
        format = self._run.source_format or detect_format(Source(path)).name
        file = describe_input(self._manifest.next_number(), path, format)
        self._manifest.add_input(file)
        if previous is not None:
            remove_unfinished(self._run.folder, self._manifest.done, input=previous.number)
        return file


def _digest_setting(path: Path) -> str:
    try:
        return digest_of(path)
    except OSError as error:
        raise RunError(
            f"{printable(str(path))}: expected a file that can be read, got: {error.strerror}; check the path"
        ) from error


def _paths(run: Run) -> list[str]:
    """Of the inputs, each once, by which the manifest knows them."""
    return list(dict.fromkeys(str(Path(path).resolve()) for path in run.inputs))


def _check_run(run: Run) -> None:
    if run.part_format not in PART_FORMATS:
        raise UsageError(
            f"expected a format with one row per interaction, one of {PART_FORMATS}, got {run.part_format!r}"
        )
    if run.chunk_records < 1 or run.time_limit <= 0 or run.memory_limit < 1:
        raise UsageError(
            "expected a positive chunk, time limit and memory limit, got "
            f"{run.chunk_records}, {run.time_limit}, {run.memory_limit}"
        )
    if not run.inputs:
        raise UsageError("expected input files, got none")
    if run.part_format == "parquet":
        export.require_pyarrow()  # now, not when the first part has been annotated


def _plan_tasks(run: Run, file: InputFile) -> Iterator[PartTask]:
    stem = file_stem(file.path)
    folder = str(run.folder.resolve())
    limits = (run.settings, run.time_limit, run.memory_limit)
    starts = [0] if file.records is None else range(0, file.records, run.chunk_records)
    for number, start in enumerate(starts):
        last = None if file.records is None else start + run.chunk_records
        chunk = Chunk(file.path, file.format, start, last, part_name(file.number, stem, number))
        yield PartTask(chunk, file, folder, run.part_format, *limits)
