"""One or two values of regparam by Cholesky: the answers of the eigendecomposition, without it."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from learners._cholesky import MAX_CHOLESKY_REGPARAMS
from learners.errors import KernelError
from learners.rank_rls import RankRLS
from learners.rls import RLS
from learners.sparse_rank_rls import SparseRankRLS
from learners.sparse_rls import SparseRLS

M, QID = 30, np.arange(30) // 5
MODELS = {
    "primal": RLS(0.3),
    "dual": RLS(0.3, form="dual"),
    "sparse": SparseRLS(0.3, n_basis=9, random_state=0),
    "rank primal": RankRLS(0.3),
    "rank dual": RankRLS(0.3, form="dual"),
    "rank unit": RankRLS(0.3, form="dual", cost="unit"),
    "rank sparse": SparseRankRLS(0.3, n_basis=9, random_state=0),
}


@pytest.fixture
def data():
    rng = np.random.default_rng(7)
    return rng.normal(size=(M, 6)), rng.normal(size=M)


@pytest.fixture
def counted(monkeypatch):
    """How often something was decomposed."""
    calls = []
    for module in ("_spectral", "_holdout", "_rank_systems", "_sparse_spectral", "_sparse_rank_system"):
        eigen = __import__(f"learners.{module}", fromlist=["eigen"]).eigen
        monkeypatch.setattr(f"learners.{module}.eigen", lambda *a, f=eigen, **o: calls.append(1) or f(*a, **o))
    return calls


def fitted(name, X, y):
    options = {"qid": QID} if name.startswith("rank") else {}
    return MODELS[name].fit(X, y, **options)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("convert", [np.asarray, sp.csr_array], ids=["dense", "sparse X"])
def test_fit_solves_what_the_decomposition_would_without_it(name, convert, data, counted):
    X, y = data
    model = fitted(name, convert(X), y)
    assert not counted
    predictions = model.predict(convert(X))
    path = model.predict_path(convert(X), [*np.logspace(-2, 2, MAX_CHOLESKY_REGPARAMS + 3).tolist(), 0.3])
    assert len(counted) == 1
    assert_allclose(predictions, path[-1], rtol=1e-8)


@pytest.mark.parametrize("name", ["dual", "rank dual", "rank unit"])
def test_hold_outs_for_one_regparam_are_those_of_the_decomposition_without_it(name, data, counted):
    X, y = data
    model = fitted(name, X, y)
    ask = model.leave_query_out if name.startswith("rank") else model.leave_one_out
    one = ask()
    assert_array_equal(ask(), one)
    assert not counted
    assert_allclose(one, ask([1.0, 2.0, 3.0, 0.3])[-1], rtol=1e-8)
    assert len(counted) == 1


def test_groups_and_pairs_for_one_regparam_too(data, counted):
    X, y = data
    model = RLS(0.3, form="dual").fit(X, y)
    pairs = np.array([[0, 1], [4, 20]])
    asked = [
        lambda regparams=None: model.leave_group_out(QID, regparams),
        lambda regparams=None: model.leave_pair_out(pairs, regparams),
        lambda regparams=None: model.leave_pair_out(None, regparams),
        lambda regparams=None: model.hold_out([np.arange(12)], regparams)[0],
    ]
    alone = [ask() for ask in asked]
    assert not counted
    for ask, one in zip(asked, alone):
        assert_allclose(ask([0.3, 1.0, 2.0])[0], one, rtol=1e-8)
    assert len(counted) == 1


def test_a_hold_out_of_most_examples_for_one_regparam_equals_refitting(data):
    X, y = data
    (held,) = RLS(0.3, form="dual").fit(X, y).hold_out([np.arange(25)])
    assert_allclose(held, RLS(0.3).fit(X[25:], y[25:]).predict(X[:25]), rtol=1e-8)


def test_values_one_after_another_are_decomposed_when_there_are_many(data, counted):
    X, y = data
    model = RLS(0.3, form="dual").fit(X, y)
    for regparam in np.logspace(-2, 2, 9):
        assert_allclose(model.coefficient_path(regparam)[0], RLS(regparam, form="dual").fit(X, y).dual_coef_, rtol=1e-8)
    assert len(counted) == 1


@pytest.mark.parametrize("estimator", [RLS(0.1, kernel="precomputed"), RankRLS(0.1, kernel="precomputed")])
def test_a_kernel_that_is_not_positive_definite_is_told_with_its_eigenvalue(estimator):
    K = np.diag([-1.0, 1.0, 2.0, 3.0])
    with pytest.raises(KernelError, match="got one with the eigenvalue -"):
        estimator.fit(K, np.arange(4.0))
