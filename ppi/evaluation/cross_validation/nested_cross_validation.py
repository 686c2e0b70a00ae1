"""Document-level cross-validation of an extractor on one corpus [Airola2008, "Corpora and evaluation criteria"].

In every outer fold regparam and threshold are chosen on the training part only, by leave-document-out.  Pairs of a
mention with itself are left out; every other annotated mention pair counts.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import KW_ONLY, dataclass, field
from importlib.metadata import version
from statistics import fmean, stdev
from typing import Any

import numpy as np

from corpora import Document, make_folds
from learners import auc, auc_interval, bootstrap_interval, precision_recall_f, scores_at
from ppi.core import Stages, TrainingError
from ppi.evaluation.error_analysis import (
    DocumentMetrics,
    Mistake,
    TypeMetrics,
    measure_documents,
    measure_types,
    worst_mistakes,
)
from ppi.evaluation.records import JsonRecord
from ppi.extraction import (
    Examples,
    FoldOutcome,
    IdPair,
    Settings,
    add_extra_corpora,
    choose_parser,
    make_learner,
    prepare_corpora,
)

MEASURES = ("precision", "recall", "f", "auc")


class Clock:
    """Seconds of each stage; ``previous`` are those of stages that are over."""

    def __init__(self, **previous: float) -> None:
        self._stages = dict(previous)
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """End a stage; the next one begins."""
        now = time.perf_counter()
        self._stages[stage] = now - self._last
        self._last = now

    def seconds(self) -> dict[str, float]:
        """Of each stage, and ``total``."""
        rounded = {stage: round(value, 3) for stage, value in self._stages.items()}
        return {**rounded, "total": round(sum(self._stages.values()), 3)}


@dataclass(frozen=True)
class FoldScores(JsonRecord):
    """Measures of one test fold; None where a fold lacks one of the classes.

    ``baseline_precision`` and ``baseline_f`` are those of calling every pair an interaction (co-occurrence).
    """

    fold: int
    documents: int
    pairs: int
    positive: int
    regparam: float
    threshold: float
    precision: float | None
    recall: float | None
    f: float | None
    auc: float | None
    baseline_precision: float | None
    baseline_f: float | None


def score_fold(
    fold: int, labels: np.ndarray, scores: np.ndarray, *, documents: int, regparam: float, threshold: float
) -> FoldScores:
    """Measure one fold, as far as its classes allow."""
    positive = labels > 0
    n_positive, n_pairs = int(positive.sum()), len(labels)
    predicted = scores >= threshold
    precision, recall, f = _rates(int(np.sum(predicted & positive)), int(predicted.sum()), n_positive)
    baseline_precision, _, baseline_f = _rates(n_positive, n_pairs, n_positive)
    return FoldScores(
        fold=fold,
        documents=documents,
        pairs=n_pairs,
        positive=n_positive,
        regparam=regparam,
        threshold=threshold,
        precision=precision,
        recall=recall,
        f=f,
        auc=auc(positive, scores) if 0 < n_positive < n_pairs else None,
        baseline_precision=baseline_precision,
        baseline_f=baseline_f,
    )


def _rates(hits: int, n_predicted: int, n_positive: int) -> tuple[float, float, float] | tuple[None, None, None]:
    """Precision, recall and F; None where there is nothing to find."""
    return precision_recall_f(hits, n_predicted, n_positive) if n_positive else (None, None, None)


def mean_and_std(folds: list[FoldScores]) -> tuple[dict[str, float | None], dict[str, float | None]]:
    """Mean and standard deviation over the folds that have the measure."""
    means: dict[str, float | None] = {}
    stds: dict[str, float | None] = {}
    for measure in MEASURES:
        values = [value for fold in folds if (value := getattr(fold, measure)) is not None]
        means[measure] = fmean(values) if values else None
        stds[measure] = stdev(values) if len(values) > 1 else None
    return means, stds


def baseline_mean(folds: list[FoldScores]) -> dict[str, float]:
    """The co-occurrence baseline, averaged over folds as the other figures are."""
    scored_folds = [fold for fold in folds if fold.baseline_f is not None]
    return {
        "precision": fmean(fold.baseline_precision or 0.0 for fold in scored_folds),
        "recall": 1.0,
        "f": fmean(fold.baseline_f or 0.0 for fold in scored_folds),
        "auc": 0.5,
    }


def pool_scores(
    labels: np.ndarray, scores: np.ndarray, thresholds: np.ndarray, documents: np.ndarray, *, random_state: int = 0
) -> dict[str, Any]:
    """All test pairs together, each against the threshold of its fold.

    The interval of AUC is DeLong's, that of F a bootstrap over whole documents.
    """
    positive = labels > 0
    margins = scores - thresholds
    pooled = scores_at(positive, margins, 0.0)
    interval = auc_interval(positive, scores)
    f_interval = bootstrap_interval(
        lambda y, s: scores_at(y, s, 0.0).f, positive, margins, groups=documents, random_state=random_state
    )
    return {
        "precision": pooled.precision,
        "recall": pooled.recall,
        "f": pooled.f,
        "f_interval": [f_interval.low, f_interval.high],
        "auc": interval.auc,
        "auc_interval": [interval.low, interval.high],
    }


@dataclass(frozen=True)
class CorpusEvaluation:
    """What every evaluation on a corpus holds, whether of folds or of a trained model.

    ``documents`` are figures of pairs of identifiers, where the corpus relates identifiers; ``types`` by the names of
    its relations; ``counts``, ``notes`` and ``problems`` tell which pairs became examples.
    """

    corpus: str
    settings: Settings
    parser: str | None
    _: KW_ONLY
    pairs: list[dict[str, Any]]
    seconds: dict[str, float]
    fold_of: dict[str, int] = field(default_factory=dict)
    seed: int | None = None
    documents: DocumentMetrics | None = None
    types: list[TypeMetrics] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    written_by: str = field(default_factory=lambda: f"ppi-miner {version('ppi-miner')}")

    def summary(self) -> dict[str, Any]:
        """The figures, without pairs."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain JSON values."""
        return {
            **self.summary(),
            "written_by": self.written_by,
            "fold_of": self.fold_of,
            "pairs": self.pairs,
            "mistakes": [mistake.to_dict() for mistake in self.mistakes],
        }


