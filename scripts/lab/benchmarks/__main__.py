"""``scripts/bench NAME``: the project's speed figures, as ratios measured in one run."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lab.frame.program import run_program
from ppi.core import UsageError
from ppi.evaluation import format_table

#: A module of this package that is no benchmark.
OTHER = ("figure",)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print one row per figure; exit 1 if the two sides of a comparison disagree."""
    args = _parser().parse_args(arguments)
    return run_program("scripts/bench", lambda: _bench(args))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Speed against the plain definition or a named library, as ratios, in one run.",
    )
    parser.add_argument("name", metavar="NAME", help=f"one of {', '.join(available())}, or 'all'")
    parser.add_argument("--scale", type=float, default=1.0, help="shrink the problems, for a quick look (default: 1)")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print a JSON list of figures")
    shape.add_argument("--markdown", action="store_true", help="print one table for a page, with the command")
    return parser


def _bench(args: argparse.Namespace) -> int:
    measured = []
    for benchmark, figure in measure(args.name, scale=args.scale):
        measured.append((benchmark, figure))
        if not (args.json or args.markdown):
            print(_row(figure), flush=True)
    if args.json:
        print(json.dumps([figure.to_dict() for _, figure in measured], indent=2))
    if args.markdown:
        print(markdown_table(measured, command=f"scripts/bench {args.name}"))
    return 0 if all(figure.same_answer for _, figure in measured) else 1


def measure(name: str, *, scale: float = 1.0) -> Iterator[tuple[str, Any]]:
    """The figures of one benchmark module, or of all, each with its module's name, on one BLAS thread."""
    from threadpoolctl import threadpool_limits

    from kernels import use_compiled_code

    use_compiled_code()  # as in long runs, however small the problem

    names, name = available(), name.replace("-", "_")
    if name != "all" and name not in names:
        raise UsageError(f"expected a benchmark, one of {[*names, 'all']}, got {name!r}")
    for each in names if name == "all" else [name]:
        module = importlib.import_module(f"lab.benchmarks.{each}")
        with threadpool_limits(limits=1):
            for figure in module.run(scale=scale):
                yield each, figure


def markdown_table(measured: Sequence[tuple[str, Any]], *, command: str) -> str:
    """All figures as one Markdown table, with the command that makes it."""
    rows = []
    for benchmark, figure in measured:
        value = f"{figure.value:,.0f}" if figure.value >= 100 else f"{figure.value:.3g}"
        verdict = "" if figure.passed else " (below the bar)" if figure.same_answer else " (ANSWERS DIFFER)"
        bar = f"{_sign(figure)} {figure.bar:g}"
        seconds = f"{figure.seconds:.3g}", f"{figure.reference_seconds:.3g}"
        rows.append((benchmark, figure.name, value + verdict, bar, *seconds))
    head = ("benchmark", "figure", "measured", "bar", "seconds", "reference")
    return f"`{command}`, one thread, both sides in one run:\n\n{format_table(head, rows)}"


def available() -> list[str]:
    """Names of the benchmark modules."""
    return sorted(
        path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in OTHER and path.stem[0] != "_"
    )


def _row(figure: Any) -> str:
    verdict = "ok" if figure.passed else "below the bar" if figure.same_answer else "ANSWERS DIFFER"
    sign = _sign(figure)
    return (
        f"{figure.name}: {figure.value:.2f}{figure.unit} "
        f"(bar {sign} {figure.bar:g}, aim {sign} {figure.aim:g}; {verdict}; "
        f"{figure.seconds:.3g} s, reference {figure.reference_seconds:.3g} s)"
    )


def _sign(figure: Any) -> str:
    return ">=" if figure.better == "higher" else "<="


if __name__ == "__main__":
    sys.exit(main())
