"""The benchmark against other libraries runs at a small scale and both sides agree."""

from lab.benchmarks.peers import run


def test_every_row_gives_the_same_answer():
    figures = list(run(scale=0.03))
    assert len(figures) == 8
    assert [figure.name for figure in figures if not figure.same_answer] == []
