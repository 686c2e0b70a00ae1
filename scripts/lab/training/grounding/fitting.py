"""Regularized least squares over products of two features, from sums over documents.

With Z the products, one row per candidate, the weights solve (Z^T Z + regparam I) w = Z^T y [thesis, eq. 2.12, primal].
Z^T Z is a sum over rows: leaving out a fold of documents is a subtraction, so that cross-validation costs one solution
per fold and no second pass over the examples.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from lab.training.grounding.examples import Examples

Array = NDArray[np.float64]

#: Rows multiplied out at a time.
_BLOCK = 2000


class Moments:
    """Z^T Z and Z^T y of some examples."""

    def __init__(self, examples: Examples, rows: NDArray[np.bool_]) -> None:
        width = examples.features.shape[1]
        size = width * (width + 1) // 2
        self.gram = np.zeros((size, size))
        self.targets = np.zeros(size)
        for block, targets in _blocks(examples, rows):
            products = products_of(block).astype(np.float32)
            self.gram += products.T @ products
            self.targets += products.T @ targets

    def weights(self, regparam: float, without: Moments | None = None) -> Array:
        """The solution, without the examples of ``without``."""
        gram, targets = self.gram, self.targets
        if without is not None:
            gram, targets = gram - without.gram, targets - without.targets
        system = gram + regparam * np.eye(len(gram))
        return scipy.linalg.solve(system, targets, assume_a="pos")


def products_of(features: NDArray[np.float32]) -> NDArray[np.float32]:
    """All products of two features, those of a feature with itself included, row by row of the upper triangle."""
    first, second = np.triu_indices(features.shape[1])
    return features[:, first] * features[:, second]


def folds_of(documents: NDArray[np.int64], folds: int) -> NDArray[np.int64]:
    """The fold of each document, by its number, which is even."""
    return (documents // 2) % folds


def _blocks(examples: Examples, rows: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    places = np.flatnonzero(rows)
    for start in range(0, len(places), _BLOCK):
        some = places[start : start + _BLOCK]
        yield examples.features[some], examples.targets[some]
