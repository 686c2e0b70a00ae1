"""Exact hold-outs of single examples, or of any set of them, from RankRLS over all pairs of each query.

All pairs of a query with squared cost are least-squares with a free constant b_Q for each query:

    kappa_Q (s - f)^T (I - 1 1^T / l) (s - f) = kappa_Q min_b sum_i (s_i - f_i - b)^2.

Its solution f = K alpha satisfies, P being the indicators of the queries and E = diag(regparam / kappa),

    (K + E) alpha + P b = s,   P^T alpha = 0,   alpha = B s,   B = F (F K F + regparam I)^-1 F,   F F = L,

and B P = 0.  Training without the examples U asks for alpha'_U = 0, and where Z_Q depends on the size of the query the
examples V that are left of U's queries get another weight: E changes by delta.  With x_U what is then missing from
the first equation at U, and x_V = delta alpha'_V,

    alpha' = alpha - B_:W x,   (B_WW + diag(0_U, 1 / delta_V)) x = alpha_W,   W = U + V,

where V drops out if delta is 0, as it is for Z_Q = |Q|.  A query that is held out as a whole leaves B_WW singular along
its indicator, which x may have any part of: the predictions do not see it.  For one example and delta = 0 this is
x_i = alpha_i / B_ii, which is [Pahikkala2009, Lemma 2] for a single example.  One ranking of all examples needs no
delta: another kappa is another regparam.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from learners._laplacian import CenteringLaplacian
from learners._queries import Queries


class Removal(ABC):
    """One regparam: B and alpha, both times ``scale``, and how predictions depend on x."""

    alpha: np.ndarray  # (m, outputs)
    scale: float  # 1 (dual) or regparam (primal)

    @abstractmethod
    def block(self, W: np.ndarray) -> np.ndarray:
        """B_WW."""

    @abstractmethod
    def diagonal(self) -> np.ndarray:
        """B_ii, (m,)."""

    @abstractmethod
    def base(self) -> np.ndarray:
        """Predictions of the examples that are held out, for x = 0, (m, outputs)."""

    @abstractmethod
    def effect(self, U: np.ndarray, W: np.ndarray) -> np.ndarray:
        """What x_W takes from the predictions of U."""

    @abstractmethod
    def diagonal_effects(self) -> np.ndarray:
        """The diagonal of :meth:`effect`, (m,)."""


class DualRemoval(Removal):
    """f' = s - x - P b' at U; the mean of f' over a query, which b' makes up for, comes from N^T K alpha'.

    N are the indicators of the queries, each of length one; ``unseen`` is N^T K alpha, (q, outputs).
    """

    scale = 1.0

    def __init__(self, queries: Queries, centred_scores: np.ndarray, alpha: np.ndarray, unseen: np.ndarray):
        self._queries, self._centred_scores = queries, centred_scores
        self.alpha, self._unseen = alpha, unseen
        self._roots = np.sqrt(queries.sizes)[queries.index]

    def base(self) -> np.ndarray:
        # N_Q^T f / sqrt(l) is the mean of f over a query of l examples.
        predictions: np.ndarray = self._centred_scores + self._unseen[self._queries.index] / self._roots[:, np.newaxis]
        return predictions

    def effect(self, U: np.ndarray, W: np.ndarray) -> np.ndarray:
        # x_U without its mean over the query, (I - 1 1^T / l)_UW, and what x_W takes from the query's mean of K alpha
        same = self._queries.index[U, np.newaxis] == self._queries.index[W]
        centering = (U[:, np.newaxis] == W) - same / self._roots[U, np.newaxis] ** 2
        effects: np.ndarray = centering + self._query_mean_effect(U, W) / self._roots[U, np.newaxis]
        return effects

    def diagonal_effects(self) -> np.ndarray:
        effects: np.ndarray = 1.0 - 1.0 / self._roots**2 + self._diagonal_query_mean_effects() / self._roots
        return effects

    @abstractmethod
    def _query_mean_effect(self, U: np.ndarray, W: np.ndarray) -> np.ndarray:
        """N^T K B_:W, the row of each example's query."""

    @abstractmethod
    def _diagonal_query_mean_effects(self) -> np.ndarray:
        """The same for W = U, one example at a time."""