@dataclass(frozen=True, kw_only=True)
class Evaluation(CorpusEvaluation):
    """Everything about one cross-validation: figures, folds, every pair's score, and where the time went."""

    extra: dict[str, int]
    folds: list[FoldScores]
    pooled: dict[str, Any]
    scaled_graphs: int = 0

    def summary(self) -> dict[str, Any]:
        """The figures, without pairs: what ``ppi evaluate --json`` prints."""
        mean, std = mean_and_std(self.folds)
        return {
            "corpus": self.corpus,
            **{key: value for key, value in self.settings.to_dict().items() if key != "parser"},
            "parser": self.parser,
            "extra": self.extra,
            "seed": self.seed,
            "folds": [fold.to_dict() for fold in self.folds],
            "mean": mean,
            "std": std,
            "pooled": self.pooled,
            "baseline": baseline_mean(self.folds),
            "scaled_graphs": self.scaled_graphs,
            "seconds": self.seconds,
            "types": [row.to_dict() for row in self.types],
            "by_document": None if self.documents is None else self.documents.to_dict(),
            "counts": dict(self.counts),
            "notes": list(self.notes),
        }


def evaluate(
    corpus: str,
    documents: Sequence[Document],
    settings: Settings,
    *,
    folds: Mapping[str, int] | None = None,
    n: int = 10,
    seed: int = 0,
    extra: Mapping[str, Sequence[Document]] | None = None,
) -> Evaluation:
    """Cross-validate on the annotated pairs of ``documents``.

    Parameters
    ----------
    folds
        The fold of each document that has pairs; by default ``n`` folds are made from the ``seed``.
    extra
        Other corpora by name, whose models every fold may start from; documents shared with ``documents`` are
        left out of them.
    """
    assignment = make_folds(documents, n, seed=seed) if folds is None else folds
    return evaluate_repeatedly(corpus, documents, settings, folds=[assignment], extra=extra)[0]


