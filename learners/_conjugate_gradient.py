"""Conjugate gradients for A w = b, A symmetric positive semidefinite and known only by its products."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np


class Iterate(NamedTuple):
    """The state after an iteration; ``solution`` is updated in place by the next one."""

    number: int
    solution: np.ndarray
    relative_residual: float


def conjugate_gradient(product: Callable[[np.ndarray], np.ndarray], b: np.ndarray) -> Iterator[Iterate]:
    """The iterates from w = 0 on, for as long as they are asked for or until the residual is zero.

    One product with A and O(n) besides per step [Shewchuk1994]_.  The residual is |b - A w| / |b|, by its recurrence.

    References
    ----------
    .. [Shewchuk1994] J. R. Shewchuk. An introduction to the conjugate gradient method without the agonizing pain.
       Carnegie Mellon University, 1994.
    """
    w, residual = np.zeros_like(b), b.copy()
    direction = residual.copy()
    squared = first = float(residual @ residual)
    number = 0
    while squared > 0.0:
        image = product(direction)
        curvature = float(direction @ image)
        if curvature <= 0.0:  # only rounding is left of the direction
            return
        step = squared / curvature  # minimises along the direction: r^T r / d^T A d
        w += step * direction
        image *= step
        residual -= image
        previous, squared = squared, float(residual @ residual)
        number += 1
        yield Iterate(number, w, float(np.sqrt(squared / first)))
        direction *= squared / previous  # keeps the directions A-conjugate
        direction += residual


def kernel_conjugate_gradient(
    kernel: Callable[[np.ndarray], np.ndarray],
    laplacian: Callable[[np.ndarray], np.ndarray],
    right: np.ndarray,
    regparam: float,
) -> Iterator[Iterate]:
    """Conjugate gradients for (X^T L X + regparam I) w = X^T b with K = X X^T known by its products alone.

    Every vector w of the iteration is X^T a, so that a is kept in its place: the product with the matrix is
    a -> L K a + regparam a, inner products are a^T K a, and the residual is measured as that of w is.  K times the
    direction follows by the recurrence of the directions, so that an iteration has one product with K, one with L and
    O(m) besides.  The iterates are those of :func:`conjugate_gradient` for w, whatever the features are.
    """
    a, residual = np.zeros_like(right), right.copy()
    image = kernel(residual)  # K r
    direction, direction_image = residual.copy(), image.copy()  # d and K d
    squared = first = float(residual @ image)  # |X^T r|^2
    number = 0
    while squared > 0.0:
        product = laplacian(direction_image)
        if regparam:
            product = product + regparam * direction
        curvature = float(direction_image @ product)  # d^T K (L K + regparam) d
        if curvature <= 0.0:  # only rounding is left of the direction
            return
        step = squared / curvature
        a += step * direction
        residual -= step * product
        image = kernel(residual)
        previous, squared = squared, float(residual @ image)
        number += 1
        yield Iterate(number, a, float(np.sqrt(max(squared, 0.0) / first)))
        direction *= squared / previous
        direction += residual
        direction_image *= squared / previous
        direction_image += image
