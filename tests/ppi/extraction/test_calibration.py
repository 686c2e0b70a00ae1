import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from ppi.core import TrainingError
from ppi.extraction.calibration import (
    CALIBRATION_KINDS,
    DEFAULT_CALIBRATION_METHOD,
    Calibration,
    fit_by_method,
    fit_calibration,
)


def noisy(n=4000, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=n)
    p = 1 / (1 + np.exp(-(2 * scores - 1)))
    return scores, np.where(rng.random(n) < p, 1.0, -1.0), p


def test_platt_finds_the_logistic_curve_that_was_drawn_from():
    scores, labels, _ = noisy()
    slope, shift = fit_calibration("platt", scores, labels).values
    plain = LogisticRegression(C=np.inf).fit(scores[:, None], labels)
    assert (slope, shift) == pytest.approx((plain.coef_[0, 0], plain.intercept_[0]), rel=0.01)


@pytest.mark.parametrize("kind", CALIBRATION_KINDS)
def test_probabilities_are_close_to_the_true_ones(kind):
    scores, labels, p = noisy()
    assert np.abs(fit_calibration(kind, scores, labels)(scores) - p).mean() < 0.03


@pytest.mark.parametrize("kind", CALIBRATION_KINDS)
def test_a_weight_of_two_is_being_there_twice(kind):
    scores, labels, _ = noisy(200)
    twice = np.repeat([1, 2], 100)
    weighted = fit_calibration(kind, scores, labels, weights=twice)
    repeated = fit_calibration(kind, np.repeat(scores, twice), np.repeat(labels, twice))
    assert weighted(scores) == pytest.approx(repeated(scores), abs=0.03)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-5, 5), st.booleans()), min_size=2, max_size=40).filter(
        lambda rows: len({label for _, label in rows}) == 2
    ),
    st.sampled_from(CALIBRATION_KINDS),
)
def test_probabilities_never_fall_and_are_never_certain(rows, kind):
    scores, labels = np.array([score for score, _ in rows]), np.array([1 if label else -1 for _, label in rows])
    calibration = fit_calibration(kind, scores, labels)
    p = calibration(np.linspace(-6, 6, 200))
    assert (np.diff(p) >= -1e-12).all()
    assert ((p >= 0) & (p <= 1)).all()
    assert ((calibration(scores) > 0) & (calibration(scores) < 1)).all()
    assert Calibration.from_dict(calibration.to_dict()) == calibration


def test_scores_in_the_wrong_direction_are_not_turned_round():
    scores, labels, _ = noisy()
    assert fit_calibration("platt", -scores, labels).values[0] == 0.0


def test_one_class_alone():
    with pytest.raises(TrainingError, match="expected pairs of both kinds to calibrate on, got 3 of 3"):
        fit_calibration("platt", [1, 2, 3], [1, 1, 1])


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "platt", "scores": [], "values": [-1.0, 0.0]},
        {"kind": "platt", "scores": [], "values": [float("nan"), 0.0]},
        {"kind": "isotonic", "scores": [0.0, 1.0], "values": [0.9, 0.1]},
        {"kind": "isotonic", "scores": [1.0, 0.0], "values": [0.1, 0.9]},
        {"kind": "isotonic", "scores": [0.0], "values": [1.5]},
        {"kind": "isotonic", "scores": [], "values": []},
    ],
)
def test_numbers_that_are_no_calibration(wrong):
    with pytest.raises(ValueError, match=f"expected the numbers of a {wrong['kind']} calibration"):
        Calibration.from_dict(wrong)


def test_an_unknown_kind():
    with pytest.raises(ValueError, match="expected a calibration, one of"):
        Calibration("beta", (), ())


@pytest.mark.parametrize("kind", CALIBRATION_KINDS)
def test_by_pairs_every_pair_counts_the_same(kind):
    scores, labels, _ = noisy(300)
    corpora = np.repeat(["a", "b"], [250, 50])
    assert fit_by_method(f"{kind} by pairs", scores, labels, corpora) == fit_calibration(kind, scores, labels)


@pytest.mark.parametrize("kind", CALIBRATION_KINDS)
def test_by_corpora_every_corpus_counts_the_same(kind):
    scores, labels, _ = noisy(300)
    corpora = np.repeat(["b", "a", "c"], [200, 60, 40])
    weights = [1 / np.sum(corpora == corpus) for corpus in corpora]
    found = fit_by_method(f"{kind} by corpora", scores, labels, corpora)
    assert found == fit_calibration(kind, scores, labels, weights=weights)
    assert found != fit_calibration(kind, scores, labels)


def test_a_large_corpus_does_not_outvote_a_small_one():
    """Of equal scores, nine tenths of the large corpus's pairs interact and one tenth of the small one's."""
    scores = np.tile([0.0, 1.0], 1010)
    rng = np.random.default_rng(0)
    labels = np.concatenate([np.where(rng.random(2000) < 0.9, 1, -1), np.where(rng.random(20) < 0.1, 1, -1)])
    corpora = np.repeat([0, 1], [2000, 20])
    by_corpora = fit_by_method(DEFAULT_CALIBRATION_METHOD, scores, labels, corpora)(0.5)
    by_pairs = fit_by_method("platt by pairs", scores, labels, corpora)(0.5)
    assert by_pairs > 0.85
    assert by_corpora == pytest.approx(0.5, abs=0.1)


def test_one_corpus_alone_is_calibrated_by_its_pairs():
    scores, labels, _ = noisy(100)
    one = fit_by_method(DEFAULT_CALIBRATION_METHOD, scores, labels, np.zeros(100))
    assert one(scores) == pytest.approx(fit_calibration("platt", scores, labels)(scores))


def test_an_unknown_kind_cannot_be_fitted():
    with pytest.raises(ValueError, match=r"expected a calibration, one of .*, got 'beta'"):
        fit_by_method("beta by corpora", [0.0, 1.0], [-1, 1], [0, 0])


def test_isotonic_probabilities_by_hand():
    """Steps of 1, 2 and 1 pairs with 0, 1 and 1 positives; each with one positive and one negative more."""
    found = fit_calibration("isotonic", [0.0, 1.0, 2.0, 3.0], [-1, 1, -1, 1])
    assert found.scores == (0.0, 1.5, 3.0)
    assert found.values == pytest.approx((1 / 3, 2 / 4, 2 / 3))
    assert found([-9.0, 0.75, 9.0]) == pytest.approx([1 / 3, (1 / 3 + 1 / 2) / 2, 2 / 3])
