"""Kernels by the names that scikit-learn has for them."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from learners.errors import KernelError
from learners.rank_rls import RankRLS
from learners.rank_rls_cv import RankRLSCV, SparseRankRLSCV
from learners.rls import RLS
from learners.rls_classifier import RLSClassifier
from learners.rls_cv import RLSCV, SparseRLSCV
from learners.sparse_rank_rls import SparseRankRLS
from learners.sparse_rls import SparseRLS

KERNELS = {
    "rbf": {"gamma": 0.2},
    "laplacian": {},
    "poly": {"degree": 2, "coef0": 0.5, "gamma": 0.3},
    "sigmoid": {"gamma": 0.01},
    "cosine": {},
    "chi2": {"gamma": 0.1},
}
ESTIMATORS = [
    RLS(),
    RLSCV(),
    RLSClassifier(),
    SparseRLS(basis=[0, 3, 7]),
    SparseRLSCV(basis=[0, 3, 7]),
    RankRLS(),
    RankRLSCV(),
    SparseRankRLS(basis=[0, 3, 7]),
    SparseRankRLSCV(basis=[0, 3, 7]),
]


@pytest.fixture
def data():
    rng = np.random.default_rng(5)
    return rng.uniform(size=(20, 4)), rng.normal(size=20)


@pytest.mark.parametrize("kernel", KERNELS)
def test_without_intercept_it_is_kernel_ridge(kernel, data):
    X, y = data
    ours = RLS(0.4, fit_intercept=False, kernel=kernel, **KERNELS[kernel]).fit(X, y)
    theirs = KernelRidge(alpha=0.4, kernel=kernel, **KERNELS[kernel]).fit(X, y)
    assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-8)
    assert_allclose(ours.predict(X[:3] + 0.1), theirs.predict(X[:3] + 0.1), atol=1e-8)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
def test_a_name_is_its_matrix(estimator, data):
    X, y = data
    y = np.where(y > 0, "b", "a") if isinstance(estimator, RLSClassifier) else y
    K = pairwise_kernels(X, metric="rbf", gamma=0.7)
    options = {"qid": np.arange(20) // 4} if "Rank" in type(estimator).__name__ else {}
    named = clone(estimator).set_params(kernel="rbf", gamma=0.7).fit(X, y, **options)
    matrix = clone(estimator).set_params(kernel="precomputed").fit(K, y, **options)
    predict = "decision_function" if isinstance(estimator, RLSClassifier) else "predict"
    assert_allclose(getattr(named, predict)(X), getattr(matrix, predict)(K), atol=1e-9)


def test_sparse_rows_and_the_default_gamma(data):
    X, y = data
    model = RLS(kernel="rbf").fit(sp.csr_array(X), y)
    assert_allclose(model.predict(X), RLS(kernel="rbf", gamma=1 / 4).fit(X, y).predict(X), atol=1e-9)


def test_gamma_is_searched_like_any_parameter(data):
    X, y = data
    search = GridSearchCV(RLS(kernel="rbf"), {"gamma": [0.1, 1.0], "regparam": [0.1, 1.0]}, cv=3).fit(X, y)
    assert set(search.best_params_) == {"gamma", "regparam"}


def test_the_primal_form_is_for_the_linear_kernel(data):
    with pytest.raises(KernelError, match="expected kernel='linear' with form='primal', got kernel='rbf'"):
        RLS(kernel="rbf", form="primal").fit(*data)


@parametrize_with_checks([RLS(kernel="rbf"), RLSClassifier(kernel="rbf"), SparseRLS(kernel="rbf")])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
