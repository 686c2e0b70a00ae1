from lab.benchmarks.parse_ranking import run


def test_the_benchmark_runs_and_both_sides_agree():
    figures = list(run(scale=0.05))
    assert len(figures) == 4
    assert all(figure.same_answer for figure in figures)
