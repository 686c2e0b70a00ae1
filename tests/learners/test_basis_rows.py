"""Basis vectors that are rows of their own: the closed form, and hold-outs that keep them all."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel

from learners.errors import BasisError
from learners.nested import nested_leave_group_out, repeated_nested_leave_group_out
from learners.rank_rls_cv import SparseRankRLSCV
from learners.rls_cv import SparseRLSCV
from learners.sparse_rank_rls import SparseRankRLS
from learners.sparse_rls import SparseRLS

M, R = 30, 7
REGPARAMS = [0.05, 0.8, 30.0]
GROUPS = np.repeat(np.arange(10), 3)
MOST = np.array([0] * 25 + [1] * 3 + [2] * 2)


@pytest.fixture
def data():
    rng = np.random.default_rng(9)
    return rng.normal(size=(M, 4)), rng.normal(size=M) + 2, rng.normal(size=(R, 4))


@pytest.mark.parametrize("intercept", [True, False])
def test_the_solution_is_the_definition(intercept, data):
    X, y, rows = data
    model = SparseRLS(0.5, kernel="rbf", gamma=0.3, fit_intercept=intercept, basis=rows).fit(X, y)
    K_MR, K_RR = rbf_kernel(X, rows, gamma=0.3), rbf_kernel(rows, gamma=0.3)
    if intercept:  # of the gradient: K_RM (K_MR a + b - y) + regparam K_RR a = 0, and the residuals sum to 0
        assert np.sum(y - model.predict(X)) == pytest.approx(0, abs=1e-9)
    gradient = K_MR.T @ (model.predict(X) - y) + 0.5 * K_RR @ model.dual_coef_
    assert_allclose(gradient, 0, atol=1e-9)
    assert_allclose(model.predict(X), K_MR @ model.dual_coef_ + model.intercept_, atol=1e-12)
    assert_array_equal(model.basis_, rows)
    assert sorted(model.kept_) == list(range(R))


def test_rows_that_are_examples_are_as_good_as_their_indices(data):
    X, y, _ = data
    for estimator, options in ((SparseRLS(), {}), (SparseRankRLS(), {"qid": GROUPS})):
        by_index = clone(estimator).set_params(basis=[3, 8, 20]).fit(X, y, **options)
        by_row = clone(estimator).set_params(basis=X[[3, 8, 20]]).fit(X, y, **options)
        assert_allclose(by_row.predict(X), by_index.predict(X), atol=1e-9)
        assert_allclose(by_row.coef_, by_index.coef_, atol=1e-9)


@pytest.mark.parametrize("groups", [GROUPS, MOST, np.arange(M)], ids=["threes", "one holds most", "singletons"])
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("intercept", [True, False])
def test_hold_outs_equal_refitting_with_the_same_basis(groups, kernel, intercept, data):
    X, y, rows = data
    weights = np.random.default_rng(1).uniform(0.3, 2, size=M)
    model = SparseRLS(kernel=kernel, fit_intercept=intercept, basis=rows)
    fast = clone(model).fit(X, y, sample_weight=weights).leave_group_out(groups, REGPARAMS)
    for regparam, predictions in zip(REGPARAMS, fast):
        for group in np.unique(groups):
            rest = groups != group
            slow = clone(model).set_params(regparam=regparam).fit(X[rest], y[rest], sample_weight=weights[rest])
            assert_allclose(predictions[~rest], slow.predict(X[~rest]), atol=1e-8)


@pytest.mark.parametrize("groups", [GROUPS, MOST], ids=["threes", "one holds most"])
def test_leave_query_out_equals_refitting_with_the_same_basis(groups, data):
    X, y, rows = data
    model = SparseRankRLS(kernel="rbf", basis=rows)
    fast = clone(model).fit(X, y, qid=groups).leave_query_out(REGPARAMS)
    for regparam, predictions in zip(REGPARAMS, fast):
        for query in np.unique(groups):
            rest = groups != query
            slow = clone(model).set_params(regparam=regparam).fit(X[rest], y[rest], qid=groups[rest])
            assert_allclose(predictions[~rest], slow.predict(X[~rest]), atol=1e-8)


@pytest.mark.parametrize("r", [R, 50], ids=["few", "more than examples"])
def test_nested_rounds_equal_refitting_with_the_same_basis(r, data):
    X, y, _ = data
    rows = np.random.default_rng(2).normal(size=(r, 4))
    model = SparseRLS(kernel="rbf", gamma=1.0, basis=rows)
    nested = nested_leave_group_out(model, X, y, folds=GROUPS % 3, groups=GROUPS, regparams=REGPARAMS)
    for number, regparam in enumerate(REGPARAMS):
        for fold in range(3):
            rest = fold != GROUPS % 3
            slow = clone(model).set_params(regparam=regparam).fit(X[rest], y[rest])
            assert_allclose(nested.outer[number, ~rest], slow.predict(X[~rest]), atol=1e-7)
            inside = rest & ((fold + 1) % 3 == GROUPS)
            slow.fit(X[rest & ~inside], y[rest & ~inside])
            assert_allclose(nested.inner[fold, number, inside], slow.predict(X[inside]), atol=1e-7)


def test_choosing_regparam_with_them(data):
    X, y, rows = data
    model = SparseRLSCV(REGPARAMS, kernel="rbf", basis=rows).fit(X, y)
    held = SparseRLS(kernel="rbf", basis=rows).fit(X, y).leave_one_out(REGPARAMS)
    assert_allclose(model.cv_results_["error"], np.mean((y - held) ** 2, axis=1), rtol=1e-8)
    ranker = SparseRankRLSCV(REGPARAMS, kernel="rbf", basis=rows).fit(X, y, qid=GROUPS)
    assert ranker.regparam_ in REGPARAMS


def test_sparse_rows(data):
    X, y, rows = data
    dense = SparseRLS(basis=rows).fit(X, y)
    sparse = SparseRLS(basis=sp.csr_array(rows)).fit(sp.csr_array(X), y)
    assert_allclose(sparse.predict(X), dense.predict(X), atol=1e-9)


def test_what_cannot_be_used_is_told(data):
    X, y, rows = data
    with pytest.raises(BasisError, match="with the 4 features of X, got 3"):
        SparseRLS(basis=rows[:, :3]).fit(X, y)
    with pytest.raises(BasisError, match=r"indices of training examples with kernel='precomputed', got rows"):
        SparseRLS(kernel="precomputed", basis=rows).fit(X @ X.T, y)
    with pytest.raises(ValueError, match="NaN"):
        SparseRLS(basis=rows * np.nan).fit(X, y)


def test_columns_of_their_own_weights_need_a_basis_of_examples(data):
    X, y, rows = data
    with pytest.raises(BasisError, match="expected basis vectors that are examples with columns of their own weights"):
        repeated_nested_leave_group_out(
            SparseRLS(kernel="linear", basis=rows),
            X,
            y,
            folds=[GROUPS % 3],
            groups=GROUPS,
            regparams=REGPARAMS,
            columns=X[:, :1],
            column_weights=[np.full((3, 1), 2.0)],
        )
