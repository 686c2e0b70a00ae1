"""Greedy RankRLS against Algorithm 1 as printed, and against training again for every candidate."""

import numpy as np
import pytest
import scipy.sparse as sp

from learners.errors import LabelError, LearnerError, QueryError, RegParamError
from learners.greedy_rank_rls import GreedyRankRLS
from learners.rank_rls import RankRLS


def algorithm_1(X, y, qid, k, regparam):
    """[Pahikkala2010, Algorithm 1], line by line; X is examples x features, centered here.

    Lines 14 and 24 read C_{Q,i}^T U_{Q,i}; lines 1 and 28 lack the index Q and the factor c in print.
    """
    queries = [np.flatnonzero(qid == q) for q in np.unique(qid)]
    X, y = X.copy(), y.astype(float)
    for Q in queries:
        X[Q] -= X[Q].mean(axis=0)
        y[Q] -= y[Q].mean()
    a, C, U, p = y / regparam, X / regparam, X.copy(), y.copy()
    selected, criteria = [], []
    while len(selected) < k:
        errors = np.full(X.shape[1], np.inf)
        for i in set(range(X.shape[1])) - set(selected):
            c = 1.0 / (1.0 + X[:, i] @ C[:, i])
            d = c * C[:, i] @ y
            errors[i] = 0.0
            for Q in queries:
                gamma = 1.0 / (-1.0 / c + C[Q, i] @ U[Q, i])
                held = p[Q] - d * U[Q, i] - gamma * U[Q, i] * (U[Q, i] @ (a[Q] - d * C[Q, i]))
                errors[i] += held @ held
        b = int(np.argmin(errors))
        c = 1.0 / (1.0 + X[:, b] @ C[:, b])
        d = c * C[:, b] @ y
        t = c * X[:, b] @ C
        for Q in queries:
            u, gamma = U[Q, b].copy(), 1.0 / (-1.0 / c + C[Q, b] @ U[Q, b])
            p[Q] -= d * u + gamma * u * (u @ (a[Q] - d * C[Q, b]))
            U[Q] -= np.outer(u, t) + gamma * np.outer(u, u @ (C[Q] - np.outer(C[Q, b], t)))
        a -= d * C[:, b]
        C -= np.outer(C[:, b], t)
        selected.append(b)
        criteria.append(errors[b])
    return selected, criteria, X[:, selected].T @ a


def squared_leave_out_error(X, y, qid, features, regparam):
    """The criterion by training again without each query (without each example if qid is None)."""
    total = 0.0
    for out in [qid == q for q in np.unique(qid)] if qid is not None else np.eye(len(y), dtype=bool):
        rest = ~out
        model = RankRLS(regparam, form="primal").fit(
            X[rest][:, features], y[rest], qid=None if qid is None else qid[rest]
        )
        residual = y[out] - model.predict(X[out][:, features])
        # A ranking has no level: centered on the query, or on the training examples of a global ranking.
        shift = residual if qid is not None else y[rest] - model.predict(X[rest][:, features])
        total += np.sum((residual - shift.mean()) ** 2)
    return total


@pytest.fixture
def problem():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(70, 12)) * (rng.random((70, 12)) < 0.6)
    y = X[:, 3] - 2 * X[:, 7] + 0.5 * X[:, 1] + rng.normal(size=70)
    return X, y, rng.permutation(np.repeat(np.arange(9), [20, 1, 9, 8, 2, 10, 10, 4, 6]))


@pytest.mark.parametrize("regparam", [0.05, 1.0, 30.0])
@pytest.mark.parametrize("options", [{}, {"low_memory": True}, {"n_candidates": 12}])
@pytest.mark.parametrize("sparse", [False, True])
def test_selection_equals_algorithm_1(problem, regparam, options, sparse):
    X, y, qid = problem
    selected, criteria, weights = algorithm_1(X, y, qid, 8, regparam)
    model = GreedyRankRLS(8, regparam, **options).fit(sp.csr_array(X) if sparse else X, y, qid=qid)
    assert model.selected_.tolist() == selected
    np.testing.assert_allclose(model.criterion_path_, criteria, rtol=1e-9)
    np.testing.assert_allclose(model.coef_[selected], weights, rtol=1e-8, atol=1e-10)
    assert np.count_nonzero(model.coef_) == 8


