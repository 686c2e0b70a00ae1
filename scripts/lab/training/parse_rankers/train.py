"""Train the rankers that ship with the package.

Linear RankRLS by conjugate gradients on all candidates; regparam by cross-validation over training articles, then
measured once on test sentences of other articles.  The figures go into the model file.

Link Grammar's own order says little, so its ranker is chosen by the whole order.  The shipped parser's first parse is
good already, and an order that is better as a whole can have a worse first: its ranker is chosen by the first.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lab.frame.cache import Cache
from lab.frame.program import ROOT, run_program
from lab.training.parse_rankers.candidates import candidate_sets
from lab.training.parse_rankers.gold import document_of
from lab.training.parse_rankers.held_out import HeldOut
from ppi.parse_ranking.features import ParseFeatures
from ppi.parse_ranking.generators import GENERATORS
from ppi.parse_ranking.model_file import MODEL_DIRECTORY
from ppi.parse_ranking.ranker import ParseRanker
from ppi.parse_ranking.types import CandidateSet

#: Chosen on training sentences by scripts/reproduce_parse_ranking.
FEATURES = {
    "link-grammar": ParseFeatures(tags="shipped", max_length=3, directed=False, links=16.0),
    "beam": ParseFeatures(tags="given", max_length=2, links=1.0, generator=20.0),
}
CRITERIA = {"link-grammar": "order", "beam": "first"}
_FOLDS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, measure and write; the figures are printed as JSON."""
    parser = argparse.ArgumentParser(prog="scripts/train_parse_ranker", description=__doc__)
    add = parser.add_argument
    add("--generators", nargs="+", choices=GENERATORS, default=list(GENERATORS), help="(default: all)")
    add("--work", type=Path, default=ROOT / "build" / "lab", metavar="DIR", help="candidates (default: build/lab)")
    add("--output", type=Path, default=MODEL_DIRECTORY, metavar="DIR", help="(default: the package's own models)")
    add("--train", type=int, default=900, metavar="N", help="training sentences, if there are (default: 900)")
    add("--test", type=int, default=600, metavar="N", help="test sentences (default: 600)")
    add("--regparam", type=float, help="(default: chosen by cross-validation)")
    args = parser.parse_args(arguments)
    return run_program("scripts/train_parse_ranker", lambda: _train(args))


def _train(args: argparse.Namespace) -> int:
    cache = Cache(args.work)
    for generator in args.generators:
        training = candidate_sets(generator, "train", args.train, cache=cache)
        tests = candidate_sets(generator, "test", args.test, cache=cache)
        ranker = trained_ranker(generator, training, tests, regparam=args.regparam)
        args.output.mkdir(parents=True, exist_ok=True)
        ranker.save(args.output / f"{generator}.zip")
        sys.stdout.write(json.dumps({"generator": generator, **ranker.facts_}, indent=1) + "\n")
    return 0


def trained_ranker(
    generator: str,
    training: Sequence[CandidateSet],
    tests: Sequence[CandidateSet],
    *,
    features: ParseFeatures | None = None,
    regparam: float | None = None,
) -> ParseRanker:
    """A ranker whose facts say how it does on the test sentences."""
    chosen = FEATURES[generator] if features is None else features
    options: dict[str, Any] = {"regparam": regparam, "criterion": CRITERIA[generator], "folds": _FOLDS}
    ranker = ParseRanker("cg-rank-rls", features=chosen, **options)
    ranker.fit(training, groups=[document_of(each.id) for each in training])
    test = HeldOut.of(tests)
    measures = {"ranker": np.concatenate(ranker.score(tests)), "generator": -test.places}
    figures: dict[str, Any] = {"sentences": len(tests), **test.bounds()}
    for name, scores in measures.items():
        found = test.measures(scores)
        figures[name] = {"error": float(found["errors"].mean()), "first_f": float(found["first"].mean())}
    ranker.facts_["test"] = figures
    return ranker


if __name__ == "__main__":
    sys.exit(main())
