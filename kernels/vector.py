"""Kernels of vectors as objects that can be called, added, multiplied and normalized [thesis, 2.6].

    linear       k(x, z) = <x, z>
    polynomial   k(x, z) = (scale <x, z> + offset)^degree          (2.9)
    Gaussian     k(x, z) = exp(-gamma ||x - z||^2)                 (2.10)

``k(X)`` and ``k(X, Y)`` give the matrix of all values, for dense arrays and scipy sparse matrices alike;
sparse matrices go through :func:`kernels.linear_gram`.  ``k.diag(X)`` gives k(x, x) alone, in O(non-zeros).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from kernels.errors import ParameterError
from kernels.gram import linear_gram
from kernels.validation import check_matrix, check_number, inverse_root, squared_lengths


class Kernel(BaseEstimator):
    """A positive semidefinite function of two rows; ``+``, ``*`` and ``normalized()`` make new ones."""

    def __call__(self, X: Any, Y: Any = None) -> NDArray[np.float64]:
        """The values for all rows of ``X`` against all rows of ``Y`` (default: ``X``)."""
        raise NotImplementedError

    def diag(self, X: Any) -> NDArray[np.float64]:
        """k(x, x) for each row of ``X``."""
        raise NotImplementedError

    def __add__(self, other: Kernel) -> SumKernel:
        return SumKernel(self, other)

    def __mul__(self, other: Kernel | float) -> Kernel:
        return ProductKernel(self, other) if isinstance(other, Kernel) else ScaledKernel(self, other)

    __rmul__ = __mul__

    def normalized(self) -> NormalizedKernel:
        """The cosine of this kernel: k(x, z) / sqrt(k(x, x) k(z, z))."""
        return NormalizedKernel(self)


class LinearKernel(Kernel):
    """k(x, z) = <x, z>.

    >>> (LinearKernel() + 2 * LinearKernel().normalized())([[3.0, 4.0]])
    array([[27.]])
    """

    def __call__(self, X: Any, Y: Any = None) -> NDArray[np.float64]:
        """X Y^T."""
        return linear_gram(X, Y)

    def diag(self, X: Any) -> NDArray[np.float64]:
        """||x||^2."""
        return squared_lengths(X)


class PolynomialKernel(Kernel):
    """k(x, z) = (scale <x, z> + offset)^degree, with scale > 0, offset >= 0 and a whole degree of 1 or more."""

    def __init__(self, *, degree: int = 2, scale: float = 1.0, offset: float = 1.0) -> None:
        self.degree = degree
        self.scale = scale
        self.offset = offset

    def __call__(self, X: Any, Y: Any = None) -> NDArray[np.float64]:
        """The powers of X Y^T."""
        self._validate()
        return (self.scale * linear_gram(X, Y) + self.offset) ** self.degree

    def diag(self, X: Any) -> NDArray[np.float64]:
        """k(x, x)."""
        self._validate()
        return (self.scale * LinearKernel().diag(X) + self.offset) ** self.degree

    def _validate(self) -> None:
        if not isinstance(self.degree, int | np.integer) or self.degree < 1:
            raise ParameterError(f"expected degree to be an integer of 1 or more, got {self.degree!r}")
        check_number("offset", self.offset)
        check_positive("scale", self.scale)


class GaussianKernel(Kernel):
    """k(x, z) = exp(-gamma ||x - z||^2), gamma > 0."""

    def __init__(self, *, gamma: float = 1.0) -> None:
        self.gamma = gamma

    def __call__(self, X: Any, Y: Any = None) -> NDArray[np.float64]:
        """||x - z||^2 from norms and inner products, never below 0; exactly 1 for a row with itself."""
        check_positive("gamma", self.gamma)
        linear = LinearKernel()
        distances = linear(X, Y)
        distances *= -2.0
        distances += linear.diag(X)[:, None]
        distances += linear.diag(X if Y is None else Y)[None, :]
        if Y is None:
            np.fill_diagonal(distances, 0.0)
        np.maximum(distances, 0.0, out=distances)
        distances *= -self.gamma
        return np.exp(distances, out=distances)

    def diag(self, X: Any) -> NDArray[np.float64]:
        """Ones."""
        check_positive("gamma", self.gamma)
        return np.ones(check_matrix("X", X).shape[0])


class SumKernel(Kernel):
    """k1(x, z) + k2(x, z)."""

    def __init__(self, first: Kernel, second: Kernel) -> None:
        self.first = first
        self.second = second

    def __call__(self, X: Any, Y: Any = None) -> NDArray[np.float64]:
        """The sum of the two matrices."""
        return self.first(X, Y) + self.second(X, Y)

    def diag(self, X: Any) -> NDArray[np.float64]:
        """The sum of the two diagonals."""
        return self.first.diag(X) + self.second.diag(X)


class ProductKernel(Kernel):
    """k1(x, z) k2(x, z)."""

    def __init__(self, first: Kernel, second: Kernel) -> None:
        self.first = first
        self.second = second

    def __call__(self, X: Any, Y: Any = None) -> NDArray[np.float64]:
        """The elementwise product of the two matrices."""
        return self.first(X, Y) * self.second(X, Y)

    def diag(self, X: Any) -> NDArray[np.float64]:
        """The product of the two diagonals."""
        return self.first.diag(X) * self.second.diag(X)


class ScaledKernel(Kernel):
    """factor * k(x, z), factor >= 0."""

    def __init__(self, kernel: Kernel, factor: float) -> None:
        self.kernel = kernel
        self.factor = factor

    def __call__(self, X: Any, Y: Any = None) -> NDArray[np.float64]:
        """The matrix times the factor."""
        check_number("factor", self.factor)
        return self.factor * self.kernel(X, Y)

    def diag(self, X: Any) -> NDArray[np.float64]:
        """The diagonal times the factor."""
        check_number("factor", self.factor)
        return self.factor * self.kernel.diag(X)


class NormalizedKernel(Kernel):
    """k(x, z) / sqrt(k(x, x) k(z, z)); 0 where k(x, x) or k(z, z) is 0."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def __call__(self, X: Any, Y: Any = None) -> NDArray[np.float64]:
        """The cosines."""
        of_X = self.kernel.diag(X)
        return normalize_gram(self.kernel(X, Y), of_X, of_X if Y is None else self.kernel.diag(Y))

    def diag(self, X: Any) -> NDArray[np.float64]:
        """1, or 0 where k(x, x) is 0."""
        return (self.kernel.diag(X) > 0).astype(np.float64)


def normalize_gram(
    K: NDArray[np.float64],
    row_diagonal: NDArray[np.float64] | None = None,
    column_diagonal: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """K_ij / sqrt(k_ii k_jj), the cosine form of a kernel matrix; 0 where a diagonal value is 0.

    The diagonals default to that of a square ``K``; give k(x, x) of the rows and of the columns for one that
    is not.
    """
    K = np.asarray(K, dtype=np.float64)
    rows = inverse_root(np.diagonal(K) if row_diagonal is None else row_diagonal)
    columns = inverse_root(np.diagonal(K) if column_diagonal is None else column_diagonal)
    if (len(rows), len(columns)) != K.shape:
        raise ParameterError(
            f"expected diagonals of lengths {K.shape}, got {(len(rows), len(columns))}; "
            "give row_diagonal and column_diagonal for a matrix that is not square"
        )
    return rows[:, None] * K * columns


def check_positive(name: str, value: Any) -> None:
    """Refuse what is not a finite number above 0."""
    check_number(name, value)
    if value <= 0:
        raise ParameterError(f"expected {name} above 0, got {value!r}")
