"""Train, calibrate, measure and package the extraction model.

The folder of the corpora holds four event corpora, which teach types, and AImed, BioInfer, HPRD50, IEPA and LLL.
It is what ``ppi train`` makes of them with ``--parser shipped --min-documents 6``.  All figures are of models that
have not seen the corpus they are measured on; they are printed and kept in the model's header.  Six minutes of one
core, 8 GB of memory; twice more for the models of ``--held-out``, with which the header also gets figures on raw text.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from lab.frame.program import corpora_folder, run_program
from ppi.extraction import Settings

#: What they teach: types, directions and signs.
EVENTS = ("bionlp-st-2013-pc", "bionlp-st-2013-cg", "bionlp-st-2011-ge", "bionlp-st-2011-epi")
#: What they teach: whether two interact; AImed and HPRD50 also binding.
PAIRS = ("AImed", "BioInfer", "HPRD50", "IEPA", "LLL")
#: Corpora whose raw text is annotated with a model that has not seen them (``scripts/end_to_end``).
END_TO_END = ("AImed", "BioInfer")
SHIPPED = Settings(kernel="composite", learner="ridge", min_documents=6)
LARGEST = 15_000_000  # bytes


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
    add("--names", nargs="+", default=[*EVENTS, *PAIRS], metavar="CORPUS", help="other corpora than these nine")
    return parser


def _train(args: argparse.Namespace) -> int:
    from lab.training.extraction.diagram import plot_reliability
    from lab.training.extraction.measure import found_name_facts, with_found_names
    from ppi.evaluation import load_parsed, train_with_holdout
    from ppi.extraction import CALIBRATED_OUTPUTS

    corpora_folder(args.corpora)
    documents = {name: load_parsed(name, args.parser) for name in args.names}
    extractor, held_out = train_with_holdout(documents, SHIPPED)
    extractor.facts_["held_out"] = held_out.metrics()
    if args.figure is not None:
        plot_reliability(
            {output: held_out.calibration_by_corpus(output)["pooled"] for output in CALIBRATED_OUTPUTS}, args.figure
        )
    if args.held_out is not None:
        args.held_out.mkdir(parents=True, exist_ok=True)
        names = [name for name in END_TO_END if name in documents]
        for name in names:
            others = {other: each for other, each in documents.items() if other != name}
            train_with_holdout(others, SHIPPED)[0].save(args.held_out / f"without-{name}.zip")
        measured = {name: with_found_names(args.held_out, name) for name in names}
        extractor.facts_["held_out"]["found_names"] = found_name_facts(measured)
    extractor.save(args.output)
    size = args.output.stat().st_size
    print(json.dumps({"bytes": size, "features": len(extractor.weights_), **held_out.metrics()}, indent=2))
    if size > LARGEST:
        print(f"expected at most {LARGEST} bytes, got {size}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
