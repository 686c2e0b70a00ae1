"""Models with several outputs against ridge regression on each output's own rows, on made-up rows."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import Ridge

from learners import best_threshold
from ppi.core import TrainingError
from ppi.extraction import ridge
from ppi.extraction.calibration import DEFAULT_CALIBRATION_METHOD, fit_by_method
from ppi.extraction.outputs import OUTPUTS, REGPARAMS
from ppi.extraction.ridge import (
    choose_typed_threshold,
    fit_calibrations,
    fit_typed_outputs,
    select_typed_hold_outs,
    train_typed,
)
from ppi.extraction.training_rows import HoldOut, TrainingRows

INTERACTION, BINDING, MODIFICATION, REGULATION, DIRECTION, SIGN = range(6)
N, WIDTH, CORPORA = 240, 15, 4


def made_rows(*, seed=0, untaught=()):
    """Four corpora: two with events, one of pairs, one of complexes; the fifth part of all rows does not teach."""
    rng = np.random.default_rng(seed)
    X = sp.csr_matrix(rng.normal(size=(N, WIDTH)) * (rng.random((N, WIDTH)) < 0.6))
    corpora = np.repeat(np.arange(CORPORA), N // CORPORA)
    truth = X @ rng.normal(size=(WIDTH, 6)) + 0.3 * rng.normal(size=(N, 6)) + 0.5 * corpora[:, None]
    targets = np.where(truth > np.median(truth, axis=0), 1.0, -1.0)
    labels = targets[:, INTERACTION].copy()
    targets[corpora == 2, BINDING:] = np.nan
    targets[corpora == 3, MODIFICATION:] = np.nan
    targets[np.ix_(corpora < 2, [DIRECTION, SIGN])] = np.where(
        rng.random((N // 2, 2)) < 0.5, np.nan, targets[corpora < 2][:, [DIRECTION, SIGN]]
    )
    targets[:, list(untaught)] = np.nan
    holds = tuple(HoldOut(f"c{number}", corpora == number, corpora == number) for number in range(CORPORA))
    documents = np.array([f"d{number // 4}" for number in range(N)])
    return TrainingRows(X, labels, documents, corpora, rng.random(N) < 0.8, holds, targets=targets)


def plain_ridge(X, y, corpora, regparam):
    """Weights and the mean of the corpora's intercepts, from the definition: every corpus is centred."""
    dense = X.toarray()
    centred_x, centred_y = dense.copy(), y.astype(float)
    for corpus in np.unique(corpora):
        own = corpora == corpus
        centred_x[own] -= centred_x[own].mean(axis=0)
        centred_y[own] -= centred_y[own].mean()
    unit = np.mean(np.sum(dense**2, axis=1))
    weights = Ridge(alpha=regparam * unit, fit_intercept=False).fit(centred_x, centred_y).coef_
    residuals = y - dense @ weights
    return weights, np.mean([residuals[corpora == corpus].mean() for corpus in np.unique(corpora)])


def tight(monkeypatch):
    monkeypatch.setattr(ridge, "SOLVER_TOLERANCE", 1e-6)


@pytest.mark.parametrize("regparam", [None, 0.5])
def test_each_output_is_ridge_regression_on_the_rows_that_teach_it(monkeypatch, regparam):
    tight(monkeypatch)
    rows = made_rows()
    (found,) = fit_typed_outputs(rows.X, rows, [np.ones(N, dtype=bool)], regparam=regparam)
    for column, name in enumerate(OUTPUTS):
        own = rows.trainable & ~np.isnan(rows.targets[:, column])
        penalty = REGPARAMS[name] if regparam is None else regparam
        weights, intercept = plain_ridge(rows.X[own], rows.targets[own, column], rows.corpora[own], penalty)
        np.testing.assert_allclose(found.weights[:, column], weights, atol=1e-4)
        assert found.intercepts[column] == pytest.approx(intercept, abs=1e-4)


def test_parts_are_solved_as_if_they_were_alone(monkeypatch):
    tight(monkeypatch)
    rows = made_rows()
    parts = [rows.corpora != 0, np.arange(N) % 3 > 0, rows.corpora == 1]
    for part, found in zip(parts, fit_typed_outputs(rows.X, rows, parts), strict=True):
        (alone,) = fit_typed_outputs(rows.X[part], rows.subset(part), [np.ones(part.sum(), dtype=bool)])
        np.testing.assert_allclose(found.weights, alone.weights, atol=1e-4)
        np.testing.assert_allclose(found.intercepts, alone.intercepts, atol=1e-4)


@pytest.mark.parametrize("most_dense", [0, 80, 150])
def test_products_through_the_features_give_what_the_kernel_matrix_gives(monkeypatch, most_dense):
    tight(monkeypatch)
    rows = made_rows()
    parts = [np.ones(N, dtype=bool), rows.corpora != 1]
    dense = fit_typed_outputs(rows.X, rows, parts)
    monkeypatch.setattr(ridge, "MAX_DENSE_ROWS", most_dense)
    for one, other in zip(dense, fit_typed_outputs(rows.X, rows, parts), strict=True):
        np.testing.assert_allclose(one.weights, other.weights, atol=1e-4)
        np.testing.assert_allclose(one.intercepts, other.intercepts, atol=1e-4)


