"""Holding out any set of queries, against training without it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from learners.errors import QueryError
from learners.rank_rls import RankRLS
from learners.sparse_rank_rls import SparseRankRLS

QID = np.array(list("aabbbbcccddeeeeeeeeffffgggaad"))
M = len(QID)
SETS = [["a"], ["b", "d"], ["g", "c", "a"], ["a", "b", "c", "e", "f"]]
REGPARAMS = [0.05, 1.0, 40.0]
BASIS = np.array([0, 3, 7, 12, 20, 25])
MODELS = [
    RankRLS(),
    RankRLS(form="dual"),
    RankRLS(kernel="rbf"),
    RankRLS(form="dual", cost="unit"),
    RankRLS(cost="unit", normalize="pairs"),
    SparseRankRLS(kernel="rbf"),
    SparseRankRLS(kernel="rbf", cost="unit"),
]


@pytest.fixture
def data():
    rng = np.random.default_rng(4)
    return rng.normal(size=(M, 4)), rng.integers(0, 5, size=(M, 2)) + rng.normal(size=(M, 2))


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("outputs", [1, 2])
def test_equals_refitting_without_the_set(model, outputs, data):
    X, y = data
    y = y[:, 0] if outputs == 1 else y
    sparse = isinstance(model, SparseRankRLS)
    fitted = clone(model).set_params(**({"basis": BASIS} if sparse else {})).fit(X, y, qid=QID)
    parts = fitted.leave_queries_out(SETS, REGPARAMS)
    for queries, part in zip(SETS, parts):
        held = np.isin(QID, queries)
        rest = np.flatnonzero(~held)
        for regparam, predictions in zip(REGPARAMS, part):
            again = clone(model).set_params(regparam=regparam)
            if sparse:
                again.set_params(basis=np.flatnonzero(np.isin(rest, BASIS)))
            again.fit(X[rest], y[rest], qid=QID[rest])
            assert_allclose(predictions, again.predict(X[held]), atol=1e-8)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_sets_of_one_query_are_leave_query_out(model, data):
    X, y = data[0], data[1][:, 0]
    model = clone(model).fit(X, y, qid=QID)
    each = model.leave_query_out()
    for query, part in zip("abcdefg", model.leave_queries_out([[query] for query in "abcdefg"])):
        assert_allclose(part, each[query == QID], atol=1e-8)


def test_what_cannot_be_used_is_told(data):
    X, y = data[0], data[1][:, 0]
    model = RankRLS().fit(X, y, qid=QID)
    with pytest.raises(QueryError, match=r"expected sets\[1\] to hold queries of fit, got 'x'"):
        model.leave_queries_out([["a"], ["b", "x"]])
    with pytest.raises(QueryError, match="a non-empty sequence of query identifiers"):
        model.leave_queries_out(["a"])
    with pytest.raises(QueryError, match="each query once, got repeats"):
        model.leave_queries_out([["a", "a"]])
    with pytest.raises(QueryError, match="not every query"):
        model.leave_queries_out([list("abcdefg")])
    with pytest.raises(QueryError, match="got one global ranking; pass qid= to fit"):
        RankRLS().fit(X, y).leave_queries_out([["a"]])
