"""Regularized least squares over products of two features, from sums over documents.

With Z the products, one row per candidate, the weights solve (Z^T Z + regparam I) w = Z^T y [thesis, eq. 2.12, primal].
Z^T Z is a sum over rows: leaving out a fold of documents is a subtraction, so that cross-validation costs one solution
per fold and no second pass over the examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from lab.training.grounding.examples import Examples

Array = NDArray[np.float64]

#: Rows multiplied out at a time.
_BLOCK = 2000


class Products:
    """The products of two features of which some example has more than nothing."""

    def __init__(self, features: NDArray[np.float32]) -> None:
        held = (features != 0).astype(np.float32)
        first, second = np.triu_indices(features.shape[1])
        self._used = (held.T @ held)[first, second] > 0
        self._first, self._second = first[self._used], second[self._used]

    def of(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Their values, one row per example."""
        return features[:, self._first] * features[:, self._second]

    def spread(self, weights: Array) -> Array:
        """The weights of all products, row by row of the upper triangle: 0 for those that no example has."""
        whole = np.zeros(len(self._used))
        whole[self._used] = weights
        return whole


class Moments:
    """Z^T Z and Z^T y of some examples."""

    def __init__(self, gram: Array, targets: Array) -> None:
        self.gram = gram
        self.targets = targets

    @classmethod
    def of(cls, products: Products, examples: Examples, rows: NDArray[np.bool_]) -> Moments:
        """Those of the examples in ``rows``."""
        gram: Any = 0.0
        targets: Any = 0.0
        for features, wanted in _blocks(examples, rows):
            values = products.of(features)
            gram = gram + values.T @ values
            targets = targets + values.T @ wanted
        return cls(np.asarray(gram, np.float64), np.asarray(targets, np.float64))

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.gram + other.gram, self.targets + other.targets)

    def __sub__(self, other: Moments) -> Moments:
        return Moments(self.gram - other.gram, self.targets - other.targets)

    def weights(self, regparam: float) -> Array:
        """The solution."""
        system = self.gram.copy()
        system[np.diag_indices_from(system)] += regparam
        weights: Array = scipy.linalg.solve(system, self.targets, assume_a="pos", overwrite_a=True)
        return weights


def folds_of(documents: NDArray[np.int64], folds: int) -> NDArray[np.int64]:
    """The fold of each document, by its number, which is even."""
    return (documents // 2) % folds


def _blocks(examples: Examples, rows: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    places = np.flatnonzero(rows)
    for start in range(0, len(places), _BLOCK):
        some = places[start : start + _BLOCK]
        yield examples.features[some], examples.targets[some]
