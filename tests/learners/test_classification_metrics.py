"""AUC and its estimates, F and thresholds, intervals and tests, against their definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.metrics import f1_score, precision_score, recall_score, roc_auc_score

from learners.errors import GroupError, LabelError, LearnerError
from learners.metrics.auc import auc, auc_interval, averaged_auc, leave_pair_out_auc
from learners.metrics.f_score import best_threshold, scores_at
from learners.metrics.paired import wilcoxon_signed_rank
from learners.metrics.ranking import disagreement_error
from learners.metrics.resampling import bootstrap_interval, permutation_test
from learners.rank_rls import RankRLS
from learners.rank_svm import RankSVM
from learners.rls import RLS
from learners.sparse_rank_rls import SparseRankRLS

labelled_scores = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=4, max_size=30).filter(
    lambda rows: len({label for label, _ in rows}) == 2
)


def plain_auc(y, scores):
    """Every positive against every negative."""
    pairs = [(p, n) for p in scores[y] for n in scores[~y]]
    return np.mean([1.0 if p > n else 0.5 if p == n else 0.0 for p, n in pairs])


@given(labelled_scores)
@settings(max_examples=100, deadline=None)
def test_auc_equals_counting_pairs(rows):
    y, scores = (np.array(column) for column in zip(*rows))
    assert_allclose(auc(y, scores), plain_auc(y, scores), atol=1e-12)
    assert_allclose(auc(y, scores), roc_auc_score(y, scores), atol=1e-12)
    assert_allclose(auc(np.where(y, 1, -1), scores), auc(y, scores))


@given(labelled_scores.filter(lambda rows: 2 <= sum(label for label, _ in rows) <= len(rows) - 2))
@settings(max_examples=60, deadline=None)
def test_delong_variance_equals_its_definition(rows):
    y, scores = (np.array(column) for column in zip(*rows))
    wins = (scores[y][:, None] > scores[~y]) + 0.5 * (scores[y][:, None] == scores[~y])
    variance = np.var(wins.mean(axis=1), ddof=1) / y.sum() + np.var(wins.mean(axis=0), ddof=1) / (~y).sum()
    interval = auc_interval(y, scores)
    assert_allclose(interval.auc, wins.mean(), atol=1e-12)
    assert_allclose(interval.standard_error, np.sqrt(variance), atol=1e-12)
    assert 0 <= interval.low <= interval.auc <= interval.high <= 1


def test_delong_interval_covers_the_true_value():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [60, 40])
    intervals = [auc_interval(y, rng.normal(size=100), level=0.9) for _ in range(400)]
    covered = np.mean([interval.low <= 0.5 <= interval.high for interval in intervals])
    assert 0.85 < covered < 0.95


def test_averaged_auc_counts_pairs_within_groups():
    rng = np.random.default_rng(1)
    y, scores = rng.integers(0, 2, size=60).astype(bool), rng.integers(0, 5, size=60)
    groups = rng.integers(0, 9, size=60)
    wins, pairs = 0.0, 0
    for group in range(9):
        inside = groups == group
        n = y[inside].sum() * (~y[inside]).sum()
        if n:
            wins += n * plain_auc(y[inside], scores[inside])
            pairs += n
    assert_allclose(averaged_auc(y, scores, groups), wins / pairs)
    with pytest.raises(LabelError, match="none of the 60 groups holds both classes"):
        averaged_auc(y, scores, np.arange(60))


def test_leave_pair_out_auc_is_unbiased_where_pooling_is_not():
    rng = np.random.default_rng(2)
    pooled, left_pair = [], []
    for _ in range(60):
        X, y = rng.normal(size=(20, 5)), np.repeat([-1.0, 1.0], 10)
        model = RLS(100.0, kernel=lambda A, B: A @ B.T + 20.0).fit(X, y)
        pairs = np.array([(i, j) for i in range(10) for j in range(10, 20)])
        pooled.append(auc(y, model.leave_one_out()))
        left_pair.append(leave_pair_out_auc(y, pairs, model.leave_pair_out(pairs)))
    assert np.mean(pooled) < 0.42  # no signal, so 0.5 is right [thesis, sec. 5.4]
    assert abs(np.mean(left_pair) - 0.5) < 0.06


def test_leave_pair_out_auc_by_hand():
    y, pairs = [0, 1, 1], [[0, 1], [2, 0], [1, 2]]
    predictions = [[1.0, 2.0], [3.0, 3.0], [0.0, 9.0]]  # right, tie, not a mixed pair
    assert leave_pair_out_auc(y, pairs, predictions) == 0.75
    assert_allclose(leave_pair_out_auc(y, pairs, [predictions, -np.array(predictions)]), [0.75, 0.25])


@given(labelled_scores)
@settings(max_examples=100, deadline=None)
def test_best_threshold_is_the_best_of_all(rows):
    y, scores = (np.array(column) for column in zip(*rows))
    choice = best_threshold(y, scores)
    candidates = [f1_score(y, scores >= value) for value in np.unique(scores)]
    assert_allclose(choice.f, max(candidates), atol=1e-12)
    assert choice == scores_at(y, scores, choice.threshold)


@given(labelled_scores, st.floats(-4, 4))
@settings(max_examples=50, deadline=None)
def test_scores_at_equal_scikit_learn(rows, threshold):
    y, scores = (np.array(column) for column in zip(*rows))
    result, predicted = scores_at(y, scores, threshold), scores >= threshold
    assert_allclose(result.precision, precision_score(y, predicted, zero_division=0))
    assert_allclose(result.recall, recall_score(y, predicted))
    assert_allclose(result.f, f1_score(y, predicted))


def test_threshold_between_neighbouring_floats_separates_them():
    low = 1.0
    high = np.nextafter(low, 2)
    choice = best_threshold([0, 1], [low, high])
    assert choice.f == 1.0
    assert choice.threshold > low


def test_bootstrap_of_groups_is_wider_when_groups_agree():
    rng = np.random.default_rng(3)
    group_effect = np.repeat(rng.normal(size=30), 10)
    y = np.tile([0, 1], 150)
    scores = y + group_effect * np.where(y, 2, 0) + 0.1 * rng.normal(size=300)
    plain = bootstrap_interval(auc, y, scores, random_state=0, n_resamples=300)
    grouped = bootstrap_interval(auc, y, scores, groups=np.repeat(np.arange(30), 10), random_state=0, n_resamples=300)
    assert plain.estimate == grouped.estimate == auc(y, scores)
    assert grouped.high - grouped.low > 1.5 * (plain.high - plain.low)
    assert grouped == bootstrap_interval(
        auc, y, scores, groups=np.repeat(np.arange(30), 10), random_state=0, n_resamples=300
    )


def averaged_within_first(y, scores):
    """A statistic that has no value when two groups are told apart by their class."""
    return averaged_auc(y, scores, np.asarray(y))


def test_bootstrap_counts_undefined_resamples():
    result = bootstrap_interval(auc, [0, 0, 0, 1], [1, 2, 3, 4], random_state=0, n_resamples=200)
    assert 0 < result.n_undefined < 100
    with pytest.raises(LabelError, match=r"no value on \d+ of 20 resamples of 2 groups"):
        bootstrap_interval(averaged_within_first, [0, 0, 1, 1], [1, 2, 3, 4], groups=[0, 0, 1, 1], n_resamples=20)


def test_permutation_test_equals_fitting_each_permutation():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(30, 4))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=30) > 0, 1.0, -1.0)
    groups = np.arange(30) // 3
    test = permutation_test(RLS(), X, y, auc, groups=groups, n_permutations=50, random_state=0)
    state = np.random.RandomState(0)
    for value in test.permuted:
        permuted = state.permutation(y)
        assert_allclose(value, auc(permuted, RLS().fit(X, permuted).leave_group_out(groups)))
    assert test.p_value == (1 + np.sum(test.permuted >= test.statistic)) / 51
    assert test.p_value < 0.05
    noise = permutation_test(RLS(), X, rng.permutation(y), auc, n_permutations=50, random_state=0)
    assert noise.p_value > 0.05


@pytest.mark.parametrize("ranker", [RankRLS(), SparseRankRLS(basis=np.arange(0, 30, 2)), RankRLS(cost="unit")])
def test_permutation_test_of_a_ranker_permutes_within_queries(ranker):
    rng = np.random.default_rng(7)
    X, qid = rng.normal(size=(30, 4)), np.arange(30) // 5
    y = X[:, 0] + 0.3 * rng.normal(size=30) + 10.0 * qid

    def score(true, predicted):
        return 1.0 - disagreement_error(true, predicted, qid=qid)

    test = permutation_test(ranker, X, y, score, groups=qid, n_permutations=40, random_state=0)
    state, members = np.random.RandomState(0), [np.flatnonzero(qid == query) for query in range(6)]
    assert_allclose(test.statistic, score(y, clone(ranker).fit(X, y, qid=qid).leave_query_out()))
    for value in test.permuted[:10]:
        permuted = np.concatenate([y[state.permutation(U)] for U in members])
        assert_allclose(value, score(permuted, clone(ranker).fit(X, permuted, qid=qid).leave_query_out()))
    assert test.p_value == 1 / 41
    with pytest.raises(GroupError, match="got None"):
        permutation_test(ranker, X, y, score)
    with pytest.raises(LearnerError, match=r"leave_group_out or leave_query_out, got RankSVM\(\)"):
        permutation_test(RankSVM(), X, y, score, groups=qid)


def test_wilcoxon_signed_rank_by_hand():
    first = [0.8, 0.7, 0.9, 0.6, 0.85, 0.5]
    second = [0.7, 0.65, 0.6, 0.4, 0.84, 0.5]
    result = wilcoxon_signed_rank(first, second)
    assert result.n_different == 5
    assert wilcoxon_signed_rank(first[:5], second[:5]).p_value == 2 / 2**5  # one of 32 sign patterns a side
    with pytest.raises(LabelError, match="all 2 pairs are equal"):
        wilcoxon_signed_rank([1, 2], [1, 2])
    with pytest.raises(LabelError, match="two vectors of finite paired"):
        wilcoxon_signed_rank([1, 2], [1])


def test_errors_say_what_came_and_what_to_try():
    with pytest.raises(LabelError, match=r"exactly two classes, got \[1\] among 2 examples"):
        auc([1, 1], [0.1, 0.2])
    with pytest.raises(LabelError, match=r"exactly two classes, got \[0, 1, 2\]"):
        best_threshold([0, 1, 2], [0.1, 0.2, 0.3])
    with pytest.raises(LabelError, match="got 1 NaN or infinite scores"):
        auc([0, 1], [np.nan, 0.2])
    with pytest.raises(LabelError, match=r"shapes \(2,\) and \(3,\)"):
        scores_at([0, 1], [1, 2, 3], 0.5)
    with pytest.raises(LabelError, match="got 1 positive and 2 negative"):
        auc_interval([0, 0, 1], [1, 2, 3])
    with pytest.raises(LabelError, match="expected level to be between 0 and 1, got 95"):
        auc_interval([0, 0, 1, 1], [1, 2, 3, 4], level=95)
    with pytest.raises(LabelError, match="expected level to be between"):
        bootstrap_interval(auc, [0, 1], [1, 2], level=0)
    with pytest.raises(LabelError, match="expected n_permutations to be positive"):
        permutation_test(RLS(), [[1.0], [2.0]], [0, 1], auc, n_permutations=0)
    with pytest.raises(GroupError, match="2 examples, got 1 labels"):
        averaged_auc([0, 1], [1, 2], [0])
    with pytest.raises(LabelError, match=r"expected predictions of shape \(..., 1, 2\)"):
        leave_pair_out_auc([0, 1], [[0, 1]], [[1, 2], [3, 4]])
    with pytest.raises(LabelError, match="none of the 1 pairs holds a positive and a negative"):
        leave_pair_out_auc([0, 1, 1], [[1, 2]], [[1, 2]])
    with pytest.raises(LabelError, match="exactly two classes"):
        leave_pair_out_auc([1, 1], [[0, 1]], [[1, 2]])
