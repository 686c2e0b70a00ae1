"""scripts/train_parse_ranker, and the rankers that ship."""

import json
from functools import partial

import numpy as np
import pytest
from lab.training.parse_rankers import beam_training
from lab.training.parse_rankers import train as train_shipped
from lab.training.parse_rankers.beam_lists import BeamList
from parse_sets import made_sets

from ppi.language import BeamFeatures, Reranker
from ppi.parse_ranking import (
    GENERATORS,
    ParseFeatures,
    ParseRanker,
    TreeFeatures,
    find_shipped_model,
    get_generator,
    to_beam_trees,
)

LARGEST = 8 * 2**20  # bytes
TEXTS = [
    "Profilin binds actin monomers and inhibits their polymerization in human cells.",
    "The receptor of the kinase in the membrane is phosphorylated by Src and Fyn.",
]


def test_the_script_writes_a_ranker_of_link_grammar_with_its_figures(tmp_path, monkeypatch, capsys):
    small = partial(train_shipped.trained_ranker, features=ParseFeatures(max_length=2, n_features=2**10))
    monkeypatch.setattr(train_shipped, "trained_ranker", small)
    seeds = {"train": 1, "test": 2}
    monkeypatch.setattr(
        train_shipped, "candidate_sets", lambda name, side, wanted, cache: made_sets(wanted, seed=seeds[side])
    )
    arguments = ["--generators", "link-grammar", "--work", str(tmp_path), "--output", str(tmp_path / "model")]
    assert train_shipped.main([*arguments, "--train", "12", "--test", "12"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["test"]["ranker"]["error"] < facts["test"]["generator"]["error"]
    assert ParseRanker.load(tmp_path / "model" / "link-grammar.zip").facts_["test"] == facts["test"]


def lists_of(texts, seed=0):
    """Beams whose goodness is drawn at random."""
    rng = np.random.default_rng(seed)
    sets = get_generator("beam").candidates(texts, max_candidates=6)
    for number, candidates in enumerate(sets):
        trees = to_beam_trees(candidates)
        right = rng.integers(0, 9, len(trees.costs)).astype(np.int16)
        yield BeamList(trees, right, 9, f"d{number}")


def test_the_script_writes_a_ranker_of_the_beam_with_its_figures(tmp_path, monkeypatch, capsys):
    lists = list(lists_of(TEXTS))
    data = beam_training.BeamData(lists, lists, {"craft-dev": lists, "genia-dev": lists})
    monkeypatch.setattr(beam_training, "beam_data", lambda *given: data)
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    arguments = ["--generators", "beam", "--work", str(tmp_path), "--output", str(tmp_path / "model")]
    assert train_shipped.main([*arguments, "--regparam", "0.1"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["craft-dev"]["reranked"] >= facts["craft-dev"]["first"]
    assert Reranker.load(tmp_path / "model" / "beam.zip").facts == {k: v for k, v in facts.items() if k != "generator"}


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_small_ranker_ships_for_each_generator(generator):
    assert find_shipped_model(generator).stat().st_size <= LARGEST
    facts = ParseRanker.shipped(generator).facts_
    if generator == "beam":
        assert facts["craft-dev"]["reranked"] > facts["craft-dev"]["first"]
        assert facts["craft-dev"]["error"] < facts["craft-dev"]["error_own"]
    else:
        assert facts["test"]["ranker"]["error"] < facts["test"]["generator"]["error"]


def test_the_shipped_ranker_orders_the_beam_of_a_new_sentence_as_the_parser_does():
    (candidates,) = get_generator("beam").candidates(TEXTS[:1], max_candidates=5)
    ranked = ParseRanker.shipped("beam").rank(candidates)
    assert sorted(one.candidate.place for one in ranked) == list(range(len(candidates.candidates)))
    assert ranked[0].score > ranked[-1].score
    assert ranked[0].candidate.place == Reranker.load_shipped().find_best_tree(to_beam_trees(candidates))


def test_a_ranker_of_trees_is_saved_and_loaded(tmp_path):
    sets = [
        candidates.__class__(each.document, candidates.text, candidates.candidates, tuple(each.right / 9))
        for candidates, each in zip(get_generator("beam").candidates(TEXTS, max_candidates=6), lists_of(TEXTS))
    ]
    ranker = ParseRanker("cg-rank-rls", features=TreeFeatures(BeamFeatures(n_features=2**10)), regparam=1.0).fit(sets)
    ranker.save(tmp_path / "ranker.zip")
    loaded = ParseRanker.load(tmp_path / "ranker.zip")
    assert loaded.features == ranker.features
    for one, other in zip(ranker.score(sets), loaded.score(sets)):
        np.testing.assert_allclose(one, other, atol=1e-5)
