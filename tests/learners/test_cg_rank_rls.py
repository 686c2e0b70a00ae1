"""Conjugate-gradient RankRLS against the closed form and the definition of early stopping."""

import numpy as np
import pytest
import scipy.sparse as sp

from learners._conjugate_gradient import conjugate_gradient
from learners.cg_rank_rls import CGRankRLS
from learners.errors import (
    LabelError,
    LearnerError,
    NotConvergedError,
    NotConvergedWarning,
    PreferenceError,
    QueryError,
    RegParamError,
)
from learners.metrics.ranking import disagreement_error
from learners.rank_rls import RankRLS


@pytest.fixture
def problem():
    rng = np.random.default_rng(3)
    X = sp.random_array((120, 40), density=0.2, rng=rng, format="csr")
    y = X @ rng.normal(size=40) + 0.3 * rng.normal(size=120)
    return X, y, rng.permutation(np.arange(120) // 8)


@pytest.mark.parametrize("by_query", [True, False])
@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("regparam", [0.1, 1.0, 100.0])
def test_tikhonov_equals_the_closed_form(problem, regparam, dense, by_query):
    X, y, qid = problem
    X, qid = (X.toarray() if dense else X), (qid if by_query else None)
    model = CGRankRLS(regparam, tol=1e-12).fit(X, y, qid=qid)
    np.testing.assert_allclose(model.coef_, RankRLS(regparam).fit(X, y, qid=qid).coef_, rtol=1e-8, atol=1e-9)
    assert model.best_iter_ == model.n_iter_ == len(model.residuals_)


@pytest.mark.parametrize("magnitudes", [True, False])
def test_preferences_equal_the_closed_form(problem, magnitudes):
    X, y, _ = problem
    rng = np.random.default_rng(0)
    i, j = rng.integers(0, 120, (2, 300))
    i, j = i[y[i] > y[j]], j[y[i] > y[j]]
    edges = np.column_stack((i, j, y[i] - y[j])) if magnitudes else np.column_stack((i, j))
    model = CGRankRLS(0.5, tol=1e-12).fit(X, preferences=edges)
    np.testing.assert_allclose(model.coef_, RankRLS(0.5).fit(X, preferences=edges).coef_, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("regparam", [None, 0.01])
def test_early_stopping_keeps_the_best_iterate(problem, regparam):
    X, y, qid = problem
    rng = np.random.default_rng(1)
    noisy = y + 2.0 * rng.normal(size=120)
    train, held = qid < 10, qid >= 10
    validation = (X[held], y[held], qid[held])
    model = CGRankRLS(regparam, early_stopping=True, patience=7, tol=1e-14)
    model.fit(X[train], noisy[train], qid=qid[train], validation=validation)
    iterates = slow_iterates(X[train].toarray(), noisy[train], qid[train], regparam or 0.0, model.n_iter_)
    errors = [disagreement_error(y[held], X[held] @ w, qid=qid[held]) for w in iterates]
    np.testing.assert_allclose(model.validation_errors_, errors, atol=1e-12)
    assert model.best_iter_ == np.argmin(errors) + 1
    np.testing.assert_allclose(model.coef_, iterates[model.best_iter_ - 1], rtol=1e-6, atol=1e-8)
    assert model.n_iter_ == model.best_iter_ + 7


@pytest.mark.parametrize("stop", [3, 1000])
def test_a_callback_sees_every_iterate_and_can_stop(problem, stop):
    X, y, qid = problem
    seen = []

    def watch(number, w):
        seen.append((number, w.copy()))
        return number == stop

    model = CGRankRLS(0.01, tol=1e-10, max_iter=200).fit(X, y, qid=qid, callback=watch)
    assert [number for number, _ in seen] == list(range(1, model.n_iter_ + 1))
    assert model.n_iter_ == model.best_iter_ == min(stop, model.n_iter_)
    iterates = slow_iterates(X.toarray(), y, qid, 0.01, 5)
    for (_, w), expected in zip(seen, iterates):
        np.testing.assert_allclose(w, expected, rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(model.coef_, seen[-1][1])


def test_a_callback_that_stops_is_no_failure_to_converge(problem):
    X, y, qid = problem
    model = CGRankRLS(1e-6, max_iter=2).fit(X, y, qid=qid, callback=lambda number, w: number == 2)
    assert model.n_iter_ == 2
    assert model.residuals_[-1] > model.tol


def slow_iterates(X, y, qid, regparam, n_iterations):
    """The t-th conjugate-gradient iterate minimises the quadratic over the Krylov space of t dimensions."""
    centered = [(block - block.mean(axis=0)) for block in (X, y[:, None])]
    for q in np.unique(qid):
        for values, result in ((X, centered[0]), (y[:, None], centered[1])):
            result[qid == q] = values[qid == q] - values[qid == q].mean(axis=0)
    A = centered[0].T @ centered[0] + regparam * np.eye(X.shape[1])
    b = centered[0].T @ centered[1][:, 0]
    basis, iterates = [], []
    vector = b
    for _ in range(n_iterations):
        for _ in range(2):
            for previous in basis:
                vector = vector - previous * (previous @ vector)
        basis.append(vector / np.linalg.norm(vector))
        V = np.array(basis).T
        iterates.append(V @ np.linalg.solve(V.T @ A @ V, V.T @ b))
        vector = A @ basis[-1]
    return iterates


@pytest.mark.parametrize("by_query", [True, False])
def test_a_part_of_the_queries_is_set_aside(problem, by_query):
    X, y, qid = problem
    model = CGRankRLS(None, early_stopping=True, random_state=0)
    first = model.fit(X, y, qid=qid if by_query else None).coef_
    assert len(model.validation_errors_) == model.n_iter_
    np.testing.assert_array_equal(first, model.fit(X, y, qid=qid if by_query else None).coef_)


def test_iterations_stop_at_the_solution():
    A = np.diag([1.0, 2.0, 2.0])
    iterates = [iterate.solution.copy() for iterate in conjugate_gradient(lambda v: A @ v, np.array([1.0, 2.0, 4.0]))]
    np.testing.assert_allclose(iterates[1], [1.0, 1.0, 2.0])
    assert list(conjugate_gradient(lambda v: A @ v, np.zeros(3))) == []


def test_at_the_limit_the_last_iterate_is_kept_with_a_warning(problem):
    X, y, qid = problem
    iterates = []
    with pytest.warns(NotConvergedWarning, match="within max_iter=2 iterations, but the residual is"):
        model = CGRankRLS(1e-6, max_iter=2).fit(X, y, qid=qid, callback=lambda number, w: iterates.append(w.copy()))
    assert model.n_iter_ == 2
    np.testing.assert_array_equal(model.coef_, iterates[-1])


def test_errors_say_what_is_wrong(problem):
    X, y, qid = problem
    with pytest.raises(NotConvergedError, match="within max_iter=2 iterations, but the residual is"):
        CGRankRLS(1e-6, max_iter=2, on_limit="raise").fit(X, y, qid=qid)
    with pytest.raises(RegParamError, match="needs early_stopping=True"):
        CGRankRLS(None).fit(X, y, qid=qid)
    with pytest.raises(RegParamError, match="regparam to be positive"):
        CGRankRLS(-1.0).fit(X, y, qid=qid)
    with pytest.raises(LabelError, match="constant"):
        CGRankRLS().fit(X, qid, qid=qid)
    with pytest.raises(QueryError, match="expected shape"):
        CGRankRLS().fit(X, y, qid=qid[1:])
    with pytest.raises(PreferenceError, match="at least one edge"):
        CGRankRLS().fit(X, preferences=[])
    with pytest.raises(PreferenceError, match="either scores y or preferences"):
        CGRankRLS().fit(X, y, preferences=[(0, 1)])
    with pytest.raises(LearnerError, match="needs validation="):
        CGRankRLS(early_stopping=True).fit(X, preferences=[(0, 1)])
    with pytest.raises(LearnerError, match="is for early_stopping=True"):
        CGRankRLS().fit(X, y, validation=(X, y))
    with pytest.raises(LearnerError, match="expected patience to be a positive number"):
        CGRankRLS(patience=0).fit(X, y)
    with pytest.raises(LearnerError, match=r"expected validation X of shape \(120, 40\)"):
        CGRankRLS(early_stopping=True).fit(X, y, validation=(X[:, :3], y))
    with pytest.raises(QueryError, match="at least 2 queries for early stopping"):
        CGRankRLS(early_stopping=True).fit(X, y, qid=0 * qid)
    with pytest.raises(ValueError, match="NaN"):
        CGRankRLS().fit(X, np.where(y > 0, np.nan, y))
