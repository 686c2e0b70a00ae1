"""``scripts/reproduce``: run experiments, or assemble the page."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from lab.frame import page
from lab.frame.crew import Crew
from lab.frame.experiment import RunSettings, perform
from lab.frame.program import run_program
from lab.frame.result import save
from lab.papers.registry import MODULES, experiment
from ppi.cli.arguments import add_worker_arguments


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is named; exit 1 with one line if it cannot be done."""
    args = _parser().parse_args(arguments)
    return run_program("scripts/reproduce", lambda: _reproduce(args))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/reproduce",
        description="The papers' experiments, ours beside theirs. PPI_CORPORA names the folder of the data. With "
        "--workers or --scheduler folds, draws and simulations are done side by side, with the same results; whatever "
        "is timed (large-scale, training-time, ranksvm-scaling, the times of nystrom) is still done one after the "
        "other, by this process alone.",
        epilog="Experiments: " + ", ".join(MODULES) + ".",
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="experiments; 'all'; or 'page': only rewrite the page")
    parser.add_argument(
        "--output",
        metavar="DIR",
        type=Path,
        help="write DIR/results, DIR/RESULTS.md and DIR/figures (default: docs; with --tiny: print only)",
    )
    parser.add_argument("--tiny", action="store_true", help="a version of seconds that shows that everything works")
    parser.add_argument("--seed", type=int, default=0, help="for whatever is drawn at random (default: 0)")
    add_worker_arguments(parser)
    return parser


def _reproduce(args: argparse.Namespace) -> int:
    wanted = list(MODULES) if "all" in args.names else [name for name in args.names if name != "page"]
    experiments = [experiment(name) for name in dict.fromkeys(wanted)]
    folder = os.environ.get("PPI_CORPORA")
    corpora = Path(folder) if folder else None
    settings = RunSettings(corpora, args.tiny, args.seed, crew=Crew(workers=args.workers, scheduler=args.scheduler))
    for each in experiments:  # a missing file is better known now than in an hour
        for name in each.data:
            settings.file(name)
    output = args.output or (None if args.tiny else Path("docs"))
    for each in experiments:
        result = perform(each, replace(settings, progress=_teller(each.name)))
        if output is not None:
            save(result, output / "results")
        sys.stdout.write(page.section(each, result) + "\n\n")
        sys.stdout.flush()
    if output is not None:
        path = page.build(output)
        sys.stderr.write(f"wrote {path}\n")
    return 0


def _teller(name: str) -> Callable[[str], None]:
    """Progress: what is being done, and how long it has taken so far."""
    start = time.perf_counter()

    def tell(text: str) -> None:
        sys.stderr.write(f"{name} [{time.perf_counter() - start:.0f} s]: {text}\n")
        sys.stderr.flush()

    return tell


if __name__ == "__main__":
    sys.exit(main())
