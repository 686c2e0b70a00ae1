"""RankSVM against the pairwise hinge loss written out, its quadratic program and a general solver."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import linprog, minimize
from sklearn.svm import LinearSVC

from learners._bundle import Bundle
from learners._simplex_qp import minimize_on_simplex
from learners.errors import (
    LabelError,
    LearnerError,
    NotConvergedError,
    NotConvergedWarning,
    PreferenceError,
    QueryError,
    RegParamError,
)
from learners.rank_svm import PairwiseHinge, PreferenceHinge, RankSVM


def slow_hinge(y, f, qid):
    """Loss and subgradient, pair by pair."""
    pairs = [(i, j) for i in range(len(y)) for j in range(len(y)) if qid[i] == qid[j] and y[i] > y[j]]
    loss, gradient = 0.0, np.zeros(len(y))
    for i, j in pairs:
        if 1.0 - f[i] + f[j] > 0:
            loss += 1.0 - f[i] + f[j]
            gradient[i] -= 1.0
            gradient[j] += 1.0
    return loss / len(pairs), gradient / len(pairs)


def svm_on_listed_pairs(X, y, qid, regparam):
    """The objective of liblinear's solution of the classification problem over all listed pairs."""
    pairs = [(i, j) for i in range(len(y)) for j in range(len(y)) if qid[i] == qid[j] and y[i] > y[j]]
    signs = np.resize([1.0, -1.0], len(pairs))  # a classifier wants two classes: turn every other pair round
    D = np.array([X[i] - X[j] for i, j in pairs]) * signs[:, None]
    svm = LinearSVC(
        loss="hinge", C=1.0 / (2.0 * regparam * len(pairs)), fit_intercept=False, tol=1e-9, max_iter=2_000_000
    )
    w = svm.fit(D, signs).coef_[0]
    return slow_hinge(y, X @ w, qid)[0] + regparam * w @ w


@pytest.fixture
def problem():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(40, 6))
    y = np.round(X @ rng.normal(size=6) + rng.normal(size=40), 1)
    return X, y, rng.integers(0, 4, 40)


@pytest.mark.parametrize("seed", range(20))
def test_hinge_equals_the_double_loop(seed):
    rng = np.random.default_rng(seed)
    m = 30
    y, f, qid = rng.integers(0, 5, m), rng.normal(size=m), rng.integers(0, 1 + seed % 4, m)
    loss, gradient = PairwiseHinge(y, qid=qid)(f)
    expected_loss, expected_gradient = slow_hinge(y, f, qid)
    assert loss == pytest.approx(expected_loss, abs=1e-12)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-12)


@pytest.mark.parametrize("regparam", [0.3, 0.01, 0.001])
@pytest.mark.parametrize("by_query", [True, False])
@pytest.mark.parametrize("sparse", [True, False])
def test_objective_is_the_minimum(problem, regparam, by_query, sparse):
    X, y, qid = problem
    qid = qid if by_query else np.zeros(40, int)
    model = RankSVM(regparam, tol=1e-6).fit(sp.csr_array(X) if sparse else X, y, qid=qid)
    objective = slow_hinge(y, X @ model.coef_, qid)[0] + regparam * model.coef_ @ model.coef_
    assert objective == pytest.approx(model.history_[-1][0], abs=1e-12)
    assert objective == pytest.approx(svm_on_listed_pairs(X, y, qid, regparam), abs=2e-6)


def test_bounds_close_in_on_the_minimum(problem):
    X, y, qid = problem
    history = np.array(RankSVM(0.001, tol=1e-6).fit(X, y, qid=qid).history_)
    assert (np.diff(history[:, 0]) <= 1e-12).all()
    assert (np.diff(history[:, 1]) >= -1e-9).all()
    assert (history[:, 1] <= history[:, 0] + 1e-12).all()
    assert history[-1, 0] - history[-1, 1] <= 1e-6


