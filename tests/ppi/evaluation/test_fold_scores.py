"""Figures of folds by hand, and pooled ones against plain loops."""

from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import auc
from ppi.evaluation.cross_validation.nested_cross_validation import (
    MEASURES,
    baseline_mean,
    mean_and_std,
    pool_scores,
    score_fold,
)


def fold(labels, scores, *, threshold=0.5, number=0):
    return score_fold(number, np.array(labels), np.array(scores), documents=2, regparam=0.25, threshold=threshold)


def test_a_fold_by_hand():
    """Three of four found, with two false alarms; 11 of the 16 pairs of a positive and a negative are in order."""
    found = fold([1, 1, 1, 1, -1, -1, -1, -1], [0.9, 0.8, 0.5, 0.1, 0.7, 0.6, 0.2, 0.0])
    assert (found.precision, found.recall, found.f) == (3 / 5, 3 / 4, pytest.approx(2 / 3))
    assert found.auc == 11 / 16
    assert (found.baseline_precision, found.baseline_f) == (1 / 2, pytest.approx(2 / 3))
    assert (found.fold, found.documents, found.pairs, found.positive) == (0, 2, 8, 4)
    assert (found.regparam, found.threshold) == (0.25, 0.5)


def test_a_score_at_the_threshold_is_an_interaction():
    assert fold([1, -1], [0.5, 0.4]).recall == 1.0
    assert fold([1, -1], [0.5, 0.4], threshold=0.5000001).recall == 0.0


def test_equal_scores_are_half_right():
    assert fold([1, -1, -1], [0.3, 0.3, 0.3]).auc == 0.5


def test_nothing_found_is_a_figure_of_zero():
    found = fold([1, -1], [0.1, 0.2])
    assert (found.precision, found.recall, found.f) == (0.0, 0.0, 0.0)


def test_without_positives_there_is_nothing_to_measure():
    found = fold([-1, -1], [0.9, 0.1])
    measured = (found.precision, found.recall, found.f, found.auc, found.baseline_precision, found.baseline_f)
    assert measured == (None,) * 6
    assert (found.pairs, found.positive) == (2, 0)


def test_without_negatives_there_is_no_auc():
    found = fold([1, 1], [0.9, 0.1])
    assert (found.precision, found.recall, found.auc) == (1.0, 0.5, None)
    assert (found.baseline_precision, found.baseline_f) == (1.0, 1.0)


def test_means_and_deviations_are_over_folds_that_have_the_measure():
    folds = [fold([1, -1], [0.9, 0.1]), fold([1, 1, -1], [0.9, 0.1, 0.2]), fold([1], [0.2]), fold([-1], [0.9])]
    mean, std = mean_and_std(folds)
    assert mean["recall"] == pytest.approx(fmean([1.0, 0.5, 0.0]))
    assert std["recall"] == pytest.approx(stdev([1.0, 0.5, 0.0]))
    assert mean["auc"] == pytest.approx(fmean([1.0, 0.5]))
    assert std["auc"] == pytest.approx(stdev([1.0, 0.5]))


def test_one_fold_has_no_deviation_and_none_no_mean():
    mean, std = mean_and_std([fold([1, -1], [0.9, 0.1])])
    assert mean == dict.fromkeys(MEASURES, 1.0)
    assert std == dict.fromkeys(MEASURES)
    assert mean_and_std([fold([-1], [0.9])]) == (dict.fromkeys(MEASURES), dict.fromkeys(MEASURES))


def test_the_baseline_calls_every_pair_an_interaction():
    folds = [fold([1, -1, -1, -1], [0, 0, 0, 0]), fold([1, -1], [0, 0]), fold([-1], [0])]
    expected = {"precision": (1 / 4 + 1 / 2) / 2, "recall": 1.0, "f": (2 / 5 + 2 / 3) / 2, "auc": 0.5}
    assert baseline_mean(folds) == pytest.approx(expected)
    everything = fold([1, -1, -1, -1], [0, 0, 0, 0], threshold=-1.0)
    assert (everything.precision, everything.f) == (everything.baseline_precision, everything.baseline_f)


def test_a_fold_is_plain_values():
    found = fold([1, -1], [0.9, 0.1], number=3).to_dict()
    assert found["fold"] == 3
    assert {type(value) for value in found.values()} <= {int, float}


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_pooled_figures_are_those_of_a_plain_loop(seed):
    rng = np.random.default_rng(seed)
    labels = np.where(rng.random(40) < 0.4, 1.0, -1.0)
    labels[:4] = 1, -1, 1, -1
    scores = rng.normal(size=40).round(1)
    thresholds = np.repeat(rng.normal(size=4).round(1), 10)
    documents = np.repeat([f"d{number}" for number in range(20)], 2)
    pooled = pool_scores(labels, scores, thresholds, documents)
    hits = predicted = 0
    for label, score, threshold in zip(labels, scores, thresholds):
        if score >= threshold:
            predicted += 1
            hits += label > 0
    positive = sum(label > 0 for label in labels)
    assert pooled["precision"] == pytest.approx(hits / predicted if predicted else 0.0)
    assert pooled["recall"] == pytest.approx(hits / positive)
    assert pooled["f"] == pytest.approx(2 * hits / (predicted + positive))
    assert pooled["auc"] == pytest.approx(auc(labels, scores))
    for measure in ("f", "auc"):
        low, high = pooled[f"{measure}_interval"]
        assert 0 <= low <= pooled[measure] <= high <= 1


def test_intervals_are_repeatable_and_narrower_with_more_documents():
    rng = np.random.default_rng(0)

    def pairs(n):
        labels = np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
        return labels, 0.5 * labels + rng.normal(size=n), np.zeros(n), np.arange(n) // 2

    few, many = pairs(60), pairs(1200)
    assert pool_scores(*few, random_state=1) == pool_scores(*few, random_state=1)
    assert pool_scores(*few, random_state=1)["f_interval"] != pool_scores(*few, random_state=2)["f_interval"]
    for measure in ("f_interval", "auc_interval"):
        widths = [np.ptp(pool_scores(*given)[measure]) for given in (few, many)]
        assert widths[1] < widths[0] / 2


def test_whole_documents_are_resampled():
    """Every document twice under one name widens the interval; twice under two names does not."""
    rng = np.random.default_rng(1)
    labels = np.where(np.arange(100) % 2 == 0, 1.0, -1.0)
    scores = labels + rng.normal(size=100)
    once = pool_scores(labels, scores, np.zeros(100), np.arange(100))
    twice = [np.tile(values, 2) for values in (labels, scores, np.zeros(100))]
    together = pool_scores(*twice, np.tile(np.arange(100), 2))
    apart = pool_scores(*twice, np.arange(200))
    assert np.ptp(together["f_interval"]) == pytest.approx(np.ptp(once["f_interval"]), rel=0.15)
    assert np.ptp(apart["f_interval"]) < 0.85 * np.ptp(once["f_interval"])
