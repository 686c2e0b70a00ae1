"""Exact leave-pair-out predictions of global RankRLS, O(m^2) for all pairs.

[Pahikkala2009, eq. 38] solves one 3 x 3 system per pair.  The same predictions need only 2 x 2 ones once it is
seen that all pairs of one ranking with squared cost is least-squares with a free intercept b:

    (S - f)^T (I - 1 1^T / l) (S - f) = min_b sum_i (s_i - f_i - b)^2.

With G = (K + rho I)^-1, sigma = 1^T G 1, g = G 1 / sigma and B = G - sigma g g^T (the inverse of the system
bordered by the intercept), alpha = B s and b = g^T s.  Leaving U out [An2007]:

    r_U = B_UU^-1 alpha_U,   b_U = b - g_U^T r_U,   f_U = s_U - r_U - b_U.

rho = regparam / kappa, where kappa weighs the centering of the m - 2 examples that are left.

References
----------
.. [An2007] S. An, W. Liu, S. Venkatesh. Fast cross-validation algorithms for least squares support vector machine
   and kernel ridge regression. Pattern Recognition 40(8), 2007.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learners._eigen import eigen
from learners._pairs import PairBlocks, upper_panels
from learners._spectral import spectral_filters


class _BorderedSolution(NamedTuple):
    """The solution of one output and regparam with a free intercept, and the inverse it came from."""

    B: np.ndarray  # (m, m)
    g: np.ndarray  # (m,)
    scores: np.ndarray  # s, (m,)
    alpha: np.ndarray  # (m,)
    intercept: float  # b

    def predictions(self, blocks: PairBlocks, i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """f_i and f_j without {i, j}; i and j broadcast as the entries of ``blocks`` do."""
        r_i, r_j = blocks.solve(self.alpha[i], self.alpha[j])
        shift = self.g[i] * r_i  # -b_U = g_U^T r_U - b
        shift += self.g[j] * r_j
        shift -= self.intercept
        return self.scores[i] - r_i + shift, self.scores[j] - r_j + shift


def leave_pair_out(
    K: np.ndarray, scores: np.ndarray, pairs: tuple[np.ndarray, np.ndarray] | None, rhos: np.ndarray
) -> np.ndarray:
    """Predictions (n_rhos, n_pairs, 2, outputs); all pairs, ordered as ``np.triu_indices(m, 1)``, if None."""
    m, n_outputs = scores.shape
    eigenvalues, vectors = eigen(K)
    n_pairs = m * (m - 1) // 2 if pairs is None else len(pairs[0])
    out = np.empty((len(rhos), n_pairs, 2, n_outputs))
    for scale, predictions in zip(spectral_filters(eigenvalues, rhos), out):
        half = vectors * np.sqrt(scale)
        G = half @ half.T  # one triangle is computed, the other copied
        sums = G.sum(axis=1)
        g = sums / sums.sum()
        B = G - np.outer(sums, g)
        alpha, intercepts = B @ scores, g @ scores
        for output in range(n_outputs):
            solution = _BorderedSolution(B, g, scores[:, output], alpha[:, output], float(intercepts[output]))
            if pairs is None:
                _each_pair(solution, predictions[:, :, output])
            else:
                first, second = pairs
                diagonal = np.diagonal(B)
                blocks = PairBlocks(diagonal[first], diagonal[second], B[first, second])
                predictions[:, :, output] = np.stack(solution.predictions(blocks, first, second), axis=1)
    return out


def _each_pair(solution: _BorderedSolution, out: np.ndarray) -> None:
    """All pairs i < j, panel by panel."""
    for panel in upper_panels(len(solution.scores)):
        sides = solution.predictions(panel.blocks(solution.B), panel.i, panel.j)
        for side, values in enumerate(sides):
            panel.write(values, out[:, side])
