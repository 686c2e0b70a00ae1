"""The benchmark of the pipeline runs and its shares add up."""

import pytest
from lab.benchmarks.pipeline import run


def test_shares_add_up_to_the_whole():
    figures = {figure.name: figure for figure in run(scale=0.05)}
    assert figures["words a second"].value > 0
    assert sum(figure.value for name, figure in figures.items() if name.startswith("share")) == pytest.approx(1)
