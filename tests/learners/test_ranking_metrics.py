"""Ranking measures against slow twins written from their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from learners.errors import LabelError, LearnerError, QueryError
from learners.metrics.ranking import (
    disagreement_error,
    kendall_tau_b,
    mean_average_precision,
    mean_ndcg,
    ndcg_at,
    precision_at,
)


def heaviside(a):
    return 1.0 if a > 0 else 0.5 if a == 0 else 0.0


def slow_disagreement(y, f):
    pairs = [(j, k) for j in range(len(y)) for k in range(len(y)) if y[j] < y[k]]
    return sum(heaviside(f[j] - f[k]) for j, k in pairs) / len(pairs) if pairs else math.nan


def by_score(y, f):
    return [label for _, label in sorted(zip(f, y), key=lambda pair: -pair[0])]


def slow_average_precision(y, f):
    found, total = 0, 0.0
    for position, label in enumerate(by_score(y, f), start=1):
        if label > 0:
            found += 1
            total += found / position
    return total / found if found else 0.0


def slow_dcg(labels, k):
    return sum(
        (2.0**label - 1.0) / (1.0 if position <= 2 else math.log2(position))
        for position, label in enumerate(labels[:k], start=1)
    )


def slow_ndcg(y, f, k):
    ideal = slow_dcg(sorted(y, reverse=True), k)
    return slow_dcg(by_score(y, f), k) / ideal if len(y) >= k and ideal > 0 else 0.0


def slow_mean_ndcg(y, f):
    return float(np.mean([slow_ndcg(y, f, k) for k in range(1, len(y) + 1)]))


def slow_precision(y, f, k):
    return sum(label > 0 for label in by_score(y, f)[:k]) / k


def slow_tau(y, f):
    return kendalltau(y, f).statistic if len(set(y)) > 1 and len(set(f)) > 1 else math.nan


def per_query(slow, y, f, qid):
    return [slow(list(y[qid == q]), list(f[qid == q])) for q in np.unique(qid)]


rankings = st.lists(st.tuples(st.integers(0, 3), st.integers(-4, 4), st.integers(0, 4)), min_size=1, max_size=40).map(
    lambda rows: tuple(np.array(column) for column in zip(*rows))
)


@settings(deadline=None, max_examples=150)
@given(rankings)
def test_every_measure_equals_its_definition(ranking):
    y, f, qid = ranking
    measures = [
        (mean_average_precision, slow_average_precision),
        (mean_ndcg, slow_mean_ndcg),
        (kendall_tau_b, slow_tau),
        (lambda *a, **o: ndcg_at(3, *a, **o), lambda y, f: slow_ndcg(y, f, 3)),
        (lambda *a, **o: precision_at(3, *a, **o), lambda y, f: slow_precision(y, f, 3)),
    ]
    for fast, slow in measures:
        np.testing.assert_allclose(fast(y, f, qid=qid, per_query=True), per_query(slow, y, f, qid), atol=1e-12)
    errors = np.array(per_query(slow_disagreement, y, f, qid))
    if not np.isnan(errors).all():
        np.testing.assert_allclose(disagreement_error(y, f, qid=qid, per_query=True), errors, atol=1e-12)
        assert disagreement_error(y, f, qid=qid) == pytest.approx(np.nanmean(errors))


@settings(deadline=None)
@given(
    rankings=st.lists(
        st.tuples(st.sampled_from("ab"), st.booleans(), st.sampled_from([-1.0, 0.0, 0.5, 0.7])), min_size=2, max_size=30
    )
)
def test_two_classes_equal_the_definition(rankings):
    qid, relevant, f = (np.array(column) for column in zip(*rankings))
    y = np.where(qid == "a", 1.0, 5.0) + relevant  # other labels in each query, two in both
    errors = np.array(per_query(slow_disagreement, y, f, qid))
    if not np.isnan(errors).all():
        np.testing.assert_allclose(disagreement_error(y, f, qid=qid, per_query=True), errors, atol=1e-12)


def test_pooled_error_weighs_pairs_not_queries():
    y, f, qid = np.array([2, 1, 0, 1, 0]), np.array([3.0, 2.0, 1.0, 0.0, 1.0]), np.array([7, 7, 7, 3, 3])
    assert disagreement_error(y, f, qid=qid) == pytest.approx((1.0 + 0.0) / 2)
    assert disagreement_error(y, f, qid=qid, pooled=True) == pytest.approx(1 / 4)
    np.testing.assert_array_equal(disagreement_error(y, f, qid=qid, per_query=True), [1.0, 0.0])


def test_reversing_the_predictions_mirrors_the_error():
    rng = np.random.default_rng(0)
    y, f = rng.normal(size=200), rng.normal(size=200)
    assert disagreement_error(y, f) + disagreement_error(y, -f) == pytest.approx(1.0)
    assert kendall_tau_b(y, f) == pytest.approx(-kendall_tau_b(y, -f))


def test_a_constant_prediction_is_half_wrong():
    assert disagreement_error([1, 2, 3], [0.0, 0.0, 0.0]) == 0.5


def test_letor_conventions():
    assert mean_average_precision([0, 0], [1.0, 2.0]) == 0.0
    assert ndcg_at(10, [2, 1], [2.0, 1.0]) == 0.0
    assert precision_at(10, [2, 1], [2.0, 1.0]) == pytest.approx(0.2)
    # The second position is not discounted: swapping the first two of three changes nothing at @3.
    assert ndcg_at(3, [1, 2, 0], [3.0, 2.0, 1.0]) == pytest.approx(ndcg_at(3, [2, 1, 0], [3.0, 2.0, 1.0]))


def test_errors_name_the_problem():
    with pytest.raises(LabelError, match="constant in every one of the 2 queries"):
        disagreement_error([1, 1, 2, 2], [1.0, 2.0, 3.0, 4.0], qid=[0, 0, 1, 1])
    with pytest.raises(LabelError, match="two vectors of one positive length"):
        mean_average_precision([1, 2], [1.0])
    with pytest.raises(LabelError, match=r"y_score\[1\] is .*nan"):
        kendall_tau_b([1, 2], [1.0, float("nan")])
    with pytest.raises(QueryError, match=r"expected shape \(2,\)"):
        mean_ndcg([1, 2], [1.0, 2.0], qid=[1, 1, 1])
    with pytest.raises(LabelError, match="cutoff k of at least 1"):
        precision_at(0, [1, 2], [1.0, 2.0])
    with pytest.raises(LabelError, match="at most one of per_query and pooled"):
        disagreement_error([1, 2], [1.0, 2.0], per_query=True, pooled=True)


@pytest.mark.parametrize("label", [40, 60, 900])
def test_great_gains_of_one_query_leave_the_next_one_alone(label):
    rng = np.random.default_rng(3)
    y_true = np.concatenate([[label, label - 1, 0], rng.integers(0, 5, size=8)])
    y_score, qid = rng.normal(size=11), np.repeat([0, 1], [3, 8])
    for measure in (lambda *args, **options: ndcg_at(3, *args, **options), mean_ndcg):
        alone = measure(y_true[3:], y_score[3:])
        assert measure(y_true, y_score, qid=qid, per_query=True)[1] == pytest.approx(alone, abs=1e-15)


def test_gains_beyond_floating_point_are_refused():
    with pytest.raises(LabelError, match=r"labels of at most 1000 for NDCG, .* got 1100.0"):
        ndcg_at(1, [1100, 0], [1.0, 2.0])


def slow_error_with_ties(y_true, y_score, ties):
    """One query, pair by pair: what the papers' step functions say."""
    total, count = 0.0, 0
    for i in range(len(y_true)):
        for j in range(i):
            truth, prediction = np.sign(y_true[i] - y_true[j]), np.sign(y_score[i] - y_score[j])
            if ties == "symmetric":  # |sign(y) - sign(f)| / 2 over all pairs
                total, count = total + abs(truth - prediction) / 2, count + 1
            elif truth:
                at_tie = {"half": 0.5, "wrong": 1.0}[ties]
                total, count = total + (at_tie if prediction == 0 else float(prediction != truth)), count + 1
    return total / count if count else np.nan


