"""Reliability diagrams."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ppi.evaluation import CalibrationMetrics, save_figure


def plot_reliability(measured: Mapping[str, CalibrationMetrics], path: str | Path) -> None:
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
