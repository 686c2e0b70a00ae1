"""The five corpora on the folds of a published transformer system, by its measure; and what those folds leak.

The system (BioBERT with attention context, 2022) gives its folds pair by pair, and calls F1 what is the micro average
over both classes, that is the share of right decisions.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import corpora
from corpora.folds import audit, document_folds, make_folds, read_folds
from corpora.types import Document
from lab.frame.cache import Part
from lab.frame.experiment import Experiment, Findings, OwnPage, RunSettings
from lab.frame.page import markdown_table
from lab.frame.result import Result, Table
from lab.papers.paper5 import published_folds
from learners.metrics import auc, scores_at
from ppi.errors import TrainingError
from ppi.extraction.calibration import fit_by_method
from ppi.extraction.learning import LeastSquaresLearner, make_learner
from ppi.extraction.outcomes import FoldOutcome
from ppi.extraction.preparation import prepare
from ppi.extraction.settings import Settings

FOLDS = "transformer-10fold.tsv.gz"
#: Accuracy in percent: "F1", the micro average over both classes.
PUBLISHED = {"AImed": 92.0, "BioInfer": 91.3, "HPRD50": 88.2, "IEPA": 87.4, "LLL": 89.4}
MEASURES = ("accuracy", "F", "AUC")
#: In units of the mean squared norm; lower than elsewhere, as pairs of a sentence that is split are near doubles.
REGPARAMS = 2.0 ** np.arange(-8, 2)
GIVEN, WHOLE = "their folds", "whole documents"


@dataclass(frozen=True)
class Options:
    """Which corpora, the seeds of the folds of whole documents, and the extractor's kernel."""

    corpora: tuple[str, ...] = tuple(PUBLISHED)
    seeds: tuple[int, ...] = (0,)
    kernel: str = "composite-clusters"
    degree: int = 2


def run(settings: RunSettings) -> Findings:
    """Each corpus alone, on both kinds of folds from one decomposition; each is kept as soon as it is done."""
    options: Options = settings.options
    if settings.tiny:
        options = replace(options, corpora=tuple(name for name in options.corpora if name in ("HPRD50", "LLL")))
        options = replace(options, kernel="path")
    extractor = Settings(kernel=options.kernel, degree=options.degree, learner="rls")
    folds = settings.file(FOLDS)
    parts = [
        Part(
            f"transformer-folds {name}",
            {
                "corpus": corpora.find(name),
                "folds": folds,
                "seeds": options.seeds,
                "settings": extractor,
                "grid": REGPARAMS.tolist(),
            },
            partial(measured, name, folds, extractor, options.seeds),
        )
        for name in options.corpora
    ]
    settings.progress(f"cross-validation of {', '.join(options.corpora)}")
    found, unfinished = settings.cache.finished(parts, crew=settings.crew)
    if unfinished:
        return Findings(unfinished=unfinished)
    results = dict(zip(options.corpora, found, strict=True))
    points = {"settings": {"kernel": extractor.kernel, "degree": extractor.degree}, "corpora": results}
    return Findings([accuracy_table(results), measures_table(results), leaks_table(results)], points=points)


def measured(name: str, folds: Path, settings: Settings, seeds: Sequence[int]) -> dict[str, Any]:
    """What one corpus has to tell: the measures on both kinds of folds, and what theirs leak."""
    documents = list(corpora.load(name))
    given = pair_folds(folds, name)
    prepared = prepare({name: documents}, settings)
    rows, examples = prepared.rows([name]), prepared.examples[name]
    if missing := [graph.pair.id for graph in examples.graphs if graph.pair.id not in given]:
        raise TrainingError(
            f"expected a fold for every pair of {name} in {folds.name}, got none for {len(missing)}, such as "
            f"{missing[0]!r}"
        )
    theirs = np.array([given[graph.pair.id] for graph in examples.graphs])
    whole = [np.array([each[id] for id in rows.documents]) for each in _document_folds(name, documents, seeds)]
    learner = make_learner(settings)
    assert isinstance(learner, LeastSquaresLearner)
    outcomes = replace(learner, grid=REGPARAMS, inner="folds").nested(rows, [theirs, *whole])
    figures = [[fold_figures(rows.labels, outcome) for outcome in each] for each in outcomes]
    report = audit(documents, [(str(fold), id) for id, fold in given.items()], path=folds)
    return {
        "pairs": len(rows),
        "negative": float(np.mean(rows.labels < 0)),
        GIVEN: _mean(figures[0]),
        WHOLE: _mean([fold for each in figures[1:] for fold in each]),
        "leaks": {
            "document": report.document_in_training / report.test_pairs,
            "sentence": report.identical_sentence_in_training / report.test_pairs,
        },
    }


