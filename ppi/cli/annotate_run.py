"""``ppi annotate --run``: the long-run side of the verb."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from corpora import Source, pluralize
from ppi.cli.arguments import add_worker_arguments
from ppi.cli.inputs import check_formats, find_inputs
from ppi.core import UsageError
from ppi.server import (
    CHUNK_RECORDS,
    MEMORY_LIMIT_MB,
    PART_FORMATS,
    TIME_LIMIT_SECONDS,
    DaskWorkers,
    LocalWorkers,
    PartFacts,
    Run,
    RunSummary,
    Workers,
    annotate_files,
)

if TYPE_CHECKING:
    from ppi.annotation import AnnotatorSettings


def add_run_arguments(verb: argparse.ArgumentParser) -> None:
    """What a long run needs to know beside the ordinary arguments."""
    group = verb.add_argument_group("long runs, over many files")
    group.add_argument(
        "--run",
        dest="run_folder",
        metavar="DIR",
        help="write parts into this folder, in --to parquet (default), jsonl, csv or mitab; started again, the run "
        "does what is missing",
    )
    add_worker_arguments(group)
    group.add_argument(
        "--chunk", type=int, default=CHUNK_RECORDS, metavar="N", help="records of a task (default: %(default)s)"
    )
    group.add_argument(
        "--time-limit",
        type=float,
        default=TIME_LIMIT_SECONDS,
        metavar="SECONDS",
        help="a document that takes longer is listed in DIR/errors and left out (default: %(default)g)",
    )
    group.add_argument(
        "--memory-limit",
        type=int,
        default=MEMORY_LIMIT_MB,
        metavar="MB",
        help="a document that makes a worker take more memory is listed and left out, too (default: %(default)s)",
    )
    group.add_argument(
        "--retry-failed", action="store_true", help="make parts again in which documents failed, and try those again"
    )


def run_long(args: argparse.Namespace, settings: AnnotatorSettings) -> int:
    """Annotate into a folder; exit 1 if a document had to be left out."""
    _check_arguments(args)
    inputs = find_inputs(args.inputs, "annotate")
    check_formats(map(Source, inputs), args.source_format)
    run = Run(
        inputs=inputs,
        folder=Path(args.run_folder),
        settings=settings,
        source_format=args.source_format,
        part_format=args.to or "parquet",
        chunk_records=args.chunk,
        time_limit=args.time_limit,
        memory_limit=args.memory_limit,
        retry_failed=args.retry_failed,
    )
    workers: Workers = (
        DaskWorkers(args.scheduler) if args.scheduler else LocalWorkers(1 if args.workers is None else args.workers)
    )
    progress = _Progress(quiet=args.quiet)
    summary = annotate_files(run, workers, report=progress.report, notice=progress.notice)
    progress.close(summary, args.run_folder)
    return 1 if summary.failures else 0


def _check_arguments(args: argparse.Namespace) -> None:
    if args.output != "-":
        raise UsageError("expected --run DIR or --output FILE, got both")
    if args.explain:
        raise UsageError("expected a long run without --explain, got it; explain the documents of interest afterwards")
    if "-" in args.inputs:
        raise UsageError("expected files as inputs of a long run, got '-': it could not be started again")
    if args.to is not None and args.to not in PART_FORMATS:
        raise UsageError(f"expected --to {', '.join(PART_FORMATS)} with --run, got {args.to!r}")


class _Progress:
    """Documents, rate and time left on standard error: a line that is rewritten, if somebody watches."""

    def __init__(self, *, quiet: bool) -> None:
        from ppi.core import is_interactive

        self._start_time = monotonic()
        self._documents = 0
        self._first_fraction: float | None = None
        self._is_watched = is_interactive() and not quiet
        self._quiet = quiet

    def report(self, facts: PartFacts, fraction: float) -> None:
        """A part is finished."""
        self._documents += facts.documents
        if self._first_fraction is None:
            self._first_fraction = fraction
        if self._is_watched:
            seconds = monotonic() - self._start_time
            print(f"\r{self._line(fraction, seconds)}\x1b[K", end="", file=sys.stderr, flush=True)

    def _line(self, fraction: float, seconds: float) -> str:
        rate = self._documents / seconds
        fraction_gained = fraction - (self._first_fraction or 0.0)
        time_left = (
            f", {_format_duration(seconds * (1 - fraction) / fraction_gained)} left" if fraction_gained > 0 else ""
        )
        return f"{fraction:.1%} done, {self._documents} documents, {rate:.1f} per second{time_left}"

    def notice(self, text: str) -> None:
        """Something is not what it was."""
        print(f"ppi: {text}", file=sys.stderr)

    def close(self, summary: RunSummary, folder: Any) -> None:
        """Say what there is now."""
        if self._is_watched:
            print("\r\x1b[K", end="", file=sys.stderr)
        if self._quiet:
            return
        seconds = monotonic() - self._start_time
        before = f" ({summary.parts_before} from before)" if summary.parts_before else ""
        failure_note = f"; {summary.failures} left out, listed in {folder}/errors" if summary.failures else ""
        print(
            f"ppi: {pluralize(summary.interactions, 'interaction')} in {pluralize(summary.documents, 'document')}, in "
            f"{summary.parts + summary.parts_before} parts{before}; {self._documents / max(seconds, 1e-9):.1f} "
            f"documents per second{failure_note}",
            file=sys.stderr,
        )


def _format_duration(seconds: float) -> str:
    """A time for people.

    >>> _format_duration(42), _format_duration(600), _format_duration(100000)
    ('42 s', '10 min', '28 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
