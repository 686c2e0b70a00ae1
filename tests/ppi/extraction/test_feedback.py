"""Feedback changes weights by the closed form; leaving it out says whether it helps."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import expit

from learners import PriorRLS, auc
from ppi.core import UsageError
from ppi.extraction.calibration import Calibration
from ppi.extraction.feedback import (
    FEEDBACK_REGPARAM,
    FEEDBACK_REGPARAM_GRID,
    MAX_JUDGEMENTS_TO_CHOOSE,
    FeedbackRows,
    build_feedback_rows,
    choose_regparams,
    compute_update,
    recalibrate,
)
from ppi.extraction.judgements import MergedJudgements

OUTPUTS = ("interaction", "binding")


def made_rows(m=60, n=80, seed=0, *, noise=0.3, missing=0.4, n_groups=20):
    """Judged rows of two outputs, and a starting point that knows half of the truth."""
    rng = np.random.default_rng(seed)
    X = sp.csr_matrix(rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.2))
    truth = rng.normal(size=(n, 2))
    start = truth * (rng.random((n, 2)) < 0.5)
    targets = np.sign(X @ truth + noise * rng.normal(size=(m, 2)))
    targets[:, 1][rng.random(m) < missing] = np.nan
    groups = rng.integers(0, n_groups, size=m)
    return FeedbackRows(X, (X @ X.T).toarray(), X @ start + 0.1, targets, groups), start


def test_the_change_is_that_of_the_learner():
    rows, start = made_rows()
    change = compute_update(rows, OUTPUTS, regparam=2.0)
    model = PriorRLS(
        2.0 * rows.unit, prior_coef=start.T, prior_intercept=0.1, intercept_scaling=np.sqrt(rows.unit)
    ).fit(rows.X, rows.targets)
    np.testing.assert_allclose(start + change.weights, model.coef_.T, atol=1e-8)
    np.testing.assert_allclose(0.1 + change.intercepts, model.intercept_, atol=1e-8)
    np.testing.assert_allclose(change.held_out, model.leave_group_out(rows.groups), atol=1e-8)


def test_estimates_are_those_of_models_without_the_judgement_or_its_group():
    rows, _ = made_rows()
    change = compute_update(rows, OUTPUTS, regparam=1.0)
    interaction, binding = change.estimates
    assert (interaction.output, interaction.judged, binding.judged) == (
        "interaction",
        60,
        60 - np.isnan(rows.targets[:, 1]).sum(),
    )
    assert interaction.groups == len(np.unique(rows.groups))
    y = rows.targets[:, 0]
    assert interaction.positive == np.sum(y > 0)
    assert interaction.error_without == pytest.approx(np.mean((y - rows.prior[:, 0]) ** 2))
    assert interaction.error_leave_group_out == pytest.approx(np.mean((y - change.held_out[:, 0]) ** 2))
    assert interaction.auc_leave_group_out == pytest.approx(auc(y, change.held_out[:, 0]))
    assert interaction.helps
    one = compute_update(
        FeedbackRows(rows.X, rows.gram, rows.prior, rows.targets, np.arange(60)), OUTPUTS, regparam=1.0
    )
    assert one.estimates[0].error_leave_group_out == pytest.approx(interaction.error_leave_one_out)


def test_an_output_that_nothing_teaches_stays_and_one_kind_has_no_auc():
    rows, _ = made_rows(missing=1.1)
    targets = np.where(np.isnan(rows.targets), np.nan, 1.0)
    change = compute_update(FeedbackRows(rows.X, rows.gram, rows.prior, targets, rows.groups), OUTPUTS)
    assert not change.weights[:, 1].any()
    assert change.intercepts[1] == 0
    assert [each.output for each in change.estimates] == ["interaction"]
    assert change.estimates[0].auc_without is None


def test_regparam_is_the_default_until_there_is_enough_feedback_to_choose():
    few, _ = made_rows(m=40)
    assert choose_regparams(few).tolist() == [FEEDBACK_REGPARAM, FEEDBACK_REGPARAM]
    one_document, _ = made_rows(n_groups=3)
    assert choose_regparams(one_document).tolist() == [FEEDBACK_REGPARAM, FEEDBACK_REGPARAM]
    enough, _ = made_rows(m=60, missing=0.5)
    interaction, binding = choose_regparams(enough)
    assert interaction in FEEDBACK_REGPARAM_GRID
    assert binding == FEEDBACK_REGPARAM
    assert [each.regparam for each in compute_update(enough, OUTPUTS).estimates] == [interaction, binding]


def test_the_choice_is_the_most_cautious_within_a_standard_error_of_the_best():
    """From the definition, by fitting again without each document."""
    rows, start = made_rows(m=80, missing=0.0)
    errors = {}
    for value in FEEDBACK_REGPARAM_GRID:
        options = {"prior_coef": start.T, "prior_intercept": 0.1, "intercept_scaling": np.sqrt(rows.unit)}
        errors[value] = []
        for group in np.unique(rows.groups):
            rest = rows.groups != group
            model = PriorRLS(value * rows.unit, **options).fit(rows.X[rest], rows.targets[rest])
            errors[value].append(np.sum((rows.targets[~rest, 0] - model.predict(rows.X[~rest])[:, 0]) ** 2))
    best = min(FEEDBACK_REGPARAM_GRID, key=lambda value: sum(errors[value]))
    within = []
    for value in FEEDBACK_REGPARAM_GRID:
        difference = np.subtract(errors[value], errors[best])
        if difference.sum() <= np.sqrt(len(difference)) * difference.std(ddof=1):
            within.append(value)
    assert choose_regparams(rows)[0] == max(within)


def test_noise_is_regularized_more_than_truth():
    true, _ = made_rows(m=200, noise=0.0, missing=0.0)
    rng = np.random.default_rng(3)
    noise = FeedbackRows(true.X, true.gram, 0 * true.prior, rng.permutation(true.targets), true.groups)
    assert choose_regparams(noise)[0] == max(FEEDBACK_REGPARAM_GRID) > choose_regparams(true)[0]


def test_the_choice_looks_at_whole_groups_of_much_feedback():
    rows, _ = made_rows(m=2 * MAX_JUDGEMENTS_TO_CHOOSE + 50, n_groups=200, missing=0.0)
    assert set(choose_regparams(rows)) <= set(FEEDBACK_REGPARAM_GRID)


def test_probabilities_move_to_the_share_of_what_is_right():
    rows, _ = made_rows(m=150, missing=0.5)
    change = compute_update(rows, OUTPUTS, regparam=1.0)
    before = {name: Calibration("platt", (), (2.0, -1.0)) for name in OUTPUTS}
    moved = recalibrate(before, rows, change, OUTPUTS)
    assert list(moved) == ["interaction"]  # of binding there are fewer than a hundred
    slope, offset = moved["interaction"].values
    assert slope == 2.0
    assert expit(slope * change.held_out[:, 0] + offset).sum() == pytest.approx(np.sum(rows.targets[:, 0] > 0))
    isotonic = {"interaction": Calibration("isotonic", (0.0,), (0.5,))}
    assert recalibrate(isotonic, rows, change, OUTPUTS) == {}
    assert recalibrate({}, rows, change, OUTPUTS) == {}


def test_few_of_one_kind_move_nothing():
    rows, _ = made_rows(m=150, missing=0.0)
    few = FeedbackRows(
        rows.X, rows.gram, rows.prior, np.where(np.arange(150)[:, None] < 19, 1.0, -1.0) * np.ones((1, 2)), rows.groups
    )
    before = {name: Calibration("platt", (), (2.0, -1.0)) for name in OUTPUTS}
    assert recalibrate(before, few, compute_update(few, OUTPUTS), OUTPUTS) == {}


def test_rows_of_combined_judgements():
    X = sp.csr_matrix(np.eye(3))
    rows = build_feedback_rows(
        X, np.arange(3.0)[:, None], MergedJudgements(np.array([2, 0]), np.array([[1.0], [-1.0]]), 0), list("aba")
    )
    assert rows.gram.tolist() == [[1, 0], [0, 1]]
    assert rows.prior.ravel().tolist() == [2, 0]
    assert rows.groups.tolist() == ["a", "a"]


@pytest.mark.parametrize("regparam", [0, -1.0, np.inf, "1"])
def test_a_regparam_that_is_none_is_refused(regparam):
    with pytest.raises(UsageError, match="expected a positive regparam, or None to choose it"):
        compute_update(made_rows()[0], OUTPUTS, regparam=regparam)