def pair_folds(path: Path, corpus: str) -> dict[str, int]:
    """The fold of each pair of a corpus: lines of ``corpus, pair, fold``."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        return {
            row["pair"]: int(row["fold"]) for row in csv.DictReader(lines, delimiter="\t") if row["corpus"] == corpus
        }


def _document_folds(name: str, documents: Sequence[Document], seeds: Sequence[int]) -> list[dict[str, int]]:
    """The published ones where there are, otherwise one assignment for each seed."""
    published = published_folds(name, corpora.find(name))
    if published is not None:
        return [document_folds(documents, read_folds(published), path=published)]
    return [make_folds(documents, 10, seed=seed) for seed in seeds]


def fold_figures(labels: NDArray[np.float64], outcome: FoldOutcome) -> dict[str, float]:
    """Accuracy, F of the positive class and AUC of a fold, each decision at a threshold of its training part.

    Decisions for accuracy are at the score whose probability is one half, by Platt's calibration of the scores held
    out inside the training part; for F at the threshold with the best F on them.
    """
    positive = labels[outcome.test] > 0
    half = even_score(labels[outcome.training], outcome.held_out)
    return {
        "accuracy": float(np.mean((outcome.scores >= half) == positive)),
        "F": scores_at(positive, outcome.scores, outcome.threshold).f,
        "AUC": auc(positive, outcome.scores) if 0 < positive.sum() < len(positive) else float("nan"),
    }


def even_score(labels: NDArray[np.float64], scores: NDArray[np.float64]) -> float:
    """The score with the probability one half: p(s) = 1 / (1 + exp(-(a s + b))) is that at -b / a."""
    a, b = fit_by_method("platt by pairs", scores, labels, np.zeros(len(labels), dtype=np.intp)).values
    return -b / a if a > 0 else float(np.inf if b < 0 else -np.inf)


def _mean(folds: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {measure: float(np.nanmean([fold[measure] for fold in folds])) for measure in MEASURES}


def accuracy_table(results: Mapping[str, Mapping[str, Any]]) -> Table:
    """Their measure on their folds, and on whole documents; beside both, what calling every pair negative scores."""
    rows = [GIVEN, WHOLE, "every pair negative"]
    ours = [[100 * result[kind]["accuracy"] for result in results.values()] for kind in (GIVEN, WHOLE)]
    ours.append([100 * result["negative"] for result in results.values()])
    none: list[Any] = [None] * len(results)
    published = [[PUBLISHED.get(name) for name in results], none, none]
    return Table("Accuracy, in square brackets the transformer's", rows, list(results), ours, published, digits=1)


def measures_table(results: Mapping[str, Mapping[str, Any]]) -> Table:
    """F of the positive class and AUC on both kinds of folds."""
    wanted = [(measure, kind) for measure in ("F", "AUC") for kind in (GIVEN, WHOLE)]
    rows = [f"{measure}, {kind}" for measure, kind in wanted]
    ours = [[100 * result[kind][measure] for result in results.values()] for measure, kind in wanted]
    return Table("F of the positive class, and AUC", rows, list(results), ours, digits=1)


def leaks_table(results: Mapping[str, Mapping[str, Any]]) -> Table:
    """Of the test pairs, in percent: their document, or their very sentence, is also in training."""
    rows = {"its document is in training": "document", "its sentence, word for word": "sentence"}
    ours: list[list[Any]] = [[result["pairs"] for result in results.values()]]
    ours += [[100 * result["leaks"][key] for result in results.values()] for key in rows.values()]
    title = "What their folds leak: of the test pairs, percent"
    return Table(title, ["test pairs", *rows], list(results), ours, digits=1)


PROTOCOL = """Made by `scripts/reproduce transformer-folds`. The folds are those of a published transformer system
(BioBERT with attention context, 2022), given pair by pair, and the measure is its own: the micro average of F over both
classes, which is the share of right decisions. F of the positive class and AUC stand below, as the other pages have
them. Each corpus alone; no other corpus is a starting point. Regparam (2^-8 to 2, by AUC) and thresholds are chosen
inside the training part, by leaving the other folds out one by one: where the folds split documents, the choice is made
on pairs that are as close to their training data as the test pairs are. Decisions for accuracy are at the score whose
probability is one half by Platt's calibration of the scores held out, those for F at the best F on them. Whole
documents: the published folds of AImed, ten folds from the seed 0 of the others, and the same choices."""


def paragraphs(result: Result) -> list[str]:
    """The page."""
    settings = result.points["settings"]
    made = f"Kernel `{settings['kernel']}`, degree {settings['degree']}, learner `rls`."
    parts = ["# Against a transformer, on its own folds", PROTOCOL, made]
    for table in result.tables:
        parts += [f"**{table.title}**", markdown_table(table)]
    return [*parts, *REMARKS]


REMARKS = (
    "Only AImed's folds keep documents whole; those of the others put pairs of one sentence into training and test. "
    "`ppi corpus folds CORPUS --audit FOLDS` counts that for any folds. What a fold that splits sentences adds is the "
    "difference between our two rows; what the transformer is worth on whole documents we do not know, so how much of "
    "its figure is of this kind cannot be told from outside.",
)

EXPERIMENT = Experiment(
    name="transformer-folds",
    title="Against a transformer, on its own folds",
    source="Folds and accuracies of BioBERT with attention context, 2022.",
    protocol=PROTOCOL,
    data=(FOLDS,),
    run=run,
    options=Options(),
    page=OwnPage("transformer_folds.md", paragraphs),
)
