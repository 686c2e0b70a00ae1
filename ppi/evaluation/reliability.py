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

_BINS = 10
#: Probabilities are kept this far from 0 and 1 in the log loss.
_LOG_FLOOR = 1e-6


@dataclass(frozen=True)
class Reliability:
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
        return {**asdict(self), "bins": [list(each) for each in self.bins]}


def reliability(probabilities: ArrayLike, labels: ArrayLike) -> Reliability:
    """Measure; labels above 0 are positive.

    >>> measured = reliability([0.25, 0.25, 0.25, 0.25], [1, -1, -1, -1])
    >>> measured.ece, measured.brier
    (0.0, 0.1875)
    """
    p, positive = np.asarray(probabilities, dtype=np.float64), np.asarray(labels) > 0
    inside = np.clip(p, _LOG_FLOOR, 1 - _LOG_FLOOR)
    bin_of = np.minimum((p * _BINS).astype(int), _BINS - 1)
    bins = tuple(
        (float(p[here].mean()), float(positive[here].mean()), int(here.sum()))
        for here in (bin_of == number for number in range(_BINS))
        if here.any()
    )
    return Reliability(
        pairs=len(p),
        positive=int(positive.sum()),
        mean_probability=float(p.mean()),
        log_loss=float(-np.mean(np.log(np.where(positive, inside, 1 - inside)))),
        brier=float(np.mean((p - positive) ** 2)),
        ece=sum(n / len(p) * abs(mean - share) for mean, share, n in bins),
        bins=bins,
    )
