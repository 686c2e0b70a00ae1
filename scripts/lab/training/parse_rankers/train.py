"""Train the rankers that ship with the package.

Linear RankRLS by conjugate gradients on all candidates, measured once on test sentences of other articles.  The figures
go into the model file.

Link Grammar's candidates are random linkages of training sentences, and regparam is chosen by cross-validation over
their articles, by the whole order.  The trees of the shipped parser's beam are listed by parsers that have not seen the
sentence (beam_training.py), and regparam and the moment to stop are chosen on validation articles, by the first tree:
an order that is better as a whole can have a worse first.
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
from lab.frame.program import ROOT, corpora_folder, run_program
from lab.training import shipped
from lab.training.parse_rankers.beam_learning import ListRows
from lab.training.parse_rankers.candidates import candidate_sets
from lab.training.parse_rankers.gold import document_of
from lab.training.parse_rankers.held_out import HeldOut
from ppi.language import MODEL_DIRECTORY, BeamFeatures, Reranker
from ppi.parse_ranking import GENERATORS, CandidateSet, ParseFeatures, ParseRanker

#: Chosen on training sentences by scripts/reproduce_parse_ranking.
LINK_FEATURES = ParseFeatures(tags="shipped", max_length=3, directed=False, links=16.0)
_FOLDS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, measure and write; the figures are printed as JSON."""
    parser = argparse.ArgumentParser(prog="scripts/train_parse_ranker", description=__doc__)
    add = parser.add_argument
    add("--generators", nargs="+", choices=GENERATORS, default=list(GENERATORS), help="(default: all)")
    add("--work", type=Path, default=ROOT / "build" / "lab", metavar="DIR", help="candidates (default: build/lab)")
    add(
        "--pipeline-work",
        type=Path,
        default=ROOT / "build" / "pipeline",
        metavar="DIR",
        help="the work folder of scripts/train_pipeline, for jackknifed parsers, too (default: build/pipeline)",
    )
    add("--output", type=Path, metavar="DIR", help="(default: the places of the models in the package)")
    add("--train", type=int, default=5200, metavar="N", help="training sentences of Link Grammar (default: 5200)")
    add("--test", type=int, default=600, metavar="N", help="test sentences of Link Grammar (default: 600)")
    add("--regparam", type=float, help="(default: chosen as above)")
    args = parser.parse_args(arguments)
    return run_program("scripts/train_parse_ranker", lambda: _train(args))


def _train(args: argparse.Namespace) -> int:
    for generator in args.generators:
        ranker: ParseRanker | Reranker
        if generator == "beam":
            ranker = beam_ranker(args.pipeline_work, args.work, regparam=args.regparam)
            facts = ranker.facts
        else:
            cache = Cache(args.work)
            training = candidate_sets(generator, "train", args.train, cache=cache)
            tests = candidate_sets(generator, "test", args.test, cache=cache)
            ranker = trained_ranker(training, tests, regparam=args.regparam)
            facts = ranker.facts_
        place = shipped.RANKERS[generator] if args.output is None else args.output / f"{generator}.zip"
        place.parent.mkdir(parents=True, exist_ok=True)
        ranker.save(place)
        sys.stdout.write(json.dumps({"generator": generator, **facts}, indent=1) + "\n")
    return 0


def beam_ranker(pipeline_work: Path, work: Path, *, regparam: float | None = None) -> Reranker:
    """The ranker of the beam of the pipeline in use; its facts say how it does on the test sentences."""
    from lab.training.parse_rankers.beam_training import beam_data, train_reranker
    from lab.training.pipeline.run import Sources

    sources, features = Sources(corpora_folder()), BeamFeatures()
    data = beam_data(sources, pipeline_work, MODEL_DIRECTORY, work / "beam-lists", _say)
    training, validation = (ListRows.of(lists, features) for lists in (data.training, data.validation))
    regparams = None if regparam is None else [regparam]
    reranker, _ = train_reranker(training, validation, features, regparams=regparams, report=_say)
    for name, lists in data.tests.items():
        rows = ListRows.of(lists, features)
        reranker.facts[name] = rows.figures(np.asarray(rows.X @ reranker.weights, dtype=np.float64))
    return reranker


def trained_ranker(
    training: Sequence[CandidateSet],
    tests: Sequence[CandidateSet],
    *,
    features: ParseFeatures = LINK_FEATURES,
    regparam: float | None = None,
) -> ParseRanker:
    """A ranker whose facts say how it does on the test sentences."""
    ranker = ParseRanker("cg-rank-rls", features=features, regparam=regparam, criterion="order", folds=_FOLDS)
    ranker.fit(training, groups=[document_of(each.id) for each in training])
    test = HeldOut.of(tests)
    measures = {"ranker": np.concatenate(ranker.score(tests)), "generator": -test.places}
    figures: dict[str, Any] = {"sentences": len(tests), **test.bounds()}
    for name, scores in measures.items():
        found = test.measures(scores)
        figures[name] = {"error": float(found["errors"].mean()), "first_f": float(found["first"].mean())}
    ranker.facts_["test"] = figures
    return ranker


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
