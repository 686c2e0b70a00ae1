"""Choosing regparam: the hold-out errors against refitting, one by one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import LeaveOneGroupOut, LeaveOneOut, cross_val_predict
from sklearn.utils.estimator_checks import parametrize_with_checks

from learners.errors import GroupError, LabelError, LearnerError
from learners.metrics.ranking import disagreement_error
from learners.rank_rls import RankRLS
from learners.rank_rls_cv import RankRLSCV, SparseRankRLSCV
from learners.rls import RLS
from learners.rls_cv import RLSCV, SparseRLSCV
from learners.sparse_rank_rls import SparseRankRLS
from learners.sparse_rls import SparseRLS

REGPARAMS = [0.01, 1.0, 30.0]
CHOOSERS = [RLSCV(), RLSCV(leave_out="pair"), SparseRLSCV(random_state=0)]


@pytest.fixture
def data():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(24, 4))
    return X, X[:, 0] - X[:, 1] + rng.normal(size=24), np.arange(24) // 3


def _expected_failures(estimator):
    """A weight of 2 is two examples to a fit, but not to leave-one-out, which leaves one copy in the training set."""
    reason = "leave-one-out of an example with its copies in the training set is another question"
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in ("dense", "sparse")}


@parametrize_with_checks(CHOOSERS, expected_failed_checks=_expected_failures)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_leave_one_out_errors_equal_refitting(form, data):
    X, y, _ = data
    model = RLSCV(REGPARAMS, form=form).fit(X, y)
    slow = [np.mean((y - cross_val_predict(RLS(regparam), X, y, cv=LeaveOneOut())) ** 2) for regparam in REGPARAMS]
    assert_allclose(model.cv_results_["error"], slow, rtol=1e-8)
    assert model.regparam_ == REGPARAMS[int(np.argmin(slow))]
    assert_allclose(model.predict(X), RLS(model.regparam_).fit(X, y).predict(X), rtol=1e-8)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("form", ["primal", "dual"])
def test_leave_one_out_agrees_with_ridge_cv(intercept, form, data):
    X, y, _ = data
    y = y + 3.0
    ours = RLSCV(REGPARAMS, fit_intercept=intercept, form=form).fit(X, y)
    theirs = RidgeCV(REGPARAMS, fit_intercept=intercept).fit(X, y)
    assert ours.regparam_ == theirs.alpha_
    assert_allclose(-ours.best_error_, theirs.best_score_, rtol=1e-8)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8)
    assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-8)


@pytest.mark.parametrize(
    ("chooser", "plain"),
    [(RLSCV, RLS), (lambda r, **o: SparseRLSCV(r, basis=[0, 5, 9], **o), lambda r: SparseRLS(r, basis=[0, 5, 9]))],
    ids=["RLS", "sparse"],
)
def test_leave_group_out_errors_equal_those_of_the_shortcut(chooser, plain, data):
    X, y, groups = data
    model = chooser(REGPARAMS, leave_out="group", criterion="absolute_error").fit(X, y, groups=groups)
    held = plain(1.0).fit(X, y).leave_group_out(groups, REGPARAMS)
    assert_allclose(model.cv_results_["error"], np.abs(y - held).mean(axis=1), rtol=1e-8)


def test_leave_group_out_errors_equal_refitting(data):
    X, y, groups = data
    model = RLSCV(REGPARAMS, leave_out="group").fit(X, y, groups=groups)
    slow = [
        np.mean((y - cross_val_predict(RLS(value), X, y, groups=groups, cv=LeaveOneGroupOut())) ** 2)
        for value in REGPARAMS
    ]
    assert_allclose(model.cv_results_["error"], slow, rtol=1e-8)


def test_weights_weigh_the_error_as_they_weigh_the_fit(data):
    X, y, _ = data
    weights = np.random.default_rng(0).uniform(0.5, 2.0, size=len(y))
    model = RLSCV(REGPARAMS).fit(X, y, sample_weight=weights)
    held = RLS().fit(X, y, sample_weight=weights).leave_one_out(REGPARAMS)
    assert_allclose(model.cv_results_["error"], np.average((y - held) ** 2, axis=1, weights=weights), rtol=1e-8)


def test_outputs_share_one_regparam(data):
    X, y, _ = data
    both = RLSCV(REGPARAMS).fit(X, np.column_stack([y, 2 * y]))
    single = RLSCV(REGPARAMS).fit(X, y)
    assert_allclose(both.cv_results_["error"], 2.5 * single.cv_results_["error"], rtol=1e-8)


def test_leave_pair_out_errors_by_hand():
    X, y = np.array([[1.0], [2.0], [-1.0], [3.0], [0.5]]), np.array([1.0, 2.0, -1.0, 4.0, 1.0])
    model = RLSCV([0.5], leave_out="pair").fit(X, y)
    wrong = count = 0.0
    for i in range(5):
        for j in range(i + 1, 5):
            rest = [k for k in range(5) if k not in (i, j)]
            f = RLS(0.5).fit(X[rest], y[rest]).predict(X[[i, j]])
            if y[i] != y[j]:
                count += 1
                wrong += float((f[0] - f[1]) * (y[i] - y[j]) < 0)
    assert model.best_error_ == pytest.approx(wrong / count)


@pytest.mark.parametrize(
    ("chooser", "plain"),
    [
        (RankRLSCV(REGPARAMS), RankRLS),
        (RankRLSCV(REGPARAMS, form="dual"), RankRLS),
        (SparseRankRLSCV(REGPARAMS, basis=[0, 7, 11, 20]), None),
    ],
    ids=["primal", "dual", "sparse"],
)
def test_leave_query_out_errors_equal_refitting(chooser, plain, data):
    X, y, qid = data
    model = clone(chooser).fit(X, y, qid=qid)
    slow = []
    for value in REGPARAMS:
        held = np.empty(len(y))
        for query in np.unique(qid):
            out = np.flatnonzero(qid == query)
            left = np.flatnonzero(qid != query)
            if plain is None:
                basis = [int(np.flatnonzero(left == b)[0]) for b in (0, 7, 11, 20) if b in left]
                refitted = SparseRankRLS(value, basis=basis)
            else:
                refitted = plain(value)
            held[out] = refitted.fit(X[left], y[left], qid=qid[left]).predict(X[out])
        slow.append(disagreement_error(y, held, qid=qid))
    assert_allclose(model.cv_results_["error"], slow, rtol=1e-8)


def test_leave_pair_out_of_a_global_ranking_equals_refitting(data):
    X, y = data[0][:8], data[1][:8]
    model = RankRLSCV([2.0], leave_out="pair").fit(X, y)
    wrong = 0.0
    for i in range(8):
        for j in range(i + 1, 8):
            rest = np.setdiff1d(np.arange(8), [i, j])
            f = RankRLS(2.0).fit(X[rest], y[rest]).predict(X[[i, j]])
            wrong += float((f[0] - f[1]) * (y[i] - y[j]) < 0)
    assert model.best_error_ == pytest.approx(wrong / 28)


def test_a_criterion_of_ones_own_gets_one_output_at_a_time(data):
    X, y, qid = data
    seen = []

    def worst(truth, predictions, **options):
        seen.append((truth.shape, sorted(options)))
        return float(np.abs(truth - predictions).max())

    RLSCV(REGPARAMS, criterion=worst).fit(X, y)
    RankRLSCV(REGPARAMS, criterion=worst).fit(X, y, qid=qid)
    assert seen == [((24,), [])] * 3 + [((24,), ["qid"])] * 3


def test_of_equally_good_values_the_greatest_is_taken(data):
    X, y, _ = data
    assert RLSCV(REGPARAMS, criterion=lambda truth, predictions: 1.0).fit(X, y).regparam_ == 30.0


def test_what_cannot_be_used_is_told(data):
    X, y, qid = data
    with pytest.raises(GroupError, match="expected groups with leave_out='group' and only there, got none"):
        RLSCV(leave_out="group").fit(X, y)
    with pytest.raises(GroupError, match="got them with 'one'"):
        RLSCV().fit(X, y, groups=qid)
    with pytest.raises(LearnerError, match=r"expected leave_out to be one of .* got 'query'"):
        RLSCV(leave_out="query").fit(X, y)
    with pytest.raises(LearnerError, match="expected criterion to be one of"):
        RLSCV(criterion="r2").fit(X, y)
    with pytest.raises(LabelError, match="at least 3 examples with leave_out='pair', got 2 samples"):
        RLSCV(leave_out="pair").fit(X[:2], y[:2])
    with pytest.raises(LabelError, match="the criterion is not defined for these targets"):
        RLSCV(leave_out="pair").fit(X, np.ones(len(y)))
