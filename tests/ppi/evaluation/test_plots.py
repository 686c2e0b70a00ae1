import sys
from pathlib import Path

import numpy as np
import pytest

from ppi.core import MissingExtraError, UsageError
from ppi.evaluation.cross_validation.nested_cross_validation import Evaluation
from ppi.evaluation.reports import plots
from ppi.evaluation.reports.plots import save_figure, save_plot
from ppi.extraction import Settings


def draw(axes):
    axes.plot([1, 2, 3], [3, 1, 2], label="line")
    axes.legend()


@pytest.mark.parametrize(("kind", "mark"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_the_same_plot_is_the_same_bytes(tmp_path, kind, mark):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        save_plot(draw, tmp_path / folder / f"plot.{kind}", size=(2.0, 1.5))
    first, second = ((tmp_path / folder / f"plot.{kind}").read_bytes() for folder in ("one", "two"))
    assert first == second
    assert mark in first
    assert b"Matplotlib v" not in first


def test_other_formats_are_refused_before_anything_is_drawn(tmp_path):
    with pytest.raises(UsageError, match=r"expected the name of a figure to end in one of .*got .*plot\.gif"):
        save_figure(pytest.fail, tmp_path / "plot.gif", size=(1.0, 1.0))


def test_a_plot_that_fails_leaves_nothing(tmp_path):
    with pytest.raises(ZeroDivisionError):
        save_figure(lambda figure: 1 // 0, tmp_path / "plot.svg", size=(1.0, 1.0))
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ppi-miner\[plots\]'"):
        save_figure(pytest.fail, Path("plot.svg"), size=(1.0, 1.0))


class Axes:
    """What was asked of matplotlib's axes, by the name of the method."""

    def __init__(self):
        self.asked = []

    def __getattr__(self, name):
        def method(*arguments, **options):
            self.asked.append((name, arguments, options))
            return [self]

        return method

    def all(self, name):
        return [(arguments, options) for each, arguments, options in self.asked if each == name]


@pytest.fixture
def drawn(monkeypatch):
    """The axes of each file that is asked for, filled but not written."""
    files = {}

    def fill(draw, path, *, size):
        files[path.name] = Axes()
        draw(files[path.name])

    monkeypatch.setattr(plots, "save_plot", fill)
    return files


def result_of(labels, scores):
    pairs = [{"label": bool(label), "score": score} for label, score in zip(labels, scores)]
    pooled = {"precision": 0.5, "recall": 0.75, "f": 0.6, "auc": 0.875}
    return Evaluation("Made", Settings(), None, extra={}, folds=[], pairs=pairs, pooled=pooled, seconds={})


def test_the_curves_of_an_evaluation_by_hand(drawn):
    plots.plot_evaluation(result_of([1, 0, 1, 0], [0.9, 0.8, 0.4, 0.1]), Path("folder/Made"))
    assert set(drawn) == {"Made-roc.png", "Made-pr.png", "Made-scores.png"}
    (x, y), _ = drawn["Made-roc.png"].all("plot")[0]
    assert list(zip(x, y)) == [(0, 0), (0, 0.5), (0.5, 0.5), (0.5, 1), (1, 1)]
    assert drawn["Made-roc.png"].all("set_title") == [(("Made: pooled AUC 87.5",), {})]
    curve, chosen = drawn["Made-pr.png"].all("plot")
    assert list(zip(*curve[0])) == [(1, 0.5), (1, pytest.approx(2 / 3)), (0.5, 0.5), (0.5, 1), (0, 1)]
    assert chosen[0] == (0.75, 0.5, "o")
    assert drawn["Made-pr.png"].all("axhline")[0][0] == (0.5,)  # co-occurrence: the share of positives
    negative, positive = (arguments[0].tolist() for arguments, _ in drawn["Made-scores.png"].all("hist"))
    assert (negative, positive) == ([0.8, 0.1], [0.9, 0.4])


def test_a_heat_map_has_a_number_in_each_cell_that_has_a_value(drawn):
    values = {("a", "b"): 0.9, ("b", "a"): 0.5, ("all but a", "a"): 0.75}
    plots.plot_heat_map(values, ["a", "b"], "AUC", Path("auc.png"))
    axes = drawn["auc.png"]
    ((grid,), _) = axes.all("imshow")[0]
    assert np.array_equal(grid, [[np.nan, 90], [50, np.nan], [75, np.nan]], equal_nan=True)
    texts = {arguments[:2]: (arguments[2], options["color"]) for arguments, options in axes.all("text")}
    assert texts == {(1, 0): ("90.0", "white"), (0, 1): ("50.0", "black"), (0, 2): ("75.0", "white")}
    assert axes.all("set_yticks")[0][0][1] == ["a", "b", "all but a"]


def test_learning_curves_are_in_per_cent_with_a_band_of_one_deviation(drawn):
    plots.plot_learning_curves({"a": [(10, 0.6, 0.1), (20, 0.7, 0.05)]}, Path("curves.png"))
    axes = drawn["curves.png"]
    (sizes, means), options = axes.all("plot")[0]
    assert (sizes.tolist(), means.tolist(), options["label"]) == ([10, 20], pytest.approx([60, 70]), "a")
    _, low, high = axes.all("fill_between")[0][0]
    assert (low.tolist(), high.tolist()) == (pytest.approx([50, 65]), pytest.approx([70, 75]))
    assert axes.all("set_xscale") == [(("log",), {})]


def test_a_plot_without_matplotlib_leaves_no_file(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for plot in (
        lambda: plots.plot_heat_map({("a", "b"): 0.5}, ["a", "b"], "AUC", tmp_path / "auc.png"),
        lambda: plots.plot_learning_curves({"a": [(1, 0.5, 0.0)]}, tmp_path / "curves.png"),
        lambda: plots.plot_evaluation(result_of([1, 0], [1.0, 0.0]), tmp_path / "Made"),
    ):
        with pytest.raises(MissingExtraError, match="plots"):
            plot()
    assert list(tmp_path.iterdir()) == []