@pytest.mark.parametrize("seed", range(30))
def test_simplex_program_equals_a_general_solver(seed):
    rng = np.random.default_rng(seed)
    t = int(rng.integers(1, 14))
    A = rng.normal(size=(t, int(rng.integers(1, 14))))  # often singular
    Q, b = A @ A.T, rng.normal(size=t) * rng.choice([0.0, 1.0, 10.0])
    a = minimize_on_simplex(A.T, b)
    assert a.min() >= 0
    assert a.sum() == pytest.approx(1.0)
    gradient = Q @ a - b
    assert a @ gradient - gradient.min() <= 1e-9 * (1 + np.abs(Q).max())  # optimal: no vertex is downhill
    other = minimize(
        lambda x: x @ Q @ x / 2 - b @ x,
        np.full(t, 1.0 / t),
        jac=lambda x: Q @ x - b,
        bounds=[(0, 1)] * t,
        constraints={"type": "eq", "fun": lambda x: x.sum() - 1, "jac": lambda x: np.ones(t)},
        method="SLSQP",
    )
    assert a @ Q @ a / 2 - b @ a <= other.fun + 1e-7
    warm = minimize_on_simplex(A.T, b, start=np.full(t, 1.0 / t))
    assert warm @ Q @ warm / 2 - b @ warm == pytest.approx(a @ Q @ a / 2 - b @ a, abs=1e-9)


def test_simplex_program_with_nearly_flat_directions():
    """More planes than features: a flat direction mixed with the constant one once sent the step to infinity."""
    X = np.random.RandomState(0).uniform(size=(10, 3))
    y = np.r_[np.zeros(5), np.ones(5)]
    model = RankSVM(tol=1e-9).fit(X, y)
    assert model.history_[-1][0] - model.history_[-1][1] <= 1e-9


@pytest.mark.parametrize("regparam", [1e-2, 1e-3])
@pytest.mark.parametrize("seed", range(8))
def test_weak_regularization_of_large_features_converges(regparam, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 1001, size=(200, 10)).astype(float)
    y = X @ rng.normal(size=10) + 300 * rng.normal(size=200)
    model = RankSVM(regparam).fit(X, y)
    best, lower = model.history_[-1]
    objective = PairwiseHinge(y)(X @ model.coef_)[0] + regparam * model.coef_ @ model.coef_
    assert objective == pytest.approx(best, abs=1e-9)
    assert objective - lower <= 1e-3


@pytest.mark.parametrize("seed", range(6))
def test_next_to_no_regularization_equals_the_linear_program(seed):
    rng = np.random.default_rng(seed)
    X, y = 100.0 * rng.normal(size=(14, 3)), rng.integers(0, 3, size=14)
    D = np.array([X[i] - X[j] for i in range(14) for j in range(14) if y[i] > y[j]])
    n_pairs, regparam = len(D), 1e-7
    # Without the regularizer: the least mean of s over w and s with s >= 0 and s >= 1 - D w.
    unregularized = linprog(
        np.concatenate([np.zeros(3), np.full(n_pairs, 1.0 / n_pairs)]),
        A_ub=np.hstack([-D, -np.eye(n_pairs)]),
        b_ub=-np.ones(n_pairs),
        bounds=[(None, None)] * 3 + [(0, None)] * n_pairs,
    )
    model = RankSVM(regparam, tol=1e-5).fit(X, y)
    w = unregularized.x[:3]
    risk = PairwiseHinge(y)(X @ model.coef_)[0]
    assert unregularized.fun - 1e-9 <= risk <= unregularized.fun + regparam * w @ w + 1e-5


def test_features_that_tell_nothing_apart_give_no_weights():
    model = RankSVM().fit(np.ones((6, 2)), [0, 0, 1, 1, 2, 2])
    np.testing.assert_array_equal(model.coef_, [0.0, 0.0])
    assert model.history_[-1][0] == pytest.approx(1.0)


def test_bundle_minimises_the_highest_plane():
    bundle = Bundle(regparam=0.5)
    for slope, offset in ((np.array([1.0]), 0.0), (np.array([-1.0]), 0.5)):
        bundle.add(slope, offset)
    w, value = bundle.minimize()  # max(w, 0.5 - w) + w^2 / 2 has its minimum at the crossing
    np.testing.assert_allclose(w, [0.25])
    assert value == pytest.approx(0.25 + 0.25**2 / 2)


def all_preferences(y, qid):
    return [(i, j) for i in range(len(y)) for j in range(len(y)) if qid[i] == qid[j] and y[i] > y[j]]


