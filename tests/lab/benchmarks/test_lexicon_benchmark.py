"""The benchmark of the lexicon runs, and both sides find the same."""

from lab.benchmarks.lexicon import run


def test_dictionaries_find_the_same():
    figures = {figure.name: figure for figure in run(scale=0.002)}
    assert all(figure.same_answer for figure in figures.values())
    assert figures["file, megabytes"].passed
    assert figures["memory at most while loading, megabytes"].passed
    assert figures["look-ups a second"].value > 0
