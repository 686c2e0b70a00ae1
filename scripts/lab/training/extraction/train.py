"""Train, calibrate, measure and package the extraction model.

The folder of the corpora holds AImed, BioInfer, HPRD50, IEPA and LLL.  All figures are of models that have not seen the
corpus they are measured on; they are printed and kept in the model's header.  Two minutes of one core, 5 GB of memory.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from lab.frame.program import corpora_folder, run_program

CORPORA = ("AImed", "BioInfer", "HPRD50", "IEPA", "LLL")
LARGEST = 10_000_000  # bytes


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the corpora, train, judge, write; exit 1 if it cannot be done, or the model is too large to ship."""
    args = _parser().parse_args(arguments)
    return run_program("scripts/train_model", lambda: _train(args))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/train_model", description=__doc__)
    add = parser.add_argument
    add("--corpora", type=Path, metavar="FOLDER", help="(default: the variable PPI_CORPORA)")
    add("--output", type=Path, required=True, metavar="FILE", help="the model")
    add("--figure", type=Path, metavar="SVG", help="reliability diagrams")
    add("--held-out", type=Path, metavar="FOLDER", help="also the models without each corpus")
    add("--parser", default="shipped", metavar="NAME", help="what parses the corpora (default: shipped)")
    add("--names", nargs="+", default=CORPORA, metavar="CORPUS", help="other corpora than the five")
    return parser


def _train(args: argparse.Namespace) -> int:
    from lab.training.extraction.left_out import LeftOut
    from lab.training.extraction.reliability import judge_calibrations, plot_reliability
    from ppi.evaluation.parsed import load_parsed
    from ppi.extraction.calibration import METHOD

    corpora_folder(args.corpora)
    models = LeftOut.train({name: load_parsed(name, args.parser) for name in args.names})
    aucs = {"all_features": models.aucs(min_documents=1), "shipped": models.aucs()}
    method, measured = judge_calibrations(models)
    figures = {
        name: {corpus: judged.to_dict() for corpus, judged in by_corpus.items()} for name, by_corpus in measured.items()
    }
    if method != METHOD:
        print(f"{method!r} has the least log loss on corpora left out, not {METHOD!r}, which is used", file=sys.stderr)
    extractor = models.extractor()
    extractor.facts_.update(all_features_auc=aucs["all_features"], calibration=figures)
    extractor.save(args.output)
    if args.held_out is not None:
        args.held_out.mkdir(parents=True, exist_ok=True)
        for name in models.names:
            models.extractor(without=name).save(args.held_out / f"without-{name}.zip")
    if args.figure is not None:
        plot_reliability(measured[METHOD], args.figure)
    size = args.output.stat().st_size
    print(
        json.dumps({"bytes": size, "calibration": METHOD, "features": len(extractor.weights_), "auc": aucs}, indent=2)
    )
    for name, by_corpus in measured.items():
        for corpus, judged in by_corpus.items():
            print(
                f"{name:19} {corpus:9} {judged.pairs:6} pairs, {judged.positive / judged.pairs:.3f} positive, mean p "
                f"{judged.mean_probability:.3f}: log loss {judged.log_loss:.4f}, Brier {judged.brier:.4f}, "
                f"ECE {judged.ece:.4f}"
            )
    if size > LARGEST:
        print(f"expected at most {LARGEST} bytes, got {size}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