def test_all_preferences_of_the_scores_are_the_scores(problem):
    X, y, qid = problem
    by_scores = RankSVM(0.1, tol=1e-9).fit(X, y, qid=qid)
    edges = all_preferences(y, qid)
    for preferences in (edges, [(i, j, 7.0) for i, j in edges]):
        model = RankSVM(0.1, tol=1e-9).fit(X, preferences=preferences, qid=qid)
        np.testing.assert_allclose(model.coef_, by_scores.coef_, atol=1e-4)
    f = np.random.default_rng(1).normal(size=len(y))
    loss, gradient = PreferenceHinge(edges, len(y))(f)
    expected_loss, expected_gradient = PairwiseHinge(y, qid=qid)(f)
    assert loss == pytest.approx(expected_loss)
    np.testing.assert_allclose(gradient, expected_gradient, atol=1e-12)


def test_averaging_over_queries_is_the_mean_of_their_risks(problem):
    _, y, qid = problem
    qid = np.where(np.arange(len(y)) < 3, "small", np.asarray(qid, dtype=str))
    f = np.random.default_rng(2).normal(size=len(y))
    loss, gradient = PairwiseHinge(y, qid=qid, average="queries")(f)
    losses, gradients = [], np.zeros(len(y))
    for query in np.unique(qid):
        members = np.flatnonzero(qid == query)
        if len(np.unique(y[members])) > 1:
            each, slope = PairwiseHinge(y[members])(f[members])
            losses.append(each)
            gradients[members] = slope
    assert loss == pytest.approx(np.mean(losses))
    np.testing.assert_allclose(gradient, gradients / len(losses), atol=1e-12)


def test_a_large_query_does_not_drown_a_small_one():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(64, 2))
    qid = np.array([0] * 60 + [1] * 4)
    y = np.where(qid == 0, X[:, 0], X[:, 1])  # each query is about another feature
    by_pairs, by_queries = (RankSVM(0.1, average=average).fit(X, y, qid=qid).coef_ for average in ("pairs", "queries"))
    assert by_queries[1] / by_queries[0] > 5 * by_pairs[1] / by_pairs[0]


def test_preferences_that_cannot_be_used(problem):
    X, y, qid = problem
    with pytest.raises(PreferenceError, match="expected either scores y or preferences, got both"):
        RankSVM().fit(X, y, preferences=[(0, 1)])
    first, other = 0, int(np.flatnonzero(np.asarray(qid) != qid[0])[0])
    with pytest.raises(PreferenceError, match="stay within a query"):
        RankSVM().fit(X, preferences=[(first, other)], qid=qid)
    with pytest.raises(LearnerError, match="expected average to be one of"):
        RankSVM(average="mean").fit(X, y)


def test_at_the_limit_the_best_so_far_is_kept_with_a_warning(problem):
    X, y, qid = problem
    with pytest.warns(NotConvergedWarning, match="within max_iter=5 iterations"):
        model = RankSVM(0.1, tol=1e-12, max_iter=5).fit(X, y, qid=qid)
    objective = PairwiseHinge(y, qid=qid)(X @ model.coef_)[0] + 0.1 * model.coef_ @ model.coef_
    assert model.n_iter_ == 5
    assert objective <= min(progress.objective for progress in model.history_) < 1.0


def test_errors_say_what_is_wrong(problem):
    X, y, qid = problem
    with pytest.raises(NotConvergedError, match="within max_iter=2 iterations, but the objective"):
        RankSVM(1e-5, max_iter=2, on_limit="raise").fit(X, y, qid=qid)
    with pytest.raises(LearnerError, match="expected on_limit to be one of"):
        RankSVM(on_limit="ignore").fit(X, y, qid=qid)
    with pytest.raises(NotConvergedError, match="active-set steps"):
        minimize_on_simplex(np.eye(5), np.zeros(5), max_iter=2)
    with pytest.raises(RegParamError, match="regparam to be positive"):
        RankSVM(0.0).fit(X, y)
    with pytest.raises(LearnerError, match="expected tol to be a positive number"):
        RankSVM(tol=-1.0).fit(X, y)
    with pytest.raises(LabelError, match="constant in every one of the 4 queries"):
        RankSVM().fit(X, qid, qid=qid)
    with pytest.raises(QueryError, match="expected shape"):
        RankSVM().fit(X, y, qid=qid[1:])
    with pytest.raises(ValueError, match="NaN"):
        RankSVM().fit(X, np.where(y > 0, np.nan, y))
