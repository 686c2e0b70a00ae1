"""Reduced-set RankRLS: the closed form, and leave-query-out against refitting without the basis vectors too."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import rbf_kernel

from learners.errors import BasisError, LabelError, PreferenceError, QueryError, RegParamError
from learners.rank_rls import RankRLS
from learners.sparse_rank_rls import SparseRankRLS

REGPARAMS = [0.05, 1.0, 30.0]


def gaussian(X, Y):
    dense = [Z.toarray() if sp.issparse(Z) else Z for Z in (X, Y)]
    return rbf_kernel(*dense, gamma=0.2)


def problem(name):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(45, 7))
    if name == "duplicates":
        X = X[rng.integers(0, 20, 45)]
    if name == "sparse":
        X = sp.csr_array(np.where(np.abs(X) > 0.7, X, 0.0))
    sizes = [30, 1, 1, 4, 4, 5] if name == "one holds most" else [6, 1, 1, 9, 4, 8, 7, 5, 4]
    qid = np.repeat(np.arange(len(sizes)), sizes)
    return X, np.round(rng.normal(size=45), 1), rng.permutation(qid)


def slow_predictions(X, y, qid, basis, new, kernel, regparam):
    """[Tsivtsivadze2008, eq. 8] with centering as the Laplacian; a singular K_RR by its eigenvectors."""
    if not len(basis):
        return np.zeros(new.shape[0])
    kernel = kernel if callable(kernel) else lambda A, B: np.asarray((A @ B.T).todense() if sp.issparse(A) else A @ B.T)
    K_MR, K_RR = kernel(X, X[basis]), kernel(X[basis], X[basis])
    values, vectors = np.linalg.eigh(K_RR)
    keep = values > 1e-12 * values[-1]
    to_features = vectors[:, keep] / np.sqrt(values[keep])
    Z, t = K_MR @ to_features, y.copy()
    for q in np.unique(qid):
        Z[qid == q] -= Z[qid == q].mean(axis=0)
        t[qid == q] -= t[qid == q].mean()
    w = np.linalg.solve(Z.T @ Z + regparam * np.eye(Z.shape[1]), Z.T @ t)
    return kernel(new, X[basis]) @ to_features @ w


PROBLEMS = ["plain", "duplicates", "sparse", "one holds most"]


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("kernel", ["linear", gaussian])
@pytest.mark.parametrize("r", [5, 20, 45])
def test_fit_and_path_equal_the_closed_form(name, kernel, r):
    X, y, qid = problem(name)
    model = SparseRankRLS(kernel=kernel, n_basis=r, random_state=1).fit(X, y, qid=qid)
    for regparam, predictions in zip(REGPARAMS, model.predict_path(X, REGPARAMS)):
        expected = slow_predictions(X, y, qid, model.basis_, X, kernel, regparam)
        np.testing.assert_allclose(predictions, expected, atol=1e-8)
    np.testing.assert_allclose(model.predict(X), model.predict_path(X, [1.0])[0], atol=1e-9)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("kernel", ["linear", gaussian])
@pytest.mark.parametrize("r", [5, 20, 45])
def test_leave_query_out_equals_refitting_without_its_basis_vectors(name, kernel, r):
    X, y, qid = problem(name)
    model = SparseRankRLS(kernel=kernel, n_basis=r, random_state=1).fit(X, y, qid=qid)
    for regparam, predictions in zip(REGPARAMS, model.leave_query_out(REGPARAMS)):
        for q in np.unique(qid):
            U, rest = np.flatnonzero(qid == q), np.flatnonzero(qid != q)
            basis = np.flatnonzero(np.isin(rest, np.setdiff1d(model.basis_, U)))
            expected = slow_predictions(X[rest], y[rest], qid[rest], basis, X[U], kernel, regparam)
            np.testing.assert_allclose(predictions[U], expected, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("options", [{"ties": "exclude"}, {"cost": "unit"}, {"cost": "relative"}, {"normalize": None}])
def test_all_examples_as_basis_is_rank_rls(options):
    X, y, qid = problem("plain")
    Y = np.column_stack((y, np.random.default_rng(0).integers(0, 3, 45)))
    full = RankRLS(kernel=gaussian, **options).fit(X, Y, qid=qid)
    sparse = SparseRankRLS(kernel=gaussian, **options).fit(X, Y, qid=qid)
    np.testing.assert_allclose(sparse.predict(X), full.predict(X), atol=1e-8)
    np.testing.assert_allclose(sparse.leave_query_out(REGPARAMS), full.leave_query_out(REGPARAMS), atol=1e-7)


def test_precomputed_columns_and_preferences():
    X, y, qid = problem("plain")
    basis = np.arange(0, 45, 4)
    K = gaussian(X, X)
    by_kernel = SparseRankRLS(kernel=gaussian, basis=basis).fit(X, y, qid=qid)
    by_columns = SparseRankRLS(kernel="precomputed", basis=basis).fit(K[:, basis], y, qid=qid)
    np.testing.assert_allclose(by_kernel.predict(X), by_columns.predict(K[:, basis]), atol=1e-10)
    edges = [(i, j, y[i] - y[j]) for i in range(45) for j in range(45) if qid[i] == qid[j] and y[i] > y[j]]
    by_edges = SparseRankRLS(kernel=gaussian, basis=basis).fit(X, preferences=edges)
    by_scores = SparseRankRLS(kernel=gaussian, basis=basis, ties="exclude", normalize=None).fit(X, y, qid=qid)
    np.testing.assert_allclose(by_edges.predict(X), by_scores.predict(X), atol=1e-8)


def test_errors_say_what_is_wrong():
    X, y, qid = problem("plain")
    with pytest.raises(RegParamError, match="regparam to be positive"):
        SparseRankRLS(-1.0).fit(X, y, qid=qid)
    with pytest.raises(BasisError, match="expected n_basis to be a positive integer"):
        SparseRankRLS(n_basis=0).fit(X, y, qid=qid)
    with pytest.raises(LabelError, match="constant"):
        SparseRankRLS().fit(X, qid, qid=qid)
    with pytest.raises(QueryError, match="at least two queries"):
        SparseRankRLS().fit(X, y).leave_query_out()
    with pytest.raises(QueryError, match="expected shape"):
        SparseRankRLS().fit(X, y, qid=qid[2:])
    with pytest.raises(PreferenceError, match="at least one edge"):
        SparseRankRLS().fit(X, preferences=np.empty((0, 2)))
    with pytest.raises(ValueError, match="NaN"):
        SparseRankRLS().fit(np.where(X > 1, np.nan, X), y, qid=qid)
