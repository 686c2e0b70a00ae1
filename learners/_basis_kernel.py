"""The kernel between examples and the basis vectors of a reduced set, as every reduced-set learner needs it."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from learners._validation import Kernel, check_basis, check_regparam, compute_kernel
from learners.errors import BasisError, KernelError


class BasisKernel:
    """Chooses ``basis_`` and evaluates the kernel against it.

    A learner has the parameters ``kernel``, ``n_basis``, ``basis``, ``rank_tol`` and ``random_state``.
    """

    kernel: Kernel
    n_basis: int
    basis: Any
    rank_tol: float | None
    random_state: Any

    def _training_kernel(self, X: Any) -> np.ndarray:
        """Choose the basis and return K_MR."""
        self.basis_ = self._choose_basis(X.shape[0])
        if self._is("precomputed"):
            self._check_precomputed_shape(X)
        self._X_basis = None if self._is("precomputed") else X[self.basis_]
        return self._basis_kernel(X, self._X_basis)

    def _choose_basis(self, n_samples: int) -> np.ndarray:
        if self.basis is not None:
            return check_basis(self.basis, n_samples)
        if isinstance(self.n_basis, bool) or not isinstance(self.n_basis, int | np.integer) or self.n_basis < 1:
            raise BasisError(f"n_basis must be a positive integer, got {self.n_basis!r}; try n_basis=1000")
        r = min(int(self.n_basis), n_samples)
        return np.sort(check_random_state(self.random_state).permutation(n_samples)[:r])

    def _basis_kernel(self, X: Any, X_basis: Any) -> np.ndarray:
        """Kernel between the rows of X and the basis vectors."""
        if not self._is("precomputed"):
            return compute_kernel(self.kernel, X, X_basis)
        K = compute_kernel("precomputed", X, np.empty((X.shape[1], 0)))
        return K[:, self.basis_] if self._whole_kernel else K

    def _check_precomputed_shape(self, X: Any) -> None:
        m, columns = X.shape
        self._whole_kernel = m == columns
        if not self._whole_kernel and (self.basis is None or columns != len(self.basis_)):
            raise KernelError(
                f"a precomputed kernel of {m} training examples must have shape {(m, m)!r}, or one column for "
                f"each of the basis vectors given as basis=, got {X.shape!r}"
            )

    def _rank_tolerance(self) -> float:
        if self.rank_tol is None:
            return len(self.basis_) * float(np.finfo(np.float64).eps)
        return check_regparam(self.rank_tol, name="rank_tol")

    def _is(self, kernel: str) -> bool:
        return isinstance(self.kernel, str) and self.kernel == kernel
