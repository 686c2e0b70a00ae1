"""Bootstrap intervals, and a permutation test whose permuted labels share one decomposition."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from learners._validation import check_groups, group_members
from learners.errors import LabelError, LearnerError
from learners.metrics._labels import check_count, check_level

Statistic = Callable[[np.ndarray, np.ndarray], float]
"""``statistic(y_true, y_score)``, greater is better."""


@dataclass(frozen=True)
class BootstrapInterval:
    """An estimate and the percentiles of its bootstrap distribution."""

    estimate: float
    low: float
    high: float
    n_resamples: int
    n_undefined: int  # resamples on which the statistic has no value, left out of the percentiles


def bootstrap_interval(
    statistic: Statistic,
    y_true: Any,
    y_score: Any,
    *,
    groups: Any = None,
    level: float = 0.95,
    n_resamples: int = 1000,
    random_state: Any = None,
) -> BootstrapInterval:
    """Percentile bootstrap; with ``groups`` whole groups (documents) are drawn, never single examples.

    A resample on which the statistic raises a :class:`learners.errors.LearnerError` (one class only) is
    counted in ``n_undefined``; it is an error if that happens to more than half of them.
    """
    y_true, y_score = np.asarray(y_true), np.asarray(y_score)
    check_level(level)
    check_count("n_resamples", n_resamples, usual=1000)
    codes, labels = check_groups(np.arange(len(y_true)) if groups is None else groups, len(y_true))
    members = group_members(codes, len(labels))
    rng = check_random_state(random_state)
    values = []
    for _ in range(n_resamples):
        chosen = np.concatenate([members[g] for g in rng.randint(len(members), size=len(members))])
        try:
            values.append(float(statistic(y_true[chosen], y_score[chosen])))
        except LearnerError:
            continue
    undefined = n_resamples - len(values)
    if 2 * undefined > n_resamples:
        raise LabelError(
            f"expected a statistic that most resamples define, got no value on {undefined} of {n_resamples} resamples "
            f"of {len(members)} groups; there are too few groups or positive examples for a bootstrap"
        )
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return BootstrapInterval(float(statistic(y_true, y_score)), float(low), float(high), n_resamples, undefined)


@dataclass(frozen=True)
class PermutationTest:
    """The statistic, its values under permuted labels, and how often these are at least as great."""

    statistic: float
    permuted: np.ndarray
    p_value: float


def permutation_test(
    estimator: Any,
    X: Any,
    y: Any,
    statistic: Statistic,
    *,
    groups: Any = None,
    n_permutations: int = 200,
    random_state: Any = None,
) -> PermutationTest:
    """Whether hold-out predictions are better than chance: labels permuted, everything else as it was.

    The permuted labels are further outputs of one fit, so all of them cost one decomposition and one
    cross-validation: leave-group-out if ``groups`` is given, leave-one-out otherwise. The p-value is
    (1 + number of permutations at least as good) / (1 + n_permutations).

    Parameters
    ----------
    estimator : RLS, SparseRLS or another learner of several outputs with these shortcuts
        It is not fitted.
    statistic : callable
        ``statistic(y_true, predictions)``, greater is better.
    """
    check_count("n_permutations", n_permutations, usual=200)
    y = np.asarray(y, dtype=np.float64)
    rng = check_random_state(random_state)
    Y = np.column_stack([y, *(rng.permutation(y) for _ in range(n_permutations))])
    model = clone(estimator).fit(X, Y)
    predictions = model.leave_one_out() if groups is None else model.leave_group_out(groups)
    values = np.array([statistic(true, predicted) for true, predicted in zip(Y.T, predictions.T)])
    as_good = int(np.sum(values[1:] >= values[0]))
    return PermutationTest(float(values[0]), values[1:], (1 + as_good) / (1 + n_permutations))
