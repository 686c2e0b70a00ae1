"""Whether 0.8 means 0.8: how probabilities agree with labels, in figures and as a diagram.

log loss   mean of -log p(label)
Brier      mean of (p - [positive])^2
ECE        sum_bins (n_bin / n) |mean p - share of positives|, ten bins of equal width
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ppi.evaluation.plots import save_figure

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


def plot_reliability(measured: Mapping[str, Reliability], path: str | Path) -> None:
    """One diagram for each: share of positives against probability, points as large as their bins."""
    columns = 2
    rows = -(-len(measured) // columns)

    def draw(figure: Any) -> None:
        for axes, (name, one) in zip(np.ravel(figure.subplots(rows, columns, squeeze=False)), measured.items()):
            means, shares, sizes = np.array(one.bins).T
            axes.plot([0, 1], [0, 1], color="#9aa0a6", linestyle="--", linewidth=1)
            # twice the standard error of a share of that many pairs
            error = 2 * np.sqrt(np.maximum(shares * (1 - shares), 1 / (4 * sizes)) / sizes)
            axes.errorbar(means, shares, yerr=error, color="#1f4e79", linewidth=1, elinewidth=0.8)
            axes.scatter(means, shares, s=8 + 120 * sizes / sizes.max(), color="#1f4e79", alpha=0.6, linewidth=0)
            axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="probability", ylabel="share that is so", aspect="equal")
            axes.set_title(f"{name}: ECE {one.ece:.3f}, Brier {one.brier:.3f}", fontsize=9)

    save_figure(draw, Path(path), size=(3.4 * columns, 3.4 * rows))
