"""The frame of the reproduced experiments: results on disk, the page from them, the command."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from lab.frame.experiment import Experiment, Findings, OwnPage, Picture, RunSettings, perform
from lab.frame.options import changed_options
from lab.frame.page import build, markdown_table, page, read_results, section
from lab.frame.plots import save_picture
from lab.frame.result import Check, Result, Table, load, save
from lab.papers.__main__ import main
from lab.papers.registry import MODULES, experiment, experiments

from ppi.core import ReportError, UsageError

DOCS = Path(__file__).parents[3] / "docs"
LAB = Path(__file__).parents[3] / "scripts" / "lab"
ON_THE_COMMON_PAGE = [what.name for what in experiments() if what.page is None]


def table(**changes):
    given = {
        "title": "Table 2",
        "rows": ["fold 1", "mean"],
        "columns": ["MAP", "P@10"],
        "ours": [[0.4501, 0.25], [0.48, None]],
        "published": [[0.45, 0.27], [0.48, 0.3]],
        "margin": 0.001,
    }
    return Table(**{**given, **changes})


def test_a_cell_beyond_the_margin_is_a_deviation_and_bold():
    assert table().deviations() == ["fold 1, P@10: 0.2500, published 0.2700"]
    assert "| fold 1 | 0.4501 [0.4500] | **0.2500** [0.2700] |" in markdown_table(table())


def test_a_difference_of_exactly_the_margin_is_none():
    assert table(ours=[[0.451, 0.27], [0.479, 0.3]]).deviations() == []


def test_exceeding_a_figure_is_no_deviation_where_higher_is_better():
    assert table(ours=[[0.9, 0.27], [0.48, 0.3]], only_below=True).deviations() == []
    assert len(table(ours=[[0.9, 0.27], [0.48, 0.3]], only_above=True).deviations()) == 1


@pytest.mark.parametrize(
    ("sense", "holds"), [("at least", [False, True, True]), ("at most", [True, True, False]), ("exactly", [0, 1, 0])]
)
def test_checks(sense, holds):
    assert [Check("ratio", value, 50.0, sense).holds for value in (49.0, 50.0, 51.0)] == [bool(each) for each in holds]


def test_a_result_survives_the_disk(tmp_path):
    result = Result("some", 3, True, 1.5, [table()], [Check("ratio", 1 / 3, 0.5, "at most")], {"x": [1, 2.5, None]})
    path = save(result, tmp_path / "results")
    again = load(path)
    assert again.tables == result.tables
    assert again.points == result.points
    assert again.checks[0].value == pytest.approx(1 / 3, abs=1e-6)
    assert save(again, tmp_path / "results").read_bytes() == path.read_bytes()


def test_a_damaged_result_is_named(tmp_path):
    (tmp_path / "some.json").write_text('{"tables": 3}', encoding="utf-8")
    with pytest.raises(ReportError, match=r"expected a result as scripts/reproduce writes it.*some\.json"):
        load(tmp_path / "some.json")
    with pytest.raises(ReportError, match="run the experiment first"):
        load(tmp_path / "absent.json")


def test_section_shows_command_seed_and_remarks():
    what = Experiment(
        "some",
        "Some experiment",
        "A paper.",
        "A protocol.",
        lambda settings: Findings([table()], [Check("ratio", 10.0, 50.0)]),
        remarks=lambda result: [f"{len(result.deviations)} deviations, because."],
    )
    text = section(what, perform(what, RunSettings(seed=7)))
    assert "`scripts/reproduce some --seed 7`, seed 7, 0 CPU seconds." in text
    assert "ratio: 10.00 (at least 50: **does not hold**)" in text
    assert text.endswith("2 deviations, because.")


@pytest.mark.parametrize(("kind", "mark"), [("svg", b"<svg"), ("png", b"PNG")])
def test_pictures_are_the_same_bytes_every_time(kind, mark, tmp_path):
    picture = Picture("line", "A line", lambda figure: figure.subplots().plot([1, 2, 3]))
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        save_picture(picture, tmp_path / folder / f"line.{kind}")
    assert (tmp_path / "one" / f"line.{kind}").read_bytes() == (tmp_path / "two" / f"line.{kind}").read_bytes()
    assert mark in (tmp_path / "one" / f"line.{kind}").read_bytes()


def test_missing_data_is_named_before_anything_runs(tmp_path):
    with pytest.raises(UsageError, match="expected PPI_CORPORA to name the folder that holds mq"):
        RunSettings().file("mq")
    with pytest.raises(UsageError, match="expected 'mq' somewhere below"):
        RunSettings(tmp_path).file("mq")


def test_the_command_writes_results_page_and_figures(tmp_path, capsys):
    assert main(["irrelevant-pairs", "--output", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert "## Irrelevant pairs" in out
    assert re.search(r"^irrelevant-pairs \[\d+ s\]: all pairs$", err, flags=re.MULTILINE)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        "irrelevant-pairs-panels.svg",
        "irrelevant-pairs.json",
        "reproduction.md",
    ]
    written = (tmp_path / "reproduction.md").read_bytes()
    assert build(tmp_path, experiments()) == [tmp_path / "reproduction.md"]
    assert (tmp_path / "reproduction.md").read_bytes() == written


def test_a_tiny_run_writes_nothing_unless_asked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["irrelevant-pairs", "--tiny"]) == 0
    assert "A tiny run: the figures mean nothing" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_experiment_is_one_line(capsys):
    assert main(["no-such"]) == 1
    assert "expected an experiment, one of" in capsys.readouterr().err


def test_the_page_is_what_the_results_give():
    shown = [(what, result) for what, result in read_results(DOCS / "results", experiments()) if what.page is None]
    assert shown
    assert (DOCS / "reproduction.md").read_text(encoding="utf-8") == page(shown), "run: scripts/reproduce page"


@pytest.mark.parametrize("name", ON_THE_COMMON_PAGE)
def test_every_kept_result_is_a_full_run_that_explains_its_deviations(name):
    what = experiment(name)
    path = DOCS / "results" / f"{name}.json"
    result = load(path)
    assert not result.tiny
    if result.deviations:
        assert what.remarks(result)
    for picture in what.pictures(result):
        assert (DOCS / "figures" / f"{name}-{picture.name}.svg").exists()


def test_experiments_have_the_names_that_they_are_called_by():
    assert [what.name for what in experiments()] == list(MODULES)


def test_a_page_of_ones_own_says_if_the_run_was_tiny_and_unfinished_runs_are_not_kept(tmp_path, monkeypatch, capsys):
    def run(settings):
        return Findings(points={"train": settings.options.train}, unfinished=["half"] if settings.seed else [])

    what = Experiment(
        "own", "Own", "", "", run, options=Sizes(), page=OwnPage("own.md", lambda result: ["# Own", str(result.points)])
    )
    monkeypatch.setattr("lab.papers.__main__.experiment", lambda name: what)
    monkeypatch.setattr("lab.papers.__main__.experiments", lambda: [what])
    assert main(["own", "--tiny", "--set", "train=7", "--output", str(tmp_path)]) == 0
    written = (tmp_path / "own.md").read_text(encoding="utf-8")
    assert written == "# Own\n\n**A tiny run: the figures mean nothing.**\n\n{'train': 7}\n" == capsys.readouterr().out
    assert load(tmp_path / "results" / "own.json").options == {"train": 7}
    assert main(["own", "--seed", "1", "--output", str(tmp_path), "--work", str(tmp_path)]) == 1
    assert "not finished, run the same command again: own (half)" in capsys.readouterr().err
    assert (tmp_path / "own.md").read_text(encoding="utf-8") == written
    assert main(["own", "--set", "test=7", "--output", str(tmp_path), "--work", str(tmp_path)]) == 1
    assert "expected NAME=VALUE with an option of own (train), got 'test=7'" in capsys.readouterr().err


@dataclass(frozen=True)
class Sizes:
    train: int = 5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("train", "expected NAME=VALUE"),
        ("train=few", "expected train to be int, got 'few'"),
        ("train=1.5", "to be int"),
    ],
)
def test_options_are_of_their_default_s_type(given, message):
    with pytest.raises(UsageError, match=message):
        changed_options("own", Sizes(), [given])


@pytest.mark.parametrize(
    ("room", "others"), [("frame", ("papers", "training", "benchmarks")), ("training", ("papers",))]
)
def test_the_laboratory_s_rooms_import_one_way(room, others):
    for path in sorted((LAB / room).rglob("*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body  # of the module itself: programs may call each other
        names = [node.module or "" for node in body if isinstance(node, ast.ImportFrom)]
        names += [alias.name for node in body if isinstance(node, ast.Import) for alias in node.names]
        assert not [name for name in names for other in others if name.startswith(f"lab.{other}")], path