class DualFactors(NamedTuple):
    """What the regparams share: B = rows diag(filters) rows^T."""

    rows: np.ndarray  # F V of F K F = V diag(e) V^T, (m, p)
    unseen: np.ndarray  # N^T K F V, (q, p)
    squares: np.ndarray  # rows * rows
    crossed: np.ndarray  # rows * unseen, that of each example's query

    @classmethod
    def of(cls, rows: np.ndarray, unseen: np.ndarray, queries: Queries) -> DualFactors:
        """With the products that single examples need."""
        return cls(rows, unseen, rows * rows, rows * unseen[queries.index])


class SpectralDualRemoval(DualRemoval):
    """From the eigendecomposition, for many regparams."""

    def __init__(
        self,
        queries: Queries,
        centred_scores: np.ndarray,
        alpha: np.ndarray,
        unseen: np.ndarray,
        factors: DualFactors,
        filters: np.ndarray,
    ):
        super().__init__(queries, centred_scores, alpha, unseen)
        self._factors, self._filters = factors, filters

    def block(self, W: np.ndarray) -> np.ndarray:
        rows = self._factors.rows[W]
        B_WW: np.ndarray = (rows * self._filters) @ rows.T
        return B_WW

    def diagonal(self) -> np.ndarray:
        diagonal: np.ndarray = self._factors.squares @ self._filters
        return diagonal

    def _query_mean_effect(self, U: np.ndarray, W: np.ndarray) -> np.ndarray:
        unseen = self._factors.unseen[self._queries.index[U]]
        effects: np.ndarray = (unseen * self._filters) @ self._factors.rows[W].T
        return effects

    def _diagonal_query_mean_effects(self) -> np.ndarray:
        effects: np.ndarray = self._factors.crossed @ self._filters
        return effects


class InverseDualRemoval(DualRemoval):
    """From B itself, for one regparam."""

    def __init__(
        self,
        queries: Queries,
        centred_scores: np.ndarray,
        alpha: np.ndarray,
        unseen: np.ndarray,
        B: np.ndarray,
        unseen_rows: np.ndarray,
    ):
        super().__init__(queries, centred_scores, alpha, unseen)
        self._B, self._unseen_rows = B, unseen_rows  # (m, m), and N^T K B, (q, m)

    def block(self, W: np.ndarray) -> np.ndarray:
        B_WW: np.ndarray = self._B[np.ix_(W, W)]
        return B_WW

    def diagonal(self) -> np.ndarray:
        return np.diagonal(self._B)

    def _query_mean_effect(self, U: np.ndarray, W: np.ndarray) -> np.ndarray:
        effects: np.ndarray = self._unseen_rows[np.ix_(self._queries.index[U], W)]
        return effects

    def _diagonal_query_mean_effects(self) -> np.ndarray:
        effects: np.ndarray = self._unseen_rows[self._queries.index, np.arange(len(self._queries.index))]
        return effects


class PrimalFactors(NamedTuple):
    """X^T L X = V diag(e) V^T: regparam B = L - (L X V) diag(filters) (L X V)^T, X^T B = V diag(filters) (L X V)^T."""

    rows: np.ndarray  # X V, (m, n)
    weighted: np.ndarray  # L X V
    squares: np.ndarray  # weighted * weighted
    crossed: np.ndarray  # rows * weighted

    @classmethod
    def of(cls, rows: np.ndarray, weighted: np.ndarray) -> PrimalFactors:
        """With the products that single examples need."""
        return cls(rows, weighted, weighted * weighted, rows * weighted)


