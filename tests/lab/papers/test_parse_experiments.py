import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lab.frame.crew import Crew
from lab.frame.experiment import RunSettings
from lab.frame.page import own_page
from lab.frame.result import Result, load
from lab.papers.__main__ import main
from lab.papers.parse_ranking.comparison import Comparison, Sizes, methods, summary
from lab.papers.parse_ranking.experiment import EXPERIMENT
from lab.papers.parse_ranking.selection import Choice, choose_kernel
from lab.training.parse_rankers import candidates
from lab.training.parse_rankers.held_out import HeldOut
from parse_sets import made_sets

from ppi.parse_ranking import ParseFeatures, goodness_and_queries

FEATURES = ParseFeatures(max_length=2, n_features=2**12)


DOCS = Path(__file__).parents[3] / "docs"
SMALL = ["parse-ranking", "--tiny", "--set", 'parts=["beam", "link-grammar", "basis"]', "--set", "basis_from=beam"]


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """Made-up candidates instead of those of treebanks and parsers."""
    (tmp_path / "corpora" / "treebanks").mkdir(parents=True)
    for side in candidates.FILES.values():
        for name in side.values():
            (tmp_path / "corpora" / "treebanks" / name).write_bytes(b"")
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path / "corpora"))
    monkeypatch.setattr(candidates, "generator_version", lambda generator: "made up")
    seeds = {"train": 1, "test": 2}
    monkeypatch.setattr(
        candidates,
        "_make",
        lambda generator, selection, folder, wanted: made_sets(wanted, seed=seeds[selection.side]),
    )


def test_the_script_runs_in_small_and_its_page_has_every_table(made_up, tmp_path, capsys):
    page = tmp_path / "docs"
    assert main([*SMALL, "--output", str(page)]) == 0
    text = (page / "parse_ranking.md").read_text(encoding="utf-8")
    assert text == capsys.readouterr().out
    for part in (
        "## beam: 10 test sentences",
        "## Published findings",
        "RankRLS is better than RLS",
        "leave-sentence-out",
    ):
        assert part in text
    assert {path.name for path in page.glob("*.png")} == {
        "parse_ranking_beam.png",
        "parse_ranking_link-grammar.png",
        "parse_ranking_basis.png",
    }
    points = load(page / "results" / "parse-ranking.json").points
    figures = points["beam"]
    rows = {row["method"]: row for row in figures["rows"]}
    assert len(rows) == 15
    assert rows["RankRLS (21), all parses, conjugate gradients"]["error"] < rows["random order"]["error"]
    assert all(timing["difference"] < 1e-6 for timing in points["basis"]["timings"])


def test_measures_of_an_order_are_those_of_each_sentence():
    sets = made_sets(4, n_parses=3)
    test = HeldOut.of(sets)
    perfect = test.measures(test.y)
    assert perfect["errors"].tolist() == [0.0] * 4
    np.testing.assert_allclose(perfect["taus"], 1.0)
    np.testing.assert_allclose(perfect["first"], [max(each.goodness) for each in sets])
    tied = test.measures(np.zeros(12))
    assert tied["errors"].tolist() == [0.5] * 4
    np.testing.assert_allclose(tied["first"], [each.goodness[0] for each in sets])  # the generator's first
    assert test.bounds()["oracle_f"] == pytest.approx(np.mean([max(each.goodness) for each in sets]))
    assert test.bounds()["mean_f"] == pytest.approx(np.mean([np.mean(each.goodness) for each in sets]))


