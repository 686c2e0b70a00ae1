"""SparseRLS: the closed form, and hold-outs against refitting without the examples and their basis vectors."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from plain_kernels import Gaussian
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.utils.estimator_checks import parametrize_with_checks

from learners.errors import BasisError, GroupError, KernelError, LabelError, RegParamError
from learners.rls import RLS
from learners.sparse_rls import SparseRLS

REGPARAMS = [1e-3, 0.5, 20.0]
M = 40


def gaussian(X, Y, gamma=0.1):
    X, Y = (A.toarray() if sp.issparse(A) else A for A in (X, Y))
    return np.exp(-gamma * np.sum((X[:, None] - Y[None]) ** 2, axis=2))


def wide_gaussian(X, Y):
    """Eigenvalues that decay to rounding level: numerically singular without duplicates."""
    return gaussian(X, Y, gamma=1e-3)


def tolerance(name):
    """1e-8, except where the rank itself is a matter of rounding: directions of the wide Gaussian kernel at
    1e-15 of the greatest eigenvalue count or not, and the definition with another cut-off moves as much."""
    return 1e-5 if name == "wide gaussian" else 1e-8


def train_and_predict(K, y, examples, basis, new, regparam, weights, intercept=True):
    """The definition, in the span of the basis vectors: singular K_RR by its eigenvectors."""
    Z = np.zeros((len(K), 0))
    if len(basis):
        eigenvalues, vectors = np.linalg.eigh(K[np.ix_(basis, basis)])
        keep = eigenvalues > len(K) * 1e-15 * eigenvalues[-1]
        Z = K[:, basis] @ (vectors[:, keep] / np.sqrt(eigenvalues[keep]))
    penalty = np.sqrt(regparam) * np.eye(Z.shape[1])
    if intercept:  # a feature that is constant and not penalised
        Z, penalty = np.column_stack([Z, np.ones(len(K))]), np.column_stack([penalty, np.zeros(len(penalty))])
    root = np.sqrt(weights[examples])[:, None]
    A = np.vstack([root * Z[examples], penalty])
    b = (root * y[examples].reshape(len(examples), -1), np.zeros((len(penalty), y[0].size)))
    solution = np.linalg.lstsq(A, np.vstack(b), rcond=None)[0]
    return (Z[new] @ solution).reshape(len(new), *y.shape[1:])


def refit(K, y, basis, holdout, regparam, weights, intercept=True):
    rest = np.setdiff1d(np.arange(len(K)), holdout)
    return train_and_predict(K, y, rest, np.setdiff1d(basis, holdout), holdout, regparam, weights, intercept)


def problem(name, rng):
    X = rng.normal(size=(M, 60))
    low = rng.normal(size=(M, 6))
    dense = {
        "full rank": X,
        "low rank": low,
        "duplicates": X[rng.integers(0, 25, size=M)],
        "float32": rng.normal(size=(M, 60)).astype(np.float32),
        "sparse": sp.random_array((M, 80), density=0.1, rng=rng, format="csr"),
        "sparse counts": sp.csr_array(rng.poisson(0.15, size=(M, 30)).astype(float)),
        "gaussian": low,
        "wide gaussian": low[:, :2],
        "precomputed": X @ X.T,
    }[name]
    kernel = {"gaussian": gaussian, "wide gaussian": wide_gaussian, "precomputed": "precomputed"}.get(name, "linear")
    if kernel == "precomputed":
        return kernel, dense, dense
    array = dense.toarray() if sp.issparse(dense) else dense.astype(float)
    return kernel, dense, array @ array.T if kernel == "linear" else kernel(array, array)


PROBLEMS = [
    "full rank",
    "low rank",
    "duplicates",
    "float32",
    "sparse",
    "sparse counts",
    "gaussian",
    "wide gaussian",
    "precomputed",
]
GROUPS = {
    "fours": np.repeat(np.arange(10), 4),
    "interleaved": np.arange(M) % 7,
    "one holds most": np.array([0] * 31 + [1, 2, 2, 3, 3, 3, 4, 4, 5]),
    "singletons": np.arange(M),
}


@pytest.fixture
def rng():
    return np.random.default_rng(11)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("r", [12, 33, M])
@pytest.mark.parametrize("intercept", [True, False])
def test_leave_group_out_equals_refitting_without_its_basis_vectors(name, groups, weighted, r, intercept, rng):
    kernel, X, K = problem(name, rng)
    groups = GROUPS[groups]
    y = rng.normal(size=(M, 2))
    weights = rng.uniform(0.1, 2, size=M) if weighted else np.ones(M)
    model = SparseRLS(kernel=kernel, fit_intercept=intercept, n_basis=r, random_state=5)
    fast = model.fit(X, y, sample_weight=weights).leave_group_out(groups, REGPARAMS)
    for value, predictions in zip(REGPARAMS, fast):
        for label in np.unique(groups):
            U = np.flatnonzero(groups == label)
            slow = refit(K, y, model.basis_, U, value, weights, intercept)
            assert_allclose(predictions[U], slow, atol=tolerance(name))


@given(
    seed=st.integers(0, 2**32 - 1),
    r=st.integers(1, 16),
    n=st.integers(1, 20),
    distinct=st.integers(1, 16),
    log_regparam=st.floats(-2, 3),
    intercept=st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_hold_outs_equal_refitting_whatever_the_rank(seed, r, n, distinct, log_regparam, intercept):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(distinct, n)).astype(float)[rng.integers(0, distinct, size=16)]
    X[0, 0] = 1.0
    y, weights, regparam = rng.normal(size=16), rng.uniform(0.2, 2, size=16), 10.0**log_regparam
    basis = np.union1d([0], rng.permutation(16)[: r - 1]).astype(int)
    model = SparseRLS(basis=basis, fit_intercept=intercept).fit(X, y, sample_weight=weights)
    holdouts = [np.sort(rng.permutation(16)[:size]) for size in (1, 2, 5, 12, 15)]
    for U, predictions in zip(holdouts, model.hold_out(holdouts, regparam)):
        assert_allclose(predictions, refit(X @ X.T, y, basis, U, regparam, weights, intercept), atol=1e-8)


def test_duplicate_of_a_held_out_basis_vector_keeps_its_direction(rng):
    X = rng.normal(size=(10, 20))
    X[7] = X[2]
    y, K = rng.normal(size=10), X @ X.T
    model = SparseRLS(basis=[1, 2, 7]).fit(X, y)
    assert len(model.kept_) == 2
    both, one, other = model.hold_out([[2, 7], [2], [7]])
    assert_allclose(one, refit(K, y, [1, 2, 7], np.array([2]), 1.0, np.ones(10)), atol=1e-10)
    assert_allclose(other, refit(K, y, [1, 2, 7], np.array([7]), 1.0, np.ones(10)), atol=1e-10)
    assert_allclose(both, refit(K, y, [1, 2, 7], np.array([2, 7]), 1.0, np.ones(10)), atol=1e-10)


def test_with_every_example_in_the_basis_it_is_rls(rng):
    X, y = rng.normal(size=(25, 4)), rng.normal(size=(25, 2))
    groups = np.arange(25) // 3
    for kernel in ("linear", gaussian):
        sparse = SparseRLS(0.3, kernel=kernel, n_basis=25).fit(X, y)
        full = RLS(0.3, kernel=kernel).fit(X, y)
        assert_allclose(sparse.predict(X), full.predict(X), atol=1e-9)
        assert_allclose(sparse.leave_group_out(groups), full.leave_group_out(groups), atol=1e-8)
        assert_allclose(sparse.leave_one_out(), full.leave_one_out(), atol=1e-8)


@pytest.mark.parametrize("name", PROBLEMS)
def test_predictions_and_path_follow_the_definition(name, rng):
    kernel, X, K = problem(name, rng)
    y, basis = rng.normal(size=M), np.arange(3, 20)
    model = SparseRLS(2.0, kernel=kernel, basis=basis).fit(X, y)
    new = np.arange(M)
    path = model.predict_path(X, REGPARAMS)
    for value, predictions in zip(REGPARAMS, path):
        slow = train_and_predict(K, y, new, basis, new, value, np.ones(M))
        assert_allclose(predictions, slow, atol=tolerance(name))
        each = clone(model).set_params(regparam=value).fit(X, y).predict(X)
        assert_allclose(predictions, each, atol=tolerance(name))
    assert_allclose(model.intercept_path([2.0])[0], model.intercept_, atol=tolerance(name))


def test_precomputed_columns_of_the_basis_are_enough(rng):
    X, y = rng.normal(size=(20, 8)), rng.normal(size=20)
    K, basis = X @ X.T, np.array([9, 2, 4])
    whole = SparseRLS(kernel="precomputed", basis=basis).fit(K, y)
    columns = SparseRLS(kernel="precomputed", basis=basis).fit(K[:, basis], y)
    assert_allclose(whole.predict(K[:5]), columns.predict(K[:5][:, basis]))
    assert_allclose(whole.leave_one_out(), columns.leave_one_out())


def test_random_basis_is_reproducible_and_within_the_data(rng):
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    first, second = (SparseRLS(n_basis=5, random_state=1).fit(X, y) for _ in range(2))
    assert np.array_equal(first.basis_, second.basis_)
    assert len(np.unique(first.basis_)) == 5
    assert len(SparseRLS(n_basis=99).fit(X, y).basis_) == 20


def test_grid_search_with_groups_and_joblib(rng):
    X, y = rng.normal(size=(40, 5)), rng.normal(size=40)
    search = GridSearchCV(SparseRLS(n_basis=10, random_state=0), {"regparam": [0.1, 10.0]}, cv=GroupKFold(4), n_jobs=2)
    assert search.fit(X, y, groups=np.repeat(np.arange(8), 5)).predict(X).shape == (40,)


def test_errors_say_what_came_and_what_to_try(rng):
    X, y = rng.normal(size=(6, 2)), rng.normal(size=6)
    with pytest.raises(BasisError, match="expected n_basis to be a positive integer, got 0"):
        SparseRLS(n_basis=0).fit(X, y)
    with pytest.raises(BasisError, match="non-empty one-dimensional array"):
        SparseRLS(basis=[]).fit(X, y)
    with pytest.raises(BasisError, match="indices from 0 to 5, got 1 to 6"):
        SparseRLS(basis=[1, 6]).fit(X, y)
    with pytest.raises(BasisError, match="got 1 repeats"):
        SparseRLS(basis=[1, 1]).fit(X, y)
    with pytest.raises(BasisError, match="they span nothing"):
        SparseRLS().fit(np.zeros((6, 2)), y)
    with pytest.raises(KernelError, match=r"to have shape \(6, 6\), or one column for each"):
        SparseRLS(kernel="precomputed").fit(X, y)
    with pytest.raises(KernelError, match="not positive semidefinite: basis position"):
        SparseRLS(kernel="precomputed").fit(np.eye(6) + 2 * (1 - np.eye(6)), y)
    with pytest.raises(RegParamError, match="expected rank_tol to be positive"):
        SparseRLS(rank_tol=0.0).fit(X, y)
    with pytest.raises(RegParamError, match="expected regparam to be positive"):
        SparseRLS(-1.0).fit(X, y)
    with pytest.raises(GroupError, match="6 examples, got 2 labels"):
        SparseRLS().fit(X, y).leave_group_out([1, 2])
    with pytest.raises(LabelError, match="expected positive sample_weight for hold-out predictions, got 2 examples"):
        SparseRLS().fit(X, y, sample_weight=[0, 0, 1, 1, 1, 1]).leave_one_out()


@parametrize_with_checks([SparseRLS(), SparseRLS(n_basis=20, random_state=0), SparseRLS(kernel=Gaussian())])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
