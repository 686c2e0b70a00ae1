"""Least squares that starts from a model: the closed form, its hold-outs and what it does with missing targets."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from learners.errors import GroupError, KernelError, LabelError, LearnerError, RegParamError
from learners.prior_rls import PriorRLS, PriorUpdate
from learners.rls import RLS


def refitted(X, y, w0, b0, regparam, scale):
    """From the definition: the normal equations of the penalised problem over [x, c], for one output."""
    rows = np.column_stack([X, np.full(len(X), scale)])
    start = np.append(w0, b0 / scale) if scale else np.append(w0, 0.0)
    residual = y - rows @ start - (0.0 if scale else b0)
    change = np.linalg.solve(rows.T @ rows + regparam * np.eye(rows.shape[1]), rows.T @ residual)
    solution = start + change
    return solution[:-1], solution[-1] * scale if scale else b0


def problem(seed, m=14, n=40, k=3, missing=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.3)
    Y = np.where(rng.random((m, k)) < missing, np.nan, np.sign(rng.normal(size=(m, k))))
    return X, Y, rng.normal(size=(k, n)), rng.normal(size=k), rng.integers(0, 5, size=m)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.05, 20.0), st.sampled_from([0.0, 0.5, 3.0]))
def test_the_update_equals_the_refitted_closed_form(seed, regparam, scale):
    X, Y, w0, b0, _ = problem(seed)
    model = PriorRLS(regparam, prior_coef=w0, prior_intercept=b0, intercept_scaling=scale).fit(sp.csr_matrix(X), Y)
    for output in range(Y.shape[1]):
        rows = ~np.isnan(Y[:, output])
        coef, intercept = refitted(X[rows], Y[rows, output], w0[output], b0[output], regparam, scale)
        assert np.abs(model.coef_[output] - coef).max() < 1e-8
        assert model.intercept_[output] == pytest.approx(intercept, abs=1e-8)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 1.5]))
def test_leaving_out_equals_refitting_without(seed, scale):
    X, Y, w0, b0, groups = problem(seed)
    regparams = [0.3, 1.0, 4.0]
    options = {"prior_coef": w0, "prior_intercept": b0, "intercept_scaling": scale}
    model = PriorRLS(regparams, **options).fit(X, Y)
    for held_out, parts in ((model.leave_one_out(), np.arange(len(X))), (model.leave_group_out(groups), groups)):
        for part in np.unique(parts):
            rest = parts != part
            again = PriorRLS(regparams, **options).fit(X[rest], Y[rest]).predict(X[~rest])
            expected = np.where(np.isnan(Y[~rest]), np.nan, again)
            np.testing.assert_allclose(held_out[~rest], expected, atol=1e-8)


def test_without_a_starting_point_it_is_regularized_least_squares():
    X, Y, *_ = problem(1, missing=0.0)
    model = PriorRLS(0.7, intercept_scaling=0.0).fit(X, Y)
    plain = RLS(0.7, fit_intercept=False).fit(X, Y)
    np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-10)
    np.testing.assert_allclose(model.leave_one_out(), plain.leave_one_out(), atol=1e-10)


def test_nothing_changes_for_an_output_that_nothing_teaches_nor_by_a_huge_regparam():
    X, Y, w0, b0, _ = problem(2)
    Y[:, 1] = np.nan
    model = PriorRLS(prior_coef=w0, prior_intercept=b0).fit(X, Y)
    assert np.array_equal(model.coef_[1], w0[1])
    assert model.intercept_[1] == b0[1]
    assert np.isnan(model.leave_one_out()[:, 1]).all()
    still = PriorRLS(1e12, prior_coef=w0, prior_intercept=b0).fit(X, Y)
    np.testing.assert_allclose(still.coef_, w0, atol=1e-8)


def test_examples_that_the_start_is_right_about_change_nothing():
    X, _, w0, b0, groups = problem(3)
    y = X @ w0[0] + b0[0]
    model = PriorRLS(0.1, prior_coef=w0[0], prior_intercept=b0[0]).fit(X, y)
    np.testing.assert_allclose(model.coef_, w0[0], atol=1e-12)
    np.testing.assert_allclose(model.leave_group_out(groups), y, atol=1e-10)


def test_leaving_everything_out_gives_the_starting_point():
    X, Y, w0, b0, _ = problem(4, missing=0.0)
    model = PriorRLS(0.5, prior_coef=w0, prior_intercept=b0).fit(X, Y)
    np.testing.assert_allclose(model.leave_group_out(np.zeros(len(X))), model.prior_predictions_, atol=1e-8)


def test_one_example_by_hand():
    # K = 4 + c^2 = 8, regparam 8: half of the residual 3 - 1; w gets 2 a, b gets c^2 a with a = 2 / 16
    model = PriorRLS(8.0, prior_coef=[0.0], prior_intercept=1.0, intercept_scaling=2.0).fit([[2.0]], [3.0])
    assert model.coef_.tolist() == [0.25]
    assert model.intercept_ == 1.5
    assert model.predict([[2.0]]).tolist() == [2.0]
    assert model.leave_one_out().tolist() == [1.0]


def test_fit_changes_none_of_its_inputs_and_can_be_cloned():
    X, Y, w0, b0, _ = problem(5)
    before = [each.copy() for each in (X, Y, w0, b0)]
    model = PriorRLS(0.5, prior_coef=w0, prior_intercept=b0).fit(X, Y)
    for given_, kept in zip((X, Y, w0, b0), before):
        np.testing.assert_array_equal(given_, kept)
    again = clone(model).fit(X, Y)
    assert np.array_equal(again.coef_, model.coef_)


def test_it_keeps_the_contract_of_scikit_learn():
    check_estimator(PriorRLS())


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"regparam": 0.0}, RegParamError, "expected regparam to be positive"),
        ({"regparam": [1.0, 2.0]}, RegParamError, "one for each of 3 outputs, got 2"),
        ({"prior_coef": np.zeros((3, 7))}, LearnerError, r"prior_coef of shape \(3, 40\).*got \(3, 7\)"),
        ({"prior_intercept": [1.0, 2.0]}, LearnerError, "prior_intercept to be a number or 3 of them"),
        ({"intercept_scaling": -1.0}, LearnerError, "expected intercept_scaling of 0 or more, got -1.0"),
    ],
)
def test_bad_parameters_are_refused(options, error, text):
    X, Y, *_ = problem(6)
    with pytest.raises(error, match=text):
        PriorRLS(**options).fit(X, Y)


def test_data_that_do_not_fit_are_refused():
    X, Y, _, _, groups = problem(7)
    with pytest.raises(ValueError, match="infinity"):
        PriorRLS().fit(X, np.where(Y > 0, np.inf, Y))
    with pytest.raises(LabelError, match="expected a target to learn from, got NaN for all of 14"):
        PriorRLS().fit(X, np.full_like(Y, np.nan))
    with pytest.raises(GroupError, match="one label per example"):
        PriorRLS().fit(X, Y).leave_group_out(groups[1:])
    with pytest.raises(LabelError, match="expected y and prior of one shape"):
        PriorUpdate(X @ X.T, Y, Y[:, :2])
    with pytest.raises(KernelError, match=r"expected K of shape \(14, 14\)"):
        PriorUpdate(X, Y, Y)
