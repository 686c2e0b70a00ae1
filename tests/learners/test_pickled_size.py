"""What a fitted learner takes with it when it is pickled: enough to predict, not its training problem."""

import copy

import numpy as np
import pytest
from numpy.testing import assert_allclose

from learners.errors import NotFittedError
from learners.rank_rls import RankRLS
from learners.rank_rls_cv import RankRLSCV, SparseRankRLSCV
from learners.rls import RLS
from learners.rls_classifier import RLSClassifier
from learners.rls_cv import RLSCV, SparseRLSCV
from learners.sparse_rank_rls import SparseRankRLS
from learners.sparse_rls import SparseRLS

M, N, R = 200, 6, 10
MODELS = [
    RLS(),
    RLS(form="dual"),
    RLS(kernel="rbf"),
    RLSCV(),
    RLSClassifier(kernel="rbf"),
    SparseRLS(kernel="rbf", n_basis=R, random_state=0),
    SparseRLSCV(kernel="rbf", n_basis=R, random_state=0),
    RankRLS(),
    RankRLS(kernel="rbf"),
    RankRLSCV(kernel="rbf"),
    SparseRankRLS(kernel="rbf", n_basis=R, random_state=0),
    SparseRankRLSCV(kernel="rbf", n_basis=R, random_state=0),
]
QID = np.arange(M) // 5


def numbers(state):
    """How many there are in the arrays of a state, and in those within."""
    if isinstance(state, np.ndarray):
        return state.size
    if isinstance(state, dict):
        return sum(numbers(value) for value in state.values())
    if isinstance(state, list | tuple):
        return sum(numbers(value) for value in state)
    return numbers(state.__getstate__()) if type(state).__module__.startswith("learners") else 0


def fitted(estimator):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(M, N)), rng.normal(size=M)
    options = {"qid": QID} if "Rank" in type(estimator).__name__ else {}
    return X, copy.copy(estimator).fit(X, y > 0 if isinstance(estimator, RLSClassifier) else y, **options)


@pytest.mark.parametrize("estimator", MODELS, ids=repr)
def test_it_is_small_and_predicts(estimator):
    X, model = fitted(estimator)
    shortcut = model.leave_query_out if "Rank" in type(estimator).__name__ else model.leave_one_out
    shortcut([0.1, 1.0, 10.0])  # by now it is decomposed
    spanning = {"linear": 0, "rbf": (R if "Sparse" in type(estimator).__name__ else M) * N}[estimator.kernel]
    assert numbers(model.__getstate__()) <= spanning + M + N + 50  # the rows of a kernel, and coefficients
    there = copy.deepcopy(model)  # the way of pickle: __reduce_ex__
    values = "decision_function" if isinstance(estimator, RLSClassifier) else "predict"
    assert_allclose(getattr(there, values)(X), getattr(model, values)(X), atol=1e-10)
    assert shortcut().shape == (M,)  # the model itself still has everything


@pytest.mark.parametrize("estimator", MODELS, ids=repr)
def test_what_it_left_behind_is_told(estimator):
    there = copy.deepcopy(fitted(estimator)[1])
    ranker = "Rank" in type(estimator).__name__
    with pytest.raises(NotFittedError, match="pickled or copied, which leaves it behind: predict works"):
        there.leave_query_out() if ranker else there.leave_one_out()
    with pytest.raises(NotFittedError, match="need fit again"):
        there.coefficient_path([1.0])


def test_one_that_was_never_fitted_says_so():
    with pytest.raises(NotFittedError, match="not fitted yet"):
        RLS().leave_one_out()
