from lab.benchmarks.reranking import run


def test_the_benchmark_runs_and_both_sides_have_the_same_sentences():
    figures = list(run(scale=0.05))
    assert len(figures) == 2
    assert all(figure.same_answer for figure in figures)
    assert "% of the sentences changed" in figures[0].name
