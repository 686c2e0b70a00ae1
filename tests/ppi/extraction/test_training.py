"""Training and nested evaluation against the plain loops they stand for."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from kernels import normalize_features
from learners import RLS, RankRLS, auc, best_threshold
from ppi.core import TrainingError, UsageError
from ppi.extraction.settings import Settings
from ppi.extraction.training import REGPARAM_GRID, LeastSquaresLearner, check_document_count, make_learner
from ppi.extraction.training_rows import Design, HoldOut, TrainingRows


@pytest.fixture
def problem():
    rng = np.random.default_rng(3)
    X = sp.csr_matrix(rng.normal(size=(60, 20)) * (rng.random((60, 20)) < 0.5))
    labels = np.where(X @ rng.normal(size=20) + rng.normal(size=60) > 0.3, 1.0, -1.0)
    documents = np.array([f"d{n // 3}" for n in range(60)])
    folds = (np.arange(60) // 3) % 4
    everything = np.ones(60, dtype=bool)
    return TrainingRows(X, labels, documents, np.zeros(60, dtype=int), everything), folds


def learner_of(name, **settings):
    return make_learner(Settings(learner=name, **settings))


def plain_nested(K, labels, documents, folds, regparams):
    """Outer folds and inner leave-document-out by refitting everything."""
    outcomes = []
    for fold in np.unique(folds):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        best = (-1.0, None, None)
        for regparam in regparams:
            held_out = np.empty(len(train))
            for document in np.unique(documents[train]):
                out = documents[train] == document
                kept = train[~out]
                model = RLS(regparam, kernel="precomputed", fit_intercept=False).fit(
                    K[np.ix_(kept, kept)], labels[kept]
                )
                held_out[out] = model.predict(K[np.ix_(train[out], kept)])
            quality = auc(labels[train], held_out)
            if quality > best[0]:
                best = (quality, regparam, best_threshold(labels[train], held_out).threshold)
        model = RLS(best[1], kernel="precomputed", fit_intercept=False).fit(K[np.ix_(train, train)], labels[train])
        outcomes.append((test, model.predict(K[np.ix_(test, train)]), best[1], best[2]))
    return outcomes


def test_nested_equals_the_plain_loop(problem):
    rows, folds = problem
    found = learner_of("rls").cross_validate_nested(rows, [folds, folds[::-1]])[0]
    for fold, ours in zip(np.unique(folds), found, strict=True):
        # the design of the training part alone, with which the test part is seen, too
        part = Design.build(rows.X[folds != fold])
        K = (rows.X @ rows.X.T).toarray() + part.mean_square
        in_test = folds == fold
        (_, (test, scores, regparam, threshold)) = plain_nested(
            K, rows.labels, rows.documents, in_test, REGPARAM_GRID * part.unit
        )
        np.testing.assert_array_equal(ours.test, test)
        assert ours.regparam == regparam
        np.testing.assert_allclose(ours.scores, scores, atol=1e-8)
        assert ours.threshold == pytest.approx(threshold, abs=1e-8)


def test_averaged_models_are_the_mean_of_those_of_every_regparam(problem):
    rows, folds = problem
    grid = np.array([0.25, 1.0])
    of = [LeastSquaresLearner(np.array([each])) for each in grid]
    averaged = LeastSquaresLearner(grid, averaged=True)
    ours, singles = averaged.train(rows), [each.train(rows) for each in of]
    np.testing.assert_allclose(ours.weights, np.mean([each.weights for each in singles], axis=0), atol=1e-9)
    np.testing.assert_allclose(ours.held_out, np.mean([each.held_out for each in singles], axis=0), atol=1e-9)
    assert ours.regparam == pytest.approx(0.5 * rows.design.unit)
    assert ours.threshold == best_threshold(rows.labels, ours.held_out).threshold
    nested = [each.cross_validate_nested(rows, [folds])[0] for each in of]
    for outcome, *single in zip(averaged.cross_validate_nested(rows, [folds])[0], *nested, strict=True):
        np.testing.assert_allclose(outcome.scores, np.mean([each.scores for each in single], axis=0), atol=1e-9)
        np.testing.assert_allclose(outcome.held_out, np.mean([each.held_out for each in single], axis=0), atol=1e-9)


def test_training_folds_to_weights_that_predict_as_the_kernel_does(problem):
    rows, _ = problem
    design, labels = rows.design, rows.labels
    model = learner_of("rls", regparam=0.5).train(rows)
    direct = RLS(0.5 * design.unit, kernel="precomputed", fit_intercept=False).fit(design.gram, labels)
    np.testing.assert_allclose(design.X @ model.weights + model.intercept, direct.predict(design.gram), atol=1e-9)


LEARNERS = {
    "rls": {},
    "rank-rls": {},
    "rank-svm": {"regparam": 0.1},
    "ridge": {},
}


@pytest.fixture
def started(problem):
    """The problem with opinions of two other models, and rows of very different lengths."""
    rows, folds = problem
    rng = np.random.default_rng(8)
    lengths = sp.diags_array(rng.lognormal(sigma=1.5, size=60))
    parts = tuple(HoldOut(str(n), folds == n, folds == n) for n in range(4))
    X = sp.csr_matrix(lengths @ rows.X)
    return replace(rows, X=X, priors=rng.normal(size=(20, 2)), hold_outs=parts), folds


@pytest.mark.parametrize(
    ("name", "degree"), [("rls", 1), ("rls", 2), ("rank-rls", 1), ("rank-rls", 2), ("rank-svm", 1)]
)
def test_a_fold_is_the_model_of_its_training_part(started, name, degree):
    rows, folds = started
    if degree == 2:  # for cosines
        rows = replace(rows, X=normalize_features(rows.X), degree=2)
    learner = learner_of(name, **LEARNERS[name])
    for fold, ours in enumerate(learner.cross_validate_nested(rows, [folds])[0]):
        model = learner.train(rows.subset(folds != fold))
        np.testing.assert_allclose(ours.scores, model.scores(rows.X[ours.test]), rtol=1e-6, atol=1e-6)
        assert ours.regparam == model.regparam
        assert ours.threshold == pytest.approx(model.threshold, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "degree"), [*((name, 1) for name in LEARNERS), ("sparse-rls", 1), ("rls", 2), ("sparse-rls", 2)]
)
def test_rows_that_are_tested_say_nothing_about_the_model(started, name, degree):
    """Change some rows of a fold, and what it chose and what it says of its other rows stays as it was."""
    rows, folds = started
    if degree == 2:
        rows = replace(rows, X=normalize_features(rows.X), degree=2)
    learner = learner_of(name, **LEARNERS.get(name, {"n_basis": 30}))
    for fold in range(4):
        (changed,) = np.nonzero(folds == fold)
        changed, kept = changed[::2], changed[1::2]
        X, labels = rows.X.toarray(), rows.labels.copy()
        X[changed] *= -10.0
        X[changed, :3] += 7.0
        labels[changed] *= -1.0
        other = replace(rows, X=sp.csr_matrix(X), labels=labels)
        before, after = (learner.cross_validate_nested(each, [folds])[0][fold] for each in (rows, other))
        assert after.regparam == before.regparam
        assert after.threshold == pytest.approx(before.threshold, rel=1e-5, abs=1e-5)
        still = np.isin(before.test, kept)
        np.testing.assert_allclose(after.scores[still], before.scores[still], rtol=1e-5, atol=1e-5)


def test_sparse_rls_uses_its_basis_only(problem):
    rows, _ = problem
    model = LeastSquaresLearner(np.array([1.0]), n_basis=10, random_state=1).train(rows)
    whole = LeastSquaresLearner(np.array([1.0])).train(rows)
    assert not np.allclose(model.weights, whole.weights)
    assert LeastSquaresLearner(np.array([1.0]), n_basis=60).train(rows).weights == pytest.approx(whole.weights)


def test_rank_rls_is_regression_with_a_free_intercept(problem):
    """The equivalence that gives RankRLS the shortcuts of RLS, against RankRLS itself."""
    rows, folds = problem
    design, labels = rows.design, rows.labels
    regparam = 0.5
    found = learner_of("rank-rls", regparam=regparam).cross_validate_nested(rows, [folds])[0]
    K, everything = design.gram, np.arange(60)
    for outcome in found:
        train = np.setdiff1d(everything, outcome.test)
        unit = Design.build(rows.X[train]).unit
        direct = RankRLS(regparam * unit, kernel="precomputed").fit(K[np.ix_(train, train)], labels[train])
        scores = direct.predict(K[np.ix_(outcome.test, train)])
        # a ranking function is known up to a constant
        np.testing.assert_allclose(outcome.scores - outcome.scores.mean(), scores - scores.mean(), atol=2e-4)


def test_rank_rls_training_agrees_with_its_own_nested_scores(problem):
    rows, _ = problem
    design, labels = rows.design, rows.labels
    model = learner_of("rank-rls", regparam=0.5).train(rows)
    direct = RankRLS(0.5 * design.unit, kernel="precomputed").fit(design.gram, labels)
    ours, theirs = design.X @ model.weights, direct.predict(design.gram)
    np.testing.assert_allclose(ours - ours.mean(), theirs - theirs.mean(), atol=2e-4)


def test_rank_svm_ranks_training_data_well(problem):
    rows, folds = problem
    design, labels = rows.design, rows.labels
    model = learner_of("rank-svm", regparam=1e-3).train(rows)
    assert auc(labels, design.X @ model.weights) > 0.9
    outcomes = learner_of("rank-svm", regparam=1e-2).cross_validate_nested(rows, [folds])[0]
    assert sorted(np.concatenate([outcome.test for outcome in outcomes])) == list(range(60))


def test_unknown_learner_and_single_document():
    with pytest.raises(UsageError, match=r"expected a learner, one of .*, got 'svm'"):
        Settings(learner="svm")
    with pytest.raises(UsageError, match=r"expected min_documents=1 with the learner 'rls', got 3"):
        Settings(learner="rls", min_documents=3)
    for settings in ({"kernel": "all-paths"}, {"kernel": "path", "learner": "ridge"}):
        with pytest.raises(UsageError, match=r"expected degree=1 with the kernel .*, got 2; only"):
            Settings(**settings, degree=2)
    with pytest.raises(UsageError, match=r"expected a degree, one of \[1, 2\], got 3"):
        Settings(kernel="path", degree=3)
    with pytest.raises(TrainingError, match="at least 2 documents, got 1"):
        check_document_count(np.array(["a", "a"]))
