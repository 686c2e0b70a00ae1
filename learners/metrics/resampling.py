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
    cross-validation: leave-group-out if ``groups`` is given, leave-one-out otherwise. For RankRLS and SparseRankRLS
    the groups are the queries: it is leave-query-out, and labels are permuted within each query, since only their
    order there means anything. The p-value is (1 + number of permutations at least as good) / (1 + n_permutations).

    Parameters
    ----------
    estimator : RLS, SparseRLS, RankRLS or SparseRankRLS
        It is not fitted.
    X, y : as for ``estimator.fit``
    statistic : callable
        ``statistic(y_true, predictions)``, greater is better.
    groups : array of shape (n_samples,), optional
        Label of the group (document, query, ...) of each example; needed for rankings.
    n_permutations : int, default=200
    random_state : int, RandomState or None

    Returns
    -------
    PermutationTest

    Raises
    ------
    LearnerError
        If the estimator has no hold-out shortcut for these arguments.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import RLS
    >>> from learners.metrics import auc, permutation_test
    >>> X = np.random.default_rng(0).normal(size=(30, 2))
    >>> permutation_test(RLS(), X, X[:, 0] > 0, auc, n_permutations=19, random_state=0).p_value
    0.05
    """
    check_count("n_permutations", n_permutations, usual=200)
    y = np.asarray(y, dtype=np.float64)
    rng = check_random_state(random_state)
    if hasattr(estimator, "leave_query_out"):
        codes, labels = check_groups(groups, len(y))
        members = group_members(codes, len(labels))
        Y = np.column_stack([y, *(_permute_within(y, members, rng) for _ in range(n_permutations))])
        predictions = clone(estimator).fit(X, Y, qid=groups).leave_query_out()
    elif hasattr(estimator, "leave_group_out"):
        Y = np.column_stack([y, *(rng.permutation(y) for _ in range(n_permutations))])
        model = clone(estimator).fit(X, Y)
        predictions = model.leave_one_out() if groups is None else model.leave_group_out(groups)
    else:
        raise LearnerError(
            f"expected an estimator with leave_group_out or leave_query_out, got {estimator!r}; try RLS or RankRLS"
        )
    values = np.array([statistic(true, predicted) for true, predicted in zip(Y.T, predictions.T)])
    as_good = int(np.sum(values[1:] >= values[0]))
    return PermutationTest(float(values[0]), values[1:], (1 + as_good) / (1 + n_permutations))


def _permute_within(y: np.ndarray, members: list[np.ndarray], rng: np.random.RandomState) -> np.ndarray:
    """The labels of each group, permuted among its own examples."""
    permuted = np.empty_like(y)
    for indices in members:
        permuted[indices] = y[rng.permutation(indices)]
    return permuted
