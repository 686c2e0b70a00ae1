"""Figs. 1 and 2 of the large-scale experiments: validation error against iterations."""

from __future__ import annotations

from typing import Any

import numpy as np

from lab.frame.experiment import Picture

#: as many lines as the eye can tell apart
_MAX_LINES = 6


def error_curves(name: str, curves: list[dict[str, Any]], caption: str) -> Picture:
    """A line for each of a few regparams, from the smallest (dark) to the largest (light), and for early stopping."""

    def draw(figure: Any) -> None:
        from matplotlib import colormaps

        axes = figure.subplots()
        stopped, *converged = curves
        shown = [converged[i] for i in _spread(len(converged), _MAX_LINES)]
        for colour, curve in zip(colormaps["viridis"](np.linspace(0.0, 0.9, len(shown))), shown):
            label = f"$2^{{{np.log2(curve['regparam']):.0f}}}$"
            axes.plot(curve["iterations"], curve["errors"], color=colour, label=label)
        axes.plot(stopped["iterations"], stopped["errors"], "o", color="#c0392b", label="0", zorder=3)
        axes.set(xscale="log", yscale="log", xlabel="iterations", ylabel="validation error", title=f"from {name}")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("{x:g}")
        axes.legend(title="regparam")

    return Picture(name, caption, draw, size=(6.0, 3.8))


def _spread(n: int, at_most: int) -> list[int]:
    """Indices of at most so many of n items, evenly spaced, the first and the last among them."""
    places: list[int] = np.unique(np.linspace(0, n - 1, min(n, at_most)).round().astype(int)).tolist()
    return places
