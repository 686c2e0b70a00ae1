"""Training with a Gaussian kernel: the methods against the definition of their objective, and a tiny run."""

import numpy as np
import pytest
from lab.frame.experiment import RunSettings, perform
from lab.frame.page import section
from lab.papers.registry import experiment
from lab.papers.reuters import mod_apte, read_stories
from lab.papers.training_time import (
    GAMMA,
    MAX_SECONDS,
    METHODS,
    Measured,
    difference_vectors,
    features,
    within_means,
)
from mini_reuters import write_collection

from kernels import GaussianKernel


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    stories = read_stories(write_collection(tmp_path_factory.mktemp("reuters")))
    return features(mod_apte(stories, "train")[:40], mod_apte(stories, "test"))


def test_difference_vectors_have_the_kernel_of_pairs(data):
    """k((i, j), (k, l)) = k(i, k) - k(i, l) - k(j, k) + k(j, l), pairs of a relevant and an irrelevant story."""
    X, y, _, _ = data
    _, differences, signs = difference_vectors(X, y)
    K = GaussianKernel(gamma=GAMMA)(X)
    pairs = [(i, j) for i in np.flatnonzero(y > 0) for j in np.flatnonzero(y <= 0)]
    assert len(differences) == len(pairs)
    i, j = np.array(pairs).T
    expected = K[np.ix_(i, i)] - K[np.ix_(i, j)] - K[np.ix_(j, i)] + K[np.ix_(j, j)]
    np.testing.assert_allclose(differences @ differences.T, expected * np.outer(signs, signs), atol=1e-10)
    assert set(signs) == {-1.0, 1.0}


def test_three_solvers_of_one_objective_agree(data):
    X, y, X_test, _ = data
    solved = {name: method(X, y)(X_test) for name, method in METHODS.items() if name != "RankRLS"}
    exact = solved.pop("RankSVM on pairs, liblinear")
    exact = exact - exact.mean()
    for name, scores in solved.items():
        assert np.corrcoef(scores, exact)[0, 1] > 0.999, name


def test_methods_on_pairs_stop_where_they_cannot_go_on(data):
    few, many = np.repeat([0.0, 1.0], 50), np.repeat([0.0, 1.0], 2000)
    on_pairs = "RankSVM on pairs, libsvm"
    assert within_means(on_pairs, (100, 200), [], few)
    assert not within_means(on_pairs, (100, 4000), [Measured(0.1, 0.0)], many)  # memory
    assert within_means(on_pairs, (100, 200), [Measured(MAX_SECONDS / 17, 0.0)], few)
    assert not within_means(on_pairs, (100, 200), [Measured(MAX_SECONDS / 15, 0.0)], few)
    assert not within_means(on_pairs, (100, 200, 300), [Measured(1.0, 0.0), Measured()], few)
    assert within_means("RankRLS", (100, 4000), [Measured(1e9, 0.0)], many)


def test_tiny_run(tmp_path):
    write_collection(tmp_path)
    what = experiment("training-time")
    told = []
    result = perform(what, RunSettings(tmp_path, tiny=True, seed=0, progress=told.append))
    seconds, errors = result.tables
    assert seconds.rows == errors.rows == list(METHODS)
    assert all(value >= 0.0 for row in seconds.ours for value in row)
    assert all(0.0 <= value < 0.4 for row in errors.ours for value in row)
    assert any("60 inputs, RankRLS" in text for text in told)
    assert "Table 1" in section(what, result)
