import json
import zipfile
from dataclasses import fields, replace

import numpy as np
import pytest
from parse_sets import made_sets

from learners import disagreement_error
from ppi.core import MissingModelError, ModelFileError, TrainingError, UsageError, check_fields
from ppi.parse_ranking.parse_features import ParseFeatures
from ppi.parse_ranking.rank_learning import LEARNERS, LearnerOptions
from ppi.parse_ranking.ranker import ParseRanker, goodness_and_queries, json_field_types

FEATURES = ParseFeatures(max_length=2, n_features=2**12)


@pytest.fixture(scope="module")
def sets():
    return made_sets(40)


def error_of(ranker, sets):
    y, qid = goodness_and_queries(sets)
    return disagreement_error(y, np.concatenate(ranker.score(sets)), qid=qid)


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_orders_new_sentences_better_than_chance(sets, learner):
    ranker = ParseRanker(learner, features=FEATURES, basis_per_sentence=3, folds=3).fit(sets[:25])
    assert error_of(ranker, sets[25:]) < 0.25
    assert ranker.facts_["sentences"] == 25
    assert ranker.facts_["cross_validation_loss"] < 0.3


def test_conjugate_gradients_find_the_dual_solution(sets):
    slow = ParseRanker("rank-rls", features=FEATURES, regparam=1.0).fit(sets[:25])
    fast = ParseRanker("cg-rank-rls", features=FEATURES, regparam=1.0).fit(sets[:25])
    for a, b in zip(slow.score(sets[25:]), fast.score(sets[25:]), strict=True):
        np.testing.assert_allclose(a - a.mean(), b - b.mean(), atol=1e-3)


@pytest.mark.parametrize("options", [{"cost": "unit"}, {"cost": "relative"}, {"pairs": "all"}, {"kernel": "gaussian"}])
def test_variants_of_rank_rls_learn_too(sets, options):
    ranker = ParseRanker(features=FEATURES, folds=3, **options).fit(sets[:25])
    assert error_of(ranker, sets[25:]) < 0.25


def test_folds_keep_groups_together(sets):
    # two documents that contradict each other: within each the order is easy, from one to the other it is reversed
    reverse = [replace(each, goodness=tuple(-value for value in each.goodness)) for each in sets[20:]]
    mixed, documents = [*sets[:20], *reverse], ["a"] * 20 + ["b"] * 20
    options = {"learner": "cg-rank-rls", "features": FEATURES, "folds": 2}
    apart = ParseRanker(**options).fit(mixed, groups=documents)
    assert apart.facts_["cross_validation_loss"] > 0.7
    assert ParseRanker(**options).fit(mixed).facts_["cross_validation_loss"] < 0.7
    with pytest.raises(UsageError, match="groups=None for 'rank-rls'"):
        ParseRanker(features=FEATURES).fit(mixed, groups=documents)


def test_the_criterion_first_is_what_the_first_parse_lacks(sets):
    ranker = ParseRanker(features=FEATURES, criterion="first").fit(sets[:25])
    scores = ranker.learning.loss(
        np.array([0.2, 0.9, 0.4, 0.6]), np.array([1.0, 2.0, 5.0, 3.0]), np.array([0, 0, 1, 1])
    )
    assert scores == pytest.approx(1.0 - (0.9 + 0.4) / 2)
    best = np.mean([1.0 - max(each.goodness) for each in sets[:25]])
    assert best <= ranker.facts_["cross_validation_loss"] < best + 0.3


def test_rank_orders_by_score_and_keeps_every_candidate(sets):
    ranker = ParseRanker(features=FEATURES, regparam=1.0).fit(sets[:10])
    ranked = ranker.rank(sets[11])
    assert [one.place for one in ranked] == list(range(6))
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert {one.candidate.place for one in ranked} == set(range(6))


def test_one_candidate_and_none(sets):
    ranker = ParseRanker(features=FEATURES, regparam=1.0).fit(sets[:10])
    alone = replace(sets[0], candidates=sets[0].candidates[:1], goodness=None)
    none = replace(sets[0], candidates=(), goodness=None)
    assert [one.candidate for one in ranker.rank(alone)] == list(alone.candidates)
    assert ranker.rank(none) == []
    assert ranker.score([]) == []
    assert [len(scores) for scores in ranker.score([none, alone, none])] == [0, 1, 0]


def test_equal_parses_keep_the_generators_order(sets):
    ranker = ParseRanker(features=FEATURES, regparam=1.0).fit(sets[:10])
    graph = sets[12].candidates[0]
    copies = tuple(replace(graph, place=place) for place in (2, 0, 1))
    assert [one.candidate.place for one in ranker.rank(replace(sets[12], candidates=copies))] == [0, 1, 2]


def test_parses_per_sentence_limits_what_is_learned_from(sets):
    ranker = ParseRanker(features=FEATURES, regparam=1.0, parses_per_sentence=3).fit(sets[:10])
    assert ranker.facts_["parses"] == 30


