"""The benchmark rows run at a small scale and both sides give the same answer; no time is asserted."""

from lab.benchmarks._learners_ranking import run


def test_both_sides_give_the_same_answer():
    figures = list(run(scale=0.02))
    assert len(figures) == 5
    for figure in figures:
        assert figure.same_answer, figure.name
