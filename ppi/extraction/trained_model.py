"""The results of learners: a trained model, its quadratic part for a squared kernel, the outcome of a fold.

    k_2(x, x') = (a + (1 - a) <x, x'>)^2 = a^2 + 2 a (1 - a) <x, x'> + (1 - a)^2 <x, x'>^2

A model over k_2 is a constant, a linear function of x, and

    q(x) = sum_i b_i <x_i, x>^2

over the training pairs x_i: it cannot be reduced to one weight per feature, but it is homogeneous of degree two, so it
splits over the features as exactly as a linear function does: q(x) = <v(x), x> with v(x) = sum_i b_i <x_i, x> x_i,
which is half its gradient (Euler).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

#: a of the squared kernel: what two pairs without a feature in common have in common.
CONSTANT_WEIGHT = 0.3
#: Rows that are scored at a time, for the sake of memory.
_BATCH_ROWS = 512


def square_kernel(K: NDArray[np.float64]) -> NDArray[np.float64]:
    """k_2 from <x, x'>, in place."""
    K *= 1.0 - CONSTANT_WEIGHT
    K += CONSTANT_WEIGHT
    return np.square(K, out=K)


@dataclass(frozen=True)
class QuadraticModel:
    """q: the training pairs' features as rows, and their coefficients b."""

    rows: sp.csr_matrix
    coefficients: NDArray[np.float64]

    @classmethod
    def from_dual(cls, X: sp.csr_matrix, coefficients: NDArray[np.float64]) -> QuadraticModel:
        """The part of sum_i a_i k_2(x_i, x) that is of degree two; rows whose coefficient is 0 are left out."""
        (used,) = np.nonzero(coefficients)
        return cls(sp.csr_matrix(X[used]), (1.0 - CONSTANT_WEIGHT) ** 2 * coefficients[used])

    def scores(self, X: sp.csr_matrix) -> NDArray[np.float64]:
        """q of each row."""
        from kernels import linear_gram

        starts = range(0, X.shape[0], _BATCH_ROWS)
        parts = [
            np.square(linear_gram(X[start : start + _BATCH_ROWS], self.rows)) @ self.coefficients for start in starts
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def weights(self, x: sp.csr_matrix) -> NDArray[np.float64]:
        """v(x), for one row."""
        products = np.asarray((self.rows @ x.T).todense()).ravel()
        return np.asarray(self.rows.T @ (self.coefficients * products)).ravel()

    def state(self) -> dict[str, NDArray[Any]]:
        """Plain arrays, for a model file."""
        return {
            "support.data": self.rows.data,
            "support.indices": self.rows.indices.astype(np.uint32),
            "support.indptr": self.rows.indptr.astype(np.uint64),
            "support.coefficients": self.coefficients,
        }

    @classmethod
    def restore(cls, arrays: Mapping[str, NDArray[Any]], n_features: int) -> QuadraticModel:
        """What :meth:`state` gave; ValueError if the arrays are not rows over ``n_features`` features."""
        names = ("data", "indices", "indptr", "coefficients")
        data, indices, indptr, coefficients = (arrays[f"support.{name}"] for name in names)
        rows, ends = len(coefficients), indptr.astype(np.int64)
        is_consistent = indices.dtype.kind == indptr.dtype.kind == "u" and len(indices) == len(data)
        is_consistent = is_consistent and len(ends) == rows + 1 and ends[0] == 0 and ends[-1] == len(data)
        if not is_consistent or np.any(np.diff(ends) < 0) or np.any(indices >= n_features):
            raise ValueError(f"expected {rows} support rows over {n_features} features, got arrays that are not")
        if not all(array.dtype.kind == "f" and np.isfinite(array).all() for array in (data, coefficients)):
            raise ValueError("expected support rows and coefficients of finite numbers, got others")
        matrix = sp.csr_matrix((data, indices.astype(np.int64), ends), shape=(rows, n_features))
        return cls(matrix, coefficients.astype(np.float64))


@dataclass(frozen=True)
class TrainedModel:
    """A function over the design's features, what was chosen for it, and how it did without each document.

    ``held_out`` are the scores of the training examples by models that did not see their documents; ``quadratic`` is
    what a squared kernel keeps of them.
    """

    weights: np.ndarray
    intercept: float
    regparam: float
    threshold: float
    training_auc: float
    held_out: np.ndarray
    quadratic: QuadraticModel | None = None

    def scores(self, X: sp.csr_matrix) -> np.ndarray:
        """The score of each row."""
        linear = np.asarray(X @ self.weights).ravel() + self.intercept
        return linear if self.quadratic is None else linear + self.quadratic.scores(X)


@dataclass(frozen=True)
class FoldOutcome:
    """What one outer fold chose on its training part, and its scores of the test part.

    ``training`` and ``held_out`` are the rows of the training part and their scores by models without their group, for
    choosing another threshold; empty where a learner does not report them.
    """

    test: np.ndarray
    scores: np.ndarray
    regparam: float
    threshold: float
    training: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    held_out: np.ndarray = field(default_factory=lambda: np.zeros(0))
