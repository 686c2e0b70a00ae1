"""The leave-query-out bookkeeping of greedy RankRLS, in inner products a query instead of vectors a query.

[Pahikkala2010, Algorithm 1] keeps C = G X^T and U = Q G X^T (m x n each) and forms, for every candidate, its
m hold-out residuals.  Seen from the model trained without query Q on the features chosen so far, adding
candidate i with coefficient beta turns the residuals p_Q into p_Q - beta u_Q,i, where u_Q,i = U_Q,i is what that
model cannot predict of feature i on Q.  So the criterion needs four numbers a query and candidate:

    delta = 1 + x_i^T G_-Q x_i,   eta = x_i^T G_-Q y,   pi = p_Q^T u_Q,i,   nu = u_Q,i^T u_Q,i

    beta = eta / delta,   sum_Q |p_Q - beta u_Q,i|^2 = |p|^2 + sum_Q beta (beta nu - 2 pi),

(1 / delta is Algorithm 1's -gamma, beta its d + gamma U^T (a - d C)).  With g_i = x_i^T G_-Q x_b and
tau = g / delta_b the choice of feature b changes them by

    u_i -= tau_i u_b,  delta_i -= tau_i g_i,  eta_i -= tau_i eta_b,

and pi, nu accordingly.  g_i = x_i^T c_b - c_b,Q^T u_Q,i, so C itself is needed only for the chosen features.
What remains of O(m n) work a step is one product with X and one pass over U.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from learners._queries import Queries

_CACHE_ELEMENTS = 1 << 16  # rows of U are treated in groups of about this many numbers, which stay in cache


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

    def columns(self, chosen: np.ndarray) -> np.ndarray:
        """The given features, centered and dense."""
        block = self.X[:, chosen]
        return self.queries.centered(block.toarray() if sp.issparse(block) else block)

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Sums over each hold-out."""
        return np.add.reduceat(values, self.starts, axis=0)


@dataclass(frozen=True)
class Step:
    """One chosen feature: what the bookkeeping of the others needs to know of it."""

    feature: int
    column: np.ndarray  # h, the centered feature
    image: np.ndarray  # c = G h, before the feature is added
    unpredicted: np.ndarray  # u, before the feature is added
    delta: np.ndarray  # one a hold-out, as all below
    eta: np.ndarray
    beta: np.ndarray
    residual_dot: np.ndarray  # p^T u, before the feature is added
    squared: np.ndarray  # u^T u


class Candidates:
    """The four numbers of a set of candidate features for every hold-out, and their U."""

    def __init__(self, data: HoldOuts, features: np.ndarray):
        self.data, self.features = data, features
        self.H = data.columns(features)
        self.U = self.H * data.scale
        own_square = data.sums(self.H * self.H)
        own_target = data.sums(self.H * data.y[:, None])
        weight, scale = 1.0 / data.regparam, data.scale
        self.delta = 1.0 + weight * (own_square.sum(axis=0) - scale * own_square)
        self.eta = weight * (own_target.sum(axis=0) - scale * own_target)
        self.pi = scale**2 * own_target
        self.nu = scale**2 * own_square

    def changes(self) -> np.ndarray:
        """How much the sum of squared hold-out residuals changes with each candidate: less is better."""
        beta = self.eta / self.delta
        return np.einsum("qi,qi->i", beta, beta * self.nu - 2.0 * self.pi)

    def step(self, position: int, image: np.ndarray, residuals: np.ndarray) -> Step:
        """The step that chooses the candidate at ``position``."""
        u = self.U[:, position].copy()
        delta, eta = self.delta[:, position].copy(), self.eta[:, position].copy()
        squared, dot = self.data.sums(u * u), self.data.sums(u * residuals)
        column = self.H[:, position].copy()
        return Step(int(self.features[position]), column, image, u, delta, eta, eta / delta, dot, squared)

    def advance(self, step: Step) -> None:
        """Take the chosen feature into account: O(m n)."""
        total = step.image @ self.H
        starts, m = self.data.starts, len(self.H)
        ends = np.append(starts[1:], m)
        for first, last in _groups(starts, ends, max(1, _CACHE_ELEMENTS // self.H.shape[1])):
            self._advance_rows(step, total, slice(first, last), slice(starts[first], ends[last - 1]))

    def _advance_rows(self, step: Step, total: np.ndarray, Q: slice, rows: slice) -> None:
        U, u = self.U[rows], step.unpredicted[rows]
        sizes = np.diff(np.append(self.data.starts[Q], rows.stop))
        owner = np.repeat(np.arange(len(sizes)), sizes)
        image_dot, u_dot = _sums_of_products(np.stack((step.image[rows], u)), U, owner, len(sizes))
        g = total - image_dot
        tau = g / step.delta[Q, None]
        beta, squared = step.beta[Q, None], step.squared[Q, None]
        # nu -= tau (2 u^T U - tau u^T u);  pi = (p - beta u)^T (U - tau u)
        shrink = tau * squared
        self.nu[Q] -= tau * (2.0 * u_dot - shrink)
        self.pi[Q] -= tau * step.residual_dot[Q, None] + beta * (u_dot - shrink)
        self.delta[Q] -= tau * g
        self.eta[Q] -= tau * step.eta[Q, None]
        U -= u[:, None] * tau[owner]


def _groups(starts: np.ndarray, ends: np.ndarray, n_rows: int) -> list[tuple[int, int]]:
    """Runs of consecutive hold-outs with about ``n_rows`` rows together."""
    groups, first = [], 0
    while first < len(starts):
        last = max(int(np.searchsorted(ends, starts[first] + n_rows, side="right")), first + 1)
        groups.append((first, last))
        first = last
    return groups


def _sums_of_products(
    vectors: np.ndarray, U: np.ndarray, owner: np.ndarray, n_owners: int
) -> tuple[np.ndarray, np.ndarray]:
    """For both vectors v and each hold-out Q the products v_Q^T U_Q, (n_owners, n) each."""
    if n_owners == 1:
        products = vectors @ U
        return products[:1], products[1:]
    m = len(owner)
    rows = np.concatenate((owner, owner + n_owners))
    selector = sp.csr_array((vectors.ravel(), (rows, np.tile(np.arange(m), 2))), shape=(2 * n_owners, m))
    products = selector @ U
    return products[:n_owners], products[n_owners:]
