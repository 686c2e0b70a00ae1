"""From scores or preferences to the pairwise squared cost that RankRLS minimises.

The cost of predictions f is the sum over preferences e = (i over j, magnitude y_e) of

    w_e^2 (z_e - (f_i - f_j))^2                                                [Pahikkala2009, eq. 11]

which depends on f only through L = M M^T and M N: f^T L f - 2 f^T (M N) + constant.  There are three choices:

=============  =======  ========  =====================================================================
cost           z_e      w_e       equation
=============  =======  ========  =====================================================================
"unit"         1        1         (20): directions only
"magnitude"    y_e      1         (21): differences of scores are regressed
"relative"     y_e      1 / y_e   (22): an upper bound of the disagreement error
=============  =======  ========  =====================================================================

The weights of (22) grow without bound as scores approach each other, and the least-squares problem squares them:
rounding errors of the solution grow as the square of the greatest difference over the least.  Differences below
1e-5 of the greatest therefore count as ties, with a warning; what is left is solved to about 1e-7.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from learners._laplacian import CenteringLaplacian, GraphLaplacian, Laplacian, LowRankLaplacian
from learners._order_statistics import PairCounter
from learners._queries import Queries
from learners._validation import check_choice
from learners.errors import LabelError, LearnerError, NearTieWarning, PreferenceError

COSTS = ("unit", "magnitude", "relative")
TIES = ("auto", "include", "exclude")
NORMALIZATIONS = ("size", "pairs", None)
MIN_RELATIVE_DIFFERENCE = 1e-5  # of the greatest one: closer scores count as ties with cost (22), see above


@dataclass(frozen=True)
class PairwiseCost:
    """The Laplacian L and the linear term M N, one column per output."""

    laplacian: Laplacian
    linear_term: np.ndarray

    @property
    def root_target(self) -> np.ndarray:
        """t with F t = M N: the targets of the equivalent least-squares problem on F X."""
        return self.laplacian.pinv_sqrt_dot(self.linear_term)


def check_choices(cost: str, ties: str, normalize: str | None) -> bool:
    """Whether tied pairs take part, or an error about the option that is wrong."""
    check_choice("cost", cost, COSTS)
    check_choice("ties", ties, TIES)
    check_choice("normalize", normalize, NORMALIZATIONS)
    if ties == "include" and cost != "magnitude":
        raise LearnerError(
            f"expected cost='magnitude' with ties='include', got cost={cost!r}: a tie has no direction and no "
            "magnitude to divide by; use ties='auto' or 'exclude'"
        )
    return cost == "magnitude" and ties != "exclude"


def check_not_constant(scores: np.ndarray, queries: Queries) -> None:
    """Refuse outputs whose scores are the same within every query: they prefer nothing to anything."""
    ordered = scores[queries.order]
    low = np.minimum.reduceat(ordered, queries.starts, axis=0)
    high = np.maximum.reduceat(ordered, queries.starts, axis=0)
    constant = np.flatnonzero((low == high).all(axis=0))
    if len(constant):
        where = "the ranking" if queries.n_queries == 1 else f"every one of the {queries.n_queries} queries"
        raise LabelError(
            f"expected different scores within at least one query, but y (output {constant[0]}) is constant "
            f"in {where}, so there is no pair to learn from; check y and qid"
        )


def costs_from_scores(
    scores: np.ndarray, queries: Queries, *, cost: str, with_ties: bool, normalize: str | None
) -> list[PairwiseCost]:
    """The pairwise costs of the columns of ``scores`` (m x outputs).

    All pairs of a query, ties included, are one graph for every output.  Otherwise the graph depends on the
    scores and each output has its own.
    """
    check_not_constant(scores, queries)
    if with_ties:
        laplacian = CenteringLaplacian(queries, partial(all_pairs_weights, normalize=normalize))
        return [PairwiseCost(laplacian, laplacian.dot(scores))]
    if cost == "relative":
        min_differences = MIN_RELATIVE_DIFFERENCE * _greatest_differences(scores, queries)
        _warn_of_near_ties(
            sum(_count_near_ties(column, queries, x) for column, x in zip(scores.T, min_differences)), min_differences
        )
        return [_relative_cost(column, queries, normalize, x) for column, x in zip(scores.T, min_differences)]
    return [_cost_without_ties(column, queries, cost, normalize) for column in scores.T]


def all_pairs_weights(sizes: np.ndarray, normalize: str | None) -> np.ndarray:
    """The factor of I - 1 1^T / l; the plain sum over pairs is l I - 1 1^T."""
    # M M^T = D - P P^T = l I - 1 1^T in each query [Pahikkala2009, eq. 25]; divided by l it is the centering matrix
    # [Pahikkala2010, sec. 2], and divided by the l (l - 1) / 2 pairs it is that times 2 / (l - 1).
    if normalize == "size":
        return np.ones(len(sizes))
    if normalize == "pairs":
        weights: np.ndarray = 2.0 / np.maximum(sizes - 1, 1)
        return weights
    return sizes.astype(float)


def _query_weights(sizes: np.ndarray, n_pairs: np.ndarray, normalize: str | None) -> np.ndarray:
    """What each pair of a query counts, for queries of so many examples and pairs."""
    if normalize == "size":
        return 1.0 / sizes
    if normalize == "pairs":
        weights: np.ndarray = 1.0 / np.maximum(n_pairs, 1.0)
        return weights
    return np.ones(len(sizes))


def _cost_without_ties(scores: np.ndarray, queries: Queries, cost: str, normalize: str | None) -> PairwiseCost:
    """Costs (20) and (21) over the pairs with different scores: low rank plus diagonal."""
    counter = PairCounter(scores, queries)
    per_query = _query_weights(queries.sizes, queries.sums(counter.n_lower.astype(float)), normalize)
    weights = per_query[queries.index]
    degrees = weights * (counter.n_lower + counter.n_higher)  # L_ii: sum of w_e^2 over the pairs that i is in
    laplacian = LowRankLaplacian(queries, degrees, per_query, counter.tie_group)
    if cost == "unit":  # (M N)_i = examples below i minus examples above it
        linear_term = weights * (counter.n_lower - counter.n_higher)
    else:  # N = M^T s, so M N = L s [Pahikkala2009, eqs. 23, 24]
        linear_term = laplacian.dot(scores)
    return PairwiseCost(laplacian, linear_term[:, None])


def _greatest_differences(scores: np.ndarray, queries: Queries) -> np.ndarray:
    """The greatest difference of scores within a query, for each output."""
    ordered = scores[queries.order]
    low, high = (extreme.reduceat(ordered, queries.starts, axis=0) for extreme in (np.minimum, np.maximum))
    differences: np.ndarray = (high - low).max(axis=0)
    return differences


def _count_near_ties(scores: np.ndarray, queries: Queries, min_difference: float) -> int:
    """How many pairs of one query differ by less than ``min_difference``, but differ."""
    differences = (np.abs(scores[U][:, None] - scores[U]) for U in queries.members())
    return sum(int(np.sum((difference > 0) & (difference < min_difference))) for difference in differences) // 2


def _warn_of_near_ties(n_pairs: int, min_differences: np.ndarray) -> None:
    if n_pairs:
        warnings.warn(
            f"expected scores that differ by at least {float(min_differences.min()):.3g} or are equal with "
            f"cost='relative', got {n_pairs} closer pairs, which count as ties; round y, or use another cost",
            NearTieWarning,
            stacklevel=2,
        )


def _relative_cost(scores: np.ndarray, queries: Queries, normalize: str | None, min_difference: float) -> PairwiseCost:
    """Cost (22) of differences of at least ``min_difference``: w_e = 1 / |s_i - s_j| varies, so the blocks are full."""
    rows, columns, entries = [], [], []
    linear_term = np.zeros(len(scores))
    for U in queries.members():
        difference = scores[U][:, None] - scores[U]
        apart = np.abs(difference) >= min_difference
        inverse = np.divide(1.0, difference, out=np.zeros_like(difference), where=apart & (difference != 0))
        n_pairs = np.array([np.count_nonzero(inverse) / 2.0])
        (weight,) = _query_weights(np.array([len(U)]), n_pairs, normalize)
        linear_term[U] = weight * inverse.sum(axis=1)  # sum of w_e^2 z_e, with the sign of the direction
        adjacency = weight * inverse**2  # w_e^2: L_ij = -w_e^2 and L_ii is the sum over j
        block = np.diag(adjacency.sum(axis=1)) - adjacency
        rows.append(np.repeat(U, len(U)))
        columns.append(np.tile(U, len(U)))
        entries.append(block.ravel())
    shape = (len(scores), len(scores))
    coordinates = (np.concatenate(rows), np.concatenate(columns))
    matrix = sp.csr_array((np.concatenate(entries), coordinates), shape=shape)
    return PairwiseCost(GraphLaplacian(queries, matrix), linear_term[:, None])


@dataclass(frozen=True)
class Preferences:
    """Edges "winner over loser" with their magnitudes: M and N of [Pahikkala2009, eqs. 12, 13]."""

    incidence: sp.csr_array  # M^T: one row per preference, +w at the preferred example and -w at the other
    targets: np.ndarray  # N = w z

    @classmethod
    def from_edges(cls, preferences: Any, n_samples: int, *, cost: str) -> Preferences:
        """Check a list or array of (i, j) or (i, j, magnitude): example i is preferred over example j."""
        edges = np.asarray(preferences, dtype=float)
        if edges.size == 0:
            raise PreferenceError(
                "expected preferences to hold at least one edge (i, j) or (i, j, magnitude), got none: nothing is "
                "preferred to anything; pass one row per preference, or scores y"
            )
        if edges.ndim != 2 or edges.shape[1] not in (2, 3):
            raise PreferenceError(
                f"expected preferences to be rows (i, j) or (i, j, magnitude), got shape {edges.shape!r}; try "
                "np.column_stack([preferred, other])"
            )
        winners, losers, magnitudes = _check_edges(edges, n_samples, cost)
        if cost == "relative":
            min_difference = MIN_RELATIVE_DIFFERENCE * magnitudes.max()
            apart = magnitudes >= min_difference
            _warn_of_near_ties(int(np.sum(~apart)), np.array([min_difference]))
            edges, winners, losers, magnitudes = edges[apart], winners[apart], losers[apart], magnitudes[apart]
        widths = 1.0 / magnitudes if cost == "relative" else np.ones(len(edges))
        zeros = np.ones(len(edges)) if cost == "unit" else magnitudes
        rows = np.repeat(np.arange(len(edges)), 2)
        columns = np.column_stack((winners, losers)).ravel()
        entries = np.column_stack((widths, -widths)).ravel()
        incidence = sp.csr_array((entries, (rows, columns)), shape=(len(edges), n_samples))
        return cls(incidence, widths * zeros)

    def cost(self, queries: Queries | None) -> PairwiseCost:
        """L = M M^T and M N; the blocks are the queries or, without them, the connected components."""
        matrix = sp.csr_array(self.incidence.T @ self.incidence)
        if queries is None:
            _, component = connected_components(matrix, directed=False)
            queries = Queries.from_qid(component, matrix.shape[0])
        else:
            self.check_within(queries)
        return PairwiseCost(GraphLaplacian(queries, matrix), (self.incidence.T @ self.targets)[:, None])

    def check_within(self, queries: Queries) -> None:
        """Refuse preferences between examples of different queries."""
        ends = self.incidence.indices.reshape(-1, 2)
        crossing = np.flatnonzero(queries.index[ends[:, 0]] != queries.index[ends[:, 1]])
        if len(crossing):
            raise PreferenceError(
                f"expected preferences to stay within a query, but {len(crossing)} of them do not; the first is "
                f"number {crossing[0]}, between examples {ends[crossing[0]].tolist()!r}; drop it or qid"
            )


def _check_edges(edges: np.ndarray, n_samples: int, cost: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if not np.isfinite(edges).all():
        row = int(np.argmin(np.isfinite(edges).all(axis=1)))
        raise PreferenceError(
            f"expected preferences of finite numbers, but row {row} is {edges[row].tolist()!r}; drop that row"
        )
    ends = edges[:, :2].astype(np.intp)
    wrong = (ends != edges[:, :2]).any(axis=1) | (ends < 0).any(axis=1) | (ends >= n_samples).any(axis=1)
    wrong |= ends[:, 0] == ends[:, 1]
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PreferenceError(
            f"expected preferences that join two different examples numbered 0 to {n_samples - 1}, but row {row} is "
            f"{edges[row].tolist()!r}; drop that row, or count the rows of X from 0"
        )
    magnitudes = edges[:, 2] if edges.shape[1] == 3 else np.ones(len(edges))
    if (magnitudes < 0).any() or (cost == "relative" and (magnitudes == 0).any()):
        row = int(np.argmin(magnitudes))
        bound = "positive with cost='relative'" if cost == "relative" else "at least 0"
        raise PreferenceError(
            f"expected magnitudes to be {bound}, but row {row} has {magnitudes[row]!r}; to prefer j over i, swap them"
        )
    return ends[:, 0], ends[:, 1], magnitudes
