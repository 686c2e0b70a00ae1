"""Products with a kernel matrix that need not be there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator

from learners._kernel import Kernel, KernelOptions, compute_kernel, is_kernel
from learners.errors import KernelError

_CHUNK_ELEMENTS = 1 << 22  # kernel values computed at a time where the matrix is not kept: 32 MB


def kernel_products(
    kernel: Kernel, options: KernelOptions, X: Any, Y: Any, *, low_memory: bool
) -> Callable[[np.ndarray], np.ndarray]:
    """From v to K v, K_ij = k(x_i, y_j) for the rows of X and of Y.

    With ``low_memory`` K is computed anew, some rows at a time, for every product.  A precomputed K may be a
    :class:`~scipy.sparse.linalg.LinearOperator`; of Y only the number of rows is then looked at.
    """
    if isinstance(X, LinearOperator):
        _check_operator(X, kernel, Y.shape[0])
        return lambda v: np.asarray(X @ v)
    if is_kernel(kernel, "linear"):
        return lambda v: np.asarray(X @ (Y.T @ v))
    if low_memory and not is_kernel(kernel, "precomputed"):
        rows = max(1, _CHUNK_ELEMENTS // Y.shape[0])
        starts = range(0, X.shape[0], rows)
        return lambda v: np.concatenate([compute_kernel(kernel, X[i : i + rows], Y, options) @ v for i in starts])
    K = compute_kernel(kernel, X, Y, options)
    return lambda v: K @ v


def _check_operator(operator: LinearOperator, kernel: Kernel, n_columns: int) -> None:
    if not is_kernel(kernel, "precomputed"):
        raise KernelError(
            f"expected kernel='precomputed' with a LinearOperator, got kernel={kernel!r}; an operator is the kernel "
            "matrix itself"
        )
    if operator.shape[1] != n_columns:
        raise KernelError(
            f"expected a LinearOperator with one column for each of the {n_columns} training examples, got shape "
            f"{operator.shape!r}; give the kernel between the examples to predict and those of fit"
        )


class KroneckerKernel(LinearOperator):
    """The kernel of pairs (a, b): k((a, b), (a', b')) = A[a, a'] B[b, b'], for the pairs that there are.

    v is put into a matrix V with a row for each a and a column for each b, A V B^T is computed, and read at the pairs
    again: O(n_a n_b (n_a + n_b)), where the matrix would have up to (n_a n_b)^2 entries.  For conditional ranking,
    where the first of a pair is the query, and for preferences of people over things [Airola2010, sec. 5].

    Parameters
    ----------
    A : ndarray of shape (n_a, n_a')
        The kernel of the first members: rows for the pairs of ``rows``, columns for those of ``columns``.
    B : ndarray of shape (n_b, n_b')
        That of the second members.
    rows, columns : tuple of two integer arrays
        For each pair the place of its members in A and in B; ``columns`` are the training pairs, ``rows`` the same
        or new ones.

    Examples
    --------
    >>> import numpy as np
    >>> A, B = np.array([[1.0, 0.5], [0.5, 2.0]]), np.array([[1.0, 0.2], [0.2, 1.0]])
    >>> pairs = (np.array([0, 0, 1]), np.array([0, 1, 1]))
    >>> K = KroneckerKernel(A, B, pairs, pairs)
    >>> K @ np.array([1.0, 0.0, 1.0])
    array([1.1, 0.7, 2.1])
    """

    def __init__(
        self,
        A: np.ndarray,
        B: np.ndarray,
        rows: tuple[np.ndarray, np.ndarray],
        columns: tuple[np.ndarray, np.ndarray],
    ):
        self.A, self.B = np.asarray(A, dtype=float), np.asarray(B, dtype=float)
        self.rows, self.columns = ((np.asarray(a), np.asarray(b)) for a, b in (rows, columns))
        super().__init__(np.dtype(float), (len(self.rows[0]), len(self.columns[0])))

    def _matvec(self, v: np.ndarray) -> np.ndarray:
        V = np.zeros((self.A.shape[1], self.B.shape[1]))
        np.add.at(V, self.columns, np.ravel(v))
        product: np.ndarray = (self.A @ V @ self.B.T)[self.rows]
        return product

    def _adjoint(self) -> KroneckerKernel:
        return KroneckerKernel(self.A.T, self.B.T, self.columns, self.rows)
