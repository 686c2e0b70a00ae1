"""Whether 0.8 means 0.8: how probabilities agree with labels.

log loss   mean of -log p(label)
Brier      mean of (p - [positive])^2
ECE        sum_bins (n_bin / n) |mean p - share of positives|, ten bins of equal width
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

_N_BINS = 10
#: Probabilities are kept this far from 0 and 1 in the log loss.
_LOG_FLOOR = 1e-6


@dataclass(frozen=True)
class CalibrationMetrics:
    """Figures of one set of probabilities, and the bins of its diagram (mean p, share of positives, pairs)."""

    pairs: int
    positive: int
    mean_probability: float
    log_loss: float
    brier: float
    ece: float
    bins: tuple[tuple[float, float, int], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {**asdict(self), "bins": [list(bin_row) for bin_row in self.bins]}


def measure_calibration(probabilities: ArrayLike, labels: ArrayLike) -> CalibrationMetrics:
    """Measure; labels above 0 are positive.

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
        ece=sum(n / len(p) * abs(mean - positive_rate) for mean, positive_rate, n in bins),
        bins=bins,
    )
