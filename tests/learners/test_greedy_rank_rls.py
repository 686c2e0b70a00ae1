"""Greedy RankRLS against Algorithm 1 as printed, and against training again for every candidate."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp

from learners._greedy_backfitting import FittedFeatures, back_fitting_changes
from learners._greedy_floating import removal_criteria
from learners._greedy_state import CachedCandidates, GreedyState
from learners.errors import LabelError, LearnerError, QueryError, RegParamError
from learners.greedy_rank_rls import GreedyRankRLS, _hold_outs
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


def centered_part(values, qid, part, rest):
    """The entries of ``part`` without the mean of their query there, or of the training examples of a ranking."""
    if qid is None:
        return values[part] - values[rest].mean()
    return np.concatenate([values[part & (qid == q)] - values[part & (qid == q)].mean() for q in np.unique(qid[part])])


def back_fitting_error(X, y, qid, chosen, candidate, regparam):
    """The criterion by its definition: without each query the old weights stay, the candidate's is trained alone."""
    total = 0.0
    for out in [qid == q for q in np.unique(qid)] if qid is not None else np.eye(len(y), dtype=bool):
        rest, left = ~out, y.astype(float)
        if chosen:
            model = RankRLS(regparam, form="primal")
            model.fit(X[rest][:, chosen], y[rest], qid=None if qid is None else qid[rest])
            left = y - model.predict(X[:, chosen])
        x = centered_part(X[:, candidate], qid, rest, rest)
        beta = x @ centered_part(left, qid, rest, rest) / (x @ x + regparam)
        total += np.sum(centered_part(left - beta * X[:, candidate], qid, out, rest) ** 2)
    return total


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("by_query", [True, False])
def test_back_fitting_chooses_by_its_definition(problem, by_query, sparse):
    X, y, qid = problem
    X, qid = X[:, :7], (qid if by_query else None)
    model = GreedyRankRLS(4, 0.5, fitting="back").fit(sp.csr_array(X) if sparse else X, y, qid=qid)
    chosen = []
    for expected, criterion in zip(model.selected_, model.criterion_path_):
        errors = {i: back_fitting_error(X, y, qid, chosen, i, 0.5) for i in set(range(7)) - set(chosen)}
        chosen.append(min(errors, key=errors.get))
        assert chosen[-1] == expected
        # once chosen, all weights are trained again
        assert criterion == pytest.approx(squared_leave_out_error(X, y, qid, chosen, 0.5), rel=1e-8)
    plain = RankRLS(0.5).fit(X[:, chosen], y, qid=qid)
    np.testing.assert_allclose(model.coef_path_[-1], plain.coef_, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("by_query", [True, False])
def test_back_fitting_judges_every_candidate_by_its_definition(problem, by_query):
    X, y, qid = problem
    order = np.argsort(qid, kind="stable") if by_query else np.arange(70)
    X, y, qid = X[order], y[order], (qid[order] if by_query else None)
    for matrix in (X, sp.csc_array(X)):
        data = _hold_outs(matrix, y, qid, 0.5)
        state = GreedyState(data, partial(CachedCandidates, data))
        state.restart([3, 7])
        model = FittedFeatures.of(data, state.steps, state.residuals)
        changes = back_fitting_changes(data, np.array([0, 1, 5, 11]), model)
        errors = [back_fitting_error(X, y, qid, [3, 7], i, 0.5) for i in (0, 1, 5, 11)]
        np.testing.assert_allclose(state.criterion + changes, errors, rtol=1e-9)


def slow_floating_search(X, y, qid, size, regparam):
    """[Pudil1994] with the criterion by training again."""

    def error(features):
        return squared_leave_out_error(X, y, qid, features, regparam)

    found, current = {}, []
    while len(current) < size:
        left = [i for i in range(X.shape[1]) if i not in current]
        current = min(([*current, i] for i in left), key=error)
        k = len(current)
        if k in found and error(current) >= found[k][1] * (1 - 1e-10):
            current = found[k][0]
            continue
        found[k] = (current, error(current))
        while len(current) > 2:
            smaller = min(([i for i in current if i != j] for j in current), key=error)
            if error(smaller) >= found[len(smaller)][1] * (1 - 1e-10):
                break
            current = smaller
            found[len(current)] = (current, error(current))
    return [found[k] for k in range(1, size + 1)]


@pytest.mark.parametrize("options", [{}, {"low_memory": True}])
@pytest.mark.parametrize("by_query", [True, False])
def test_floating_search_equals_training_again(problem, by_query, options):
    X, y, qid = nesting(problem[2])
    qid = qid if by_query else None
    model = GreedyRankRLS(4, 0.1, floating=True, **options).fit(X, y, qid=qid)
    expected = slow_floating_search(X, y, qid, 4, 0.1)
    assert [subset.tolist() for subset in model.subsets_] == [features for features, _ in expected]
    np.testing.assert_allclose(model.criterion_path_, [error for _, error in expected], rtol=1e-8)
    for subset, weights in zip(model.subsets_, model.coef_path_):
        plain = RankRLS(0.1).fit(X[:, subset], y, qid=qid)
        np.testing.assert_allclose(weights, plain.coef_, rtol=1e-7, atol=1e-9)


def nesting(qid):
    """The first feature is the best alone, and of no use beside the two that it blurs."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(70, 8))
    y = X[:, 1] + X[:, 2] + 0.1 * rng.normal(size=70)
    X[:, 0] = X[:, 1] + X[:, 2] + 0.3 * rng.normal(size=70)
    return X, y, qid


def test_floating_search_gives_up_what_only_blurs(problem):
    X, y, qid = nesting(problem[2])
    forward = GreedyRankRLS(2, 0.1).fit(X, y, qid=qid)
    floating = GreedyRankRLS(3, 0.1, floating=True).fit(X, y, qid=qid)
    assert forward.selected_[0] == 0
    assert sorted(floating.subsets_[1].tolist()) == [1, 2]
    assert floating.criterion_path_[1] < forward.criterion_path_[1]
    assert floating.subsets_[0].tolist() == [0]


@pytest.mark.parametrize("by_query", [True, False])
def test_removal_of_every_feature_equals_training_again(problem, by_query):
    X, y, qid = problem
    order = np.argsort(qid, kind="stable") if by_query else np.arange(70)
    X, y, qid = X[order], y[order], (qid[order] if by_query else None)
    data = _hold_outs(X, y, qid, 0.3)
    state = GreedyState(data, partial(CachedCandidates, data))
    state.restart([7, 3, 1, 9])
    errors = [squared_leave_out_error(X, y, qid, rest, 0.3) for rest in ([3, 1, 9], [7, 1, 9], [7, 3, 9], [7, 3, 1])]
    np.testing.assert_allclose(removal_criteria(data, state.steps, state.residuals), errors, rtol=1e-8)


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
    with pytest.raises(LearnerError, match="expected fitting to be one of"):
        GreedyRankRLS(3, fitting="post").fit(X, y, qid=qid)
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
