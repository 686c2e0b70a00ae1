import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from lab.papers.parse_ranking import run
from lab.papers.parse_ranking.candidates import candidate_sets
from lab.papers.parse_ranking.comparison import Comparison, HeldOut, Sizes, methods, summary
from lab.papers.parse_ranking.selection import Choice, choose_kernel
from lab.papers.parse_ranking.stages import Stages
from lab.training.parse_rankers.candidate_files import write_candidates
from parse_sets import made_sets

from ppi.errors import UsageError
from ppi.parse_ranking.features import ParseFeatures
from ppi.parse_ranking.ranker import goodness_and_queries

FEATURES = ParseFeatures(max_length=2, n_features=2**12)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for generator in ("link-grammar", "beam"):
        (folder / generator).mkdir()
        write_candidates(made_sets(16, seed=1), folder / generator / "train.jsonl.gz")
        write_candidates(made_sets(10, seed=2), folder / generator / "test.jsonl.gz")
    return folder


def test_the_script_runs_in_small_and_its_page_has_every_table(data, tmp_path, capsys):
    out, page = tmp_path / "results", tmp_path / "docs"
    arguments = ["--tiny", "--parts", "beam", "link-grammar", "basis", "--basis-from", "beam", "--data", str(data)]
    assert run.main([*arguments, "--output", str(out), "--page", str(page)]) == 0
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
    figures = json.loads((out / "beam.json").read_text(encoding="utf-8"))
    rows = {row["method"]: row for row in figures["rows"]}
    assert len(rows) == 15
    assert rows["RankRLS (21), all parses, conjugate gradients"]["error"] < rows["random order"]["error"]
    basis = json.loads((out / "basis.json").read_text(encoding="utf-8"))
    assert all(timing["difference"] < 1e-6 for timing in basis["timings"])


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


def test_a_run_out_of_time_goes_on_where_it_was(data, tmp_path, capsys):
    arguments = ["--tiny", "--parts", "beam", "--data", str(data), "--output", str(tmp_path)]
    assert run.main([*arguments, "--seconds", "0"]) == 1
    assert "beam is not finished" in capsys.readouterr().err
    stages = Stages(tmp_path / "kept")
    assert stages.finished({"none": dict}) == ([{}], [])
    assert Stages(tmp_path / "kept", seconds=0).finished({"none": dict, "new": dict}) == ([{}], ["new"])
    assert stages.json("one", lambda: {"a": 1}) == {"a": 1}
    assert Stages(tmp_path / "kept", seconds=0).json("one", lambda: {"a": 2}) == {"a": 1}


def test_untimed_stages_are_done_by_workers_and_kept(tmp_path):
    wanted = {"one": partial(dict, a=1), "two": partial(dict, a=2), "kept": partial(dict, a=3)}
    stages = Stages(tmp_path, who={"workers": 2})
    stages.json("kept", partial(dict, a=0))
    assert stages.finished(wanted, timed=False) == ([{"a": 1}, {"a": 2}, {"a": 0}], [])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.json", "one.json", "two.json"]


def test_seconds_are_of_one_process(capsys):
    with pytest.raises(SystemExit):
        run.main(["--tiny", "--seconds", "9", "--workers", "2"])
    assert "expected --seconds, which are of this process, or workers, got both" in capsys.readouterr().err


def test_the_kernel_is_the_one_of_least_error():
    silent = replace(FEATURES, labels=("word",), links=0.0)  # words alone say nothing about the goodness
    choice = choose_kernel(made_sets(20), [silent, FEATURES])
    assert choice.features == FEATURES
    assert len(choice.tried) == 4
    assert choose_kernel(made_sets(20), [silent, FEATURES], workers=2) == choice
    linear = {tuple(one["labels"]): one["error"] for one in choice.tried if one["kernel"] == "linear"}
    assert linear["word",] > linear["word", "pos", "class", "link"]


def test_candidates_are_read_if_there_and_otherwise_need_the_treebanks(data, tmp_path, monkeypatch):
    assert len(candidate_sets("link-grammar", "train", 5, folder=data)) == 5
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    with pytest.raises(UsageError, match="expected the environment variable PPI_CORPORA"):
        candidate_sets("link-grammar", "train", 5, folder=tmp_path)


def test_candidates_are_made_from_the_treebanks_and_kept(corpora_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(corpora_folder))
    made = candidate_sets("beam", "test", 3, folder=tmp_path)
    assert len(made) == 3
    assert all(len(set(each.goodness)) > 1 for each in made)
    assert candidate_sets("beam", "test", 3, folder=tmp_path) == made


@pytest.mark.slow
def test_extraction_from_reranked_parses(corpora_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(corpora_folder))
    assert run.main(["--tiny", "--parts", "extraction", "--output", str(tmp_path)]) == 0
    (figures,) = json.loads((tmp_path / "extraction.json").read_text(encoding="utf-8"))["corpora"]
    assert figures["corpus"] == "LLL"
    assert 0.0 <= figures["changed"] <= 1.0
    assert 0.3 < figures["first"]["auc"] <= 1.0
    assert 0.3 < figures["reranked"]["auc"] <= 1.0
    assert "Extraction with reranked parses" in (tmp_path / "parse_ranking.md").read_text(encoding="utf-8")
