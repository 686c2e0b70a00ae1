"""The benchmark runs small and both sides agree."""

import pytest
from lab.benchmarks import kernels as benchmark


def test_all_rows_give_the_same_answer(corpora_folder):
    figures = list(benchmark.run(scale=0.1))
    assert len(figures) == 4
    assert all(figure.same_answer for figure in figures)
    assert all(figure.seconds > 0 for figure in figures)


def test_without_corpora_it_says_what_is_missing(monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    with pytest.raises(FileNotFoundError, match="expected the environment variable PPI_CORPORA"):
        next(benchmark.run(scale=0.1))
