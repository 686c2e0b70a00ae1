"""The figures of docs/parse_ranking.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from lab.frame.experiment import Picture
from lab.frame.plots import COLOURS, GREY
from lab.frame.result import Result

_INK, _RED = COLOURS[:2]


def pictures(result: Result) -> list[Picture]:
    """One figure for each generator, and the curves."""
    found = []
    for generator in ("link-grammar", "beam"):
        if generator in result.points:
            rows = result.points[generator]["rows"]
            draw = partial(_draw_errors, rows, generator)
            found.append(
                Picture(generator, "Disagreement errors", draw, (7.0, 0.9 + 0.28 * len(rows)), _file(generator))
            )
    if "basis" in result.points:
        draw = partial(_draw_curves, result.points["basis"]["curves"])
        found.append(Picture("basis", "Kept and removed", draw, (5.5, 3.6), _file("basis")))
    return found


def _file(name: str) -> str:
    return f"parse_ranking_{name}.png"


def _draw_errors(rows: Sequence[Mapping[str, Any]], title: str, figure: Any) -> None:
    """Disagreement errors of all methods as bars; published ones as dots."""
    axes, shown = figure.subplots(), list(reversed(rows))
    places = range(len(shown))
    axes.barh(places, [row["error"] for row in shown], color=[_colour(row) for row in shown], height=0.65)
    published = [(place, row["published_error"]) for place, row in zip(places, shown) if row["published_error"]]
    if published:
        axes.plot([error for _, error in published], [place for place, _ in published], "o", color=_RED, ms=4)
    for place, row in zip(places, shown):
        axes.text(row["error"] + 0.005, place, f"{row['error']:.3f}", va="center", fontsize=7)
    axes.set_yticks(list(places), [row["method"] for row in shown], fontsize=7)
    axes.set(xlabel="disagreement error (dots: published, other data)", title=title, xlim=(0, 0.55))


def _colour(row: Mapping[str, Any]) -> str:
    return _INK if row["training_sentences"] else GREY


def _draw_curves(curves: Mapping[str, Any], figure: Any) -> None:
    """Cross-validation estimates with hold-out basis vectors kept and removed [Paper III, Fig. 1]."""
    axes = figure.subplots()
    axes.plot(curves["regparams"], curves["kept"], color=_RED, marker="o", ms=3, label="kept")
    axes.plot(curves["regparams"], curves["removed"], color=_INK, marker="o", ms=3, label="removed")
    axes.set_xscale("log")
    axes.set(xlabel="regparam", ylabel="mean squared error", title="Basis vectors of the sentences held out")
    axes.legend()
