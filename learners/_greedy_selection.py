"""The leave-query-out bookkeeping of greedy RankRLS, in inner products instead of vectors for each query.

[Pahikkala2010, Algorithm 1] keeps C = G X^T and U = Q G X^T (m x n each) and forms, for every candidate, its
m hold-out residuals.  Seen from the model trained without query Q on the features chosen so far, adding
candidate i with coefficient beta turns the residuals p_Q into p_Q - beta u_Q,i, where u_Q,i = U_Q,i is what that
model cannot predict of feature i on Q.  So the criterion needs four numbers per query and candidate:

    delta = 1 + x_i^T G_-Q x_i,   eta = x_i^T G_-Q y,   pi = p_Q^T u_Q,i,   nu = u_Q,i^T u_Q,i

    beta = eta / delta,   sum_Q |p_Q - beta u_Q,i|^2 = |p|^2 + sum_Q beta (beta nu - 2 pi),

(1 / delta is Algorithm 1's -gamma, beta its d + gamma U^T (a - d C)).  With g_i = x_i^T G_-Q x_b and
tau = g / delta_b the choice of feature b changes them by

    u_i -= tau_i u_b,  delta_i -= tau_i g_i,  eta_i -= tau_i eta_b,

and pi, nu accordingly.  g_i = x_i^T c_b - c_b,Q^T u_Q,i, so C itself is needed only for the chosen features.
What remains of O(m n) work per step is one product with X and one pass over U.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.linalg.blas import dgemm

from learners._queries import Queries

_CACHE_ELEMENTS = 1 << 17  # rows of U are treated in groups of about this many numbers, which stay in cache


@dataclass(frozen=True)
class HoldOuts:
    """Training data sorted by hold-out: queries, or single examples of one global ranking.

    ``scale`` is Q G at the start, before any feature: 1 for queries, whose mean is part of the hold-out; for
    single examples of a global ranking 1 / (1 - 1/m), since the mean is that of the others.
    """

    X: Any  # rows in hold-out order, not centered
    y: np.ndarray  # centered
    queries: Queries  # within which the data is centered
    starts: np.ndarray  # where each hold-out begins
    scale: float
    regparam: float

    def columns(self, features: np.ndarray) -> np.ndarray:
        """The given features, centered and dense, in C order: groups of rows are updated in place by BLAS."""
        block: np.ndarray
        if sp.issparse(self.X):
            block = self.X[:, features].toarray(order="C")
        elif len(features) == self.X.shape[1]:
            block = np.array(self.X, order="C")
        else:
            block = np.take(self.X, features, axis=1)
        # the columns of L X: the mean over the query goes [Pahikkala2010, sec. 2]
        if len(self.starts) != self.queries.n_queries:
            return self.queries.center(block)
        for group in self.groups(block.shape[1]):
            rows = block[group.rows]
            rows -= np.repeat(np.add.reduceat(rows, group.starts) / group.sizes[:, None], group.sizes, axis=0)
        return block

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Sums over each hold-out."""
        return np.add.reduceat(values, self.starts)

    def groups(self, n_columns: int) -> list[Group]:
        """Runs of consecutive hold-outs whose rows of a matrix of ``n_columns`` fit in cache together."""
        ends = np.append(self.starts[1:], len(self.y))
        n_rows = max(1, _CACHE_ELEMENTS // n_columns)
        groups, first = [], 0
        while first < len(ends):
            last = max(int(np.searchsorted(ends, self.starts[first] + n_rows, side="right")), first + 1)
            start, stop = int(self.starts[first]), int(ends[last - 1])
            sizes = ends[first:last] - self.starts[first:last]
            groups.append(Group(slice(first, last), slice(start, stop), self.starts[first:last] - start, sizes))
            first = last
        return groups


@dataclass(frozen=True)
class Group:
    """A few consecutive hold-outs and their rows."""

    Q: slice
    rows: slice
    starts: np.ndarray  # within the rows
    sizes: np.ndarray

    @cached_property
    def is_single(self) -> bool:
        """Whether every hold-out is one example."""
        return bool((self.sizes == 1).all())

    def dots(self, vectors: tuple[np.ndarray, ...], U: np.ndarray) -> list[np.ndarray]:
        """v_Q^T U_Q for each of the vectors v and each hold-out Q."""
        if self.is_single:
            return [v[:, None] * U for v in vectors]
        return np.split(np.vstack([self._spread(v) for v in vectors]) @ U, len(vectors))

    def subtract_products(self, U: np.ndarray, u: np.ndarray, tau: np.ndarray) -> None:
        """U_Q -= u_Q tau_Q for each hold-out Q, in place."""
        if self.is_single:
            U -= u[:, None] * tau
        else:
            # BLAS sees U^T, which it can update in place: U^T -= tau^T u^T.
            dgemm(-1.0, tau.T, self._spread(u), beta=1.0, c=U.T, overwrite_c=True)

    def _spread(self, v: np.ndarray) -> np.ndarray:
        """v as a matrix with one row per hold-out: multiplying by its zeros is cheaper than any bookkeeping."""
        matrix = np.zeros((len(self.sizes), len(v)))
        matrix[self._entries] = v
        return matrix

    @cached_property
    def _entries(self) -> tuple[np.ndarray, np.ndarray]:
        return np.repeat(np.arange(len(self.sizes)), self.sizes), np.arange(int(self.sizes.sum()))


class Step(NamedTuple):
    """One chosen feature: what the bookkeeping of the others needs to know of it."""

    feature: int
    column: np.ndarray  # h, the centered feature
    image: np.ndarray  # c = G h, before the feature is added
    unpredicted: np.ndarray  # u, before the feature is added
    delta: np.ndarray  # one per hold-out, as all below
    eta: np.ndarray
    beta: np.ndarray
    residual_dot: np.ndarray  # p^T u, before the feature is added
    squared: np.ndarray  # u^T u


class Candidates:
    """The four numbers of a set of candidate features for every hold-out, their U and what each would change."""

    def __init__(self, data: HoldOuts, features: np.ndarray):
        self.data, self.features = data, features
        self.H = data.columns(features)
        self._groups = data.groups(len(features))
        shape = (len(data.starts), len(features))
        self.delta, self.eta, self.pi, self.nu = (np.empty(shape) for _ in range(4))
        for group in self._groups:
            H = self.H[group.rows]
            (self.pi[group.Q],) = group.dots((data.y[group.rows],), H)
            self.nu[group.Q] = np.add.reduceat(H * H, group.starts)
        # Before any feature G = I / regparam and Q G = scale, so U = scale H (line 3), p = scale y (line 4), and G_-Q
        # leaves Q's own part out of the sums over all examples.
        weight, scale = 1.0 / data.regparam, data.scale
        self.delta[:] = 1.0 + weight * (self.nu.sum(axis=0) - scale * self.nu)
        self.eta[:] = weight * (self.pi.sum(axis=0) - scale * self.pi)
        self.pi *= scale**2
        self.nu *= scale**2
        self.U = self.H * scale
        #: by how much the sum of squared hold-out residuals changes with each candidate: less is better
        self.changes = np.zeros(len(features))
        for group in self._groups:
            self.changes += self._changes(group.Q)

    def step(self, position: int, image: np.ndarray, residuals: np.ndarray) -> Step:
        """The step that chooses the candidate at ``position``."""
        # beta = eta / delta is the feature's weight in the model without each hold-out
        u = self.U[:, position].copy()
        delta, eta = self.delta[:, position].copy(), self.eta[:, position].copy()
        squared, dot = self.data.sums(u * u), self.data.sums(u * residuals)
        column = self.H[:, position].copy()
        return Step(int(self.features[position]), column, image, u, delta, eta, eta / delta, dot, squared)

    def advance(self, step: Step) -> None:
        """Take the chosen feature into account: O(m n)."""
        total = step.image @ self.H  # x_i^T c_b over all examples, (n,)
        self.changes = np.zeros(len(self.features))
        for group in self._groups:
            self._advance_group(step, total, group)
            self.changes += self._changes(group.Q)

    def _advance_group(self, step: Step, total: np.ndarray, group: Group) -> None:
        """Lines 22 to 26 of Algorithm 1 for the hold-outs of one group, in terms of the four numbers."""
        Q, U, u = group.Q, self.U[group.rows], step.unpredicted[group.rows]
        image_dot, u_dot = group.dots((step.image[group.rows], u), U)
        g = np.subtract(total, image_dot, out=image_dot)  # x_i^T G_-Q x_b = x_i^T c_b - c_b,Q^T u_Q,i
        tau = g / step.delta[Q, None]
        shrink = tau * step.squared[Q, None]
        self.delta[Q] -= tau * g
        self.eta[Q] -= tau * step.eta[Q, None]
        # nu -= tau (2 u^T U - tau u^T u);  pi = (p - beta u)^T (U - tau u)
        u_dot -= shrink
        self.nu[Q] -= tau * (2.0 * u_dot + shrink)
        self.pi[Q] -= tau * step.residual_dot[Q, None] + step.beta[Q, None] * u_dot
        group.subtract_products(U, u, tau)  # U_Q -= u_Q tau_Q (line 26)

    def _changes(self, Q: slice) -> np.ndarray:
        """sum_Q beta (beta nu - 2 pi): what each candidate adds to the criterion (7) over the hold-outs Q."""
        beta = self.eta[Q] / self.delta[Q]
        changes: np.ndarray = np.einsum("qi,qi->i", beta, beta * self.nu[Q] - 2.0 * self.pi[Q])
        return changes
