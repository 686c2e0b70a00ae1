"""Reproduced experiments: tiny runs, and their parts against the definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab.frame.experiment import RunSettings, perform
from lab.frame.page import section
from lab.papers.auc_estimates import ESTIMATES, LADDERS, Kind, Sample, draw_sample, simulate, true_auc
from lab.papers.greedy_letor import GreedyGrid, best_choice
from lab.papers.letor import Part, best_weights, read_folds
from lab.papers.rank_svm_scaling import exponent, plain_hinge
from lab.papers.registry import experiment

from learners import RLS


def tiny_run(name, corpora=None):
    told = []
    result = perform(experiment(name), RunSettings(corpora, tiny=True, seed=1, progress=told.append))
    assert told
    assert "A tiny run" in section(experiment(name), result)
    return result


def test_auc_estimates_tiny_run_has_every_estimate_and_ladder():
    result = tiny_run("auc-estimates")
    assert list(result.points) == list(LADDERS)
    assert all(table.rows == list(ESTIMATES) for table in result.tables)
    assert tiny_run("auc-estimates").tables == result.tables  # the seed decides everything


def test_rank_svm_scaling_tiny_run_agrees_with_the_definition():
    result = tiny_run("ranksvm-scaling")
    agreement = result.checks[-1]
    assert agreement.statement.startswith("greatest difference from the plain definition")
    assert agreement.holds


def test_irrelevant_pairs_turn_the_order_round():
    result = tiny_run("irrelevant-pairs")
    assert result.deviations == []
    assert [np.sign(weight) for weight in result.points["weights"]] == [-1, 1]


def test_greedy_letor_tiny_run(corpora_folder):
    result = tiny_run("greedy-letor", corpora_folder)
    assert result.checks[0].holds  # feature 39 first, even in a few queries
    assert {len(curve) for curve in result.points["MAP"].values()} == {6}


def test_letor_tiny_run(corpora_folder):
    result = tiny_run("letor", corpora_folder)
    figures = dict(zip(result.tables[0].rows, result.tables[0].ours))
    assert all(0.2 < row[0] < 0.8 for row in figures.values())
    assert len({tuple(row) for row in figures.values()}) >= 4  # the methods are different ones


def test_nystrom_tiny_run_is_pessimistic_only_where_regularization_is_weak(corpora_folder):
    result = tiny_run("nystrom", corpora_folder)
    kept, removed = np.array(result.points["kept"]), np.array(result.points["removed"])
    assert kept[0] > 4 * removed[0]
    assert kept[-1] == pytest.approx(removed[-1], rel=1e-3)
    assert result.checks[-1].holds  # our hold-out predictions are those of a map and a model made again


def test_letor_folds_rotate_and_share_no_query(corpora_folder):
    folds = read_folds(RunSettings(corpora_folder))
    assert sorted(folds) == [1, 2, 3, 4, 5]
    assert sum(len(fold.test.y) for fold in folds.values()) == 15_211
    for number, fold in folds.items():
        parts = [set(part.qid) for part in fold]
        assert len(set.union(*parts)) == sum(map(len, parts))
        following = folds[number % 5 + 1]
        np.testing.assert_array_equal(fold.test.qid, following.validation.qid)


def test_the_best_choice_is_the_first_of_equals():
    weights = {0: [np.ones(1), np.ones(2)], 1: [np.ones(1), np.ones(2)]}
    grid = GreedyGrid({}, weights, {0: [0.3, 0.5], 1: [0.5, 0.4]}, {})
    assert best_choice(grid, [0, 1]) == (0, 2)
    assert best_choice(grid, [1]) == (1, 1)


def test_weights_are_chosen_by_validation_map():
    part = Part(np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 0.0, 1.0]), np.array([1, 1, 1]))
    assert best_weights([np.array([-1.0]), np.array([2.0]), np.array([3.0])], part) == 1


def test_true_auc_is_what_a_large_sample_shows():
    rng = np.random.default_rng(0)
    sample = draw_sample(Kind(), 1.0, rng)
    model = RLS(1.0, fit_intercept=False).fit(sample.X, sample.y)
    test = draw_sample(Kind(size=20_000, share=0.5), 1.0, rng)
    scores = model.predict(test.X)
    positive, negative = scores[test.y > 0], scores[test.y < 0]
    wins = np.mean(positive[:, None] > negative[None, :5000])
    assert true_auc(model, 1.0) == pytest.approx(wins, abs=0.01)


def test_estimates_equal_refitting():
    """Each estimate from its definition [thesis, section 5.4], with models trained again without the hold-out."""
    sample = draw_sample(Kind(size=12, share=0.4, n_features=2), 1.0, np.random.default_rng(3))

    def without(held_out, wanted):
        kept = np.setdiff1d(np.arange(12), held_out)
        return RLS(1.0, fit_intercept=False).fit(sample.X[kept], sample.y[kept]).predict(sample.X[wanted])

    positive, negative = np.flatnonzero(sample.y > 0), np.flatnonzero(sample.y < 0)
    model = RLS(1.0, fit_intercept=False).fit(sample.X, sample.y)
    one_by_one = np.concatenate([without([i], [i]) for i in range(12)])
    pooled = np.mean([one_by_one[i] > one_by_one[j] for i in positive for j in negative])
    pairs = np.mean([np.subtract(*without([i, j], [i, j])) > 0 for i in positive for j in negative])
    rng = np.random.default_rng(0)
    assert ESTIMATES["pooled, leave-one-out"](model, sample, rng) == pytest.approx(pooled)
    assert ESTIMATES["leave-pair-out"](model, sample, rng) == pytest.approx(pairs)


def test_averaged_folds_without_a_pair_do_not_count():
    rng = np.random.default_rng(0)
    sample = Sample(rng.normal(size=(10, 2)), np.array([1.0] * 3 + [-1.0] * 7))
    assert np.isnan(ESTIMATES["averaged, 10 folds"](RLS(1.0, fit_intercept=False).fit(*sample), sample, rng))


def test_pooling_is_pessimistic_where_there_is_no_signal():
    found = simulate(Kind(n_features=1), 0.0, 60, np.random.default_rng(0))
    assert found["pooled, leave-one-out"].bias < -0.15
    assert abs(found["leave-pair-out"].bias) < 0.1


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-8, 8)), min_size=2, max_size=12))
def test_plain_hinge_is_the_sum_over_pairs(rows):
    y = np.array([float(row[0]) for row in rows])
    f = np.array([row[1] / 4 for row in rows])
    pairs = [(i, j) for i in range(len(y)) for j in range(len(y)) if y[i] > y[j]]
    if not pairs:
        return
    value, gradient = plain_hinge(y, f)
    assert value == pytest.approx(np.mean([max(0.0, 1 - f[i] + f[j]) for i, j in pairs]))
    expected = np.zeros(len(y))
    for i, j in pairs:
        if f[i] - f[j] < 1:
            expected[i] -= 1 / len(pairs)
            expected[j] += 1 / len(pairs)
    np.testing.assert_allclose(gradient, expected, atol=1e-12)


def test_exponent_of_a_power():
    assert exponent([(m, 3e-6 * m**1.5) for m in (10, 100, 1000)]) == pytest.approx(1.5)
    assert exponent([(10, 1.0)]) is None
