"""Choose what to judge next: the top of the list, what is uncertain, or what would change the list most.

=========  ==========================================================================================================
top        most probable first: what a reader of the list meets
uncertain  probability closest to one half
change     largest expected change of the other scores through the kernel, see :func:`expected_change`
=========  ==========================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from ppi.core import UsageError

TOP, UNCERTAIN, CHANGE = "top", "uncertain", "change"
STRATEGIES = (TOP, UNCERTAIN, CHANGE)
#: Random combinations of the candidates that stand for all of them: the spread is right within some 13 percent.
N_SKETCHES = 32


@dataclass(frozen=True)
class CandidatePool:
    """What can be judged: features (n, n_features), scores and probabilities of interacting, all by the model now."""

    X: sp.csr_matrix
    scores: NDArray[np.float64]
    probabilities: NDArray[np.float64]


@dataclass(frozen=True)
class LabelledPool:
    """What was judged until now: features, and the regularizer with which the model learned it (in plain units)."""

    X: sp.csr_matrix
    gram: NDArray[np.float64]
    regparam: float


def select_candidates(
    strategy: str,
    candidates: CandidatePool,
    count: int,
    *,
    labelled: LabelledPool | None = None,
    groups: Sequence[object] | None = None,
    random_state: int = 0,
) -> NDArray[np.intp]:
    """Places of the ``count`` candidates to judge next, the most useful first; fewer if there are no more.

    Parameters
    ----------
    strategy
        One of :data:`STRATEGIES`.
    labelled
        For ``change``: what is known already, which counts less.
    groups
        Of each candidate: the sentence, say.  At most one of a group is given, for pairs of one sentence teach much
        the same; ``top`` does not ask.
    random_state
        Of the sketches of ``change``.

    Raises
    ------
    UsageError
        If there is no such strategy.
    """
    if strategy not in STRATEGIES:
        raise UsageError(f"expected a way to choose what to judge next, one of {list(STRATEGIES)}, got {strategy!r}")
    if strategy == TOP:
        return np.argsort(-candidates.probabilities, kind="stable")[:count]
    if strategy == UNCERTAIN:
        order = np.argsort(np.abs(candidates.probabilities - 0.5), kind="stable")
    else:
        order = np.argsort(-expected_change(candidates, labelled, random_state=random_state), kind="stable")
    return order[:count] if groups is None else _one_per_group(order, groups, count)


def expected_change(
    candidates: CandidatePool,
    labelled: LabelledPool | None = None,
    *,
    sketches: int = N_SKETCHES,
    random_state: int = 0,
) -> NDArray[np.float64]:
    """How much a judgement of each candidate would move the others apart, one number for each.

    Judging x as y adds to the score of every candidate z

        k(x, z) (y - f(x)) / (k(x, x) + regparam),     k the kernel after what was judged,
        k(x, z) = <x, z> - <x, X_J>^T (X_J X_J^T + regparam I)^-1 <X_J, z>

    A change that all have in common leaves the list as it is, so what counts is the spread of k(x, z) over the
    candidates z: (x^T C x)^1/2 with C their covariance.  Combinations with random signs of the candidates, without
    their mean, have C as covariance, too: a few of them (``sketches``) take its place, and the cost is that of as many
    products with the features.  y - f(x) is expected over y = 1 and -1 by the probability.  In the denominator k is
    that before anything was judged, which is at most twice as large.
    """
    f, p = candidates.scores, candidates.probabilities
    if len(f) == 0:
        return np.zeros(0)
    used = np.unique(candidates.X.indices)  # a tenth of the columns, say: what is dense below has no others
    X = candidates.X[:, used]
    rng = np.random.default_rng(random_state)
    signs = rng.choice([-1.0, 1.0], size=(X.shape[0], sketches)) / np.sqrt(X.shape[0])
    # X^T (I - 1 1^T / n) S: the combinations without the mean
    combinations = np.asarray(X.T @ (signs - signs.mean(axis=0)))
    norms = np.asarray(X.multiply(X).sum(axis=1)).ravel()
    regparam = float(norms.mean()) or 1.0
    if labelled is not None and labelled.X.shape[0] > 0:
        regparam = labelled.regparam
        factor = cho_factor(labelled.gram + regparam * np.eye(len(labelled.gram)))
        X_J = labelled.X[:, used]
        combinations -= np.asarray(X_J.T @ cho_solve(factor, np.asarray(X_J @ combinations)))
    spread = np.sqrt(np.mean(np.asarray(X @ combinations) ** 2, axis=1))
    # E (y - f)^2 = 1 - 2 f E y + f^2,  E y = 2 p - 1
    surprise = np.sqrt(np.maximum(1.0 - 2.0 * f * (2.0 * p - 1.0) + f**2, 0.0))
    change: NDArray[np.float64] = surprise * spread / (norms + regparam)
    return change


def _one_per_group(order: NDArray[np.intp], groups: Sequence[object], count: int) -> NDArray[np.intp]:
    """The first of each group in this order; then, if these are too few, the others."""
    seen_groups: set[object] = set()
    representatives: list[int] = []
    others: list[int] = []
    for place in order.tolist():
        (others if groups[place] in seen_groups else representatives).append(place)
        seen_groups.add(groups[place])
        if len(representatives) == count:
            break
    return np.array((representatives + others)[:count], dtype=np.intp)
