"""``ppi learning-curve``: AUC against the amount of training data."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corpora import atomic_folder
from ppi.cli.arguments import add_extractor_arguments, add_gold_arguments, corpus_name, load_gold_documents, settings_of
from ppi.cli.output import print_json

if TYPE_CHECKING:
    from ppi.cli.program import VerbParsers
    from ppi.evaluation import CurvePoint


def register(verbs: VerbParsers, common: argparse.ArgumentParser) -> None:
    """Add the verb to the command line."""
    verb = verbs.add_parser("learning-curve", parents=[common])
    verb.add_argument("corpora", nargs="+", metavar="CORPUS", help="files or names")
    add_extractor_arguments(verb)
    add_gold_arguments(verb)
    verb.add_argument("--seed", type=int, default=0, help="seed of the split and of the order (default: 0)")
    verb.add_argument("--repeats", type=int, default=5, help="random orders to average over (default: 5)")
    verb.add_argument("--json", action="store_true", help="print a JSON list, one object a point")
    verb.add_argument("--report", metavar="DIR", help="write the points and a plot (log scale) to this new folder")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure the curves and print them."""
    from ppi.evaluation import learning_curve

    points = [
        point
        for name in args.corpora
        for point in learning_curve(
            corpus_name(name), load_gold_documents(args, name), settings_of(args), seed=args.seed, repeats=args.repeats
        )
    ]
    if args.report:
        _write_report(points, Path(args.report))
    if args.json:
        print_json([point.to_dict() for point in points])
    else:
        for point in points:
            print(
                f"{point.corpus}  {point.documents:4d} documents  {point.pairs:7.0f} pairs  AUC {100 * point.auc:.1f}"
                f" (sd {100 * point.std:.1f}, {point.repeats} repeats)"
            )
    return 0


def _write_report(points: Sequence[CurvePoint], folder: Path) -> None:
    from ppi.evaluation import plot_learning_curves

    curves: dict[str, list[tuple[float, float, float]]] = {}
    for point in points:
        curves.setdefault(point.corpus, []).append((point.pairs, point.auc, point.std))
    with atomic_folder(folder) as target_folder:
        text = json.dumps([point.to_dict() for point in points], indent=1)
        (target_folder / "learning-curve.json").write_text(text, encoding="utf-8")
        plot_learning_curves(curves, target_folder / "learning-curve.png")
