"""What to judge next, against its definition."""

import numpy as np
import pytest
import scipy.sparse as sp

from ppi.core import UsageError
from ppi.server.curation.active_learning import (
    CHANGE,
    TOP,
    UNCERTAIN,
    CandidatePool,
    LabelledPool,
    expected_change,
    select_candidates,
)


def candidates(m=40, n=25, seed=0):
    rng = np.random.default_rng(seed)
    X = sp.csr_matrix(rng.random((m, n)) * (rng.random((m, n)) < 0.3))
    scores = rng.normal(size=m) / 2
    return CandidatePool(X, scores, 1 / (1 + np.exp(-3 * scores)))


def plain_change(given, judged):
    """From the definition: for each candidate and each answer the changes of all others, and their spread."""
    X, J = given.X.toarray(), judged.X.toarray()
    B = np.linalg.inv(judged.gram + judged.regparam * np.eye(len(J)))
    after = X @ X.T - X @ J.T @ B @ J @ X.T
    found = []
    for at in range(len(X)):
        moved = [after[at] * (y - given.scores[at]) / (X[at] @ X[at] + judged.regparam) for y in (1.0, -1.0)]
        p = given.probabilities[at]
        found.append(np.sqrt(p * moved[0].var() + (1 - p) * moved[1].var()))
    return np.array(found)


def test_the_expected_change_is_that_of_its_definition_up_to_the_sketches():
    given, some = candidates(), candidates(m=6, seed=1).X
    judged = LabelledPool(some, (some @ some.T).toarray(), 0.7)
    exact = plain_change(given, judged)
    np.testing.assert_allclose(expected_change(given, judged, sketches=200_000), exact, rtol=0.03)
    few = expected_change(given, judged)
    assert np.corrcoef(few, exact)[0, 1] > 0.8


def test_nothing_judged_is_judging_nothing():
    given = candidates()
    nothing = LabelledPool(given.X[:0], np.zeros((0, 0)), 1.0)
    assert np.array_equal(expected_change(given), expected_change(given, nothing))
    assert expected_change(CandidatePool(given.X[:0], np.zeros(0), np.zeros(0))).shape == (0,)


def test_what_was_judged_changes_less_when_judged_again():
    given = candidates()
    judged = LabelledPool(given.X[:5], (given.X[:5] @ given.X[:5].T).toarray(), 0.01)
    ratio = expected_change(given, judged) / expected_change(given, LabelledPool(given.X[:0], np.zeros((0, 0)), 0.01))
    assert ratio[:5].max() < ratio[5:].min()


def test_a_candidate_unlike_all_others_changes_nothing():
    X = sp.csr_matrix(np.vstack([np.c_[np.random.default_rng(0).random((9, 4)), np.zeros(9)], [[0, 0, 0, 0, 1.0]]]))
    change = expected_change(CandidatePool(X, np.zeros(10), np.full(10, 0.5)), sketches=5000)
    assert np.argmin(change) == 9


def test_the_ways():
    p = np.array([0.05, 0.9, 0.55, 0.3])
    given = CandidatePool(sp.csr_matrix(np.eye(4)), 2 * p - 1, p)
    assert select_candidates(TOP, given, 2).tolist() == [1, 2]
    assert select_candidates(UNCERTAIN, given, 3).tolist() == [2, 3, 1]
    assert select_candidates(UNCERTAIN, given, 9).tolist() == [2, 3, 1, 0]
    assert sorted(select_candidates(CHANGE, given, 4).tolist()) == [0, 1, 2, 3]
    assert select_candidates(CHANGE, candidates(), 5).tolist() == select_candidates(CHANGE, candidates(), 5).tolist()


def test_one_of_a_sentence_at_a_time():
    p = np.array([0.5, 0.52, 0.55, 0.9])
    given = CandidatePool(sp.csr_matrix(np.eye(4)), 2 * p - 1, p)
    assert select_candidates(UNCERTAIN, given, 2, groups="aabb").tolist() == [0, 2]
    assert select_candidates(UNCERTAIN, given, 3, groups="aabb").tolist() == [0, 2, 1]
    assert select_candidates(TOP, given, 2, groups="aabb").tolist() == [3, 2]


def test_an_unknown_way_is_refused():
    with pytest.raises(UsageError, match="expected a way to choose what to judge next, one of"):
        select_candidates("best", candidates(), 1)
