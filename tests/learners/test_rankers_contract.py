"""What every ranker owes scikit-learn: its checks, clone, Pipeline, searches by query, joblib, float32."""

import numpy as np
import pytest
import scipy.sparse as sp
from joblib import Parallel, delayed
from sklearn import config_context
from sklearn.base import clone
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from learners.cg_kernel_rank_rls import CGKernelRankRLS
from learners.cg_rank_rls import CGRankRLS
from learners.errors import QueryError
from learners.greedy_rank_rls import GreedyRankRLS
from learners.metrics.ranking import disagreement_error
from learners.rank_rls import RankRLS
from learners.rank_svm import RankSVM
from learners.sparse_rank_rls import SparseRankRLS

RANKERS = [
    RankRLS(),
    RankRLS(form="dual", cost="unit"),
    SparseRankRLS(n_basis=15, random_state=0),
    CGRankRLS(),
    CGKernelRankRLS(0.1),
    GreedyRankRLS(),
    GreedyRankRLS(floating=True, fitting="back"),
    RankSVM(),
]


def expected_failures(estimator):
    if isinstance(estimator, RankRLS) and estimator.kernel == "precomputed":
        return {"check_estimators_dtypes": "it rounds the kernel matrix, which is then not positive semidefinite"}
    if getattr(estimator, "early_stopping", False):
        reason = "of its ten examples two are set aside, and their scores are equal: there is no pair to stop by"
        return {"check_fit2d_1feature": reason}
    return {}


@parametrize_with_checks(
    [
        *RANKERS,
        RankRLS(kernel="precomputed"),
        CGKernelRankRLS(kernel="precomputed"),
        CGRankRLS(early_stopping=True, random_state=0),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.fixture
def problem():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(90, 5))
    return X, X @ np.array([1.0, -2.0, 0.0, 0.0, 0.5]) + 0.2 * rng.normal(size=90), np.arange(90) // 6


def name_of(ranker):
    return repr(ranker)


@pytest.mark.parametrize("ranker", RANKERS, ids=name_of)
def test_learns_to_rank_unseen_queries(ranker, problem):
    X, y, qid = problem
    train, test = qid < 10, qid >= 10
    model = clone(ranker).fit(X[train], y[train], qid=qid[train])
    error = disagreement_error(y[test], model.predict(X[test]), qid=qid[test])
    assert error < 0.25
    assert model.score(X[test], y[test], qid=qid[test]) == pytest.approx(1.0 - error)


@pytest.mark.parametrize("ranker", RANKERS, ids=name_of)
def test_pipeline_and_search_by_query(ranker, problem):
    X, y, qid = problem
    with config_context(enable_metadata_routing=True):
        # Not Pipeline.score: scikit-learn 1.9 hands it a sample_weight that no ranker asks for.
        scorer = make_scorer(disagreement_error, greater_is_better=False).set_score_request(qid=True)
        pipeline = make_pipeline(StandardScaler(), clone(ranker).set_fit_request(qid=True))
        prefix = pipeline.steps[-1][0]
        grid = {f"{prefix}__regparam": [0.01, 1.0]}
        search = GridSearchCV(pipeline, grid, scoring=scorer, cv=GroupKFold(3), error_score="raise")
        search.fit(X, y, groups=qid, qid=qid)
    assert search.best_params_[f"{prefix}__regparam"] in (0.01, 1.0)
    assert search.predict(X).shape == (90,)


@pytest.mark.parametrize("ranker", RANKERS, ids=name_of)
def test_score_of_a_model_of_queries_refuses_to_rank_across_them(ranker, problem):
    X, y, qid = problem
    model = clone(ranker).fit(X, y, qid=qid)
    with pytest.raises(QueryError, match=r"expected qid.*metadata routing.*set_score_request\(qid=True\)"):
        model.score(X, y)
    search = GridSearchCV(clone(ranker), {"regparam": [0.01, 1.0]}, cv=GroupKFold(3), error_score="raise")
    with pytest.raises(QueryError, match="metadata routing"):
        search.fit(X, y, groups=qid, qid=qid)
    assert 0.5 < clone(ranker).fit(X, y).score(X, y) <= 1.0  # one global ranking needs none


@pytest.mark.parametrize("ranker", RANKERS, ids=name_of)
def test_queries_are_routed_to_fit_and_score(ranker, problem):
    X, y, qid = problem
    with config_context(enable_metadata_routing=True):
        model = clone(ranker).set_fit_request(qid=True).set_score_request(qid=True)
        cv = GroupKFold(3)
        scores = cross_val_score(model, X, y, cv=cv, params={"qid": qid, "groups": qid})
        by_hand = []
        for train, test in cv.split(X, y, qid):
            fitted = clone(ranker).fit(X[train], y[train], qid=qid[train])
            by_hand.append(fitted.score(X[test], y[test], qid=qid[test]))
    np.testing.assert_allclose(scores, by_hand)


@pytest.mark.parametrize("ranker", RANKERS, ids=name_of)
def test_float32_and_sparse_input_give_the_same_model(ranker, problem):
    X, y, qid = problem
    X = X.astype(np.float32)
    expected = clone(ranker).fit(X.astype(np.float64), y, qid=qid).predict(X)
    np.testing.assert_allclose(clone(ranker).fit(X, y, qid=qid).predict(X), expected, atol=1e-6)
    sparse = sp.csr_array(X)
    np.testing.assert_allclose(clone(ranker).fit(sparse, y, qid=qid).predict(sparse), expected, atol=1e-6)


def test_rankers_train_in_parallel_processes(problem):
    X, y, qid = problem
    X = MinMaxScaler().fit_transform(X)
    parallel = Parallel(n_jobs=2)(delayed(clone(ranker).fit)(X, y, qid=qid) for ranker in RANKERS)
    for ranker, model in zip(RANKERS, parallel):
        np.testing.assert_allclose(model.predict(X), clone(ranker).fit(X, y, qid=qid).predict(X), atol=1e-9)


def test_a_kernel_map_before_rank_svm_learns_what_a_line_cannot():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, size=(300, 2))
    y, qid = np.cos(2 * X[:, 0]) - X[:, 1] ** 2, np.arange(300) // 10
    train, test = qid < 20, qid >= 20
    errors = []
    for model in (
        RankSVM(1e-3),
        make_pipeline(Nystroem(gamma=0.5, n_components=60, random_state=0), RankSVM(1e-3)),
    ):
        step = "ranksvm__qid" if hasattr(model, "steps") else "qid"
        model.fit(X[train], y[train], **{step: qid[train]})
        errors.append(disagreement_error(y[test], model.predict(X[test]), qid=qid[test]))
    assert errors[1] < 0.1 < 0.3 < errors[0]
