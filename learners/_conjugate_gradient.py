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
