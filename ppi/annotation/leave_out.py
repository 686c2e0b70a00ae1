"""Ridge regression on many parts of one data set at once, in the dual.

For a part M of the rows, with the kernel matrix K_M centered on it,

    (C K_M C + lambda I) a = C y_M,   C = I - 1 1^T / |M|

gives w = X_M^T a and b = mean_M(y - X w): the minimum of  sum_M (y_i - <w, x_i> - b)^2 + lambda ||w||^2.  Conjugate
gradients for all parts together need one product of K with a block of vectors an iteration: O(m^2 parts).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ppi.errors import TrainingError

_MOST_ITERATIONS = 1000


def masked_ridge(
    K: NDArray[np.floating], y: NDArray[np.float64], masks: NDArray[np.bool_], regparam: float, *, tol: float = 1e-4
) -> NDArray[np.float64]:
    """Dual coefficients, a column for each column of ``masks`` (rows in the part), zero outside the part.

    Parameters
    ----------
    K
        Kernel matrix (m, m); products are made in its precision.
    regparam
        In units of the mean of K's diagonal over the part.
    tol
        Stop when every residual is this part of its right-hand side.

    Raises
    ------
    TrainingError
        If the iterations do not get there.
    """
    inside = masks.astype(np.float64)
    counts = inside.sum(axis=0)
    ridge = regparam * (np.diag(K) @ inside) / counts

    def centered(V: NDArray[np.float64]) -> NDArray[np.float64]:
        V = inside * V
        return V - inside * (V.sum(axis=0) / counts)

    residual = centered(np.repeat(y[:, None], masks.shape[1], axis=1))
    goal = tol * np.linalg.norm(residual, axis=0)
    a, direction = np.zeros_like(residual), residual.copy()
    square = np.sum(residual**2, axis=0)
    for _ in range(_MOST_ITERATIONS):
        active = np.sqrt(square) > goal
        if not active.any():
            return a
        image = centered(np.asarray(K @ direction.astype(K.dtype), dtype=np.float64)) + ridge * direction
        step = np.where(active, square / np.maximum(np.sum(direction * image, axis=0), 1e-300), 0.0)
        a += step * direction
        residual -= step * image
        before, square = square, np.where(active, np.sum(residual**2, axis=0), square)
        direction = np.where(active, residual + square / before * direction, direction)
    raise TrainingError(
        f"expected conjugate gradients to reach {tol:g} within {_MOST_ITERATIONS} iterations, got "
        f"{float((np.sqrt(square) / (goal / tol)).max()):.2g}; raise regparam or tol"
    )
