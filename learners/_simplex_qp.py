"""The small quadratic program of a bundle method: minimise 1/2 a^T Q a - b^T a over the unit simplex."""

from __future__ import annotations

import numpy as np

from learners.errors import NotConvergedError

#: Relative to the size of the problem, max(Q_ii, |b_i|), about what float64 leaves of a number that is zero exactly:
#: the gap at which the minimum counts as found,
_GAP_TOLERANCE = 1e-12
#: the curvature, per free coordinate, that counts as none (an eigenvalue of a sum of that many such numbers),
_FLAT_CURVATURE = 1e-13
#: and the slope along flat directions that is worth following: above what rounding makes of a zero slope.
_FLAT_SLOPE = 1e-11


def minimize_on_simplex(
    Q: np.ndarray,
    b: np.ndarray,
    *,
    start: np.ndarray | None = None,
    tol: float = _GAP_TOLERANCE,
    max_iter: int = 10_000,
) -> np.ndarray:
    """The minimiser by an active-set method; Q is symmetric positive semidefinite and may be singular.

    On the coordinates that are free, the equality-constrained problem is solved by the eigendecomposition of
    Q projected to sum(d) = 0: a Newton step where Q curves, the gradient where it does not.  A step that would
    leave the simplex stops at its boundary and fixes that coordinate at 0; at a minimum of the free
    coordinates the most promising fixed one is freed.  Ends when the Frank-Wolfe gap max_j a^T g - g_j, an
    upper bound of how far the objective is from its minimum, is at most ``tol`` times the size of the problem.

    Examples
    --------
    >>> minimize_on_simplex(np.diag([1.0, 3.0]), np.zeros(2)).round(12).tolist()
    [0.75, 0.25]
    """
    size = max(float(np.abs(np.diagonal(Q)).max()), float(np.abs(b).max()), np.finfo(float).tiny)
    a = np.zeros(len(b)) if start is None else start.copy()
    if start is None:
        a[np.argmin(np.diagonal(Q) / 2.0 - b)] = 1.0
    free = a > 0
    for _ in range(max_iter):
        direction, is_newton = _direction(Q, Q @ a - b, free, size)
        shrinking = np.flatnonzero(direction < 0)
        ratios = -a[shrinking] / direction[shrinking]
        longest = float(ratios.min(initial=np.inf))
        if longest < 1.0 or not is_newton:
            a += longest * direction
            hit = shrinking[np.argmin(ratios)]
            a[hit], free[hit] = 0.0, False
            continue
        a = np.maximum(a + direction, 0.0)
        a /= a.sum()
        gradient = Q @ a - b
        entering = int(np.argmin(np.where(free, np.inf, gradient)))
        if float(a @ gradient - gradient.min()) <= tol * size or free[entering]:
            return a
        free[entering] = True
    raise NotConvergedError(
        f"expected the quadratic program over {len(b)} planes to be solved within {max_iter} active-set steps, "
        f"but its gap is still {float(a @ gradient - gradient.min()):.3g}; scale the features or raise regparam"
    )


def _direction(Q: np.ndarray, gradient: np.ndarray, free: np.ndarray, size: float) -> tuple[np.ndarray, bool]:
    """A descent direction within the free coordinates, and whether it is the whole Newton step."""
    members = np.flatnonzero(free)
    direction = np.zeros(len(gradient))
    if len(members) == 1:
        return direction, True
    basis = _zero_sum_basis(len(members))
    values, vectors = np.linalg.eigh(basis.T @ Q[np.ix_(members, members)] @ basis)
    along = vectors.T @ (basis.T @ gradient[members])
    flat = values <= _FLAT_CURVATURE * size * len(members)
    downhill = np.where(flat, along, 0.0)
    if np.abs(downhill).max() > _FLAT_SLOPE * size:
        direction[members] = -(basis @ (vectors @ downhill))
        return direction, False
    newton = np.divide(along, values, out=np.zeros_like(along), where=~flat)
    direction[members] = -(basis @ (vectors @ newton))
    return direction, True


def _zero_sum_basis(size: int) -> np.ndarray:
    """Orthonormal columns spanning the vectors whose entries sum to 0: a Householder reflection of 1."""
    mirror = np.full(size, 1.0 / np.sqrt(size))
    mirror[0] += 1.0
    reflection = np.eye(size) - np.outer(mirror, mirror) * (2.0 / (mirror @ mirror))
    return reflection[:, 1:]
