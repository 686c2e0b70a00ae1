"""Exact leave-pair-out predictions of global RankRLS, O(m^2) for all pairs.

[Pahikkala2009, eq. 38] solves a 3 x 3 system a pair.  The same predictions need only 2 x 2 ones once it is
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

import numpy as np
from scipy.linalg import eigh

from learners._rank_systems import spectral_filters

_ROW_BLOCK = 64  # rows of B treated at a time: the scratch arrays stay in cache


def leave_pair_out(
    K: np.ndarray, scores: np.ndarray, pairs: tuple[np.ndarray, np.ndarray] | None, rhos: np.ndarray
) -> np.ndarray:
    """Predictions (n_rhos, n_pairs, 2, outputs); all pairs, ordered as ``np.triu_indices(m, 1)``, if None."""
    m, n_outputs = scores.shape
    eigenvalues, vectors = eigh(K, check_finite=False)
    n_pairs = m * (m - 1) // 2 if pairs is None else len(pairs[0])
    out = np.empty((len(rhos), n_pairs, 2, n_outputs))
    for scale, predictions in zip(spectral_filters(eigenvalues, rhos), out):
        half = vectors * np.sqrt(scale)
        G = half @ half.T  # one triangle is computed, the other copied
        sums = G.sum(axis=1)
        sigma = sums.sum()
        g = sums / sigma
        B = G - np.outer(sums, g)
        alpha, intercepts = B @ scores, g @ scores
        for output in range(n_outputs):
            problem = (B, g, scores[:, output], alpha[:, output], float(intercepts[output]))
            if pairs is None:
                _each_pair(*problem, predictions[:, :, output])
            else:
                first, second = pairs
                predictions[:, :, output] = np.stack(_solve(*problem, first, second, B[first, second]), axis=1)
    return out


def _each_pair(B: np.ndarray, g: np.ndarray, s: np.ndarray, alpha: np.ndarray, b: float, out: np.ndarray) -> None:
    """All pairs i < j, a panel of rows i at a time."""
    m, done = len(s), 0
    for start in range(0, m - 1, _ROW_BLOCK):
        stop = min(start + _ROW_BLOCK, m - 1)
        rows, columns = np.arange(start, stop)[:, None], np.arange(start + 1, m)
        above = np.flatnonzero(columns > rows)
        for side, values in enumerate(_solve(B, g, s, alpha, b, rows, columns, B[start:stop, start + 1 :])):
            out[done : done + len(above), side] = values.ravel()[above]
        done += len(above)


def _solve(
    B: np.ndarray,
    g: np.ndarray,
    s: np.ndarray,
    alpha: np.ndarray,
    b: float,
    i: np.ndarray,
    j: np.ndarray,
    cross: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """f_i and f_j without {i, j}; i and j broadcast to the shape of ``cross`` = B_ij."""
    diagonal = np.diagonal(B)
    own, other = diagonal[i], diagonal[j]
    determinant = own * other
    determinant -= cross * cross
    # A panel's i >= j entries are never read; the one with i = j would divide by zero.
    np.maximum(determinant, np.finfo(float).tiny, out=determinant)
    r_i = other * alpha[i]
    r_i -= cross * alpha[j]
    r_i /= determinant
    r_j = own * alpha[j]
    r_j -= cross * alpha[i]
    r_j /= determinant
    intercept = g[i] * r_i
    intercept += g[j] * r_j
    intercept -= b
    return s[i] - r_i + intercept, s[j] - r_j + intercept
