"""A long run: every file, chunk by chunk, into parts; started again, it does what is missing and nothing twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from corpora.errors import CorpusError
from corpora.registry import detect_format
from corpora.source import Source, file_stem
from ppi.annotation.settings import AnnotatorSettings
from ppi.errors import RunError, UsageError
from ppi.longrun.chunks import Chunk, count_records
from ppi.longrun.manifest import InputFile, Manifest, PartFacts
from ppi.longrun.parts import PART_FORMATS, PartTask, make_folders, part_name, remove_unfinished
from ppi.longrun.supervisor import TIME_LIMIT
from ppi.longrun.workers import Workers

CHUNK_RECORDS = 1000
_DIGEST_BLOCK = 2**20


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
        Of all inputs; None tells it from each file.
    part_format
        One of :data:`~ppi.longrun.parts.PART_FORMATS`.
    chunk_records
        Records of a task; files of formats that cannot be cut are one task each.
    time_limit
        Seconds for a batch of documents.
    """

    inputs: Sequence[str | Path]
    folder: Path
    settings: AnnotatorSettings
    source_format: str | None = None
    part_format: str = "parquet"
    chunk_records: int = CHUNK_RECORDS
    time_limit: float = TIME_LIMIT

    def fixed(self) -> dict[str, Any]:
        """What must be the same when the run is taken up again, for its parts to belong together."""
        return {
            "version": version("ppi-miner"),
            "annotator": json.loads(json.dumps(asdict(self.settings))),  # as it is read back: lists, no tuples
            "files": {name: _digest(path) for name, path in self.settings.files().items()},
            "part_format": self.part_format,
            "chunk_records": self.chunk_records,
        }


@dataclass
class Summary:
    """What a run has done: ``parts`` now and, taken up from before, ``parts_before``."""

    parts: int = 0
    parts_before: int = 0
    documents: int = 0
    interactions: int = 0
    failures: int = 0

    def add(self, facts: PartFacts) -> None:
        """Count a part."""
        self.documents += facts.documents
        self.interactions += facts.interactions
        self.failures += facts.failures


def annotate_files(
    run: Run,
    workers: Workers,
    *,
    report: Callable[[PartFacts, float], None] = lambda facts, share: None,
    changed: Callable[[str], None] = lambda path: None,
) -> Summary:
    """Do everything of a run that is not done yet.

    Parameters
    ----------
    report
        Called with the facts of each finished part and the share of the input, by size, that is done.
    changed
        Called with the path of an input that is not what it was when its parts were made; they are made anew.

    Raises
    ------
    RunError
        If the folder is in use, belongs to other settings, or cannot be written; what is finished stays.
    """
    _check(run)
    manifest = Manifest.open(run.folder, run.fixed())
    try:
        make_folders(run.folder)
        remove_unfinished(run.folder, manifest.done)
        plan = _Plan(run, manifest, changed)
        for facts in workers.run(plan.tasks()):
            manifest.finish(facts)
            plan.summary.parts += 1
            plan.note(facts)
            report(facts, plan.share)
        return plan.summary
    except (OSError, CorpusError) as error:
        raise RunError(f"{run.folder}: the run stopped, and can be started again: {error}") from error
    finally:
        workers.close()
        manifest.close()


class _Plan:
    """The tasks of a run, planned file by file while others are being done."""

    def __init__(self, run: Run, manifest: Manifest, changed: Callable[[str], None]) -> None:
        self._run = run
        self._manifest = manifest
        self._changed = changed
        self._paths = list(dict.fromkeys(str(Path(path).resolve()) for path in run.inputs))
        self._total = sum(map(_size, self._paths))
        self._bytes_of: dict[str, float] = {}
        self._done_bytes = 0.0
        self.summary = Summary()

    @property
    def share(self) -> float:
        """Of the input, by size, that is done."""
        return min(1.0, self._done_bytes / self._total) if self._total else 1.0

    def note(self, facts: PartFacts) -> None:
        """Count a finished part."""
        self.summary.add(facts)
        self._done_bytes += self._bytes_of.get(facts.part, 0.0)

    def tasks(self) -> Iterator[PartTask]:
        """What is to be done; what is done already is counted on the way."""
        for path in self._paths:
            file = self._current(path)
            tasks = list(_tasks(self._run, file))
            self._bytes_of.update((task.chunk.part, file.size / len(tasks)) for task in tasks)
            for task in tasks:
                if (known := self._manifest.done.get(task.chunk.part)) is None:
                    yield task
                else:
                    self.summary.parts_before += 1
                    self.note(known)

    def _current(self, path: str) -> InputFile:
        """The input as it is now; one that is new or not what it was goes into the manifest."""
        known = self._manifest.inputs.get(path)
        if known is not None and Path(path).exists():
            status = Path(path).stat()
            same = (known.size, known.modified) == (status.st_size, status.st_mtime_ns)
            if same or known.digest == _digest(Path(path)):
                return known
            self._changed(path)
        file = _described(self._run, self._manifest.next_number(), path)
        self._manifest.add_input(file)
        if known is not None:
            remove_unfinished(self._run.folder, self._manifest.done, input=known.number)
        return file


def _check(run: Run) -> None:
    if run.part_format not in PART_FORMATS:
        raise UsageError(
            f"expected a format with one row per interaction, one of {PART_FORMATS}, got {run.part_format!r}"
        )
    if run.chunk_records < 1 or run.time_limit <= 0:
        raise UsageError(f"expected a positive chunk and time limit, got {run.chunk_records}, {run.time_limit}")
    if not run.inputs:
        raise UsageError("expected input files, got none")
    if run.part_format == "parquet":
        from ppi.export.parquet import require_pyarrow

        require_pyarrow()  # now, not when the first part has been annotated


def _described(run: Run, number: int, path: str) -> InputFile:
    format = run.source_format or detect_format(Source(path)).name
    records = count_records(path, format)
    status = Path(path).stat()
    return InputFile(number, path, format, status.st_size, status.st_mtime_ns, _digest(Path(path)), records)


def _tasks(run: Run, file: InputFile) -> Iterator[PartTask]:
    stem = file_stem(file.path)
    starts = [0] if file.records is None else range(0, file.records, run.chunk_records)
    for number, start in enumerate(starts):
        last = None if file.records is None else start + run.chunk_records
        chunk = Chunk(file.path, file.format, start, last, part_name(file.number, stem, number))
        yield PartTask(chunk, file.number, str(run.folder.resolve()), run.part_format, run.settings, run.time_limit)


def _size(path: str) -> int:
    return Path(path).stat().st_size if Path(path).exists() else 0


def _digest(path: Path) -> str:
    """Of a file's bytes, or of the names and bytes of a folder's files."""
    found = hashlib.blake2b(digest_size=16)
    for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if path.is_dir():
            found.update(str(each.relative_to(path)).encode("utf-8", "surrogateescape"))
        if each.is_file():
            with open(each, "rb") as stream:
                while block := stream.read(_DIGEST_BLOCK):
                    found.update(block)
    return found.hexdigest()