@pytest.mark.parametrize("options", [{}, {"kernel": "gaussian", "gamma": 0.5}])
def test_saved_and_loaded_rankers_give_the_same_order(sets, tmp_path, options):
    ranker = ParseRanker("sparse-rank-rls", features=FEATURES, basis_per_sentence=2, **options).fit(sets[:15])
    path = tmp_path / "ranker.zip"
    ranker.save(path)
    again = ParseRanker.load(path)
    assert again.facts_ == ranker.facts_
    assert again.features == ranker.features
    assert again.learning == ranker.learning
    for old, new in zip(ranker.score(sets[15:]), again.score(sets[15:]), strict=True):
        np.testing.assert_allclose(new, old, rtol=1e-4, atol=1e-5)


def test_fit_refuses_what_cannot_be_learned_from(sets):
    with pytest.raises(TrainingError, match=r"goodness for each of the 6 candidates of 'd0/0', got None"):
        ParseRanker(features=FEATURES).fit([replace(sets[0], goodness=None)])
    with pytest.raises(TrainingError, match="'d0/0' twice"):
        ParseRanker(features=FEATURES).fit([sets[0], sets[0]])
    tied = [replace(each, goodness=(0.5,) * 6) for each in sets[:5]]
    with pytest.raises(TrainingError, match=r"at least 2 sentences with parses of different goodness, got 0 among 5"):
        ParseRanker(features=FEATURES).fit(tied)
    with pytest.raises(TrainingError, match="finite goodness"):
        ParseRanker(features=FEATURES).fit([replace(sets[0], goodness=(float("nan"),) * 6), sets[1]])
    with pytest.raises(TrainingError, match="call fit or load first"):
        ParseRanker(features=FEATURES).rank(sets[0])


def test_tied_sentences_beside_others_do_no_harm(sets):
    tied = replace(sets[0], goodness=(0.5,) * 6)
    ranker = ParseRanker(features=FEATURES).fit([tied, *sets[1:25]])
    assert error_of(ranker, sets[25:]) < 0.25


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"learner": "svm"}, "expected learner to be one of .* got 'svm'"),
        ({"cost": "square"}, "expected cost to be one of"),
        ({"kernel": "cubic"}, "expected kernel to be one of"),
        ({"learner": "rls", "pairs": "all"}, "only rank-rls has all pairs"),
        ({"learner": "cg-rank-rls", "kernel": "gaussian"}, "got 'gaussian' and 'magnitude'; use rank-rls"),
        ({"folds": 0}, "expected folds to be an integer of 1 or more, got 0"),
        ({"parses_per_sentence": 1}, "expected parses_per_sentence to be None or 2 or more, got 1"),
        ({"regularization": 1}, "unexpected keyword argument 'regularization'"),
    ],
)
def test_wrong_options_are_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        ParseRanker(**arguments)


def test_no_shipped_ranker_for_an_unknown_generator():
    with pytest.raises(MissingModelError, match="got 'nonsense'"):
        ParseRanker.shipped("nonsense")
    with pytest.raises(MissingModelError, match="shipped ranker"):
        ParseRanker.shipped("../model/beam")


def damaged(path, target, **changes):
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "model.json":
                data = json.dumps({**json.loads(data), **changes}).encode()
            new.writestr(name, data)


def test_damaged_files_are_refused(sets, tmp_path):
    path = tmp_path / "ranker.zip"
    ParseRanker(features=FEATURES, regparam=1.0).fit(sets[:10]).save(path)
    other = tmp_path / "other.zip"
    for changes, message in [
        ({"format": "ppi-extractor"}, "expected a ppi-parse-ranker model"),
        ({"version": 99}, "expected model version 1, got 99"),
        ({"features": {**FEATURES.parameters(), "n_features": 2**6}}, "expected 133 weights, got 8197"),
        ({"learning": {"learner": "rank-rls", "depth": 3}}, "expected the contents of a model"),
        ({"learning": {"criterion": ["order"]}}, r"expected learning\.criterion to be a text, got \['order'\]"),
        ({"features": {"labels": "word"}}, r"expected features\.labels to be a list, got 'word'"),
        ({"features": {"tags": None}}, r"expected features\.tags to be a text, got None"),
    ]:
        damaged(path, other, **changes)
        with pytest.raises(ModelFileError, match=message):
            ParseRanker.load(other)
    other.write_bytes(b"not a zip")
    with pytest.raises(ModelFileError, match=r"expected a model file \(a zip\)"):
        ParseRanker.load(other)
    with pytest.raises(ModelFileError, match="readable model file"):
        ParseRanker.load(tmp_path / "missing.zip")


@pytest.mark.parametrize("kind", [LearnerOptions, ParseFeatures])
def test_every_field_of_a_header_has_the_kind_of_the_field_it_sets(kind):
    kinds = json_field_types(kind)
    assert list(kinds) == [field.name for field in fields(kind)]
    assert check_fields(kind().parameters(), kinds, where="header") == kind().parameters()
    for name in kinds:
        with pytest.raises(ValueError, match=rf"expected header\.{name} to be"):
            check_fields({name: {"hostile": True}}, kinds, where="header")
