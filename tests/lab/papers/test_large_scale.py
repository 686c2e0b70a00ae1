"""The large-scale experiments: their data, their methods against plain ones, and tiny runs."""

import numpy as np
import pytest
from lab.frame.experiment import RunSettings, perform
from lab.frame.page import section
from lab.papers import large_scale, large_scale_preferences, large_scale_scores
from lab.papers.large_scale import reuters_data
from lab.papers.large_scale_methods import (
    METHODS,
    PATIENCE,
    TOL,
    Problem,
    compare,
    early_stopping,
    tikhonov,
)
from lab.papers.large_scale_report import sample_preferences
from lab.papers.large_scale_scores import RCV1_SIZE
from lab.papers.reuters import read_stories
from lab.papers.synthetic_documents import documents
from mini_reuters import write_collection

from learners import CGRankRLS, RankRLS, disagreement_error

SMALL = {"n_train": 600, "n_validation": 200, "n_test": 300, "n_features": 500}


@pytest.fixture(scope="module")
def data():
    return documents(**SMALL, seed=3)


def test_documents_have_unit_length_and_the_seed_decides(data):
    assert data.X_train.shape == (600, 500)
    np.testing.assert_allclose((data.X_train.multiply(data.X_train)).sum(axis=1), 1.0)
    assert set(np.unique(data.y_test)) == {0.0, 1.0}
    again, other = documents(**SMALL, seed=3), documents(**SMALL, seed=4)
    assert (again.X_test != data.X_test).nnz == 0
    assert (other.X_test != data.X_test).nnz > 0


def test_documents_of_rcv1s_width_are_as_sparse():
    part = documents(n_train=3000, n_validation=10, n_test=10, n_features=RCV1_SIZE["n_features"], seed=0)
    assert part.X_train.nnz / (3000 * 47_152) == pytest.approx(0.0016, abs=0.00005)
    assert 0.45 < part.y_train.mean() < 0.55


def test_idf_is_the_training_documents(data):
    """The weights of a document from the definition, (1 + log tf) idf of unit length."""
    present = np.asarray((data.X_train != 0).sum(axis=0)).ravel()
    idf = np.log(601.0 / (1.0 + present)) + 1.0
    row = data.X_test[[0]].tocoo()
    weights = row.data / idf[row.coords[1]]
    ratios = weights / weights.min()  # (1 + log tf) / (1 + log of the smallest tf), which is 1
    counts = np.exp(ratios - 1.0)
    np.testing.assert_allclose(counts, counts.round(), atol=1e-8)


def test_tikhonov_is_the_closed_form_and_watching_changes_nothing(data):
    problem = Problem(data)
    run, _ = tikhonov(problem, 1.0)
    closed = RankRLS(1.0).fit(data.X_train, data.y_train).coef_
    np.testing.assert_allclose(run.w, closed, atol=1e-4)
    assert run.error == run.errors[-1] == problem.validation_error(run.w)
    assert len(run.errors) == run.n_iter
    assert run.selection_seconds >= run.training_seconds > 0


@pytest.mark.parametrize("regparam", [0.001, 1.0, 1000.0])
def test_both_together_read_off_tikhonov_equals_a_training_of_its_own(data, regparam):
    _, run = tikhonov(Problem(data), regparam)
    own = CGRankRLS(regparam, early_stopping=True, patience=PATIENCE, tol=TOL)
    own.fit(data.X_train, data.y_train, validation=(data.X_validation, data.y_validation))
    np.testing.assert_array_equal(run.w, own.coef_)
    assert (run.best_iter, run.n_iter, run.errors) == (own.best_iter_, own.n_iter_, own.validation_errors_)
    assert run.selection_seconds >= run.training_seconds > 0


def test_early_stopping_keeps_the_best_iterate(data):
    problem = Problem(data)
    run = early_stopping(problem)
    assert run.error == min(run.errors) == problem.validation_error(run.w)
    assert run.n_iter == run.best_iter + PATIENCE
    assert run.errors[run.best_iter - 1] == run.error


def test_preferences_are_relevant_over_irrelevant(data):
    edges = sample_preferences(data.y_train, 1000, seed=0)
    assert edges.shape == (1000, 2)
    assert np.all(data.y_train[edges[:, 0]] > data.y_train[edges[:, 1]])
    np.testing.assert_array_equal(edges, sample_preferences(data.y_train, 1000, seed=0))


def test_the_chosen_model_has_the_lowest_validation_error(data):
    grid = (0.01, 1.0, 100.0)
    outcome = compare(Problem(data), grid, lambda text: None)
    errors, tests = [], []
    for regparam in grid:
        w = RankRLS(regparam).fit(data.X_train, data.y_train).coef_
        errors.append(disagreement_error(data.y_validation, data.X_validation @ w))
        tests.append(disagreement_error(data.y_test, data.X_test @ w))
    assert outcome.methods[0].test_error == pytest.approx(tests[int(np.argmin(errors))], abs=1e-3)
    assert [curve["regparam"] for curve in outcome.curves] == [0.0, *grid]
    assert outcome.methods[0].iterations == sum(curve["iterations"][-1] for curve in outcome.curves[1:])


def test_reuters_parts_share_no_story(tmp_path):
    data = reuters_data(read_stories(write_collection(tmp_path)), seed=0)
    assert data.X_train.shape[0] + data.X_validation.shape[0] == 195
    assert data.X_validation.shape[0] == 39
    assert data.X_test.shape[0] == 65
    assert data.X_test.shape[1] == data.X_train.shape[1]


@pytest.mark.parametrize(
    "what",
    [large_scale.EXPERIMENT, large_scale_scores.EXPERIMENT, large_scale_preferences.EXPERIMENT],
    ids=lambda what: what.name,
)
def test_tiny_runs(what, tmp_path):
    write_collection(tmp_path)
    told = []
    result = perform(what, RunSettings(tmp_path, tiny=True, seed=1, progress=told.append))
    assert any("early stopping" in text for text in told)
    assert all(table.rows == list(METHODS) for table in result.tables)
    errors = [row[0] for table in result.tables[::2] for row in table.ours]
    assert all(0.0 <= error < 0.45 for error in errors)  # they learned something
    text = section(what, result)
    assert "A tiny run" in text
    assert all(picture.caption in text for picture in what.pictures(result))
