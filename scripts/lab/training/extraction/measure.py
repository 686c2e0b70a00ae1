"""Recall and precision on raw text: proteins found by the name finder, model and calibration without the corpus.

Make the models with ``scripts/train_model --output model.zip --held-out MODELS``, which also puts these figures into
the header of the model that ships; ``--into`` does that afterwards, when the names that are found have changed.
:mod:`lab.training.extraction.end_to_end` says what counts as right.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import corpora
from lab.frame.program import corpora_folder, run_program
from lab.training.extraction.end_to_end import EndToEnd, evaluate_end_to_end
from ppi.annotation import PROBABILITY_STEPS, Annotator
from ppi.extraction import Extractor

#: Probabilities at which precision and recall are shown.
_SHOWN = (0.3, 0.4, 0.6, 0.7, 0.8, 0.9)


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate each corpus with the model that has not seen it."""
    parser = argparse.ArgumentParser(prog="scripts/end_to_end", description=__doc__)
    add = parser.add_argument
    add("models", type=Path, metavar="MODELS", help="the folder that scripts/train_model --held-out wrote")
    add("names", nargs="*", default=["AImed", "BioInfer"], metavar="CORPUS", help="(default: AImed BioInfer)")
    add("--corpora", type=Path, metavar="FOLDER", help="(default: the variable PPI_CORPORA)")
    add("--json", action="store_true", help="print everything, with the curves")
    add("--into", type=Path, metavar="FILE", help="the model whose header gets the figures, which pages show")
    args = parser.parse_intermixed_args(arguments)  # corpora may come after an option
    return run_program("scripts/end_to_end", lambda: _measure(args))


def _measure(args: argparse.Namespace) -> int:
    corpora_folder(args.corpora)
    measured = {}
    for name in args.names:
        measured[name] = with_found_names(args.models, name)
        if not args.json:
            print(shown(name, measured[name]), flush=True)
    if args.json:
        print(json.dumps({name: figures.to_dict() for name, figures in measured.items()}, indent=2))
    if args.into is not None:
        extractor = Extractor.load(args.into)
        extractor.facts_["held_out"]["found_names"] = found_name_facts(measured)
        extractor.save(args.into)
    return 0


def with_found_names(models: Path, name: str) -> EndToEnd:
    """A corpus as raw text, annotated with the model that has not seen it."""
    return evaluate_end_to_end(corpora.load(name), Annotator(model=models / f"without-{name}.zip"))


def found_name_facts(measured: Mapping[str, EndToEnd]) -> dict[str, dict[str, dict[str, float]]]:
    """The figures as :mod:`ppi.annotation.text_output` reads them: by corpus and least probability."""
    return {
        name: {step: at for step in PROBABILITY_STEPS if (at := figures.at(float(step))) is not None}
        for name, figures in measured.items()
    }


def shown(name: str, figures: EndToEnd) -> str:
    """The figures of one corpus for people."""
    lines = [
        f"{name}: precision {100 * figures.precision:.1f}, recall {100 * figures.recall:.1f}, F {100 * figures.f:.1f} "
        f"at probability {figures.threshold}; average precision {100 * figures.average_precision:.1f}; "
        f"{figures.mentions_found} of {figures.mentions} mentions found, so that at most "
        f"{100 * figures.recall_of_all:.1f} % of the {figures.annotated_pairs} interacting pairs can be"
    ]
    for least in _SHOWN:
        if (at := figures.at(least)) is not None:
            lines.append(f"    p >= {least}: precision {100 * at['precision']:.1f}, recall {100 * at['recall']:.1f}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
