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
from numpy.typing import ArrayLike, NDArray

from lab.training.extraction.left_out import LeftOut
from ppi.errors import MissingExtraError
from ppi.extraction.calibration import KINDS

#: Ways to calibrate: by a curve or by steps, each pair or each corpus counting the same.
METHODS = tuple(f"{kind} by {unit}" for kind in KINDS for unit in ("pairs", "corpora"))
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


def nested_probabilities(models: LeftOut, method: str) -> dict[str, NDArray[np.float64]]:
    """For each corpus the probabilities by a model and a calibration that have not seen it."""
    return {
        name: models.calibration(method, without=name)(models.scores(name, without=[name])) for name in models.names
    }


def judge_calibrations(models: LeftOut) -> tuple[str, dict[str, dict[str, Reliability]]]:
    """The method with the least log loss, mean over the corpora left out; and all figures by method and corpus.

    ``pooled`` puts the pairs of all corpora together.
    """
    found: dict[str, dict[str, Reliability]] = {}
    for method in METHODS:
        probabilities = nested_probabilities(models, method)
        found[method] = {name: reliability(p, models.labels(name)) for name, p in probabilities.items()}
        found[method]["pooled"] = reliability(np.concatenate(list(probabilities.values())), models.rows.labels)
    losses = {method: np.mean([found[method][name].log_loss for name in models.names]) for method in METHODS}
    return min(losses, key=lambda method: losses[method]), found


def plot_reliability(measured: Mapping[str, Reliability], path: str | Path) -> None:
    """A diagram a corpus: share of positives against probability, points as large as their bins."""
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plots") from None
    columns = 3
    rows = -(-len(measured) // columns)
    figure = Figure(figsize=(3.2 * columns, 3.4 * rows), layout="constrained")
    FigureCanvasSVG(figure)
    for axes, (name, one) in zip(np.ravel(figure.subplots(rows, columns, squeeze=False)), measured.items()):
        means, shares, sizes = np.array(one.bins).T
        axes.plot([0, 1], [0, 1], color="#9aa0a6", linestyle="--", linewidth=1)
        # twice the standard error of a share of that many pairs
        error = 2 * np.sqrt(np.maximum(shares * (1 - shares), 1 / (4 * sizes)) / sizes)
        axes.errorbar(means, shares, yerr=error, color="#1f4e79", linewidth=1, elinewidth=0.8)
        axes.scatter(means, shares, s=8 + 120 * sizes / sizes.max(), color="#1f4e79", alpha=0.6, linewidth=0)
        axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="probability", ylabel="share that interact", aspect="equal")
        axes.set_title(f"{name}: ECE {one.ece:.3f}, Brier {one.brier:.3f}", fontsize=9)
        axes.spines[["top", "right"]].set_visible(False)
    with matplotlib.rc_context({"svg.hashsalt": "reliability"}):  # the same figures give the same bytes
        figure.savefig(Path(path), metadata={"Date": None})
