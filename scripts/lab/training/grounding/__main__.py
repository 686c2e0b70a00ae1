"""Learn which candidate is meant, from documents of GNormPlus and NLM-Gene with an even PubMed id.

Names are found as the application finds them; candidates of names that overlap an annotated gene are right if they are
that gene, all others are wrong.  Strength of regularization and the height at which a gene is accepted are those with
the highest mean F (genes of documents as sets) of the two sets by cross-validation over documents.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np

from corpora import Document
from lab.frame.program import corpora_folder, run_program
from lab.grounding.found import named
from lab.grounding.gold import SETS, GoldDocument, entrez_numbers, with_mentions
from lab.grounding.scores import SetScores, mention_scores, set_scores
from lab.training import shipped
from lab.training.grounding.cell_lines import make_cell_lines
from lab.training.grounding.examples import Examples, examples
from lab.training.grounding.fitting import Array, Moments, Products, folds_of
from ppi.grounding import CELL_LINES_FILE as CELL_LINES
from ppi.grounding import GeneScorer, Lexicon, Resolver

FOLDS = 5
REGPARAMS = (50.0, 150.0, 450.0)
HEIGHTS = (-0.5, -0.4, -0.3, -0.2, -0.1)
#: For given mentions: the highest of these at which no more than this share of right answers is lost.
GIVEN_HEIGHTS = (-0.5, -0.6, -0.7, -0.8, -0.9)
_LOST = 0.003
#: Two candidates so close are both kept: by cross-validation the better one of those is right in about half of cases.
MARGIN = 0.1


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, choose, write the file, say what was chosen."""
    parser = argparse.ArgumentParser(prog="scripts/train_grounding", description=__doc__)
    parser.add_argument("--corpora", type=Path, metavar="FOLDER", help="(default: the variable PPI_CORPORA)")
    parser.add_argument(
        "--output", type=Path, default=shipped.GENE_CHOICE, metavar="FILE", help="(default: the one that ships)"
    )
    args = parser.parse_args(arguments)
    return run_program("scripts/train_grounding", lambda: _train(args))


def _train(args: argparse.Namespace) -> int:
    folder = corpora_folder(args.corpora)
    lexicon = Lexicon.shipped()
    lines = make_cell_lines(folder / "lexicon", lexicon, args.output.with_name(CELL_LINES))
    print(f"{lines} names of cell lines")
    known = entrez_numbers(folder)
    golds = [[gold for gold in each.read(folder) if gold.is_for_choosing] for each in SETS]
    documents = [named([gold.document for gold in some]) for some in golds]
    made = examples([gold for some in golds for gold in some], [d for some in documents for d in some], lexicon, known)
    right = int((made.targets > 0).sum())
    print(f"{len(made.targets)} candidates, {right} right, of {len(np.unique(made.documents))} documents")
    products, fold_of = Products(made.features), folds_of(made.documents, FOLDS)
    parts = [Moments.of(products, made, fold_of == fold) for fold in range(FOLDS)]
    whole = reduce(add, parts)
    tried = []
    for regparam in REGPARAMS:
        weights = [products.spread((whole - part).weights(regparam)) for part in parts]
        for height, scores in _heights(weights, golds, documents, lexicon):
            mean = float(np.mean([each.f for each in scores]))
            tried.append((mean, regparam, height, scores))
            shown = ", ".join(f"{each.name} {_percent(got)}" for each, got in zip(SETS, scores))
            print(f"regparam {regparam:g}, accept {height:g}: {shown}; mean F {100 * mean:.1f}", flush=True)
    mean, regparam, height, scores = max(tried, key=lambda each: each[0])
    weights = [products.spread((whole - part).weights(regparam)) for part in parts]
    given = [named([with_mentions(gold) for gold in some], find=False) for some in golds]
    given_height = _given_height(weights, golds, given, lexicon, known)
    learned = products.spread(whole.weights(regparam))
    choice = GeneScorer(learned, accept=height, accept_given=given_height, margin=MARGIN)
    choice.save(args.output, _facts(made, regparam, mean, scores))
    print(f"chosen: regparam {regparam:g}, accept {height:g}, of given mentions {given_height:g}; {args.output}")
    return 0


def _heights(
    weights: Sequence[Array],
    golds: Sequence[Sequence[GoldDocument]],
    documents: Sequence[Sequence[Document]],
    lexicon: Lexicon,
) -> Iterator[tuple[float, list[SetScores]]]:
    """Scores of each set at each height, every document by weights that have not seen it."""
    for height in HEIGHTS:
        answers = _resolved(weights, documents, lexicon, height)
        yield height, [set_scores(some, got, human=of.human) for of, some, got in zip(SETS, golds, answers)]


def _given_height(
    weights: Sequence[Array],
    golds: Sequence[Sequence[GoldDocument]],
    documents: Sequence[Sequence[Document]],
    lexicon: Lexicon,
    known: set[str],
) -> float:
    """The height for given mentions."""
    accuracies = []
    for height in GIVEN_HEIGHTS:
        answers = _resolved(weights, documents, lexicon, height)
        scores = [mention_scores(some, listed, known) for some, listed in zip(golds, answers)]
        accuracies.append(float(np.mean([each.accuracy for each in scores])))
        shown = ", ".join(f"{each.name} {100 * got.accuracy:.1f}" for each, got in zip(SETS, scores))
        print(f"given mentions, accept {height:g}: {shown}", flush=True)
    return next(height for height, got in zip(GIVEN_HEIGHTS, accuracies) if got >= max(accuracies) - _LOST)


def _resolved(
    weights: Sequence[Array], documents: Sequence[Sequence[Document]], lexicon: Lexicon, height: float
) -> list[list[Document]]:
    """The documents of each set, every one by weights that have not seen it."""
    resolvers = [
        Resolver(lexicon, scorer=GeneScorer(each, accept=height, accept_given=height, margin=MARGIN))
        for each in weights
    ]
    return [
        [
            resolvers[fold].resolve(document)
            for fold, document in zip(folds_of(np.array([int(each.id) for each in listed]), FOLDS), listed)
        ]
        for listed in documents
    ]


def _percent(scores: SetScores) -> str:
    return f"P {100 * scores.precision:.1f} R {100 * scores.recall:.1f} F {100 * scores.f:.1f}"


def _facts(made: Examples, regparam: float, mean: float, scores: Sequence[SetScores]) -> dict[str, Any]:
    return {
        "sets": [each.name for each in SETS],
        "documents": len(np.unique(made.documents)),
        "candidates": len(made.targets),
        "right": int((made.targets > 0).sum()),
        "regparam": regparam,
        "cross_validated": {each.name: got._asdict() for each, got in zip(SETS, scores)},
        "mean_f": mean,
    }


if __name__ == "__main__":
    sys.exit(main())