@pytest.mark.parametrize("by_query", [True, False])
def test_selection_equals_training_again_for_every_candidate(problem, by_query):
    X, y, qid = problem
    X, qid = X[:, :6], (qid if by_query else None)
    model = GreedyRankRLS(4, 0.5).fit(X, y, qid=qid)
    chosen = []
    for expected, criterion in zip(model.selected_, model.criterion_path_):
        errors = {i: squared_leave_out_error(X, y, qid, [*chosen, i], 0.5) for i in set(range(6)) - set(chosen)}
        chosen.append(min(errors, key=errors.get))
        assert chosen[-1] == expected
        assert criterion == pytest.approx(errors[expected], rel=1e-8)


def test_weights_are_those_of_rank_rls_on_the_selection(problem):
    X, y, qid = problem
    model = GreedyRankRLS(5, 0.3).fit(X, y, qid=qid)
    for k, weights in enumerate(model.coef_path_, start=1):
        plain = RankRLS(0.3).fit(X[:, model.selected_[:k]], y, qid=qid)
        np.testing.assert_allclose(weights, plain.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.predict(X), X[:, model.selected_] @ model.coef_path_[-1])


def test_collinear_and_constant_features(problem):
    X, y, qid = problem
    X = np.column_stack((X, X[:, 7], np.ones(70), np.zeros(70)))
    model = GreedyRankRLS(15, 1.0).fit(X, y, qid=qid)
    assert sorted(model.selected_.tolist()) == list(range(15))
    selected, criteria, _ = algorithm_1(X, y, qid, 10, 1.0)
    np.testing.assert_allclose(model.criterion_path_[:10], criteria, rtol=1e-8)
    assert selected[0] == model.selected_[0]


def test_random_candidates_come_from_the_random_state(problem):
    X, y, qid = problem
    first = GreedyRankRLS(6, n_candidates=3, random_state=1).fit(X, y, qid=qid)
    again = GreedyRankRLS(6, n_candidates=3, random_state=1).fit(X, y, qid=qid)
    other = GreedyRankRLS(6, n_candidates=3, random_state=2).fit(X, y, qid=qid)
    assert first.selected_.tolist() == again.selected_.tolist() != other.selected_.tolist()
    assert len(set(first.selected_.tolist())) == 6
    for k, criterion in enumerate(first.criterion_path_, start=1):
        error = squared_leave_out_error(X, y, qid, first.selected_[:k].tolist(), 1.0)
        assert criterion == pytest.approx(error, rel=1e-8)


def test_inputs_are_left_alone(problem):
    X, y, qid = problem
    before = X.copy(), y.copy()
    GreedyRankRLS(3).fit(X, y, qid=np.sort(qid))
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(y, before[1])


def test_errors_say_what_is_wrong(problem):
    X, y, qid = problem
    with pytest.raises(LearnerError, match="expected n_features_to_select to be an integer from 1 to the 12 features"):
        GreedyRankRLS(13).fit(X, y, qid=qid)
    with pytest.raises(LearnerError, match="expected n_candidates to be an integer"):
        GreedyRankRLS(3, n_candidates=0).fit(X, y, qid=qid)
    with pytest.raises(LearnerError, match="expected low_memory to be"):
        GreedyRankRLS(3, low_memory="yes").fit(X, y, qid=qid)
    with pytest.raises(RegParamError, match="regparam to be positive"):
        GreedyRankRLS(3, 0.0).fit(X, y, qid=qid)
    with pytest.raises(LabelError, match="constant in every one"):
        GreedyRankRLS(3).fit(X, qid, qid=qid)
    with pytest.raises(QueryError, match="at least two queries"):
        GreedyRankRLS(3).fit(X, y, qid=0 * qid)
    with pytest.raises(QueryError, match="expected shape"):
        GreedyRankRLS(3).fit(X, y, qid=qid[1:])
    with pytest.raises(ValueError, match="NaN"):
        GreedyRankRLS(3).fit(np.where(X > 1, np.nan, X), y, qid=qid)
