import json

import pytest
from lab.training.parse_rankers import train as train_shipped
from parse_sets import made_sets

from ppi.parse_ranking.features import ParseFeatures
from ppi.parse_ranking.generators import GENERATORS, get_generator
from ppi.parse_ranking.model_file import shipped_path
from ppi.parse_ranking.ranker import ParseRanker

LARGEST = 5 * 2**20  # bytes


def test_the_script_writes_a_ranker_with_its_figures(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(train_shipped.FEATURES, "beam", ParseFeatures(max_length=2, n_features=2**10))
    seeds = {"train": 1, "test": 2}
    monkeypatch.setattr(
        train_shipped, "candidate_sets", lambda name, side, wanted, cache: made_sets(wanted, seed=seeds[side])
    )
    arguments = ["--generators", "beam", "--work", str(tmp_path), "--output", str(tmp_path / "model")]
    assert train_shipped.main([*arguments, "--train", "12", "--test", "12"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["test"]["ranker"]["error"] < facts["test"]["generator"]["error"]
    assert ParseRanker.load(tmp_path / "model" / "beam.zip").facts_["test"] == facts["test"]


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_small_ranker_ships_for_each_generator(generator):
    assert shipped_path(generator).stat().st_size <= LARGEST
    ranker = ParseRanker.shipped(generator)
    assert ranker.facts_["generators"] == [generator]
    figures = ranker.facts_["test"]
    assert figures["ranker"]["error"] < figures["generator"]["error"]


def test_the_shipped_ranker_orders_the_beam_of_a_new_sentence():
    text = "Profilin binds actin monomers and inhibits their polymerization in human cells."
    (candidates,) = get_generator("beam").candidates([text], most=5)
    ranked = ParseRanker.shipped("beam").rank(candidates)
    assert sorted(one.candidate.place for one in ranked) == list(range(len(candidates.candidates)))
    assert ranked[0].score > ranked[-1].score