def test_more_sentences_are_used_only_by_the_methods_that_say_so():
    sizes = Sizes(train=10, test=6, more=15, parses=3, folds=2)
    sets, tests = made_sets(15), made_sets(6, seed=5)
    choice = Choice(FEATURES, "linear", 1.0, [])
    parts = FEATURES.transform(sets), *goodness_and_queries(sets), FEATURES.transform(tests), HeldOut.of(tests), sizes
    comparison = Comparison(*parts)
    rows = [*comparison.untrained(), *(comparison.row(each) for each in methods(choice, sizes, 15))]
    counts = {row.method: (row.sentences, row.parses, row.basis) for row in rows}
    assert counts["RankRLS (21)"] == (10, 30, None)
    assert counts["sparse RankRLS"] == (10, 60, 30)
    assert counts["sparse RankRLS, 15 sentences"] == (15, 90, 30)
    assert counts["RankRLS (21), all parses of 15 sentences, conjugate gradients"] == (15, 90, None)
    found = summary(rows, HeldOut.of(tests), choice)
    p_values = {row["method"]: row["p_value"] for row in found["rows"]}
    assert p_values["RankRLS (21)"] is None
    assert 0.0 <= p_values["random order"] <= 1.0


def test_a_run_out_of_time_goes_on_where_it_was(made_up, tmp_path, capsys):
    arguments = ["parse-ranking", "--tiny", "--set", 'parts=["beam"]', "--work", str(tmp_path / "kept")]
    assert main([*arguments, "--seconds", "0"]) == 1
    assert "parse-ranking (beam)" in capsys.readouterr().err
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert main([*arguments, "--seconds", "0"]) == 0  # everything is there
    assert capsys.readouterr().out == text


def test_parts_that_are_not_run_stay_as_they_were(monkeypatch):
    home = "lab.papers.parse_ranking.experiment"
    monkeypatch.setattr(f"{home}.compared", lambda name, *rest: {"unfinished": [], "is": name})
    monkeypatch.setattr(f"{home}.extracted", lambda *rest: {"unfinished": [], "is": "new"})
    kept = Result("parse-ranking", 0, True, 0.0, [], points={"beam": {"is": "old"}, "basis": {"is": "old"}})
    options = replace(EXPERIMENT.options, parts=("beam", "extraction"))
    found = EXPERIMENT.run(RunSettings(tiny=True, options=options, kept=kept)).points
    assert [(name, part["is"]) for name, part in found.items()] == [
        ("beam", "beam"),
        ("basis", "old"),
        ("extraction", "new"),
    ]
    alone = EXPERIMENT.run(RunSettings(tiny=False, options=options, kept=kept)).points
    assert set(alone) == {"beam", "extraction"}  # a full run takes nothing from a tiny one


def test_a_full_run_never_shows_what_a_tiny_one_kept(made_up, tmp_path, capsys):
    arguments = ["parse-ranking", "--set", 'parts=["beam"]', "--work", str(tmp_path / "kept")]
    assert main([*arguments, "--tiny"]) == 0
    assert "10 test sentences" in capsys.readouterr().out
    sizes = ["--set", "train=14", "--set", "test=12", "--set", "more=14"]
    assert main([*arguments, *sizes, "--output", str(tmp_path / "docs")]) == 0
    assert "12 test sentences" in capsys.readouterr().out
    figures = load(tmp_path / "docs" / "results" / "parse-ranking.json").points["beam"]
    counts = {row["method"]: row["training_sentences"] for row in figures["rows"]}
    assert counts["RankRLS (21)"] == 14


def test_seconds_are_of_one_process(capsys):
    with pytest.raises(SystemExit):
        main(["parse-ranking", "--tiny", "--seconds", "9", "--workers", "2"])
    assert "expected --seconds, which are of this process, or workers, got both" in capsys.readouterr().err


def test_the_kernel_is_the_one_of_least_error():
    silent = replace(FEATURES, labels=("word",), links=0.0)  # words alone say nothing about the goodness
    choice = choose_kernel(made_sets(20), [silent, FEATURES])
    assert choice.features == FEATURES
    assert len(choice.tried) == 4
    assert choose_kernel(made_sets(20), [silent, FEATURES], crew=Crew(workers=2)) == choice
    linear = {tuple(one["labels"]): one["error"] for one in choice.tried if one["kernel"] == "linear"}
    assert linear["word",] > linear["word", "pos", "class", "link"]