def evaluate_repeatedly(
    corpus: str,
    documents: Sequence[Document],
    settings: Settings,
    *,
    folds: Sequence[Mapping[str, int]],
    extra: Mapping[str, Sequence[Document]] | None = None,
    read_seconds: float = 0.0,
    concepts: Mapping[str, frozenset[IdPair]] | None = None,
) -> list[Evaluation]:
    """:func:`evaluate` with several assignments to folds, for little more than the cost of one.

    The seconds of the results are those of all of them together.  ``concepts`` are the pairs of identifiers that each
    document relates, for metrics by document.
    """
    clock = Clock(read=read_seconds)
    with closing(Stages(corpus, total=4)) as stages:
        stages.begin("features")
        prepared = prepare_corpora(add_extra_corpora({corpus: documents}, extra or {}), settings)
        examples = prepared.examples[corpus]
        fold_of = [_fold_per_example(corpus, examples, assignment) for assignment in folds]
        for fold_numbers in fold_of:
            _check_folds(corpus, examples, fold_numbers)
        clock.lap("features")
        stages.advance()
        stages.begin("models of the extra corpora" if extra else "design")
        rows = prepared.rows([corpus], starting_from=list(extra or ()))
        clock.lap("prior")
        stages.advance()
        stages.begin("Gram matrix")
        learner = make_learner(settings)
        learner.prepare(rows)
        clock.lap("gram")
        stages.advance()
        stages.begin("learning")
        repeated_outcomes = learner.cross_validate_nested(rows, fold_of)
        clock.lap("learning")
        stages.advance()
    return [
        Evaluation(
            corpus=corpus,
            settings=settings,
            parser=settings.parser or choose_parser(documents),
            extra={name: len(prepared.examples[name]) for name in extra or ()},
            seconds=clock.seconds(),
            scaled_graphs=prepared.map.n_scaled_,
            **_fold_results(examples, fold_numbers, outcomes, concepts or {}),
        )
        for fold_numbers, outcomes in zip(fold_of, repeated_outcomes, strict=True)
    ]


def _fold_results(
    examples: Examples,
    fold_of: np.ndarray,
    outcomes: list[FoldOutcome],
    concepts: Mapping[str, frozenset[IdPair]],
) -> dict[str, Any]:
    """The fields of an evaluation that depend on the assignment to folds."""
    scores, thresholds = np.empty(len(examples)), np.empty(len(examples))
    folds = []
    for number, outcome in zip(np.unique(fold_of).tolist(), outcomes, strict=True):
        scores[outcome.test], thresholds[outcome.test] = outcome.scores, outcome.threshold
        folds.append(
            score_fold(
                number,
                examples.labels[outcome.test],
                outcome.scores,
                documents=len(np.unique(examples.documents[outcome.test])),
                regparam=outcome.regparam,
                threshold=outcome.threshold,
            )
        )
    margins = scores - thresholds
    return {
        "fold_of": {str(id): int(fold) for id, fold in zip(examples.documents, fold_of, strict=True)},
        "folds": folds,
        "pairs": pair_rows(examples, scores, margins, folds=fold_of.tolist()),
        "pooled": pool_scores(examples.labels, scores, thresholds, examples.documents),
        "documents": measure_documents(examples, concepts, margins, margins),
        "types": measure_types(examples, margins),
        "mistakes": worst_mistakes(examples, margins),
    }


def _fold_per_example(corpus: str, examples: Examples, folds: Mapping[str, int]) -> np.ndarray:
    """The fold of each example, by its document."""
    if missing := sorted({str(id) for id in examples.documents if id not in folds}):
        raise TrainingError(
            f"expected a fold for every document of {corpus} that has pairs, got none for {len(missing)} of them "
            f"(the first is {missing[0]!r}); name documents by their ids, as `ppi corpus folds` does"
        )
    return np.array([folds[id] for id in examples.documents])


def _check_folds(corpus: str, examples: Examples, fold_of: np.ndarray) -> None:
    for fold in np.unique(fold_of):
        training = examples.labels[fold_of != fold]
        if len(np.unique(training)) < 2:
            raise TrainingError(
                f"expected both positive and negative pairs in the training part of fold {fold} of {corpus}, got "
                f"{len(training)} pairs of one kind; use fewer folds"
            )
        if len(np.unique(examples.documents[fold_of != fold])) < 2:
            raise TrainingError(
                f"expected at least 2 documents in the training part of fold {fold} of {corpus}, got fewer; "
                "parameters are chosen by leaving documents out"
            )


def pair_rows(
    examples: Examples,
    scores: np.ndarray,
    margins: np.ndarray,
    *,
    folds: Sequence[int] | None = None,
    probabilities: np.ndarray | None = None,
) -> list[dict[str, Any]]:
    """One object per pair, for reports; ``margins`` of 0 and more are interactions."""
    return [
        {
            "document": graph.document_id,
            "pair": graph.pair.id,
            "fold": None if folds is None else folds[row],
            "label": bool(examples.labels[row] > 0),
            "score": float(scores[row]),
            **({} if probabilities is None else {"probability": float(probabilities[row])}),
            "interacts": bool(margins[row] >= 0),
        }
        for row, graph in enumerate(examples.graphs)
    ]
