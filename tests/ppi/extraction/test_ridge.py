"""Ridge regression with an intercept for each corpus, against scikit-learn's and plain loops."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import Ridge

from learners import auc, best_threshold
from ppi.extraction.ridge import (
    RIDGE_REGPARAM,
    LinearModel,
    RidgeLearner,
    document_frequencies,
    fit_ridge_models,
    prior_weights,
)
from ppi.extraction.training_rows import HoldOut, TrainingRows

N, WIDTH = 90, 12


@pytest.fixture
def rows():
    rng = np.random.default_rng(5)
    X = sp.csr_matrix(rng.normal(size=(N, WIDTH)) * (rng.random((N, WIDTH)) < 0.5))
    corpora = np.repeat([0, 1, 2], [20, 30, 40])
    labels = np.where(X @ rng.normal(size=WIDTH) + 0.8 * rng.normal(size=N) + corpora > 1, 1.0, -1.0)
    documents = np.array([f"d{number // 5}" for number in range(N)])
    barred = (corpora == 0) | np.isin(documents, ["d5", "d6"])
    holds = (
        HoldOut("c0", corpora == 0, barred),
        *(HoldOut(f"c{corpus}", corpora == corpus, corpora == corpus) for corpus in (1, 2)),
    )
    return TrainingRows(X, labels, documents, corpora, rng.random(N) < 0.9, holds)


def plain(rows, mask, regparam):
    """Scikit-learn's ridge regression, one column per corpus that is not penalized, on rows that teach."""
    mask = mask & rows.trainable
    X, y, corpora = rows.X[mask].toarray(), rows.labels[mask], rows.corpora[mask]
    unit = np.mean(np.sum(X**2, axis=1))
    means = {corpus: (X[corpora == corpus].mean(axis=0), y[corpora == corpus].mean()) for corpus in np.unique(corpora)}
    centred = np.array([x - means[corpus][0] for x, corpus in zip(X, corpora)])
    targets = np.array([label - means[corpus][1] for label, corpus in zip(y, corpora)])
    weights = Ridge(alpha=regparam * unit, fit_intercept=False).fit(centred, targets).coef_
    return weights, float(np.mean([mean_y - mean_x @ weights for mean_x, mean_y in means.values()]))


def scores(rows, mask, tested, regparam):
    weights, intercept = plain(rows, mask, regparam)
    return rows.X[tested] @ weights + intercept


@pytest.mark.parametrize("regparam", [0.1, 2.0])
def test_models_of_parts_are_those_of_scikit_learn_with_every_corpus_centred(rows, regparam):
    parts = [np.ones(N, dtype=bool), rows.corpora != 1, np.arange(N) % 4 > 0, rows.corpora == 2]
    for part, model in zip(parts, fit_ridge_models(rows, parts, regparam=regparam), strict=True):
        weights, intercept = plain(rows, part, regparam)
        np.testing.assert_allclose(model.weights, weights, atol=2e-4)
        assert model.intercept == pytest.approx(intercept, abs=1e-3)


def test_a_constant_that_a_corpus_has_for_all_its_labels_changes_no_weight(rows):
    moved = replace(rows, labels=rows.labels + 7.0 * rows.corpora)
    everything = [np.ones(N, dtype=bool)]
    (one,), (two,) = (fit_ridge_models(each, everything, regparam=1.0) for each in (rows, moved))
    np.testing.assert_allclose(one.weights, two.weights, atol=1e-5)
    assert two.intercept - one.intercept == pytest.approx(7.0)  # the mean of 0, 7 and 14


def test_weights_vanish_as_the_regularizer_grows(rows):
    (model,) = fit_ridge_models(rows, [np.ones(N, dtype=bool)], regparam=1e6)
    assert np.abs(model.weights).max() < 1e-5
    own = [rows.labels[rows.trainable & (rows.corpora == corpus)].mean() for corpus in range(3)]
    assert model.intercept == pytest.approx(np.mean(own), abs=1e-4)


def test_features_are_counted_in_the_documents_that_were_learned_from(rows):
    parts = [np.ones(N, dtype=bool), rows.corpora == 1]
    for part, model in zip(parts, fit_ridge_models(rows, parts, regparam=1.0), strict=True):
        learned = part & rows.trainable
        # rows of a document that do not teach are still of that document
        names = {(rows.corpora[row], rows.documents[row]) for row in np.flatnonzero(learned)}
        inside = [row for row in range(N) if (rows.corpora[row], rows.documents[row]) in names]
        expected = [len({rows.documents[row] for row in inside if rows.X[row, column] != 0}) for column in range(WIDTH)]
        assert model.frequencies.tolist() == expected