def test_an_output_that_nobody_teaches_has_no_intercept_and_no_weight():
    rows = made_rows(untaught=[SIGN, MODIFICATION])
    model = train_typed(rows, min_documents=1)
    assert np.isnan(model.outputs.intercepts).tolist() == [False, False, True, False, False, True]
    assert not model.outputs.weights[:, [MODIFICATION, SIGN]].any()
    assert model.outputs.weights[:, [INTERACTION, BINDING, REGULATION, DIRECTION]].any(axis=0).all()
    assert set(model.calibrations) == {"interaction", "binding", "regulation"}


def test_an_output_of_which_a_part_has_one_kind_alone_is_not_learned_from_it():
    rows = made_rows()
    positive = rows.targets[:, BINDING] > 0
    only, both = fit_typed_outputs(rows.X, rows, [positive, np.ones(N, dtype=bool)])
    assert np.isnan(only.intercepts[BINDING])
    assert not np.isnan(both.intercepts[BINDING])
    assert not np.isnan(only.intercepts[REGULATION])


def test_rows_that_do_not_teach_change_nothing():
    rows = made_rows()
    turned = np.where(rows.trainable[:, None], rows.targets, -rows.targets)
    one, two = (train_typed(each, min_documents=1) for each in (rows, replace(rows, targets=turned)))
    np.testing.assert_array_equal(one.outputs.weights, two.outputs.weights)
    np.testing.assert_array_equal(one.held_out, two.held_out)


def test_scores_held_out_are_of_models_without_what_is_barred(monkeypatch):
    tight(monkeypatch)
    rows = made_rows()
    shared = rows.corpora == 0
    shared |= (rows.corpora == 2) & (np.arange(N) % 2 == 0)  # documents of the third corpus that the first has too
    holds = (HoldOut("c0", rows.corpora == 0, shared), *rows.hold_outs[1:])
    rows = replace(rows, hold_outs=holds)
    model = train_typed(rows, min_documents=1)
    for part in (holds[0], holds[1]):
        (alone,) = fit_typed_outputs(rows.X, rows, [~part.excluded_mask])
        expected = alone.scores(rows.X[part.test_mask])
        np.testing.assert_allclose(model.held_out[part.test_mask], expected, atol=1e-3)
    # corpora without events are judged by nobody, though one of them teaches binding
    assert np.isnan(model.held_out[rows.corpora >= 2]).all()


def test_only_parts_with_types_are_left_out_unless_that_is_one_part():
    rows = made_rows()
    assert [part.name for part in select_typed_hold_outs(rows)] == ["c0", "c1"]
    targets = rows.targets.copy()
    targets[rows.corpora > 0, BINDING:] = np.nan
    assert [part.name for part in select_typed_hold_outs(replace(rows, targets=targets))] == ["c0", "c1", "c2", "c3"]


def test_features_of_too_few_documents_are_dropped():
    rows = made_rows()
    X = rows.X.tolil()
    X[:, 3] = 0.0
    X[0:8, 3] = 5.0  # rows of two documents
    X[:, 7] = 0.0
    X[0:12:4, 7] = 5.0  # of three
    rare = replace(rows, X=X.tocsr())
    for least, dropped in ((2, []), (3, [3]), (4, [3, 7])):
        model = train_typed(rare, min_documents=least)
        assert np.flatnonzero(~model.feature_mask).tolist() == dropped
        assert model.outputs.weights.shape == (WIDTH - len(dropped), len(OUTPUTS))


def test_calibrations_are_fitted_to_what_is_known_and_held_out():
    rng = np.random.default_rng(1)
    targets, held_out = np.where(rng.random((60, 6)) < 0.5, 1.0, -1.0), rng.normal(size=(60, 6))
    corpora = np.repeat([0, 1, 2], [10, 20, 30])
    targets[:20, INTERACTION] = np.nan
    held_out[30:, INTERACTION] = np.nan
    targets[:, MODIFICATION] = 1.0
    held_out[:, REGULATION] = np.nan
    found = fit_calibrations(targets, held_out, corpora)
    assert set(found) == {"interaction", "binding"}
    assert found["interaction"] == fit_by_method(
        DEFAULT_CALIBRATION_METHOD, held_out[20:30, 0], targets[20:30, 0], corpora[20:30]
    )
    assert found["binding"] == fit_by_method(DEFAULT_CALIBRATION_METHOD, held_out[:, 1], targets[:, 1], corpora)


def test_the_threshold_is_the_best_on_pairs_held_out():
    rows = made_rows()
    model = train_typed(rows, min_documents=1)
    known = ~np.isnan(model.held_out[:, 0])
    expected = best_threshold(rows.targets[known, 0], model.held_out[known, 0]).threshold
    assert choose_typed_threshold(model, rows) == expected
    assert known.sum() == 2 * N // CORPORA


def test_no_threshold_where_nobody_says_what_interacts():
    rows = made_rows(untaught=[INTERACTION])
    with pytest.raises(TrainingError, match="expected held-out pairs of both kinds to choose a threshold on, got 0"):
        choose_typed_threshold(train_typed(rows, min_documents=1), rows)


def test_rows_without_targets_are_refused():
    with pytest.raises(ValueError, match="expected rows with targets of types, got none"):
        train_typed(replace(made_rows(), targets=None), min_documents=1)
