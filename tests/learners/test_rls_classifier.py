"""RLSClassifier: coding, decisions and hold-outs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import RidgeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from learners.errors import LabelError
from learners.rls import RLS
from learners.rls_classifier import RLSClassifier


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_two_classes_are_one_regression_on_signs(rng):
    X, y = rng.normal(size=(20, 4)), rng.permutation([True, False] * 10)
    model = RLSClassifier(0.5).fit(X, y)
    assert_allclose(model.decision_function(X), RLS(0.5).fit(X, np.where(y, 1, -1)).predict(X))
    assert np.array_equal(model.predict(X), model.decision_function(X) > 0)


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_coefficients_are_those_of_ridge_classification(labels, rng):
    X, y = rng.normal(size=(31, 4)) + 1, np.array(list(labels * 31)[:31])
    ours, theirs = RLSClassifier(0.5).fit(X, y), RidgeClassifier(0.5).fit(X, y)
    assert ours.coef_.shape == (1 if len(labels) == 2 else 3, 4)
    assert_allclose(ours.coef_, np.atleast_2d(theirs.coef_), atol=1e-9)
    assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-9)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-9)


def test_more_classes_are_one_against_the_rest(rng):
    X, y = rng.normal(size=(30, 4)), np.array(["a", "b", "c"] * 10)
    values = RLSClassifier().fit(X, y).decision_function(X)
    for column, label in enumerate("abc"):
        assert_allclose(values[:, column], RLS().fit(X, np.where(y == label, 1, -1)).predict(X))


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_hold_outs_are_decision_values_of_refitting(labels, rng):
    X, y = rng.normal(size=(24, 3)), np.array(list(labels * 24)[:24])
    groups = np.arange(24) // 4
    model = RLSClassifier().fit(X, y)
    fast = model.leave_group_out(groups, [0.1, 1.0])
    for group in range(6):
        inside = groups == group
        rest = RLSClassifier().fit(X[~inside], y[~inside])
        assert_allclose(fast[1][inside], rest.decision_function(X[inside]), atol=1e-9)
        assert np.array_equal(model.classes_from(fast[1][inside]), rest.predict(X[inside]))
    assert_allclose(model.hold_out([np.flatnonzero(groups == 2)])[0], fast[1][groups == 2], atol=1e-10)
    assert_allclose(model.leave_one_out()[0], model.hold_out([[0]])[0][0], atol=1e-10)
    assert_allclose(model.leave_pair_out([[3, 5]])[0], model.hold_out([[3, 5]])[0], atol=1e-10)


def test_one_class_is_an_error():
    with pytest.raises(LabelError, match="at least two classes, got one class 'x' in all 3 examples"):
        RLSClassifier().fit([[1.0], [2.0], [3.0]], ["x"] * 3)


@parametrize_with_checks([RLSClassifier(), RLSClassifier(form="dual")])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
