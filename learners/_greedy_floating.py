"""Floating search: features that were chosen can be given up again [Pudil1994]_.

After each feature that is added, the one whose removal leaves the best set is taken out again if that set is better
than the best of its size so far, and so on.  With R_QQ = d I - H_Q A H_Q^T, A = (H^T H + regparam I)^-1, the
leave-query-out residuals are p_Q = R_QQ^-1 rho_Q, rho = y - H w.  Without feature j the inverse A loses
a_j a_j^T / A_jj, so with v = H a_j, z_Q = R_QQ^-1 v_Q

    p_Q' = p_Q + z_Q (w_j - v_Q^T p_Q) / (A_jj + v_Q^T z_Q),

O(l k + k^2) per query and feature: all removals cost O(m k^2 + q k^3), whatever the number of features there are.

References
----------
.. [Pudil1994] P. Pudil, J. Novovicova, J. Kittler. Floating search methods in feature selection. Pattern Recognition
   Letters 15, 1994.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from learners._greedy_selection import HoldOuts, Step
from learners._greedy_state import GreedyState

#: A set has to be better by more than this part to count as better: rounding must not make the search go in circles.
_MIN_RELATIVE_GAIN = 1e-10


class Subset(NamedTuple):
    """Features in the order chosen, and their leave-query-out error."""

    features: list[int]
    criterion: float


def search_forward(state: GreedyState, size: int) -> list[Subset]:
    """Add features one by one; the set of every size."""
    subsets = []
    for _ in range(size):
        state.add_best()
        subsets.append(Subset(state.features, state.criterion))
    return subsets


def search_floating(state: GreedyState, size: int) -> list[Subset]:
    """Add and remove features; the best set found of every size.

    Ends, since a removal is made only where it leaves a better set than any of its size before.
    """
    best_subsets: dict[int, Subset] = {}
    while len(state.steps) < size:
        state.add_best()
        if not _improves(state.criterion, best_subsets.get(len(state.steps))):
            # a set of this size is known that is at least as good
            state.restart(best_subsets[len(state.steps)].features)
            continue
        best_subsets[len(state.steps)] = Subset(state.features, state.criterion)
        while len(state.steps) > 2:
            without = removal_criteria(state.data, state.steps, state.residuals)
            worst = int(np.argmin(without))
            if not _improves(float(without[worst]), best_subsets[len(state.steps) - 1]):
                break
            state.restart(state.features[:worst] + state.features[worst + 1 :])
            best_subsets[len(state.steps)] = Subset(state.features, state.criterion)
    return [best_subsets[k] for k in range(1, size + 1)]


def _improves(criterion: float, best: Subset | None) -> bool:
    return best is None or criterion < best.criterion * (1.0 - _MIN_RELATIVE_GAIN)


def removal_criteria(data: HoldOuts, steps: list[Step], held_out: np.ndarray) -> np.ndarray:
    """The leave-query-out error without each of the chosen features, (k,)."""
    H = np.column_stack([step.column for step in steps])
    k = H.shape[1]
    gram = H.T @ H + data.regparam * np.eye(k)
    factor = cho_factor(gram)
    A = cho_solve(factor, np.eye(k))
    w, V = A @ (H.T @ data.y), H @ A  # the columns of V are v = H a_j, one for each feature that may leave
    total = np.zeros(k)
    ends = np.append(data.starts[1:], len(H))
    for start, end in zip(data.starts, ends):
        H_Q, V_Q, p = H[start:end], V[start:end], held_out[start:end]
        # R_QQ^-1 = (I + H_Q (d A^-1 - H_Q^T H_Q)^-1 H_Q^T) / d; d is 1 / scale, see HoldOuts.
        inner = np.linalg.solve(gram / data.scale - H_Q.T @ H_Q, H_Q.T @ V_Q)
        Z = data.scale * (V_Q + H_Q @ inner)
        # p_Q' = p_Q + z_Q (w_j - v_Q^T p_Q) / (A_jj + v_Q^T z_Q), all j at once
        steps_back = (w - V_Q.T @ p) / (np.diagonal(A) + np.sum(V_Q * Z, axis=0))
        total += np.sum((p[:, np.newaxis] + Z * steps_back) ** 2, axis=0)
    return total
