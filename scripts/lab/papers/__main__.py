"""``scripts/reproduce``: run experiments, or assemble the pages."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from lab.frame import page
from lab.frame.cache import Cache
from lab.frame.crew import Crew
from lab.frame.experiment import RunSettings, perform
from lab.frame.options import changed_options
from lab.frame.program import ROOT, run_program
from lab.frame.result import Result, load, save
from lab.papers.registry import MODULES, experiment, experiments
from ppi.cli import add_worker_arguments


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is named; exit 1 with one line if it cannot be done, or is not finished."""
    parser = _parser()
    args = parser.parse_args(arguments)
    if args.seconds is not None and not (args.workers is None and args.scheduler is None):
        parser.error("expected --seconds, which are of this process, or workers, got both")
    return run_program("scripts/reproduce", lambda: _reproduce(args))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/reproduce",
        description="The papers' experiments, ours beside theirs. PPI_CORPORA names the folder of the data. With "
        "--workers or --scheduler folds, draws and simulations are done side by side, with the same results; whatever "
        "is timed (large-scale, training-time, ranksvm-scaling, the times of nystrom and of parse-ranking) is still "
        "done one after the other, by this process alone. Long experiments (paper5, parse-ranking) keep what they "
        "have finished: the same command goes on where it was stopped.",
        epilog="Experiments: " + ", ".join(MODULES) + ".",
    )
    add = parser.add_argument
    add("names", nargs="+", metavar="NAME", help="experiments; 'all'; or 'page': only rewrite the pages")
    add(
        "--output",
        metavar="DIR",
        type=Path,
        help="write DIR/results, the pages and their figures (default: docs; with --tiny: print only)",
    )
    add("--tiny", action="store_true", help="a version of seconds that shows that everything works")
    add("--seed", type=int, default=0, help="for whatever is drawn at random (default: 0)")
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="an option of the experiments, in JSON")
    add("--work", metavar="DIR", type=Path, help="finished parts (default: build/lab; with --tiny: none are kept)")
    add("--seconds", type=float, metavar="S", help="of computing, after which to stop and keep what is finished")
    add_worker_arguments(parser)
    return parser


def _reproduce(args: argparse.Namespace) -> int:
    wanted = list(MODULES) if "all" in args.names else [name for name in args.names if name != "page"]
    chosen = [experiment(name) for name in dict.fromkeys(wanted)]
    settings = _settings(args)
    options = {what.name: changed_options(what.name, what.options, args.set) for what in chosen}
    for what in chosen:  # a missing file is better known now than in an hour
        for name in what.data:
            settings.file(name)
    output = args.output or (None if args.tiny else ROOT / "docs")
    unfinished = []
    for what in chosen:
        own = replace(settings, progress=_teller(what.name), options=options[what.name], kept=_kept(what.name, output))
        result = perform(what, own)
        if result.unfinished:
            unfinished.append(f"{what.name} ({'; '.join(result.unfinished)})")
            continue
        if output is not None:
            save(result, output / "results")
        sys.stdout.write(page.shown_alone(what, result))
        sys.stdout.flush()
    if output is not None:
        for path in page.build(output, experiments()):
            sys.stderr.write(f"wrote {path}\n")
    if unfinished:
        sys.stderr.write(f"scripts/reproduce: not finished, run the same command again: {', '.join(unfinished)}\n")
    return 1 if unfinished else 0


def _settings(args: argparse.Namespace) -> RunSettings:
    folder = os.environ.get("PPI_CORPORA")
    return RunSettings(
        Path(folder) if folder else None,
        args.tiny,
        args.seed,
        crew=Crew(workers=args.workers, scheduler=args.scheduler),
        cache=Cache(args.work or (None if args.tiny else ROOT / "build" / "lab"), seconds=args.seconds),
    )


def _kept(name: str, output: Path | None) -> Result | None:
    """The experiment's result of an earlier run, if it is there."""
    path = None if output is None else output / "results" / f"{name}.json"
    return load(path) if path is not None and path.exists() else None


def _teller(name: str) -> Callable[[str], None]:
    """Progress: what is being done, and how long it has taken so far."""
    start = time.perf_counter()

    def tell(text: str) -> None:
        sys.stderr.write(f"{name} [{time.perf_counter() - start:.0f} s]: {text}\n")
        sys.stderr.flush()

    return tell


if __name__ == "__main__":
    sys.exit(main())