@pytest.mark.slow
def test_extraction_from_reranked_parses(corpora_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(corpora_folder))
    assert main(["parse-ranking", "--tiny", "--set", 'parts=["extraction"]', "--output", str(tmp_path)]) == 0
    (figures,) = load(tmp_path / "results" / "parse-ranking.json").points["extraction"]["corpora"]
    assert figures["corpus"] == "LLL"
    assert 0.0 <= figures["changed"] <= 1.0
    assert 0.3 < figures["first"]["auc"] <= 1.0
    assert 0.3 < figures["reranked"]["auc"] <= 1.0
    assert "Extraction with reranked parses" in (tmp_path / "parse_ranking.md").read_text(encoding="utf-8")


def test_the_kept_page_is_what_its_figures_give():
    """The figures of docs/parse_ranking.md, read back from its tables, give the page again."""
    text = (DOCS / "parse_ranking.md").read_text(encoding="utf-8")
    tables = [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines() if line[:2] != "|-"][1:]
        for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    ]
    bounds = re.findall(r"at random ([\d.]+), of the best candidate \(oracle\) ([\d.]+)\.", text)
    chosen = re.findall(r"Kernel chosen on training sentences: (.*)\. What", text)
    points = {
        generator: {
            "test_sentences": 600,
            "test_parses": int(re.search(rf"## {generator}: 600 test sentences, (\d+) parses", text)[1]),
            "mean_f": float(bounds[number][0]),
            "oracle_f": float(bounds[number][1]),
            "chosen": dict(pair.split("=") for pair in re.split(r", (?=\w+=)", chosen[number])),
            "rows": [_row(cells) for cells in tables[2 * number]],
            "tried": [_tried(cells) for cells in tables[2 * number + 1]],
            "unfinished": [],
        }
        for number, generator in enumerate(("link-grammar", "beam"))
    }
    points["basis"] = {
        "curves": {"regparams": [1.0], "kept": [6.23], "removed": [1.0]},
        "timings": [_timing(cells) for cells in tables[4]],
        "unfinished": [],
    }
    points["extraction"] = {"corpora": [_extraction(cells) for cells in tables[5]], "unfinished": []}
    assert own_page(EXPERIMENT.page, Result("parse-ranking", 0, False, 0.0, [], points=points)) == text


def _row(cells):
    method, parses, basis, error, published, tau, first, p, regparam, seconds = cells
    return {
        "method": method,
        "training_sentences": 0,
        "training_parses": int(parses or 0),
        "basis": int(basis or 0),
        "error": float(error),
        "published_error": float(published or 0),
        "tau_b": float(tau.split()[0]),
        "first_f": float(first),
        "p_value": None if not p else 0.0001 if p[0] == "<" else float(p.strip("*")),
        "regparam": float(regparam) if regparam else None,
        "seconds": float(seconds or 0),
    }


def _tried(cells):
    walks, labels, links, generator, normalize, kernel, error = cells
    name, _, gamma = kernel.partition(" ")
    return {
        "max_length": int(walks.split()[2]),
        "directed": walks.split()[3] == "directed",
        "labels": labels.split(),
        "links": float(links),
        "generator": float(generator),
        "normalize": normalize == "yes",
        "kernel": name,
        "gamma": float(gamma) if gamma else None,
        "error": float(error),
    }


def _timing(cells):
    names = ("scheme", "method", "n_parses", "n_basis")
    figures = ("decomposition_seconds", "seconds", "reference_seconds", "ratio", "difference")
    numbers = (float(cell.strip("x")) for cell in cells[4:])
    return {**dict(zip(names, cells)), **dict(zip(figures, numbers))}


def _extraction(cells):
    auc_first, auc_reranked, f_first, f_reranked, changed = (float(cell) / 100 for cell in cells[1:])
    return {
        "corpus": cells[0],
        "first": {"auc": auc_first, "f": f_first},
        "reranked": {"auc": auc_reranked, "f": f_reranked},
        "changed": changed,
    }
