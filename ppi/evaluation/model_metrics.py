"""Metrics of one set of pairs: precision, recall and F at thresholds, AUC, average precision, and calibration.

Calibration is how well probabilities agree with labels (whether 0.8 means 0.8):

log loss   mean of -log p(label)
Brier      mean of (p - [positive])^2
ECE        sum_bins (n_bin / n) |mean p - prevalence in the bin|, ten bins of equal width
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import average_precision_score

from learners import LabelError, auc, auc_interval, bootstrap_interval, precision_recall_f, scores_at
from ppi.evaluation.records import JsonRecord

_N_BINS = 10
#: Probabilities are kept this far from 0 and 1 in the log loss.
_LOG_FLOOR = 1e-6
#: Probabilities at which precision and recall are given beside the model's own threshold.
PROBABILITY_THRESHOLDS = (0.5, 0.7, 0.9)
#: The name of the model's own threshold.
OWN_THRESHOLD = "threshold"


@dataclass(frozen=True)
class CalibrationMetrics(JsonRecord):
    """Figures of one set of probabilities, and the bins of its diagram (mean p, prevalence, pairs)."""

    pairs: int
    positive: int
    mean_probability: float
    log_loss: float
    brier: float
    ece: float
    bins: tuple[tuple[float, float, int], ...]


def measure_calibration(probabilities: ArrayLike, labels: ArrayLike) -> CalibrationMetrics:
    """Measure calibration; labels above 0 are positive.

    >>> measured = measure_calibration([0.25, 0.25, 0.25, 0.25], [1, -1, -1, -1])
    >>> measured.ece, measured.brier
    (0.0, 0.1875)
    """
    p, positive = np.asarray(probabilities, dtype=np.float64), np.asarray(labels) > 0
    clipped = np.clip(p, _LOG_FLOOR, 1 - _LOG_FLOOR)
    bin_of = np.minimum((p * _N_BINS).astype(int), _N_BINS - 1)
    bins = tuple(
        (float(p[in_bin].mean()), float(positive[in_bin].mean()), int(in_bin.sum()))
        for in_bin in (bin_of == number for number in range(_N_BINS))
        if in_bin.any()
    )
    return CalibrationMetrics(
        pairs=len(p),
        positive=int(positive.sum()),
        mean_probability=float(p.mean()),
        log_loss=float(-np.mean(np.log(np.where(positive, clipped, 1 - clipped)))),
        brier=float(np.mean((p - positive) ** 2)),
        ece=sum(n / len(p) * abs(mean - prevalence) for mean, prevalence, n in bins),
        bins=bins,
    )


@dataclass(frozen=True)
class ThresholdMetrics(JsonRecord):
    """Precision, recall and F where pairs at or above a probability, or the model's threshold, are interactions.

    ``precision`` is None where none is.
    """

    at: str
    called: int
    right: int
    precision: float | None
    recall: float
    f: float


@dataclass(frozen=True)
class ModelMetrics:
    """Figures of one set of pairs; intervals are of 95 %, for F over whole documents; None if there is too little."""

    documents: int
    pairs: int
    positive: int
    thresholds: tuple[ThresholdMetrics, ...]
    average_precision: float
    auc: float
    f_interval: tuple[float, float] | None
    auc_interval: tuple[float, float] | None
    calibration: CalibrationMetrics

    @property
    def own_threshold(self) -> ThresholdMetrics:
        """At the model's own threshold."""
        return self.thresholds[0]

    def summary_metrics(self) -> dict[str, Any]:
        """As a cross-validation has them."""
        return {
            "precision": self.own_threshold.precision or 0.0,
            "recall": self.own_threshold.recall,
            "f": self.own_threshold.f,
            "f_interval": self.f_interval,
            "auc": self.auc,
            "auc_interval": self.auc_interval,
            "average_precision": self.average_precision,
        }

    def baseline(self) -> dict[str, float]:
        """Those of calling every pair an interaction."""
        precision, recall, f = precision_recall_f(self.positive, self.pairs, self.positive)
        return {"precision": precision, "recall": recall, "f": f, "auc": 0.5}

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "documents": self.documents,
            "pairs_judged": self.pairs,
            "positive": self.positive,
            "thresholds": [threshold.to_dict() for threshold in self.thresholds],
            "average_precision": self.average_precision,
            "auc": self.auc,
            "calibration": self.calibration.to_dict(),
        }


def measure_model(
    labels: NDArray[np.float64],
    margins: NDArray[np.float64],
    probabilities: NDArray[np.float64],
    documents: NDArray[Any],
) -> ModelMetrics:
    """Measure a model; there must be pairs of both kinds.

    ``margins`` of 0 and more are interactions at the model's own threshold.
    """
    positive = labels > 0
    predictions = {OWN_THRESHOLD: margins >= 0, **{f"{p:g}": probabilities >= p for p in PROBABILITY_THRESHOLDS}}
    return ModelMetrics(
        documents=len(np.unique(documents)),
        pairs=len(labels),
        positive=int(positive.sum()),
        thresholds=tuple(measure_at_threshold(name, positive, called) for name, called in predictions.items()),
        average_precision=float(average_precision_score(positive, probabilities)),
        auc=auc(positive, probabilities),
        f_interval=_f_interval(positive, margins, documents),
        auc_interval=_auc_interval(positive, probabilities),
        calibration=measure_calibration(probabilities, labels),
    )


def measure_at_threshold(name: str, positive: NDArray[np.bool_], called: NDArray[np.bool_]) -> ThresholdMetrics:
    """Figures of calling these pairs interactions; ``name`` says at what."""
    right, n_called = int(np.sum(positive & called)), int(called.sum())
    precision, recall, f = precision_recall_f(right, n_called, int(positive.sum()))
    return ThresholdMetrics(name, n_called, right, precision if n_called else None, recall, f)


def _f_interval(
    positive: NDArray[np.bool_], margins: NDArray[np.float64], documents: NDArray[Any]
) -> tuple[float, float] | None:
    if len(np.unique(documents)) < 2:
        return None
    try:
        interval = bootstrap_interval(
            lambda y, s: scores_at(y, s, 0.0).f, positive, margins, groups=documents, random_state=0
        )
    except LabelError:  # most draws of so few documents have pairs of one kind
        return None
    return interval.low, interval.high


def _auc_interval(positive: NDArray[np.bool_], probabilities: NDArray[np.float64]) -> tuple[float, float] | None:
    if min(int(positive.sum()), int((~positive).sum())) < 2:
        return None
    interval = auc_interval(positive, probabilities)
    return interval.low, interval.high
