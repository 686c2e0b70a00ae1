"""What a squared kernel keeps of its training pairs, and the model that is made of it.

    k_2(x, x') = (a + (1 - a) <x, x'>)^2 = a^2 + 2 a (1 - a) <x, x'> + (1 - a)^2 <x, x'>^2

A model over k_2 is a constant, a linear function of x, and

    q(x) = sum_i b_i <x_i, x>^2

over the training pairs x_i: it cannot be folded into one weight per feature, but it is homogeneous of degree two, so it
splits over the features as exactly as a linear function does: q(x) = <v(x), x> with v(x) = sum_i b_i <x_i, x> x_i,
which is half its gradient (Euler).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from kernels import linear_gram

#: a of the squared kernel: what two pairs without a feature in common have in common.
SHARED = 0.3
#: Rows that are scored at a time, for the sake of memory.
_BATCH = 512


def squared(K: NDArray[np.float64]) -> NDArray[np.float64]:
    """k_2 from <x, x'>, in place."""
    K *= 1.0 - SHARED
    K += SHARED
    return np.square(K, out=K)


@dataclass(frozen=True)
class Support:
    """q: the training pairs' features as rows, and their coefficients b."""

    rows: sp.csr_matrix
    coefficients: NDArray[np.float64]

    @classmethod
    def of_dual(cls, X: sp.csr_matrix, coefficients: NDArray[np.float64]) -> Support:
        """The part of sum_i a_i k_2(x_i, x) that is of degree two; rows whose coefficient is 0 are left out."""
        (used,) = np.nonzero(coefficients)
        return cls(sp.csr_matrix(X[used]), (1.0 - SHARED) ** 2 * coefficients[used])

    def scores(self, X: sp.csr_matrix) -> NDArray[np.float64]:
        """q of each row."""
        parts = [
            np.square(linear_gram(X[start : start + _BATCH], self.rows)) @ self.coefficients
            for start in range(0, X.shape[0], _BATCH)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def weights(self, x: sp.csr_matrix) -> NDArray[np.float64]:
        """v(x), for one row."""
        products = np.asarray((self.rows @ x.T).todense()).ravel()
        return np.asarray(self.rows.T @ (self.coefficients * products)).ravel()
