"""The small quadratic program of a bundle method: minimise 1/2 |M a|^2 - b^T a over the unit simplex.

The matrix of the quadratic form, Q = M^T M, is never formed.  With weak regularization its entries are many orders of
magnitude greater than the objective, and M a is a small difference of long columns: Q a would be lost in rounding
errors of size epsilon max Q_ii, while M a is known to epsilon max |M_i|.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learners.errors import NotConvergedError

#: The gap, relative to the greatest |b_i|, at which the minimum counts as found.  The objective of a bundle method is
#: of the size of b, its planes' heights.
_GAP_TOLERANCE = 1e-12
#: How many times the float64 epsilon of the numbers that went into it a computed slope must exceed to be more than
#: rounding: sums of up to a thousand such numbers err by this much.
_ROUNDING = 32 * float(np.finfo(float).eps)
#: Rounds that may pass without the objective falling, as they do at a degenerate vertex, before rounding is all that
#: is left to gain.
_STALLED_ROUNDS = 20


def minimize_on_simplex(
    M: np.ndarray,
    b: np.ndarray,
    *,
    start: np.ndarray | None = None,
    tol: float = _GAP_TOLERANCE,
    max_iter: int = 10_000,
) -> np.ndarray:
    """The minimiser by an active-set method; M may have any rank.

    On the coordinates that are free, the equality-constrained problem is solved by the singular value decomposition
    of M on the vectors with sum(d) = 0: a Newton step where M sees the direction, the gradient where it does not.  A
    step that would leave the simplex stops at its boundary and fixes that coordinate at 0; at a minimum of the free
    coordinates the most promising fixed one is freed.  Ends when the Frank-Wolfe gap max_j a^T g - g_j, an upper
    bound of how far the objective is from its minimum, is at most ``tol`` times the greatest |b_i|, or when rounding
    errors leave nothing to gain; the caller can tell from the value, which is a lower bound whatever a is.

    Examples
    --------
    >>> minimize_on_simplex(np.diag([1.0, 3.0]), np.zeros(2)).round(12).tolist()
    [0.9, 0.1]
    """
    lengths = np.linalg.norm(M, axis=0)
    a = np.zeros(len(b)) if start is None else start.copy()
    if start is None:
        a[np.argmin(lengths**2 / 2.0 - b)] = 1.0
    free = a > 0
    best, least, stalled = a, np.inf, 0
    for _ in range(max_iter):
        step = _direction(M, b, a, free)
        shrinking = np.flatnonzero(step.direction < 0)
        ratios = -a[shrinking] / step.direction[shrinking]
        longest = float(ratios.min(initial=np.inf))  # the longest step that keeps every a_i >= 0
        if longest < 1.0 or not step.is_newton:
            a = np.maximum(a + longest * step.direction, 0.0)
            hit = shrinking[np.argmin(ratios)]
            a[hit], free[hit] = 0.0, False
            continue
        a = np.maximum(a + step.direction, 0.0)
        a /= a.sum()  # the direction sums to 0, so that only rounding is taken away
        image = M @ a
        gradient = M.T @ image - b
        # the gap is the greatest g^T (a - e_j) over the vertices e_j: a convex objective exceeds its minimum by no more
        value, gap = float(image @ image) / 2.0 - float(b @ a), float(a @ gradient - gradient.min())
        stalled = 0 if value < least else stalled + 1
        if value < least:
            best, least = a, value
        entering = int(np.argmin(np.where(free, np.inf, gradient)))
        rounding = _ROUNDING * float(lengths.max()) * float(np.linalg.norm(image))
        if gap <= tol * float(np.abs(b).max()) + rounding or free[entering] or stalled > _STALLED_ROUNDS:
            return best
        free[entering] = True
    raise NotConvergedError(
        f"expected the quadratic program over {len(b)} planes to be solved within {max_iter} active-set steps, got "
        "none of the minima of its faces; scale the features or raise regparam"
    )


class _Step(NamedTuple):
    """A descent direction within the free coordinates, and whether it leads to their minimum."""

    direction: np.ndarray
    is_newton: bool


def _direction(M: np.ndarray, b: np.ndarray, a: np.ndarray, free: np.ndarray) -> _Step:
    members = np.flatnonzero(free)
    direction = np.zeros(len(b))
    if len(members) == 1:
        return _Step(direction, is_newton=True)
    # a + basis d keeps sum(a) = 1.  With M basis = left diag(singular) right the objective is, along right^T, a sum of
    # parabolas of the curvatures singular^2, one for each singular vector.
    basis = _zero_sum_basis(len(members))
    seen = M[:, members] @ basis
    left, singular, right = np.linalg.svd(seen, full_matrices=seen.shape[0] < seen.shape[1])
    image = M[:, members] @ a[members]
    # The slopes of 1/2 |M a|^2 - b^T a along the right singular vectors; those beyond the rank see b alone.
    along = -(right @ (basis.T @ b[members]))
    along[: len(singular)] += singular * (left.T @ image)[: len(singular)]
    noise = _ROUNDING * (singular[0] * float(np.linalg.norm(image)) + float(np.abs(b[members]).max()))
    along[np.abs(along) <= noise] = 0.0
    curvature = np.zeros(len(along))
    curvature[: len(singular)] = singular
    flat = curvature <= max(seen.shape) * np.finfo(float).eps * singular[0]
    if np.any(along[flat]):
        direction[members] = -(basis @ (right[flat].T @ along[flat]))
        return _Step(direction, is_newton=False)
    # -slope / singular^2, divided twice: a square of a small singular value could vanish
    scaled = np.divide(along, curvature, out=np.zeros_like(along), where=~flat)
    newton = np.divide(scaled, curvature, out=np.zeros_like(along), where=~flat)
    direction[members] = -(basis @ (right.T @ newton))
    return _Step(direction, is_newton=True)


def _zero_sum_basis(size: int) -> np.ndarray:
    """Orthonormal columns spanning the vectors whose entries sum to 0: a Householder reflection of 1."""
    mirror = np.full(size, 1.0 / np.sqrt(size))
    mirror[0] += 1.0  # 1 / |1| + e_1: the reflection turns one into the other, up to sign, and is orthogonal
    reflection = np.eye(size) - np.outer(mirror, mirror) * (2.0 / (mirror @ mirror))
    basis: np.ndarray = reflection[:, 1:]
    return basis