@pytest.mark.parametrize("ties", ["half", "wrong", "symmetric"])
@pytest.mark.parametrize("n_labels", [2, 4])
@pytest.mark.parametrize("seed", range(5))
def test_predicted_ties_count_as_the_papers_say(ties, n_labels, seed):
    rng = np.random.default_rng(seed)
    y_true, y_score, qid = rng.integers(0, n_labels, 40), rng.integers(0, 4, 40), rng.integers(0, 6, 40)
    expected = [slow_error_with_ties(y_true[qid == q], y_score[qid == q], ties) for q in np.unique(qid)]
    found = disagreement_error(y_true, y_score, qid=qid, ties=ties, per_query=True)
    np.testing.assert_allclose(found, expected, atol=1e-15)
    assert disagreement_error(y_true, y_score, qid=qid, ties=ties) == pytest.approx(np.nanmean(expected))


def test_constant_predictions_are_half_or_all_wrong():
    errors = {ties: disagreement_error([0, 1, 1, 2], np.zeros(4), ties=ties) for ties in ("half", "wrong", "symmetric")}
    assert errors == {"half": 0.5, "wrong": 1.0, "symmetric": 5 / 12}  # five of the six pairs are tied on one side
    with pytest.raises(LearnerError, match=r"expected ties to be one of .*, got 'none'"):
        disagreement_error([0, 1], [0, 1], ties="none")
