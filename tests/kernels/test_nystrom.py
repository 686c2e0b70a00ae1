"""The Nystrom map and removal from it against recomputing from scratch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline

from kernels.all_paths import AllPathsFeatures
from kernels.combined import normalize_features
from kernels.errors import KernelError, ParameterError, ShapeError
from kernels.gram import linear_gram
from kernels.nystrom import NystromMap
from kernels.vector import GaussianKernel, LinearKernel


def naive_nystrom(K, basis):
    """K_ML K_LL^+ K_LM."""
    L = np.asarray(basis, dtype=int)
    return K[:, L] @ np.linalg.pinv(K[np.ix_(L, L)], rcond=1e-11, hermitian=True) @ K[L]


def assert_close(found, expected, tol=1e-7):
    assert np.abs(found - expected).max() <= tol * max(1.0, np.abs(expected).max())


@given(st.integers(0, 1000), st.integers(3, 25), st.integers(1, 6))
def test_removal_equals_recomputing(seed, m, n_held):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 4))
    K = GaussianKernel(gamma=0.4)(X)
    nystrom = NystromMap("precomputed", n_basis=max(2, m // 2), random_state=seed).fit(K)
    assert_close(nystrom.features_ @ nystrom.features_.T, naive_nystrom(K, nystrom.basis_))
    held = rng.choice(m, size=min(n_held, m - 1), replace=False)
    reduced = nystrom.without(held)
    left = np.setdiff1d(nystrom.basis_, held)
    assert_close(reduced.features @ reduced.features.T, naive_nystrom(K, left))
    w = rng.normal(size=nystrom.rank_)
    b = reduced.dual_coef(w)
    assert not b[np.isin(nystrom.basis_, held)].any()
    assert_close(K[:, nystrom.basis_] @ b, reduced.features @ w, 1e-5)


@given(st.integers(0, 1000), st.integers(1, 5), st.integers(1, 10))
def test_removal_with_dependent_basis_vectors_equals_recomputing(seed, rank, n_held):
    # 14 examples of rank at most 5, some of them equal: most basis vectors depend on others.
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(14, rank)).astype(float)
    X[3], X[9] = X[1], X[1]
    K = X @ X.T
    if not K.any():
        return
    nystrom = NystromMap(n_basis=12, random_state=seed).fit(X)
    assert nystrom.rank_ == np.linalg.matrix_rank(K[np.ix_(nystrom.basis_, nystrom.basis_)])
    held = rng.choice(14, size=n_held, replace=False)
    reduced = nystrom.without(held)
    left = np.setdiff1d(nystrom.basis_, held)
    assert_close(reduced.features @ reduced.features.T, naive_nystrom(K, left))
    w = rng.normal(size=nystrom.rank_)
    b = reduced.dual_coef(w)
    assert not b[np.isin(nystrom.basis_, held)].any()
    assert_close(K[:, nystrom.basis_] @ b, reduced.features @ w)
    assert_close(reduced.transform(X), reduced.features)


def test_folds_equal_recomputing_on_lll(lll):
    X = normalize_features(AllPathsFeatures().fit_transform(lll))
    K = linear_gram(X)
    groups = np.unique([graph.document_id for graph in lll], return_inverse=True)[1]
    splits = [(np.flatnonzero(groups != g), np.flatnonzero(groups == g)) for g in range(groups.max() + 1)]
    nystrom = NystromMap(n_basis=150, random_state=0).fit(X)
    for reuse in (False, True):
        for train, test, reduced in nystrom.folds(splits, reuse=reuse):
            assert not set(train) & set(test)
            left = np.setdiff1d(nystrom.basis_, test)
            assert_close(reduced.features @ reduced.features.T, naive_nystrom(K, left))


def test_all_basis_vectors_and_none_can_be_removed():
    X = np.random.default_rng(0).normal(size=(6, 8))
    nystrom = NystromMap(basis=[0, 2, 4]).fit(X)
    assert_close(nystrom.without([0, 1, 2, 3, 4, 5]).features, np.zeros((6, 3)), 1e-12)
    np.testing.assert_array_equal(nystrom.without([1, 3]).features, nystrom.features_)
    np.testing.assert_array_equal(nystrom.without([]).features, nystrom.features_)


def test_the_map_itself_is_not_changed_by_removal():
    X = np.random.default_rng(0).normal(size=(20, 30))
    nystrom = NystromMap(n_basis=10, random_state=0).fit(X)
    before = nystrom.features_.copy()
    out = np.empty_like(before, order="F")
    reduced = nystrom.without(nystrom.basis_[:3], out=out)
    assert reduced.features is out
    for _ in nystrom.folds(GroupKFold(4).split(X, groups=np.arange(20) // 2), reuse=True):
        pass
    np.testing.assert_array_equal(nystrom.features_, before)


def test_transform_and_kernel_objects():
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(15, 3)), rng.normal(size=(4, 3))
    kernel = GaussianKernel(gamma=0.2)
    nystrom = NystromMap(kernel, n_basis=6, random_state=1)
    features = nystrom.fit_transform(X)
    np.testing.assert_allclose(nystrom.transform(X), features, atol=1e-10)
    w = rng.normal(size=6)
    np.testing.assert_allclose(
        kernel(new, X[nystrom.basis_]) @ nystrom.dual_coef(w), nystrom.transform(new) @ w, atol=1e-9
    )
    by_values = NystromMap("precomputed", n_basis=6, random_state=1).fit(kernel(X))
    np.testing.assert_allclose(by_values.transform(kernel(new, X)), nystrom.transform(new), atol=1e-9)
    two = rng.normal(size=(6, 2))
    assert nystrom.dual_coef(two).shape == (6, 2)
    reduced = nystrom.without(nystrom.basis_[:2])
    np.testing.assert_allclose(reduced.transform(X), reduced.features, atol=1e-10)
    assert reduced.dual_coef(two).shape == (6, 2)


def test_all_examples_as_basis_give_the_kernel_itself():
    X = np.random.default_rng(0).normal(size=(8, 20))
    features = NystromMap(n_basis=None).fit_transform(X)
    np.testing.assert_allclose(features @ features.T, X @ X.T, atol=1e-9)


def test_training_on_the_map_is_the_reduced_set_learner():
    # min ||y - K_MR b||^2 + lambda b' K_RR b  [Paper III, section 2.2]
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    kernel = GaussianKernel(gamma=0.3)
    nystrom = NystromMap(kernel, n_basis=8, random_state=0).fit(X)
    w = Ridge(alpha=0.7, fit_intercept=False).fit(nystrom.features_, y).coef_
    R = nystrom.basis_
    K = kernel(X)
    b = np.linalg.solve(K[:, R].T @ K[:, R] + 0.7 * K[np.ix_(R, R)], K[:, R].T @ y)
    np.testing.assert_allclose(nystrom.dual_coef(w), b, atol=1e-6)


def test_draws_depend_on_the_seed_alone():
    X = np.random.default_rng(0).normal(size=(30, 40))
    one, two, other = (NystromMap(n_basis=10, random_state=seed).fit(X).basis_ for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, two)
    assert (one != other).any()
    assert (np.diff(one) > 0).all()


def test_rank_is_reported():
    X = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    nystrom = NystromMap(n_basis=None).fit(X)
    assert nystrom.rank_ == 2
    assert len(nystrom.independent_) == 2
    assert len(nystrom.dependent_) == 2
    np.testing.assert_allclose(nystrom.features_ @ nystrom.features_.T, X @ X.T, atol=1e-12)


def test_scikit_learn_contract():
    X = np.random.default_rng(0).normal(size=(20, 5))
    nystrom = NystromMap(LinearKernel(), n_basis=4, random_state=0)
    assert clone(nystrom).get_params()["n_basis"] == 4
    assert make_pipeline(nystrom, Ridge()).fit(X, X[:, 0]).predict(X).shape == (20,)
    with pytest.raises(NotFittedError):
        clone(nystrom).transform(X)


def test_errors():
    X = np.random.default_rng(0).normal(size=(5, 3))
    with pytest.raises(ParameterError, match="distinct indices from 0 to 4"):
        NystromMap(basis=[0, 0]).fit(X)
    with pytest.raises(ParameterError, match="distinct indices from 0 to 4"):
        NystromMap(basis=[7]).fit(X)
    with pytest.raises(ParameterError, match="expected n_basis"):
        NystromMap(n_basis=0).fit(X)
    with pytest.raises(ParameterError, match='a kernel object or "precomputed"'):
        NystromMap("rbf").fit(X)
    with pytest.raises(ShapeError, match="expected a square precomputed kernel matrix"):
        NystromMap("precomputed").fit(X)
    with pytest.raises(KernelError, match="positive definite part"):
        NystromMap().fit(np.zeros((3, 2)))
    with pytest.raises(KernelError, match="expected finite entries"):
        NystromMap().fit(np.full((3, 2), np.nan))
    nystrom = NystromMap("precomputed", n_basis=None).fit(X @ X.T + np.eye(5))
    with pytest.raises(ShapeError, match="against the 5 training examples"):
        nystrom.transform(X)
    with pytest.raises(ShapeError, match="expected indices of training examples from 0 to 4, got 0 to 9"):
        nystrom.without([0, 9])
    with pytest.raises(ShapeError, match="expected 5 weights"):
        nystrom.dual_coef([1.0])
    with pytest.raises(ShapeError, match="Fortran order"):
        nystrom.without([0], out=np.empty((5, 5)))
