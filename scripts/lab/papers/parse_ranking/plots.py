"""The figures of the results page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ppi.evaluation.plots import save_plot

_INK, _RED, _GREY = "#1f4e79", "#c0392b", "#9aa0a6"


def plot_errors(rows: Sequence[Mapping[str, Any]], title: str, path: Path) -> None:
    """Disagreement errors of all methods as bars; published ones as dots."""
    shown = list(reversed(rows))

    def draw(axes: Any) -> None:
        places = range(len(shown))
        axes.barh(places, [row["error"] for row in shown], color=[_colour(row) for row in shown], height=0.65)
        published = [(place, row["published_error"]) for place, row in zip(places, shown) if row["published_error"]]
        if published:
            axes.plot([error for _, error in published], [place for place, _ in published], "o", color=_RED, ms=4)
        for place, row in zip(places, shown):
            axes.text(row["error"] + 0.005, place, f"{row['error']:.3f}", va="center", fontsize=7)
        axes.set_yticks(list(places), [row["method"] for row in shown], fontsize=7)
        axes.set(xlabel="disagreement error (dots: published, other data)", title=title, xlim=(0, 0.55))

    save_plot(draw, path, size=(7.0, 0.9 + 0.28 * len(rows)))


def _colour(row: Mapping[str, Any]) -> str:
    return _INK if row["training_sentences"] else _GREY


def plot_curves(curves: Mapping[str, Any], path: Path) -> None:
    """Cross-validation estimates with hold-out basis vectors kept and removed [Paper III, Fig. 1]."""

    def draw(axes: Any) -> None:
        axes.plot(curves["regparams"], curves["kept"], color=_RED, marker="o", ms=3, label="kept")
        axes.plot(curves["regparams"], curves["removed"], color=_INK, marker="o", ms=3, label="removed")
        axes.set_xscale("log")
        axes.set(xlabel="regparam", ylabel="mean squared error", title="Basis vectors of the sentences held out")
        axes.legend(frameon=False)

    save_plot(draw, path, size=(5.5, 3.6))
