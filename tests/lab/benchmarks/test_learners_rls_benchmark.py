"""The RLS benchmark runs at a small scale and both sides agree."""

from lab.benchmarks._learners_rls import run


def test_every_row_gives_the_same_answer():
    figures = list(run(scale=0.03))
    assert len(figures) == 4
    assert all(figure.same_answer for figure in figures)
