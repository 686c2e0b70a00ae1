"""Ridge regression on many parts of one data set at once, in the dual, with an intercept for each group of rows.

For a part M of the rows and groups g of them,

    min_{w,b}  sum_{i in M} (y_i - <w, x_i> - b_g(i))^2 + lambda ||w||^2

has w = X_M^T a with (C K_M C + lambda I) a = C y_M, where C subtracts from each group its mean over M: the free
intercepts take the means away, and C is its own root.  Conjugate gradients for all parts together need one product
of K with a block of vectors per iteration: O(m^2 n_parts).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from learners._validation import check_positive, check_regparam
from learners.errors import GroupError, KernelError, LabelError, NotConvergedError

_MAX_ITERATIONS = 1000
_MIN_CURVATURE = 1e-300  # in place of a curvature that rounding made zero, which would divide a residual of zero


def masked_ridge(
    K: NDArray[np.floating] | FeatureGram,
    y: NDArray[np.float64],
    masks: NDArray[np.bool_],
    regparam: float,
    *,
    groups: NDArray[Any] | None = None,
    tol: float = 1e-4,
) -> NDArray[np.float64]:
    """Dual coefficients of ridge regression on each of several parts of the rows.

    Minimises, for each part M,

        sum_{i in M} (y_i - <w, x_i> - b_g(i))^2 + regparam mean_{i in M} K_ii ||w||^2

    over w and one intercept b per group, by conjugate gradients for all parts at once.

    Parameters
    ----------
    K : ndarray of shape (n_samples, n_samples), or FeatureGram
        Kernel matrix; products are made in its precision.
    y : ndarray of shape (n_samples,) or (n_samples, n_parts)
        The targets, for all parts or for each.
    masks : boolean ndarray of shape (n_samples, n_parts)
        Which rows each part has.
    regparam : float
        The regularizer's weight, positive, in units of the mean of K's diagonal over the part.
    groups : ndarray of shape (n_samples,), optional
        The group of each row; one group for all if not given.
    tol : float, default=1e-4
        Iterations end when every residual is at most this part of its right-hand side.

    Returns
    -------
    ndarray of shape (n_samples, n_parts)
        One column per part, zero outside the part: w = X^T a.

    Raises
    ------
    NotConvergedError
        If the iterations do not get there.
    LearnerError
        If the shapes do not fit, a part is empty, or ``regparam`` or ``tol`` is not positive.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [9.0]]), np.array([0.0, 1.0, 2.0, 0.0])
    >>> part = np.array([[True], [True], [True], [False]])
    >>> a = masked_ridge(X @ X.T, y, part, 1.2, tol=1e-10)
    >>> a.ravel().round(3).tolist()  # w = 2 / (2 + 1.2 * 5/3) = 0.5
    [-0.25, 0.0, 0.25, 0.0]
    """
    _check(K, y, masks, groups)
    check_regparam(regparam)
    check_positive(tol=tol)
    inside = masks.astype(np.float64)
    ridge = regparam * (K.diagonal() @ inside) / inside.sum(axis=0)  # lambda of each part, (n_parts,)
    center = _centering(inside, groups)
    # a = 0 at the start, so that the residual C y - (C K C + lambda I) a is C y
    residual = center(np.broadcast_to(y.reshape(len(y), -1), masks.shape))
    goal = tol * np.linalg.norm(residual, axis=0)
    a, direction = np.zeros_like(residual), residual.copy()
    square = np.sum(residual**2, axis=0)
    for _ in range(_MAX_ITERATIONS):
        # Parts that have converged stand still: their step is 0 and their direction stays.
        active = np.sqrt(square) > goal
        if not active.any():
            return a
        image = np.zeros_like(direction)
        image[:, active] = np.asarray(K @ direction[:, active].astype(K.dtype), dtype=np.float64)
        # C K C d + lambda d: directions are combinations of residuals, which C leaves as they are (C C = C)
        image = center(image) + ridge * direction
        curvature = np.maximum(np.sum(direction * image, axis=0), _MIN_CURVATURE)
        step = np.where(active, square / curvature, 0.0)  # r^T r / d^T A d, to the minimum along d
        a += step * direction
        residual -= step * image
        before, square = square, np.where(active, np.sum(residual**2, axis=0), square)
        # the next direction is conjugate to those before: d^T A d' = 0
        direction = np.where(active, residual + square / before * direction, direction)
    raise NotConvergedError(
        f"expected conjugate gradients to reach {tol:g} within {_MAX_ITERATIONS} iterations, got "
        f"{float((np.sqrt(square) / (goal / tol)).max()):.2g}; raise regparam or tol"
    )


class FeatureGram:
    """The linear kernel matrix X X^T of sparse rows, never formed: a product costs O(nnz(X)) per column.

    >>> import numpy as np, scipy.sparse as sp
    >>> gram = FeatureGram(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]]))
    >>> (gram @ np.eye(2)).tolist(), gram.diagonal().tolist()
    ([[5.0, 6.0], [6.0, 9.0]], [5.0, 9.0])
    """

    def __init__(self, X: sp.csr_matrix) -> None:
        self._X = sp.csr_matrix(X)
        self._transposed = self._X.T.tocsr()
        self.shape = (X.shape[0], X.shape[0])
        self.dtype = self._X.dtype

    def __matmul__(self, V: NDArray[np.floating]) -> NDArray[np.floating]:
        product: NDArray[np.floating] = self._X @ (self._transposed @ V)
        return product

    def diagonal(self) -> NDArray[np.floating]:
        """The squared lengths of the rows."""
        return np.asarray(self._X.multiply(self._X).sum(axis=1)).ravel()


def _centering(inside: NDArray[np.float64], groups: NDArray[Any] | None) -> Callable[[NDArray[Any]], NDArray[Any]]:
    """C of every part: zero outside it, and inside without the mean of the group over the part."""
    rows_of_groups = [slice(None)] if groups is None else [groups == group for group in np.unique(groups)]
    counts = [np.maximum(inside[rows].sum(axis=0), 1.0) for rows in rows_of_groups]

    def center(V: NDArray[np.float64]) -> NDArray[np.float64]:
        V = inside * V
        for rows, count in zip(rows_of_groups, counts):
            V[rows] -= inside[rows] * (V[rows].sum(axis=0) / count)
        return V

    return center


def _check(K: NDArray[Any] | FeatureGram, y: NDArray[Any], masks: NDArray[Any], groups: NDArray[Any] | None) -> None:
    m = len(y)
    if K.shape != (m, m):
        raise KernelError(
            f"expected K of shape {(m, m)!r} for {m} targets, got {K.shape!r}; pass the kernel of all rows"
        )
    if masks.ndim != 2 or len(masks) != m or masks.dtype != bool or not masks.any(axis=0).all():
        raise GroupError(
            f"expected masks to be boolean, of shape ({m}, n_parts) and true somewhere in every column, got shape "
            f"{masks.shape!r} of {masks.dtype}; leave empty parts out"
        )
    if groups is not None and np.shape(groups) != (m,):
        raise GroupError(
            f"expected groups with one label per row, shape ({m},), got {np.shape(groups)!r}; check that they were "
            "subset together with K"
        )
    if y.ndim > 1 and y.shape != masks.shape:
        raise LabelError(f"expected y of shape ({m},) or {masks.shape!r}, as masks has, got {y.shape!r}")
    if not np.all(np.isfinite(y)):
        raise LabelError(
            f"expected finite y, got {int(np.sum(~np.isfinite(y)))} NaN or infinite values; drop those rows"
        )
