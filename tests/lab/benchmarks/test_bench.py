"""``scripts/bench``: every benchmark in one table."""

import importlib
import json

import pytest
from lab.benchmarks import __main__ as bench
from lab.benchmarks.__main__ import main
from lab.benchmarks.figure import Figure


@pytest.fixture
def three_figures(monkeypatch):
    """Two benchmarks with known figures in the place of the real ones."""

    class Fast:
        @staticmethod
        def run(scale):
            yield Figure("features", 24.0 * scale, "higher", 10.0, 15.0, True, 0.4, 9.6)
            yield Figure("words a second", 8400.0, "higher", 5000.0, 6000.0, True, 1.0, 1.0)

    class Slow:
        @staticmethod
        def run(scale):
            yield Figure("a | b", 3.0, "lower", 2.0, 1.5, True, 3.0, 1.0)

    modules = {"lab.benchmarks.fast": Fast, "lab.benchmarks.slow": Slow}
    monkeypatch.setattr(bench, "available", lambda: ["fast", "slow"])
    import_module = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", lambda name: modules.get(name) or import_module(name))


def test_all_as_json_holds_every_benchmark(three_figures, capsys):
    assert main(["all", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert [figure["name"] for figure in figures] == ["features", "words a second", "a | b"]
    assert set(figures[0]) == {
        "name", "value", "better", "bar", "aim", "same_answer", "seconds", "reference_seconds"
    }  # fmt: skip


def test_all_as_markdown_is_one_table_with_the_command(three_figures, capsys):
    assert main(["all", "--markdown"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("`scripts/bench all`")
    assert lines[4:] == [
        "| fast | features | 24 | >= 10 | 0.4 | 9.6 |",
        "| fast | words a second | 8,400 | >= 5000 | 1 | 1 |",
        "| slow | a \\| b | 3 (below the bar) | <= 2 | 3 | 1 |",
    ]


def test_one_benchmark_as_rows(three_figures, capsys):
    assert main(["slow"]) == 0
    assert capsys.readouterr().out == "a | b: 3.00 (bar <= 2, aim <= 1.5; below the bar; 3 s, reference 1 s)\n"


def test_answers_that_differ_fail(monkeypatch, capsys):
    wrong = Figure("features", 24.0, "higher", 10.0, 15.0, False, 0.4, 9.6)
    monkeypatch.setattr(bench, "measure", lambda name, scale: iter([("fast", wrong)]))
    assert main(["all", "--markdown"]) == 1
    assert "ANSWERS DIFFER" in capsys.readouterr().out


def test_an_unknown_benchmark_is_named(capsys):
    assert main(["no-such"]) != 0
    assert "expected a benchmark, one of ['abbreviations', 'annotate', 'corpora'" in capsys.readouterr().err


def test_every_module_of_benchmarks_is_collected():
    assert {"corpora", "extraction", "kernels", "learners", "pipeline"} <= set(bench.available())
