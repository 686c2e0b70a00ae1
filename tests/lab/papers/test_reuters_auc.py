"""AUC on Reuters-21578: the selection of regparams against a plain one, the intervals, and a tiny run."""

import numpy as np
import pytest
from lab.frame.experiment import RunSettings, perform
from lab.frame.page import section
from lab.papers.registry import experiment
from lab.papers.reuters import mod_apte, read_stories
from lab.papers.reuters_auc import (
    METHODS,
    N_FOLDS,
    PATHS,
    REGPARAMS,
    WITH_INTERCEPT,
    choose_and_predict,
    draw_stories,
    intervals_on_test,
)
from lab.papers.reuters_auc_published import PUBLISHED
from mini_reuters import TOPICS, write_collection

from learners import RLS, RankRLS, RankSVM, auc
from ppi.core import TrainingError


@pytest.fixture(scope="module")
def stories(tmp_path_factory):
    return mod_apte(read_stories(write_collection(tmp_path_factory.mktemp("reuters"))))


@pytest.fixture(scope="module")
def draw(stories):
    return draw_stories(stories, TOPICS, 50, np.random.default_rng(0))


def test_a_draw_has_every_topic_in_two_folds(draw, stories):
    assert draw.X_train.shape[0] == 50
    assert draw.X_test.shape[0] == len(stories) - 50
    for y in draw.Y_train.T:
        assert len(np.unique(draw.fold[y > 0])) >= 2
    assert np.bincount(draw.fold).tolist() == [5] * N_FOLDS


def test_a_topic_that_is_too_rare_is_an_error(stories):
    with pytest.raises(TrainingError, match="expected 5 stories with each of 1 topics in two folds or more"):
        draw_stories(stories, ["no such topic"], 5, np.random.default_rng(0))


@pytest.mark.parametrize("name", PATHS)
def test_choice_and_predictions_equal_plain_training(draw, name):
    regparams = [0.001, 0.1, 10.0]

    def train(X, y, regparam):
        if name.startswith("RLS"):
            return RLS(regparam, fit_intercept=name == WITH_INTERCEPT).fit(X, 2 * y - 1)
        return (RankRLS(regparam) if name == "RankRLS" else RankSVM(regparam, tol=1e-3 / max(1, 4 * regparam))).fit(
            X, y
        )

    scores = choose_and_predict(draw, PATHS[name], regparams)
    for column, y in enumerate(draw.Y_train.T):
        pooled = []
        for regparam in regparams:
            held_out = np.empty(len(y))
            for fold in range(N_FOLDS):
                test = draw.fold == fold
                held_out[test] = train(draw.X_train[~test], y[~test], regparam).predict(draw.X_train[test])
            pooled.append(auc(y, held_out))
        best = max(range(3), key=lambda i: (round(pooled[i], 9), i))
        expected = train(draw.X_train, y, regparams[best]).predict(draw.X_test)
        np.testing.assert_allclose(scores[:, column], expected, atol=1e-8)


def test_rank_svm_ranks_whatever_the_regparam(draw):
    """A tolerance of the solver that does not go with regparam would return w = 0."""
    scores = METHODS["RankSVM"](draw.X_train, draw.Y_train, draw.X_test, [REGPARAMS[-1]])[0]
    for y, score in zip(draw.Y_test.T, scores.T):
        assert np.ptp(score) > 0
        assert auc(y, score) > 0.6


def test_intervals_hold_the_auc(draw):
    scores = choose_and_predict(draw, METHODS["RankRLS"], [1.0])
    for y, score, interval in zip(draw.Y_test.T, scores.T, intervals_on_test(draw, scores)):
        assert interval.auc == auc(y, score)
        assert interval.low <= interval.auc <= interval.high


def test_published_rows_are_consistent():
    assert len(PUBLISHED) == 25
    for row in PUBLISHED.values():
        for value, low, high in (row.rank_rls, row.rls, row.rank_svm):
            assert low < value < high
    assert REGPARAMS[0] == 2.0**-15
    assert REGPARAMS[-1] == 2.0**15


def test_tiny_run(tmp_path):
    write_collection(tmp_path)
    what = experiment("reuters-auc")
    told = []
    result = perform(what, RunSettings(tmp_path, tiny=True, seed=2, progress=told.append))
    assert result.tables[0].rows == list(TOPICS)
    assert all(0.5 < value <= 1.0 for row in result.tables[0].ours for value in row[:3])
    assert result.tables[1].rows == [*TOPICS, "mean"]
    for mean, first in zip(result.tables[1].ours, result.tables[0].ours):
        assert mean[2] == pytest.approx(mean[0] - mean[1])
        assert 0.0 < first[0] <= 1.0
    assert "Tables 4 and 5" in section(what, result)
    assert any("RankSVM" in text for text in told)
