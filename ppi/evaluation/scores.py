"""Precision, recall, F and AUC of folds, their means, and the pooled values with intervals."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import fmean, stdev
from typing import Any

import numpy as np

from learners.metrics import auc, auc_interval, bootstrap_interval, precision_recall_f, scores_at

MEASURES = ("precision", "recall", "f", "auc")


@dataclass(frozen=True)
class FoldScores:
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

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


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
