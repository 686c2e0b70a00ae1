"""linear_gram against the plain product."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import kernels.gram
from kernels.all_paths import AllPathsFeatures
from kernels.errors import ShapeError
from kernels.gram import linear_gram


def sparse(n_rows, n_columns, seed, frequent=3):
    """Few very frequent columns, some in the middle, many rare; some rows are empty and some entries repeat."""
    rng = np.random.default_rng(seed)
    density = np.concatenate([np.full(frequent, 0.9), rng.uniform(0, 0.3, max(n_columns - frequent, 0))])
    dense = (rng.random((n_rows, n_columns)) < density[:n_columns]) * rng.normal(size=(n_rows, n_columns))
    dense[rng.random(n_rows) < 0.1] = 0
    return sp.csr_matrix(dense)


def assert_equal_products(K, X, Y):
    expected = (X @ Y.T).toarray()
    scale = np.abs(expected).max(initial=1e-300)
    assert np.abs(K - expected).max(initial=0.0) <= 1e-10 * scale


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 60), st.integers(0, 1000))
def test_equals_the_plain_product(n_rows, n_others, n_columns, seed):
    X, Y = sparse(n_rows, n_columns, seed), sparse(n_others, n_columns, seed + 1)
    assert_equal_products(linear_gram(X), X, X)
    assert_equal_products(linear_gram(X, Y), X, Y)


@pytest.mark.parametrize(("rare", "dense"), [(0, 1e9), (0, 0.0), (1 << 40, 1e9), (20, 0.2)])
def test_every_part_alone_and_together(monkeypatch, rare, dense):
    monkeypatch.setattr(kernels.gram, "RARE_PRODUCTS", rare)
    monkeypatch.setattr(kernels.gram, "DENSE_COST", dense)
    X, Y = sparse(61, 50, 0), sparse(35, 50, 1)
    assert_equal_products(linear_gram(X), X, X)
    assert_equal_products(linear_gram(X, Y), X, Y)
    assert_equal_products(linear_gram(Y, X), Y, X)


def test_repeated_and_unsorted_entries():
    X = sp.csr_matrix((np.array([1.0, 2.0, 3.0, 4.0]), np.array([2, 0, 2, 1]), np.array([0, 3, 4])), shape=(2, 3))
    before = X.copy()
    assert_equal_products(linear_gram(X), X, X)
    np.testing.assert_array_equal(X.indices, before.indices)


def test_lll(lll):
    X = AllPathsFeatures().fit_transform(lll)
    K = linear_gram(X)
    assert_equal_products(K, X, X)
    np.testing.assert_array_equal(K, K.T)
    assert_equal_products(linear_gram(X[:100], X[100:]), X[:100], X[100:])


def test_other_formats_and_dense():
    X = sparse(9, 6, 3)
    for form in (X.tocsc(), X.tocoo(), X.toarray(), sp.csr_array(X)):
        np.testing.assert_allclose(linear_gram(form), (X @ X.T).toarray(), atol=1e-12)
    np.testing.assert_allclose(linear_gram(X, X.toarray()), (X @ X.T).toarray(), atol=1e-12)
    np.testing.assert_allclose(linear_gram(X.toarray(), X), (X @ X.T).toarray(), atol=1e-12)


def test_errors():
    with pytest.raises(ShapeError, match=r"got shapes \(2, 3\) and \(2, 4\)"):
        linear_gram(sp.csr_matrix((2, 3)), sp.csr_matrix((2, 4)))
    with pytest.raises(ShapeError, match="expected finite entries in X"):
        linear_gram(sp.csr_matrix([[np.nan]]))
    with pytest.raises(ShapeError, match="expected finite entries in Y"):
        linear_gram(np.ones((1, 1)), [[np.inf]])
    with pytest.raises(ShapeError, match="two dimensions"):
        linear_gram(np.ones(3))