class PrimalRemoval(Removal):
    """From the eigendecomposition of the n x n matrix; f' = X w', w' = w - X^T B_:W x."""

    def __init__(
        self,
        laplacian: CenteringLaplacian,
        factors: PrimalFactors,
        filters: np.ndarray,
        predictions: np.ndarray,
        alpha: np.ndarray,
        regparam: float,
    ):
        self._queries, self._kappa = laplacian.blocks, laplacian.kappa
        self._factors, self._filters = factors, filters
        self._predictions = predictions  # X w
        self.alpha, self.scale = alpha, regparam  # alpha = L (s - X w), regparam times that of the dual form

    def block(self, W: np.ndarray) -> np.ndarray:
        # L_WW, L = kappa (I - 1 1^T / l) in each query
        index = self._queries.index[W]
        off_diagonal = (self._kappa / self._queries.sizes)[index]
        laplacian = np.diag(self._kappa[index]) - (index[:, np.newaxis] == index) * off_diagonal
        weighted = self._factors.weighted[W]
        B_WW: np.ndarray = laplacian - (weighted * self._filters) @ weighted.T
        return B_WW

    def diagonal(self) -> np.ndarray:
        laplacian = self._kappa * (1.0 - 1.0 / self._queries.sizes)
        diagonal: np.ndarray = laplacian[self._queries.index] - self._factors.squares @ self._filters
        return diagonal

    def base(self) -> np.ndarray:
        return self._predictions

    def effect(self, U: np.ndarray, W: np.ndarray) -> np.ndarray:
        effects: np.ndarray = (self._factors.rows[U] * self._filters) @ self._factors.weighted[W].T
        return effects

    def diagonal_effects(self) -> np.ndarray:
        effects: np.ndarray = self._factors.crossed @ self._filters
        return effects


