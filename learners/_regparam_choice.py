"""Choosing regparam by the exact hold-outs of one decomposition: which errors, and which value has the least."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from learners._validation import check_choice, check_regparams
from learners.errors import GroupError, LabelError
from learners.metrics.ranking import disagreement_error

Criterion = str | Callable[..., float]
"""A name, or a function of true values and predictions (for rankers also ``qid=``) to an error: less is better."""

#: Powers of ten from 1e-5 to 1e5.
REGPARAMS = tuple(float(f"1e{power}") for power in range(-5, 6))


class RegparamChoice:
    """``regparam_`` by the least hold-out error, among ``regparams``.

    Leaves ``cv_results_``, with the arrays ``regparam`` and ``error``, and ``best_error_``.
    """

    regparams: float | Iterable[float]
    regparam_: float
    cv_results_: dict[str, np.ndarray]
    best_error_: float

    def _choose(self, regparams: np.ndarray, errors: np.ndarray) -> None:
        """Take the value of the least error; of several the greatest, which says the least about the data."""
        if not np.all(np.isfinite(errors)):
            raise LabelError(
                f"expected an error for each regparam, got {errors.tolist()}; the criterion is not defined for these "
                "targets: try another criterion, or other groups"
            )
        self.cv_results_ = {"regparam": regparams, "error": errors}
        self.best_error_ = float(errors.min())
        self.regparam_ = float(regparams[errors == errors.min()].max())

    def _values(self) -> np.ndarray:
        return check_regparams(self.regparams)


def check_groups_option(groups: Any, leave_out: str) -> None:
    """Refuse groups that nothing would be made of, and leave_out="group" without them."""
    if (groups is None) == (leave_out == "group"):
        got = "none" if groups is None else f"them with {leave_out!r}"
        raise GroupError(f"expected groups with leave_out='group' and only there, got {got}")


def prediction_errors(criterion: Criterion, truth: np.ndarray, predictions: np.ndarray, weights: np.ndarray) -> Any:
    """The error of every regparam, averaged over outputs.

    Parameters
    ----------
    truth : ndarray of shape (n_samples, n_outputs)
    predictions : ndarray of shape (n_regparams, n_samples, n_outputs)
        NaN for examples that were never held out: these do not count.
    weights : ndarray of shape (n_samples,)
        Of the examples, in the named criteria.
    """
    held = ~np.isnan(predictions[0, :, 0])
    truth, predictions, weights = truth[held], predictions[:, held], weights[held]
    if callable(criterion):
        return _mean_over_outputs(criterion, truth, predictions)
    check_choice("criterion", criterion, ("squared_error", "absolute_error", "disagreement"))
    if criterion == "disagreement":
        return _mean_over_outputs(disagreement_error, truth, predictions)
    residuals = np.abs(truth - predictions)
    powers = residuals**2 if criterion == "squared_error" else residuals
    return np.average(powers, axis=1, weights=weights).mean(axis=-1)


def ranking_errors(criterion: Criterion, truth: np.ndarray, predictions: np.ndarray, qid: Any) -> np.ndarray:
    """The same for rankings within queries."""
    if not callable(criterion):
        check_choice("criterion", criterion, ("disagreement",))
        criterion = disagreement_error
    return _mean_over_outputs(criterion, truth, predictions, qid=qid)


def pair_errors(truth: np.ndarray, predictions: np.ndarray) -> np.ndarray:
    """The share of pairs of different true values that are ordered wrongly when both are held out; equal ones half.

    Parameters
    ----------
    truth : ndarray of shape (n_samples, n_outputs)
    predictions : ndarray of shape (n_regparams, n_pairs, 2, n_outputs)
        Of all pairs, ordered as ``np.triu_indices(m, 1)``.
    """
    first, second = np.triu_indices(len(truth), 1)
    true_order = np.sign(truth[first] - truth[second])
    predicted_order = np.sign(predictions[:, :, 0] - predictions[:, :, 1])
    wrong = (1.0 - predicted_order * true_order) / 2.0  # 0, 1, or 1/2 where the predictions are equal
    counts = true_order != 0
    with np.errstate(invalid="ignore"):  # no such pair: not defined, as _choose tells
        errors: np.ndarray = ((wrong * counts).sum(axis=1) / counts.sum(axis=0)).mean(axis=-1)
        return errors


def _mean_over_outputs(
    criterion: Callable[..., float], truth: np.ndarray, predictions: np.ndarray, **options: Any
) -> np.ndarray:
    errors = [
        [criterion(y, f, **options) for y, f in zip(truth.T, regparam_predictions.T)]
        for regparam_predictions in predictions
    ]
    means: np.ndarray = np.asarray(errors, dtype=float).mean(axis=1)
    return means
