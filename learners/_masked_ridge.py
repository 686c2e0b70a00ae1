"""Ridge regression on many parts of one data set at once, in the dual, with an intercept for each group of rows.

For a part M of the rows and groups g,

    min_w,b  sum_{i in M} (y_i - <w, x_i> - b_g(i))^2 + lambda ||w||^2

has w = X_M^T a with (C K_M C + lambda I) a = C y_M, where C subtracts from each group its mean over M.  Conjugate
gradients for all parts together need one product of K with a block of vectors an iteration: O(m^2 parts).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learners.errors import NotConvergedError

_MOST_ITERATIONS = 1000


def masked_ridge(
    K: NDArray[np.floating],
    y: NDArray[np.float64],
    masks: NDArray[np.bool_],
    regparam: float,
    *,
    groups: NDArray | None = None,
    tol: float = 1e-4,
) -> NDArray[np.float64]:
    """Dual coefficients, a column for each column of ``masks`` (rows in the part), zero outside the part.

    Parameters
    ----------
    K
        Kernel matrix (m, m); products are made in its precision.
    regparam
        In units of the mean of K's diagonal over the part.
    groups
        The group of each row; None: one for all.
    tol
        Stop when every residual is this part of its right-hand side.

    Raises
    ------
    NotConvergedError
        If the iterations do not get there.
    """
    inside = masks.astype(np.float64)
    ridge = regparam * (np.diag(K) @ inside) / inside.sum(axis=0)
    kinds = [slice(None)] if groups is None else [groups == group for group in np.unique(groups)]
    counts = [np.maximum(inside[rows].sum(axis=0), 1.0) for rows in kinds]

    def centered(V: NDArray[np.float64]) -> NDArray[np.float64]:
        V = inside * V
        for rows, count in zip(kinds, counts):
            V[rows] -= inside[rows] * (V[rows].sum(axis=0) / count)
        return V

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
    raise NotConvergedError(
        f"expected conjugate gradients to reach {tol:g} within {_MOST_ITERATIONS} iterations, got "
        f"{float((np.sqrt(square) / (goal / tol)).max()):.2g}; raise regparam or tol"
    )
