"""What a squared kernel keeps, against its definition."""

import numpy as np
import pytest
import scipy.sparse as sp

from ppi.extraction.support import SHARED, Support, squared


@pytest.fixture
def rows():
    return sp.random(7, 15, density=0.4, random_state=3, format="csr")


def test_by_hand():
    X = sp.csr_matrix([[1.0, 0.0], [0.6, 0.8]])
    support = Support(X, np.array([2.0, -1.0]))
    # x = (0, 1): products 0 and 0.8
    np.testing.assert_allclose(support.scores(sp.csr_matrix([[0.0, 1.0]])), [-0.64])
    np.testing.assert_allclose(support.weights(sp.csr_matrix([[0.0, 1.0]])), [-0.48, -0.64])
    np.testing.assert_allclose(squared(np.array([0.0, 1.0])), [SHARED**2, 1.0])


def test_a_score_splits_exactly_over_the_features(rows):
    support = Support(rows, np.random.default_rng(0).normal(size=7))
    X = sp.random(5, 15, density=0.5, random_state=4, format="csr")
    split = [float((X[i] @ support.weights(X[i]))[0]) for i in range(5)]
    np.testing.assert_allclose(split, support.scores(X))


def test_rows_without_a_coefficient_are_not_kept(rows):
    dual = np.array([0.0, 1.0, 0.0, -2.0, 0.0, 0.0, 3.0])
    support = Support.of_dual(rows, dual)
    assert support.rows.shape == (3, 15)
    np.testing.assert_allclose(support.coefficients, (1 - SHARED) ** 2 * dual[[1, 3, 6]])


def test_nothing_to_score(rows):
    assert Support(rows, np.ones(7)).scores(sp.csr_matrix((0, 15))).shape == (0,)
