"""The decomposition a fitted learner keeps: made when first asked for, and the same whoever asks."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from learners.decomposition import RLSDecomposition, SparseRLSDecomposition
from learners.rank_decomposition import RankRLSDecomposition, SparseRankRLSDecomposition
from learners.rank_rls import RankRLS
from learners.rls import RLS
from learners.rls_classifier import RLSClassifier
from learners.sparse_rank_rls import SparseRankRLS
from learners.sparse_rls import SparseRLS

REGPARAMS = np.array([0.1, 3.0])


@pytest.fixture
def problem():
    rng = np.random.default_rng(4)
    return rng.normal(size=(20, 5)), rng.normal(size=(20, 2)), rng.uniform(0.2, 2.0, size=20), np.arange(20) // 4


@pytest.mark.parametrize("form", ["primal", "dual"])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_inverse_is_the_same_before_and_after_decomposing(form, sparse, intercept, problem):
    X, Y, weights, _ = problem
    model = RLS(form=form, fit_intercept=intercept)
    decomposition = model.decompose(sp.csr_array(X) if sparse else X, Y, sample_weight=weights)
    before = decomposition.inverse(0.7).copy()
    assert decomposition.eigenvalues.shape == ((5,) if form == "primal" else (20 - intercept,))
    w = np.sqrt(weights)
    bordered = np.zeros((21, 21))
    bordered[:20, :20] = w[:, None] * (X @ X.T) * w + 0.7 * np.eye(20)
    bordered[20, :20] = bordered[:20, 20] = w * intercept
    bordered[20, 20] = 1.0 - intercept
    expected = np.linalg.inv(bordered)[:20, :20] * (0.7 if form == "primal" else 1.0)
    assert_allclose(before, expected, atol=1e-10)
    assert_allclose(decomposition.inverse(0.7), expected, atol=1e-10)


def test_a_dual_inverse_decomposes_nothing(problem, monkeypatch):
    X, Y, _, _ = problem
    decomposition = RLS(form="dual").decompose(X, Y)
    monkeypatch.setattr("learners._spectral.eigen", lambda *args, **options: pytest.fail("decomposed"))
    room = np.empty((20, 20), order="F")
    assert decomposition.inverse(1.0, room) is room or np.shares_memory(decomposition.inverse(1.0, room), room)


@pytest.mark.parametrize(
    ("estimator", "kind"),
    [
        (RLS(), RLSDecomposition),
        (RLS(form="dual"), RLSDecomposition),
        (RLSClassifier(), RLSDecomposition),
        (SparseRLS(n_basis=8, random_state=0), SparseRLSDecomposition),
        (RankRLS(), RankRLSDecomposition),
        (RankRLS(form="dual", cost="unit"), RankRLSDecomposition),
        (SparseRankRLS(n_basis=8, random_state=0), SparseRankRLSDecomposition),
    ],
    ids=repr,
)
def test_fitted_learners_keep_theirs(estimator, kind, problem):
    X, Y, _, qid = problem
    y = (Y[:, 0] > 0).astype(int) if isinstance(estimator, RLSClassifier) else Y[:, 0]
    model = estimator.fit(X, y, **({"qid": qid} if "Rank" in kind.__name__ else {}))
    decomposition = model.decomposition_
    assert isinstance(decomposition, kind)
    assert decomposition.n_samples == 20
    assert decomposition.single_output
    assert_allclose(decomposition.coefficients(REGPARAMS)[..., 0], model.coefficient_path(REGPARAMS))
    if "Rank" in kind.__name__:
        assert decomposition.n_queries == 5
        assert_allclose(decomposition.leave_query_out(REGPARAMS)[..., 0], model.leave_query_out(REGPARAMS))
    else:
        assert_allclose(decomposition.leave_one_out(REGPARAMS)[..., 0], model.leave_one_out(REGPARAMS))
        (part,) = decomposition.hold_out([np.array([3, 5])], REGPARAMS)
        assert_allclose(part[..., 0], model.hold_out([[3, 5]], REGPARAMS)[0])


@pytest.mark.parametrize("estimator", [RLS(), SparseRLS(n_basis=8, random_state=0)], ids=repr)
def test_decomposing_alone_solves_nothing(estimator, problem):
    X, Y, weights, _ = problem
    decomposition = estimator.decompose(X, Y, sample_weight=weights)
    assert not hasattr(estimator, "decomposition_")
    assert not hasattr(estimator, "coef_")
    assert_allclose(decomposition.targets, Y * np.sqrt(weights)[:, None])
    solution = estimator.fit(X, Y, sample_weight=weights).coefficient_path(REGPARAMS)
    assert_allclose(decomposition.coefficients(REGPARAMS), solution)
