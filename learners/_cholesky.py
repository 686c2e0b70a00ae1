"""One value of regparam without an eigendecomposition: a Cholesky factorization, and the inverse it gives.

For m examples the factorization takes m^3 / 3 multiplications, the inverse m^3, an eigendecomposition some ten times
the first: that pays from the third value on, and each further one then costs O(m^2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from learners._kernel import Form
from learners.errors import KernelError

#: For so many values of regparam inverses are cheaper than one eigendecomposition.
MAX_CHOLESKY_REGPARAMS = 2
_MIRROR_ROWS = 256  # copied at a time when a triangle is mirrored: a block of that many rows and columns fits in cache


class InverseCache:
    """Whether a problem was asked for so few values of regparam, until now, that solving each is cheaper.

    Keeps the inverses that were made: the same question again costs O(m^2), and has the same answer to the last bit.
    """

    def __init__(self) -> None:
        self._regparams: set[float] = set()
        self._inverses: dict[float, np.ndarray] = {}

    def is_cheaper_for(self, regparams: np.ndarray) -> bool:
        """Count these, too."""
        self._regparams.update(regparams.tolist())
        if len(self._regparams) > MAX_CHOLESKY_REGPARAMS:
            self._inverses.clear()
        return len(self._regparams) <= MAX_CHOLESKY_REGPARAMS

    def inverse(self, regparam: float, invert: Callable[[float], np.ndarray]) -> np.ndarray | None:
        """What ``invert`` makes of this regparam; None if its matrix is not positive definite by Cholesky."""
        if regparam not in self._inverses:
            try:
                self._inverses[regparam] = invert(regparam)
            except KernelError:
                return None
        return self._inverses[regparam]


def solve_each(A: np.ndarray, regparams: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """The solutions for every regparam, (n_regparams, m, k); None if one is not positive definite by its Cholesky
    factorization, which eigenvalues can tell better."""
    try:
        return np.stack([solve_regularized(A, regparam, right) for regparam in regparams])
    except KernelError:
        return None


def solve_regularized(A: np.ndarray, regparam: float, right: np.ndarray) -> np.ndarray:
    """(A + regparam I)^-1 right for a symmetric A, which is kept: m^3 / 3 operations."""
    factor = _factor(A, regparam, np.empty_like(A, order="F"))
    solution: np.ndarray
    solution, _ = lapack.dpotrs(factor, np.asfortranarray(right), lower=1)
    return solution


def invert_regularized(A: np.ndarray, regparam: float, out: np.ndarray | None = None) -> np.ndarray:
    """(A + regparam I)^-1 by Cholesky, in ``out`` (Fortran order): m^3 operations."""
    factor = _factor(A, regparam, np.empty_like(A, order="F") if out is None else out)
    inverse: np.ndarray
    inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    _mirror_lower(inverse)
    return inverse


class InverseForm(NamedTuple):
    """The dual B for one regparam; :class:`~learners._spectral.SpectralForm` is for many.

    The methods take that one regparam, as an array, for the sake of callers that have several.
    """

    kernel: np.ndarray  # K~, (m, m), or with an intercept P K~ P + c w^ w^T
    B: np.ndarray  # (m, m)
    targets: np.ndarray  # Y~, (m, k)
    weight_roots: np.ndarray  # diagonal of S^1/2, (m,)
    has_intercept: bool
    form: Form = "dual"

    @property
    def n_samples(self) -> int:
        """m."""
        return len(self.B)

    @property
    def rank(self) -> int:
        """m: no hold-out is too large for the inverse."""
        return len(self.B)

    def residuals(self, regparams: np.ndarray) -> np.ndarray:
        """Z = B Y~, (1, m, k)."""
        Z: np.ndarray = (self.B @ self.targets)[np.newaxis]
        return Z

    def diagonals(self, regparams: np.ndarray) -> np.ndarray:
        """The diagonal of B, (1, m)."""
        return np.diagonal(self.B)[np.newaxis]

    def entries(self, first: np.ndarray, second: np.ndarray, regparams: np.ndarray) -> np.ndarray:
        """B at pairs of examples, (1, n_pairs)."""
        entries: np.ndarray = self.B[first, second][np.newaxis]
        return entries

    def blocks(self, indices: np.ndarray, regparams: np.ndarray) -> np.ndarray:
        """B restricted to ``indices``, (1, u, u)."""
        blocks: np.ndarray = self.B[np.ix_(indices, indices)][np.newaxis]
        return blocks

    def inverse(self, regparam: float) -> np.ndarray:
        """B."""
        return self.B

    def kernel_block(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """K~ between two sets of training examples."""
        block: np.ndarray = self.kernel[np.ix_(left, right)]
        return block


def _factor(A: np.ndarray, regparam: float, workspace: np.ndarray) -> np.ndarray:
    """The lower triangle L of A + regparam I = L L^T, in ``workspace``; above it is whatever was there."""
    workspace[...] = A.T  # symmetric; the transpose has the order of ``workspace``
    workspace[np.diag_indices_from(workspace)] += regparam
    factor: np.ndarray
    factor, info = lapack.dpotrf(workspace, lower=1, clean=0, overwrite_a=1)
    if info != 0:
        raise KernelError(
            f"expected a kernel matrix that is positive semidefinite up to rounding, got one that is not positive "
            f"definite with regparam={regparam:.3g} added; try a larger regparam"
        )
    return factor


def _mirror_lower(A: np.ndarray) -> None:
    """Copy the lower triangle to the upper one, block by block."""
    for start in range(0, len(A), _MIRROR_ROWS):
        stop = min(start + _MIRROR_ROWS, len(A))
        A[start:stop, stop:] = A[stop:, start:stop].T
        corner = A[start:stop, start:stop]
        corner[...] = np.tril(corner) + np.tril(corner, -1).T
