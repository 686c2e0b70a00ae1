"""The parse-ranking experiments of the articles, on candidates of Link Grammar and of the shipped parser's beam.

Each part writes its figures to OUT/PART.json when it ends, and the page and plots are made from all parts found there.
What a part has finished is kept below OUT, so a long run can be done in pieces: ``--seconds`` ends one.  Use a
new OUT for other data or sizes.

With ``--workers`` or ``--scheduler`` the choice of kernel tries its parameters, and the part extraction evaluates its
corpora, side by side.  The learners that are compared and the part basis are timed, so they come one after the other.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpora.source import atomic_output
from lab.frame.program import run_program
from lab.papers.parse_ranking.comparison import Sizes
from lab.papers.parse_ranking.page import page
from lab.papers.parse_ranking.plots import plot_curves, plot_errors
from lab.papers.parse_ranking.stages import OutOfTime, Stages, basis_vectors, compared, extracted
from ppi.cli.arguments import add_worker_arguments

PARTS = ("link-grammar", "beam", "basis", "extraction")
TINY = Sizes(train=12, test=10, more=16, parses=3, folds=2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts asked for, then write page and plots."""
    parser = _parser()
    args = parser.parse_args(arguments)
    who = {key: value for key in ("workers", "scheduler") if (value := getattr(args, key)) is not None}
    if who and args.seconds is not None:
        parser.error("expected --seconds, which are of this process, or workers, got both")
    return run_program("scripts/reproduce_parse_ranking", lambda: _reproduce(args, who))


def _reproduce(args: argparse.Namespace, who: dict[str, Any]) -> int:
    out = Path(args.output)
    out.mkdir(parents=True, exist_ok=True)
    sizes = TINY if args.tiny else Sizes(args.train, args.test, args.more)
    for part in args.parts:
        stages = Stages(out / f"{part}.stages", seconds=args.seconds, who=who)
        try:
            figures = _run(part, sizes, args, stages)
        except OutOfTime:
            sys.stderr.write(f"reproduce_parse_ranking: {part} is not finished; run the same command again\n")
            return 1
        _write(out / f"{part}.json", json.dumps(figures, indent=1) + "\n")
        if figures["unfinished"]:
            left = "; ".join(figures["unfinished"])
            sys.stderr.write(f"reproduce_parse_ranking: {part}: run the same command again for: {left}\n")
            write_page(out, Path(args.page) if args.page else out)
            return 1
        sys.stderr.write(f"reproduce_parse_ranking: {part} done\n")
    text = write_page(out, Path(args.page) if args.page else out)
    sys.stdout.write(text)
    return 0


def _run(part: str, sizes: Sizes, args: argparse.Namespace, stages: Stages) -> dict[str, Any]:
    if part == "basis":
        folds = 2 if args.tiny else 10
        return basis_vectors(args.basis_from, sizes, data=args.data, folds=folds, stages=stages)
    if part == "extraction":
        return extracted(["LLL"], stages=stages, most=2, limit=15) if args.tiny else extracted(stages=stages)
    return compared(part, sizes, data=args.data, stages=stages)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/reproduce_parse_ranking", description=__doc__)
    add = parser.add_argument
    add("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="(default: all)")
    add("--data", default="build/parse-ranking", metavar="DIR", help="candidates, made there if missing")
    add("--output", default="build/parse-ranking/results", metavar="DIR", help="figures as JSON")
    add("--page", metavar="DIR", help="where parse_ranking.md and its plots go (default: OUT)")
    add("--train", type=int, default=500, metavar="N", help="training sentences (default: 500)")
    add("--test", type=int, default=600, metavar="N", help="test sentences (default: 600)")
    add("--more", type=int, default=900, metavar="N", help="training sentences of the largest runs (default: 900)")
    add("--basis-from", choices=("link-grammar", "beam"), default="link-grammar", help="parses of the part basis")
    add("--seconds", type=float, metavar="S", help="of computing, after which to stop and keep what is finished")
    add("--tiny", action="store_true", help="a dozen sentences, to see that everything runs")
    add_worker_arguments(parser)
    return parser


def write_page(out: Path, folder: Path) -> str:
    """Page and plots from all parts whose figures are in ``out``."""
    found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in out.glob("*.json")}
    generators = {name: found.pop(name) for name in ("link-grammar", "beam") if name in found}
    text = page({**found, **({"comparison": generators} if generators else {})})
    folder.mkdir(parents=True, exist_ok=True)
    for name, figures in generators.items():
        plot_errors(figures["rows"], name, folder / f"parse_ranking_{name}.png")
    if "basis" in found:
        plot_curves(found["basis"]["curves"], folder / "parse_ranking_basis.png")
    _write(folder / "parse_ranking.md", text)
    return text


def _write(path: Path, text: str) -> None:
    with atomic_output(path) as output:
        output.write(text.encode("utf-8"))


if __name__ == "__main__":
    sys.exit(main())
