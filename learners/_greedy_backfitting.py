"""Candidates of greedy RankRLS judged by back-fitting, which a sparse feature's zeros cost nothing.

Pre-fitting, which Algorithm 1 does, judges a candidate by the model in which all weights are trained together with its
own.  Back-fitting [Vincent2002]_ judges it with the weights of the chosen features as they are, and trains all of them
again only once it is chosen [Pahikkala2010, sec. 5].  Without query Q the candidate's weight and the criterion are

    beta_Q = eta_Q / (regparam + |x_-Q|^2),    eta_Q = x_-Q^T r_-Q,    sum_Q |p_Q - beta_Q u_Q|^2,   u = scale x,

x being the centered candidate and r what the model without Q leaves of the other queries.  That model is the one
trained with p_Q taken from the scores of Q, w_-Q = w - A H_Q^T p_Q with A = (H^T H + regparam I)^-1, H the chosen
features, so

    eta_Q = x^T (y - H w) - x_Q^T p_Q + (x^T H) t_Q,    t_Q = A H_Q^T p_Q.

Only queries where the candidate is not zero count, since u_Q = 0 elsewhere, and x need not be centered to be multiplied
with vectors that are: O(k) for each of its entries in a step, O(k^2) in a search, as the article says is possible.

References
----------
.. [Vincent2002] P. Vincent, Y. Bengio. Kernel matching pursuit. Machine Learning 48, 2002.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.linalg import solve

from learners._greedy_selection import HoldOuts, Step

_CHUNK_ELEMENTS = 1 << 21  # numbers in a block of filled columns


class FittedFeatures(NamedTuple):
    """RankRLS on the chosen features, and what leaving queries out does to it."""

    columns: np.ndarray  # H, (m, k), centered
    residuals: np.ndarray  # y - H w, (m,)
    shifts: np.ndarray  # t_Q, one row for each hold-out, (q, k)
    held_out: np.ndarray  # p, (m,)

    @classmethod
    def of(cls, data: HoldOuts, steps: list[Step], held_out: np.ndarray) -> FittedFeatures:
        """From the steps taken and the leave-query-out residuals p after them."""
        if not steps:
            return cls(np.empty((len(data.y), 0)), data.y, np.empty((len(data.starts), 0)), held_out)
        H = np.column_stack([step.column for step in steps])
        gram = H.T @ H + data.regparam * np.eye(H.shape[1])  # A^-1
        w = solve(gram, H.T @ data.y, assume_a="pos")  # [Pahikkala2010, eq. 5]
        moved = np.add.reduceat(H * held_out[:, np.newaxis], data.starts)  # H_Q^T p_Q
        return cls(H, data.y - H @ w, solve(gram, moved.T, assume_a="pos").T, held_out)


def back_fitting_changes(data: HoldOuts, features: np.ndarray, model: FittedFeatures) -> np.ndarray:
    """By how much each of ``features`` would change the criterion, the other weights kept: less is better."""
    if sp.issparse(data.X) and len(data.starts) == data.queries.n_queries:
        return _sparse_changes(data, data.X[:, features].tocsc(), model)
    width = max(1, _CHUNK_ELEMENTS // len(data.y))
    chunks = (features[start : start + width] for start in range(0, len(features), width))
    return np.concatenate([_dense_changes(data, data.columns(chunk), model) for chunk in chunks])


def _dense_changes(data: HoldOuts, columns: np.ndarray, model: FittedFeatures) -> np.ndarray:
    """For centered columns, also of single examples of a global ranking, where no entry is zero: O(k m) for each."""
    dots = data.sums(columns * model.held_out[:, np.newaxis])  # x_Q^T p_Q
    squares = data.sums(columns * columns)
    # |x_-Q|^2 = |x|^2 - scale |x_Q|^2: of a single example the mean of the others changes, too
    eta = model.residuals @ columns - dots + model.shifts @ (model.columns.T @ columns)
    beta = eta / (data.regparam + squares.sum(axis=0) - data.scale * squares)
    # |p_Q - beta scale x_Q|^2 - |p_Q|^2, summed over the hold-outs
    changes: np.ndarray = np.sum(beta * (beta * data.scale**2 * squares - 2.0 * data.scale * dots), axis=0)
    return changes


def _sparse_changes(data: HoldOuts, columns: sp.csc_array, model: FittedFeatures) -> np.ndarray:
    """The same from the entries that are not zero; hold-outs are queries, so that scale is 1."""
    n_queries, n_features = data.queries.n_queries, columns.shape[1]
    feature = np.repeat(np.arange(n_features), np.diff(columns.indptr))
    cells, cell = np.unique(feature * n_queries + data.queries.index[columns.indices], return_inverse=True)
    feature, query = np.divmod(cells, n_queries)  # of each cell, a feature and a query that it is not zero in
    sums, squares, dots = (
        np.bincount(cell, weights=values, minlength=len(cells))
        for values in (columns.data, columns.data**2, columns.data * model.held_out[columns.indices])
    )
    squares -= sums**2 / data.queries.sizes[query]  # of the centered x: sum x^2 - (sum x)^2 / l
    norms = np.bincount(feature, weights=squares, minlength=n_features)
    eta = (columns.T @ model.residuals)[feature] - dots
    crossed = np.asarray(columns.T @ model.columns)  # x^T H, (n_features, k)
    for number in range(crossed.shape[1]):
        eta += crossed[feature, number] * model.shifts[query, number]
    beta = eta / (data.regparam + norms[feature] - squares)
    return np.bincount(feature, weights=beta * (beta * squares - 2.0 * dots), minlength=n_features)