class Removable:
    """A ranking problem from which examples can be taken: ``removals`` makes one :class:`Removal` for each regparam."""

    def __init__(self, laplacian: CenteringLaplacian, removals: Callable[[np.ndarray], Iterator[Removal]]):
        self._queries, self._kappa, self._weights = laplacian.blocks, laplacian.kappa, laplacian.weights
        self._removals = removals

    def leave_one_out(self, regparams: np.ndarray) -> np.ndarray:
        """Predictions of every example without it, (n_regparams, m, outputs).

        O(m p) per regparam, p being the rank; O(sum of cubed sizes of queries) more where their weights change.
        """
        ones = np.ones(self._queries.n_queries, dtype=int)
        predictions = []
        for regparam, removal in self._removals_without(ones, regparams):
            shift = self._weight_shift(ones, regparam)
            single = _leave_one_out(removal, self._queries)
            for query in np.flatnonzero(shift):
                U = self._queries.order[self._queries.starts[query] :][: self._queries.sizes[query]]
                single[U] = _leave_each_out(removal, U, shift[query])
            predictions.append(single)
        return np.stack(predictions)

    def hold_out(self, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        """Predictions of each hold-out U without it, (n_regparams, |U|, outputs): O(|W|^2 p + |W|^3) each."""
        predictions: list[list[np.ndarray]] = [[] for _ in holdouts]
        counts = [np.bincount(self._queries.index[U], minlength=self._queries.n_queries) for U in holdouts]
        together: dict[bytes, list[int]] = {}  # hold-outs that change the weights of one ranking in the same way
        for number, count in enumerate(counts):
            key = count.tobytes() if self._queries.n_queries == 1 else b""
            together.setdefault(key, []).append(number)
        for numbers in together.values():
            for regparam, removal in self._removals_without(counts[numbers[0]], regparams):
                base = removal.base()
                for number in numbers:
                    shift = self._weight_shift(counts[number], regparam)
                    predictions[number].append(_hold_out(removal, base, holdouts[number], shift, self._queries))
        return [np.stack(parts) for parts in predictions]

    def _removals_without(self, counts: np.ndarray, regparams: np.ndarray) -> Iterator[tuple[float, Removal]]:
        """With ``counts`` examples less in each query: for one ranking a change of kappa is one of regparam."""
        # kappa' (...) + regparam |f|^2 has the minimiser of kappa (...) + regparam kappa / kappa' |f|^2
        if self._queries.n_queries == 1:
            regparams = regparams * (self._kappa / self._weights(self._queries.sizes - counts))[0]
        return zip(regparams.tolist(), self._removals(regparams))

    def _weight_shift(self, counts: np.ndarray, regparam: float) -> np.ndarray:
        """delta of each query: by how much regparam / kappa grows with ``counts`` examples less in it."""
        # a query that nothing leaves keeps its weight; one that leaves as a whole has no examples V
        left = self._queries.sizes - counts
        changed = (counts > 0) & (left > 0)
        if self._queries.n_queries == 1 or not changed.any():
            return np.zeros(len(counts))
        kappa = np.where(changed, self._weights(np.maximum(left, 1)), self._kappa)
        return regparam * (1.0 / kappa - 1.0 / self._kappa)


def _leave_one_out(removal: Removal, queries: Queries) -> np.ndarray:
    """x_i = alpha_i / B_ii for each example; one that is alone in its query has no part in the training."""
    alone = (queries.sizes == 1)[queries.index]
    diagonal = np.where(alone, 1.0, removal.diagonal())
    x = np.where(alone[:, np.newaxis], 0.0, removal.alpha / diagonal[:, np.newaxis])
    predictions: np.ndarray = removal.base() - removal.diagonal_effects()[:, np.newaxis] * x
    return predictions


def _leave_each_out(removal: Removal, U: np.ndarray, delta: float) -> np.ndarray:
    """Each example of one query, whose others then weigh differently: one inverse for all of them.

    With M = B_UU + I / delta and y = M^-1 alpha, leaving example i out takes 1 / delta from M_ii again: its x is
    y + M^-1 e_i c_i, c_i = (y_i / delta) / (1 - (M^-1)_ii / delta), by Sherman-Morrison.
    """
    weight = removal.scale / delta  # 1 / delta, times the factor that B and alpha have
    inverse = np.linalg.inv(removal.block(U) + weight * np.eye(len(U)))
    y = inverse @ removal.alpha[U]
    c = weight * y / (1.0 - weight * np.diagonal(inverse))[:, np.newaxis]
    effect = removal.effect(U, U)
    own = np.einsum("ij,ji->i", effect, inverse)  # (effect M^-1)_ii: what M^-1 e_i takes from the prediction of i
    predictions: np.ndarray = removal.base()[U] - effect @ y - own[:, np.newaxis] * c
    return predictions


def _hold_out(removal: Removal, base: np.ndarray, U: np.ndarray, delta: np.ndarray, queries: Queries) -> np.ndarray:
    """Predictions of U by the x of its W."""
    held = np.zeros(len(queries.index), dtype=bool)
    held[U] = True
    others = np.flatnonzero(~held & (delta != 0)[queries.index])
    W = np.concatenate((U, others))
    block = removal.block(W)
    V = np.arange(len(U), len(W))
    # (B_WW + diag(0_U, 1 / delta_V)) x = alpha_W, all of it times ``scale``
    block[V, V] += removal.scale / delta[queries.index[others]]
    counts = np.bincount(queries.index[U], minlength=queries.n_queries)
    for query in np.flatnonzero(counts == queries.sizes):
        rows = np.flatnonzero(queries.index[U] == query)
        # B_WW is singular along the indicator of a whole query; what is added makes x sum to 0 there.
        size = float(block[rows, rows].mean())
        block[np.ix_(rows, rows)] += size if size > 0 else 1.0
    predictions: np.ndarray = base[U] - removal.effect(U, W) @ np.linalg.solve(block, removal.alpha[W])
    return predictions
