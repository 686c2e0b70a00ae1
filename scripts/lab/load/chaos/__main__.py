"""Faults of every kind put into a long run over real text, whose rows must be those of an undisturbed run.

Workers are killed at work, alone in a document and while they load; the coordinator is killed; inputs are moved away,
replaced and cut short while they are read; finished parts are deleted and truncated; their folder becomes a link; the
manifest is damaged.  Names of inputs hold characters that part lines and bytes that are no text; among the documents
are some that must fail, each alone: a record without end, one with 100,001 annotations, one that takes too much memory.
Exit 1 if a row differs, or a document is missing that did not fail alone twice.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lab.frame.program import corpora_folder, run_program
from lab.load.chaos.material import paragraphs, write_inputs
from lab.load.chaos.memory import memory_over_time
from lab.load.chaos.trial import Outcome, whole_trial
from lab.load.chaos.watching import Setting
from ppi.core import UsageError

TEXT = "text/elife-molecular.txt.xz"
#: How much the memory of a worker may grow.
MOST_GROWTH = 0.10


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and judge it."""
    parser = argparse.ArgumentParser(prog="scripts/chaos", description=__doc__)
    add = parser.add_argument
    add("--work", type=Path, required=True, metavar="DIR", help="folder for inputs and runs; taken up again if there")
    add("--text", type=Path, metavar="FILE", help=f"one paragraph per line (default: {TEXT} of PPI_CORPORA)")
    add("--paragraphs", type=int, default=20_000, metavar="N", help="(default: %(default)s)")
    add("--faults", type=int, default=48, metavar="N", help="of all kinds in turn (default: %(default)s)")
    add("--poison", type=int, default=2, metavar="N", help="files with documents that must fail (default: %(default)s)")
    add("--seed", type=int, default=0, help="of the order and place of faults (default: %(default)s)")
    add("--minutes", type=float, default=600.0, help="after these, no more faults (default: %(default)g)")
    add("--workers", type=int, default=2, help="(default: %(default)s)")
    add("--chunk", type=int, default=50, metavar="N", help="records of a task (default: %(default)s)")
    add("--time-limit", type=float, default=300.0, metavar="SECONDS", help="of a batch (default: %(default)g)")
    add("--memory-limit", type=int, default=1800, metavar="MB", help="of a worker (default: %(default)s)")
    add(
        "--annotator",
        default="ppi.annotation:AnnotatorSettings",
        metavar="MODULE:CLASS",
        help="settings of the annotator (default: the one that ships)",
    )
    add("--memory", type=float, metavar="MINUTES", help="instead, the memory of one worker over this time")
    add("--json", action="store_true", help="print everything as JSON")
    args = parser.parse_args(arguments)
    return run_program("scripts/chaos", lambda: _memory(args) if args.memory else _trial(args))


def _trial(args: argparse.Namespace) -> int:
    if min(args.paragraphs, args.faults, args.workers, args.chunk) < 1:
        raise UsageError("expected at least one paragraph, fault, worker and record, got less")
    texts = paragraphs(_text(args), args.paragraphs)
    # so many that a worker is soon found that is in a document alone
    full_texts = max(3, args.paragraphs // (10 * args.chunk))
    inputs = write_inputs(
        args.work.resolve() / "inputs", texts, chunk=args.chunk, full_texts=full_texts, poison=args.poison
    )
    setting = Setting(inputs, args.chunk, args.workers, args.time_limit, args.memory_limit, args.annotator)
    outcome = whole_trial(
        setting, args.work.resolve(), faults=args.faults, seed=args.seed, minutes=args.minutes, say=_say
    )
    print(json.dumps(_plain(outcome), indent=2) if args.json else shown(outcome))
    return 0 if outcome.is_good else 1


def _memory(args: argparse.Namespace) -> int:
    texts = paragraphs(_text(args), args.paragraphs)
    inputs = write_inputs(args.work.resolve() / "memory", texts, chunk=len(texts), full_texts=0, poison=0)
    found = memory_over_time(inputs[0], len(texts), args.memory, _say)
    figures: dict[str, Any] = {
        "minutes": args.memory,
        "documents": found.samples[-1][1],
        "first_megabytes": round(found.first),
        "last_megabytes": round(found.last),
        "largest_megabytes": round(max(megabytes for _, _, megabytes in found.samples)),
        "growth": round(found.growth, 4),
    }
    print(json.dumps(figures, indent=2))
    return 0 if found.growth <= MOST_GROWTH else 1


def _text(args: argparse.Namespace) -> Path:
    path = args.text if args.text is not None else corpora_folder(option="--text") / TEXT
    if not path.is_file():
        raise UsageError(f"expected a text, one paragraph per line, got no file at {path}")
    return path


def shown(outcome: Outcome) -> str:
    """The figures for people."""
    comparison = outcome.comparison
    faults = "\n".join(f"  {name}: {count}" for name, count in sorted(outcome.faults.items()))
    missed = "".join(f"; could not be done: {count} x {name}" for name, count in sorted(outcome.missed.items()))
    wrong = "".join(f"\nwrong: {each}" for each in (*outcome.wrong, *comparison.missing))
    return (
        f"{outcome.faults.total()} faults{missed}\n{faults}\n"
        f"{outcome.parts} parts; {outcome.parts_made} were made in {outcome.starts} starts and {outcome.seconds:.0f} s "
        f"(undisturbed: {outcome.undisturbed_seconds:.0f} s)\n"
        f"rows that differ: {comparison.rows_that_differ} of {comparison.rows}\n"
        f"documents missing: {len(comparison.missing)}; failed alone twice: {len(comparison.given_up)}; "
        f"failed in both runs: {comparison.documents_failed}{wrong}"
    )


def _plain(outcome: Outcome) -> dict[str, Any]:
    # asdict takes a Counter for a mapping made from pairs
    return asdict(outcome) | {
        "faults": dict(outcome.faults),
        "missed": dict(outcome.missed),
        "is_good": outcome.is_good,
    }


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