def test_documents_of_one_name_in_two_corpora_are_two():
    X = sp.csr_matrix(np.ones((4, 2)) * [1.0, 0.0])
    rows = TrainingRows(X, np.array([1.0, -1, 1, -1]), np.array(["d"] * 4), np.array([0, 0, 1, 1]), np.ones(4, bool))
    assert document_frequencies(rows).tolist() == [2, 0]


def test_pruned_features_weigh_nothing():
    model = LinearModel(np.array([1.0, 2.0, 4.0]), 0.5, np.array([1, 2, 3]))
    X = sp.csr_matrix(np.eye(3))
    assert model.prune(2).tolist() == [0.0, 2.0, 4.0]
    assert model.scores(X).tolist() == [1.5, 2.5, 4.5]
    assert model.scores(X, min_documents=3).tolist() == [0.5, 0.5, 4.5]


def test_training_scores_each_part_by_a_model_without_what_is_barred(rows):
    model = RidgeLearner(1.0).train(rows)
    for part in rows.hold_outs:
        expected = scores(rows, ~part.excluded_mask, part.test_mask, 1.0)
        np.testing.assert_allclose(model.held_out[part.test_mask], expected, atol=1e-3)
    np.testing.assert_allclose(model.weights, plain(rows, np.ones(N, dtype=bool), 1.0)[0], atol=2e-4)
    assert model.training_auc == auc(rows.labels, model.held_out)
    assert model.threshold == best_threshold(rows.labels, model.held_out).threshold
    assert model.regparam == 1.0


def test_nested_equals_the_plain_loop(rows):
    documents = np.array([int(name[1:]) for name in rows.documents])
    assignments = [documents % 3, documents % 2]
    for fold_of, found in zip(assignments, RidgeLearner(1.0).cross_validate_nested(rows, assignments), strict=True):
        for fold, outcome in zip(np.unique(fold_of), found, strict=True):
            in_test = fold_of == fold
            held_out = np.empty(N)
            for part in rows.hold_outs:
                tested = part.test_mask & ~in_test
                held_out[tested] = scores(rows, ~in_test & ~part.excluded_mask, tested, 1.0)
            np.testing.assert_array_equal(outcome.test, np.flatnonzero(in_test))
            np.testing.assert_allclose(outcome.scores, scores(rows, ~in_test, in_test, 1.0), atol=1e-3)
            expected = best_threshold(rows.labels[~in_test], held_out[~in_test])
            assert outcome.threshold == pytest.approx(expected.threshold, abs=1e-3)


def test_nested_outcomes_do_not_depend_on_the_labels_tested(rows):
    in_test = np.array([int(name[1:]) for name in rows.documents]) % 3 == 0
    turned = replace(rows, labels=np.where(in_test, -rows.labels, rows.labels))
    (one, *_), (two, *_) = (
        RidgeLearner().cross_validate_nested(each, [(~in_test).astype(int)])[0] for each in (rows, turned)
    )
    np.testing.assert_array_equal(one.test, np.flatnonzero(in_test))
    np.testing.assert_array_equal(one.scores, two.scores)
    assert one.threshold == two.threshold


def test_nested_drops_what_is_rare_in_the_training_part(rows):
    """A feature of two documents, one of them tested, is of one document for the model, and weighs nothing."""
    X = rows.X.tolil()
    X[:, 0] = 0.0
    X[0, 0], X[N - 1, 0] = 5.0, 5.0
    rare = replace(rows, X=X.tocsr(), trainable=np.ones(N, dtype=bool))
    fold_of = np.array([int(name[1:]) for name in rows.documents]) % 3
    in_test = fold_of == fold_of[N - 1]
    assert not in_test[0]
    weights, intercept = plain(rare, ~in_test, 1.0)
    kept, dropped = (
        RidgeLearner(1.0, least).cross_validate_nested(rare, [fold_of])[0][fold_of[N - 1]] for least in (1, 2)
    )
    np.testing.assert_allclose(kept.scores, rare.X[in_test] @ weights + intercept, atol=1e-3)
    weights[0] = 0.0
    np.testing.assert_allclose(dropped.scores, rare.X[in_test] @ weights + intercept, atol=1e-3)
    assert abs(kept.scores[-1] - dropped.scores[-1]) > 0.1


def test_a_starting_point_is_the_ridge_regression_of_its_corpus(rows):
    unit = np.mean(np.sum(rows.X.toarray() ** 2, axis=1))
    expected = Ridge(alpha=RIDGE_REGPARAM * unit).fit(rows.X.toarray(), rows.labels).coef_
    np.testing.assert_allclose(prior_weights(rows.X, rows.labels), expected, atol=1e-3)
