"""One eigendecomposition of an RLS problem, and everything that can be read off it.

Write S for the diagonal matrix of example weights and Y~ = S^1/2 Y, K~ = S^1/2 K S^1/2. For every regparam
the hold-out computations need the same two things, a symmetric positive definite matrix B and Z = B Y~:

======  ==================================  =========================  ======================
form    decomposition                       B                          cost
======  ==================================  =========================  ======================
dual    K~ = F diag(e) F^T                  F diag(1 / (e + regparam)) F^T     O(m^3)
primal  X~^T X~ = V diag(e) V^T, F = X~ V   I - F diag(1 / (e + regparam)) F^T O(m n^2 + n^3)
======  ==================================  =========================  ======================

The dual B is (K~ + regparam I)^-1, so Z holds the dual coefficients [thesis, eq. 2.14]; the primal B is the
residual matrix I - hat, regparam times the dual one, so Z holds the residuals. Removing the examples U from
the training set leaves f(X_U) = Y_U - B_UU^-1 Z_U [Pahikkala2006, hold-out for RLS; thesis, sec. 2.7]:
in the full solution B Y~ = Z, block elimination of the rest shows that B_UU^-1 Z_U is what is left of Y_U
once the model trained on the rest has predicted it. Any constant factor of B cancels.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.linalg import eigh

from learners.errors import KernelError

_CHUNK = 1 << 18  # elements of a scratch array that still sits in cache


@dataclass(frozen=True)
class SpectralForm:
    """The decomposition, the weighted targets and the weights' square roots."""

    form: Literal["dual", "primal"]
    rows: np.ndarray  # F, (m, p)
    eigenvalues: np.ndarray  # e, (p,)
    targets: np.ndarray  # Y~, (m, k)
    weight_roots: np.ndarray  # diagonal of S^1/2, (m,)
    eigenvectors: np.ndarray | None  # V of the primal form; the dual form has it in rows

    def filters(self, regparams: np.ndarray) -> np.ndarray:
        """1 / (e + regparam), shape (n_regparams, p)."""
        shifted = self.eigenvalues + regparams[:, np.newaxis]
        if np.any(shifted <= 0):
            worst = int(np.argmin(regparams))
            raise KernelError(
                f"the kernel matrix has the eigenvalue {self.eigenvalues.min():.3g}, so adding "
                f"regparam={regparams[worst]:.3g} does not make it positive definite; the kernel must be "
                "positive semidefinite up to rounding, try a larger regparam"
            )
        return 1.0 / shifted

    def spectral_targets(self) -> np.ndarray:
        """F^T Y~, (p, k)."""
        return self.rows.T @ self.targets

    def residuals(self, filters: np.ndarray) -> np.ndarray:
        """Z = B Y~ for each regparam, (n_regparams, m, k)."""
        solution = apply_filtered(self.rows, filters, self.spectral_targets())
        return solution if self.form == "dual" else self.targets - solution

    def blocks(self, indices: np.ndarray, filters: np.ndarray) -> np.ndarray:
        """B restricted to ``indices`` for each regparam, (n_regparams, u, u)."""
        grams = filtered_grams(self.rows[indices], filters)
        return grams if self.form == "dual" else np.eye(len(indices)) - grams

    def kernel_block(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """K~ between two sets of training examples, rebuilt from the decomposition."""
        weighted = self.rows[left] * self.eigenvalues if self.form == "dual" else self.rows[left]
        return weighted @ self.rows[right].T


def decompose_dual(K: np.ndarray, targets: np.ndarray, weight_roots: np.ndarray) -> SpectralForm:
    """Eigendecomposition of the weighted kernel matrix: O(m^3)."""
    weighted = K * weight_roots[:, np.newaxis] * weight_roots
    eigenvalues, eigenvectors = eigh(weighted, overwrite_a=True, check_finite=False)
    weighted_targets = targets * weight_roots[:, np.newaxis]
    return SpectralForm("dual", eigenvectors, eigenvalues, weighted_targets, weight_roots, None)


def decompose_primal(X: Any, targets: np.ndarray, weight_roots: np.ndarray) -> SpectralForm:
    """Eigendecomposition of the weighted n x n scatter matrix: O(m n^2 + n^3); ``X`` may be sparse."""
    if hasattr(X, "toarray"):
        weighted = X.multiply(weight_roots[:, np.newaxis]).tocsr()
        scatter = (weighted.T @ weighted).toarray()
    else:
        weighted = X * weight_roots[:, np.newaxis]
        scatter = weighted.T @ weighted
    eigenvalues, eigenvectors = eigh(scatter, overwrite_a=True, check_finite=False)
    rows = np.asarray(weighted @ eigenvectors)
    weighted_targets = targets * weight_roots[:, np.newaxis]
    return SpectralForm("primal", rows, eigenvalues, weighted_targets, weight_roots, eigenvectors)


def apply_filtered(rows: np.ndarray, filters: np.ndarray, right: np.ndarray) -> np.ndarray:
    """``rows @ diag(filters[l]) @ right`` for every l as one product, (n_regparams, len(rows), k)."""
    p, k = right.shape
    stacked = filters.T[:, :, np.newaxis] * right[:, np.newaxis, :]
    product = rows @ stacked.reshape(p, len(filters) * k)
    return product.reshape(len(rows), len(filters), k).transpose(1, 0, 2)


def filtered_grams(rows: np.ndarray, filters: np.ndarray) -> np.ndarray:
    """``rows @ diag(filters[l]) @ rows.T`` for every l, (n_regparams, u, u).

    A small block is cheapest as the products of all pairs of rows, formed once, times all filters: half the
    arithmetic, and no scaled copy of the rows for each regparam.
    """
    u, n_filters = len(rows), len(filters)
    if u >= 2 * n_filters:
        return np.stack([(rows * scale) @ rows.T for scale in filters])
    first, second = np.triu_indices(u)
    values = filtered_dots(rows, first, second, filters)
    grams = np.empty((n_filters, u, u))
    grams[:, first, second] = values
    grams[:, second, first] = values
    return grams


def filtered_dots(rows: np.ndarray, first: np.ndarray, second: np.ndarray, filters: np.ndarray) -> np.ndarray:
    """Sum over p of ``rows[first] * rows[second] * filters[l]`` for every l, (n_regparams, len(first))."""
    values = np.empty((len(filters), len(first)))
    step = max(1, _CHUNK // rows.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        values[:, part] = filters @ (rows[first[part]] * rows[second[part]]).T
    return values
