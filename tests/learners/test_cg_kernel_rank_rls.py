"""Conjugate gradients with a kernel: against the closed form, and against those for the features."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, aslinearoperator
from sklearn.metrics.pairwise import rbf_kernel

import learners._kernel_products
from learners._conjugate_gradient import conjugate_gradient, kernel_conjugate_gradient
from learners._kernel_products import KroneckerKernel
from learners.cg_kernel_rank_rls import CGKernelRankRLS
from learners.cg_rank_rls import CGRankRLS
from learners.errors import KernelError, LearnerError, NotConvergedWarning, PreferenceError, RegParamError
from learners.rank_rls import RankRLS


@pytest.fixture
def problem():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(70, 6))
    y = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.2 * rng.normal(size=70)
    return X, y, rng.permutation(np.arange(70) // 7)


@pytest.mark.parametrize("by_query", [True, False])
@pytest.mark.parametrize("kernel", ["rbf", "poly", rbf_kernel, "linear"])
@pytest.mark.parametrize("low_memory", [True, False])
def test_converged_it_is_the_closed_form(problem, monkeypatch, kernel, low_memory, by_query):
    monkeypatch.setattr(learners._kernel_products, "_CHUNK_ELEMENTS", 1000)  # several chunks
    X, y, qid = problem
    qid = qid if by_query else None
    model = CGKernelRankRLS(0.3, kernel=kernel, low_memory=low_memory, tol=1e-13).fit(X, y, qid=qid)
    exact = RankRLS(0.3, kernel=kernel, form="dual").fit(X, y, qid=qid)
    new = np.random.default_rng(0).normal(size=(9, 6))
    np.testing.assert_allclose(model.predict(new), exact.predict(new), atol=1e-8)
    if kernel == "rbf":  # not singular, so that coefficients are unique
        np.testing.assert_allclose(model.dual_coef_, exact.dual_coef_, atol=1e-8)


def test_preferences_equal_the_closed_form(problem):
    X, y, _ = problem
    i, j = np.random.default_rng(0).integers(0, 70, (2, 300))
    edges = np.column_stack((i, j, y[i] - y[j]))[y[i] > y[j]]
    model = CGKernelRankRLS(0.5, tol=1e-13).fit(X, preferences=edges)
    exact = RankRLS(0.5, kernel="rbf").fit(X, preferences=edges)
    np.testing.assert_allclose(model.predict(X), exact.predict(X), atol=1e-8)


@pytest.mark.parametrize("regparam", [0.0, 0.7])
def test_iterates_are_those_of_the_features(problem, regparam):
    X, y, _ = problem
    centred = y - y.mean()
    linear = conjugate_gradient(lambda w: X.T @ (X @ w - (X @ w).mean()) + regparam * w, X.T @ centred)
    kernel = kernel_conjugate_gradient(lambda v: X @ (X.T @ v), lambda f: f - f.mean(), centred, regparam)
    for number, w, residual in linear:
        step = next(kernel)
        assert step.number == number
        np.testing.assert_allclose(X.T @ step.solution, w, atol=1e-10)
        assert step.relative_residual == pytest.approx(residual, rel=1e-4, abs=1e-9)
        if residual < 1e-8:
            break
    assert list(kernel_conjugate_gradient(lambda v: v, lambda f: f, np.zeros(3), 1.0)) == []


@pytest.mark.parametrize("regparam", [None, 0.01])
def test_early_stopping_is_that_of_the_linear_one(problem, regparam):
    X, y, qid = problem
    train, held = qid < 7, qid >= 7
    noisy = y + np.random.default_rng(1).normal(size=70)
    options = {"early_stopping": True, "patience": 5, "tol": 1e-14}
    given = {"qid": qid[train], "validation": (X[held], y[held], qid[held])}
    linear = CGRankRLS(regparam, **options).fit(X[train], noisy[train], **given)
    kernel = CGKernelRankRLS(regparam, kernel="linear", **options).fit(X[train], noisy[train], **given)
    assert kernel.best_iter_ == linear.best_iter_
    np.testing.assert_allclose(kernel.validation_errors_, linear.validation_errors_[: kernel.n_iter_], atol=1e-12)
    np.testing.assert_allclose(kernel.predict(X), linear.predict(X), atol=1e-8)


def test_part_of_the_queries_is_set_aside(problem):
    X, y, qid = problem
    model = CGKernelRankRLS(None, early_stopping=True, random_state=0).fit(X, y, qid=qid)
    assert len(model.dual_coef_) == 56
    assert model.predict(X).shape == (70,)


def test_matrix_and_operator_are_the_kernel(problem):
    X, y, qid = problem
    K = rbf_kernel(X, gamma=1 / 6)
    named = CGKernelRankRLS(tol=1e-12).fit(X, y, qid=qid)
    for given in (K, aslinearoperator(K), LinearOperator(K.shape, matvec=lambda v: K @ v, dtype=float)):
        model = CGKernelRankRLS(kernel="precomputed", tol=1e-12).fit(given, y, qid=qid)
        np.testing.assert_allclose(model.dual_coef_, named.dual_coef_, atol=1e-10)
        np.testing.assert_allclose(model.predict(given), named.predict(X), atol=1e-9)
    by_edges = CGKernelRankRLS(kernel="precomputed").fit(aslinearoperator(K), preferences=[(0, 1)])
    assert by_edges.predict(K)[0] > by_edges.predict(K)[1]


def test_early_stopping_with_operators(problem):
    X, y, qid = problem
    train, held = qid < 7, qid >= 7
    K, cross = rbf_kernel(X[train], gamma=1 / 6), rbf_kernel(X[held], X[train], gamma=1 / 6)
    options = {"early_stopping": True, "patience": 5}
    named = CGKernelRankRLS(**options)
    named.fit(X[train], y[train], qid=qid[train], validation=(X[held], y[held], qid[held]))
    model = CGKernelRankRLS(kernel="precomputed", **options)
    validation = (aslinearoperator(cross), y[held], qid[held])
    model.fit(aslinearoperator(K), y[train], qid=qid[train], validation=validation)
    np.testing.assert_allclose(model.validation_errors_, named.validation_errors_)


def kronecker_problem():
    rng = np.random.default_rng(5)
    people, things = rng.normal(size=(8, 3)), rng.normal(size=(12, 3))
    who, what = np.divmod(rng.permutation(96)[:60], 12)  # not every pair is known
    return people, things, who, what, np.sum(people[who] * things[what], axis=1)


def test_conditional_ranking_with_a_kronecker_kernel_equals_its_matrix():
    people, things, who, what, y = kronecker_problem()
    A, B = rbf_kernel(people), rbf_kernel(things)
    K = KroneckerKernel(A, B, (who, what), (who, what))
    dense = A[np.ix_(who, who)] * B[np.ix_(what, what)]
    np.testing.assert_allclose(K @ np.eye(60), dense, atol=1e-12)
    model = CGKernelRankRLS(0.1, kernel="precomputed", tol=1e-13).fit(K, y, qid=who)
    exact = RankRLS(0.1, kernel="precomputed").fit(dense, y, qid=who)
    new = (np.repeat(np.arange(8), 12), np.tile(np.arange(12), 8))
    cross = KroneckerKernel(A, B, new, (who, what))
    np.testing.assert_allclose(model.predict(cross), exact.predict(cross @ np.eye(60)), atol=1e-8)
    rectangular = KroneckerKernel(rbf_kernel(people[:3], people), B, (new[0][:36], new[1][:36]), (who, what))
    np.testing.assert_allclose(rectangular @ model.dual_coef_, model.predict(cross)[:36], atol=1e-12)
    np.testing.assert_allclose(rectangular.T @ np.eye(36), (rectangular @ np.eye(60)).T, atol=1e-12)


def test_sparse_rows(problem):
    X, y, qid = problem
    X = np.where(np.abs(X) > 0.7, X, 0.0)
    dense = CGKernelRankRLS().fit(X, y, qid=qid)
    np.testing.assert_allclose(CGKernelRankRLS().fit(sp.csr_array(X), y, qid=qid).predict(X), dense.predict(X))


def test_errors_say_what_is_wrong(problem):
    X, y, qid = problem
    K = aslinearoperator(rbf_kernel(X))
    with pytest.raises(KernelError, match="expected kernel='precomputed' with a LinearOperator, got kernel='rbf'"):
        CGKernelRankRLS().fit(K, y)
    with pytest.raises(KernelError, match="expected a square LinearOperator"):
        CGKernelRankRLS(kernel="precomputed").fit(aslinearoperator(np.ones((70, 3))), y)
    with pytest.raises(KernelError, match="one column for each of the 70 training examples"):
        CGKernelRankRLS(kernel="precomputed").fit(K, y).predict(aslinearoperator(np.ones((2, 3))))
    with pytest.raises(LearnerError, match=r"expected validation=\(K, y\[, qid\]\) for early stopping"):
        CGKernelRankRLS(kernel="precomputed", early_stopping=True).fit(K, y)
    with pytest.raises(RegParamError, match="needs early_stopping=True"):
        CGKernelRankRLS(None).fit(X, y)
    with pytest.raises(PreferenceError, match="either scores y or preferences"):
        CGKernelRankRLS(kernel="precomputed").fit(K, y, preferences=[(0, 1)])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        CGKernelRankRLS(kernel="precomputed").fit(K, y[1:])
    with pytest.warns(NotConvergedWarning, match="within max_iter=2 iterations"):
        CGKernelRankRLS(1e-6, max_iter=2).fit(X, y, qid=qid)
