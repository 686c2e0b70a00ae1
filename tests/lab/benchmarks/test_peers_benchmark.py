"""The benchmark against other libraries runs at a small scale and both sides agree."""

from importlib.util import find_spec

import pytest
from lab.benchmarks import peers


def test_every_row_gives_the_same_answer(monkeypatch):
    # what need not be installed is left out here
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    figures = list(peers.run(scale=0.03))
    assert len(figures) == 11
    assert [figure.name for figure in figures if not figure.same_answer] == []


@pytest.mark.skipif(find_spec("grakel") is None, reason="GraKeL is not installed")
def test_random_walks_row():
    assert peers.random_walks(6).same_answer
