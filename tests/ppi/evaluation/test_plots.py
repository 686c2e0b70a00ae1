import sys
from pathlib import Path

import pytest

from ppi.errors import MissingExtraError, UsageError
from ppi.evaluation.plots import save_figure, save_plot


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
