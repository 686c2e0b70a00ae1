import numpy as np
import pytest
from lab.papers.basis_vectors import (
    cross_validation_curves,
    independent_basis,
    recomputed,
    time_cross_validation,
)

from learners import RLS, RankRLS, SparseRankRLS
from ppi.core import UsageError
from ppi.parse_ranking import draw_per_sentence, sentence_folds


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    qid = np.repeat(np.arange(12), 5)
    X = rng.normal(size=(12, 40))[qid] + 0.5 * rng.normal(size=(60, 40))
    return X, X @ rng.normal(size=40) + rng.normal(size=60), qid


def test_recomputed_with_every_parse_as_basis_is_plain_rls(data):
    X, y, qid = data
    X = np.hstack([X, np.eye(60)])  # independent rows
    held = np.flatnonzero(qid == 3)
    rest = np.flatnonzero(qid != 3)
    found = recomputed(X @ X.T, y, qid, np.arange(60), held, method="sparse-rls", regparams=[0.1, 10.0])
    wanted = [RLS(value, fit_intercept=False).fit(X[rest], y[rest]).predict(X[held]) for value in (0.1, 10.0)]
    np.testing.assert_allclose(found, wanted, atol=1e-8)


def test_recomputed_rank_rls_is_the_learner_trained_without_the_sentence(data):
    X, y, qid = data
    basis = draw_per_sentence(qid, 2, random_state=1)
    held, rest = np.flatnonzero(qid == 3), np.flatnonzero(qid != 3)
    kept = [np.flatnonzero(rest == b)[0] for b in basis if b in rest]
    found = recomputed(X @ X[basis].T, y, qid, basis, held, method="sparse-rank-rls", regparams=[0.5])
    model = SparseRankRLS(0.5, basis=kept).fit(X[rest], y[rest], qid=qid[rest])
    np.testing.assert_allclose(found[0], model.predict(X[held]), atol=1e-8)
    assert np.ptp(found[0] - RankRLS(0.5).fit(X[rest], y[rest], qid=qid[rest]).predict(X[held])) > 1e-6


@pytest.mark.parametrize(("method", "folds"), [("sparse-rls", None), ("sparse-rls", 4), ("sparse-rank-rls", None)])
def test_the_shortcut_equals_recomputing_map_and_model(data, method, folds):
    X, y, qid = data
    basis = draw_per_sentence(qid, 2, random_state=0)
    groups = None if folds is None else sentence_folds(qid, folds, random_state=0)
    timing = time_cross_validation(X @ X[basis].T, y, qid, basis, method=method, groups=groups, sample=12)
    assert timing.difference < 1e-7
    assert timing.n_sampled == timing.n_holdouts == (12 if folds is None else 4)
    assert timing.to_dict()["ratio"] == timing.ratio > 0


def test_rank_rls_has_no_folds_but_sentences(data):
    X, y, qid = data
    with pytest.raises(UsageError, match="expected groups=None for sparse-rank-rls"):
        time_cross_validation(X, y, qid, np.arange(60), method="sparse-rank-rls", groups=qid % 4)


def test_dependent_basis_vectors_are_left_out(data):
    X, _, _ = data
    doubled = np.vstack([X[:3], X[:3]])
    assert len(independent_basis(doubled @ doubled.T, np.array([3, 7, 9, 11, 12, 20]))) == 3


def test_curves_equal_refitting_in_every_fold(data):
    X, y, qid = data
    curves = cross_validation_curves(X, y, qid, folds=3, regparams=[0.01, 1.0])
    basis = draw_per_sentence(qid, 2, random_state=0)
    fold_of = sentence_folds(qid, 3, random_state=0)
    K, targets = X @ X.T, y - y.mean()
    for number, regparam in enumerate([0.01, 1.0]):
        for remove, found in ((True, curves.removed), (False, curves.kept)):
            errors = []
            for fold in range(3):
                rest, held = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
                used = np.array([b for b in basis if not remove or fold_of[b] != fold])
                K_MR = K[np.ix_(rest, used)]
                a = np.linalg.solve(K_MR.T @ K_MR + regparam * K[np.ix_(used, used)], K_MR.T @ targets[rest])
                errors.append(np.square(K[np.ix_(held, used)] @ a - targets[held]))
            np.testing.assert_allclose(found[number], np.concatenate(errors).mean(), rtol=1e-6)


def test_curves_meet_when_regularization_is_strong(data):
    X, y, qid = data
    curves = cross_validation_curves(X, y, qid, folds=4)
    assert curves.kept[-1] == pytest.approx(curves.removed[-1], rel=1e-3)
    assert set(curves.to_dict()) == {"regparams", "kept", "removed"}
