"""The parse-ranking experiments of the articles, on candidates of Link Grammar and of the shipped parser's beam.

Each part writes its figures to OUT/PART.json when it ends, and the page and plots are made from all parts found there.
What a comparison has finished is kept below OUT, so a long run can be done in pieces: ``--seconds`` ends one.  Use a
new OUT for other data or sizes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from corpora.source import atomic_output
from ppi.parse_ranking.experiments.basis_vectors import (
    Method,
    cross_validation_curves,
    independent_basis,
    time_cross_validation,
)
from ppi.parse_ranking.experiments.candidates import candidate_sets
from ppi.parse_ranking.experiments.comparison import Sizes
from ppi.parse_ranking.experiments.page import page
from ppi.parse_ranking.experiments.plots import plot_curves, plot_errors
from ppi.parse_ranking.experiments.stages import OutOfTime, Stages, compared
from ppi.parse_ranking.features import ParseFeatures
from ppi.parse_ranking.learning import draw_per_sentence
from ppi.parse_ranking.ranker import ParseRanker, goodness_and_queries

PARTS = ("link-grammar", "beam", "basis", "extraction")
TINY = Sizes(train=12, test=10, more=16, parses=3, folds=2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts asked for, then write page and plots."""
    args = _parser().parse_args(arguments)
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    sizes = TINY if args.tiny else Sizes(args.train, args.test, args.more)

    def comparison(generator: str) -> Any:
        stages = Stages(out / f"{generator}.stages", seconds=args.seconds)
        return compared(generator, sizes, data=args.data, stages=stages)

    runs: dict[str, Callable[[], Any]] = {
        "link-grammar": lambda: comparison("link-grammar"),
        "beam": lambda: comparison("beam"),
        "basis": lambda: basis_vectors(sizes, args.data, generator=args.basis_from, tiny=args.tiny),
        "extraction": lambda: extracted(tiny=args.tiny),
    }
    for part in args.parts:
        try:
            figures = runs[part]()
        except OutOfTime:
            sys.stderr.write(f"reproduce_parse_ranking: {part} is not finished; run the same command again\n")
            return 1
        _write(out / f"{part}.json", json.dumps(figures, indent=1) + "\n")
        sys.stderr.write(f"reproduce_parse_ranking: {part} done\n")
    text = write_page(out, Path(args.page) if args.page else out)
    sys.stdout.write(text)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/reproduce_parse_ranking", description=__doc__)
    add = parser.add_argument
    add("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="(default: all)")
    add("--data", default="build/parse-ranking", metavar="DIR", help="candidates, made there if missing")
    add("--out", default="build/parse-ranking/results", metavar="DIR", help="figures as JSON")
    add("--page", metavar="DIR", help="where parse_ranking.md and its plots go (default: OUT)")
    add("--train", type=int, default=500, metavar="N", help="training sentences (default: 500)")
    add("--test", type=int, default=600, metavar="N", help="test sentences (default: 600)")
    add("--more", type=int, default=900, metavar="N", help="training sentences of the largest runs (default: 900)")
    add("--basis-from", choices=("link-grammar", "beam"), default="link-grammar", help="parses of the part basis")
    add("--seconds", type=float, metavar="S", help="of computing, after which to stop and keep what is finished")
    add("--tiny", action="store_true", help="a dozen sentences, to see that everything runs")
    return parser


def basis_vectors(sizes: Sizes, data: str | Path, *, generator: str, tiny: bool) -> dict[str, Any]:
    """Paper III: Fig. 1, Tables 1 and 2."""
    sets = candidate_sets(generator, "test", sizes.test, folder=data)
    y, qid = goodness_and_queries(sets)
    tags = "shipped" if generator == "link-grammar" else "given"
    X = ParseFeatures(tags=tags, max_length=2).transform(sets)
    curves = cross_validation_curves(X, y, qid, folds=2 if tiny else 10)
    timings = []
    for per_sentence in (1, 2, 3, 4):
        basis = draw_per_sentence(qid, per_sentence, random_state=0)
        basis = independent_basis((X[basis] @ X[basis].T).toarray(), basis)
        K_MR = (X @ X[basis].T).toarray()
        schemes: tuple[tuple[Method, int | None], ...] = (
            ("sparse-rls", None),
            ("sparse-rank-rls", None),
            ("sparse-rls", 2 if tiny else 10),
        )
        for method, folds in schemes:
            timing = time_cross_validation(K_MR, y, qid, basis, method=method, folds=folds, sample=2)
            sys.stderr.write(f"{timing.scheme} {method} {timing.n_basis}: {timing.ratio:.0f}x\n")
            timings.append(timing.to_dict())
    return {"curves": curves.to_dict(), "timings": timings}


def extracted(*, tiny: bool) -> list[dict[str, Any]]:
    """AUC on the small corpora with either parse."""
    from ppi.parse_ranking.experiments.extraction import extraction_figures

    ranker = ParseRanker.shipped("beam")
    if tiny:
        return extraction_figures(["LLL"], ranker=ranker, seeds=[0], most=2, limit=15)
    return extraction_figures(ranker=ranker)


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
