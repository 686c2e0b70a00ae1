"""One eigendecomposition of an RLS problem, and everything that can be read off it.

Write S for the diagonal matrix of example weights and Y~ = S^1/2 Y, K~ = S^1/2 K S^1/2, X~ = S^1/2 X. For every
regparam the hold-out computations need the same two things, a symmetric positive definite matrix B and Z = B Y~:

======  ==================================  ==================================  ==============
form    decomposition                       B                                   cost
======  ==================================  ==================================  ==============
dual    K~ = F diag(e) F^T                  F diag(1 / (e + regparam)) F^T      O(m^3)
primal  X~^T X~ = V diag(e) V^T, F = X~ V   I - F diag(1 / (e + regparam)) F^T  O(m n^2 + n^3)
======  ==================================  ==================================  ==============

The dual B is (K~ + regparam I)^-1, so Z holds the dual coefficients [thesis, eq. 2.14]; the primal B is the
residual matrix I - hat, regparam times the dual one, so Z holds the residuals. Removing the examples U from
the training set leaves f(X_U) = Y_U - B_UU^-1 Z_U [Pahikkala2010, Theorem 3.1, after An2007 and Pahikkala2006]:
in the full solution B Y~ = Z, block elimination of the rest shows that B_UU^-1 Z_U is what is left of Y_U
once the model trained on the rest has predicted it. Any constant factor of B cancels.
"""

from typing import Any, NamedTuple

import numpy as np

from learners._eigen import eigen
from learners._kernel import Form
from learners.errors import KernelError

_CHUNK_ELEMENTS = 1 << 18  # of a scratch array that still sits in cache


class SpectralForm(NamedTuple):
    """The decomposition, the weighted targets and the weights' square roots."""

    form: Form
    rows: np.ndarray  # F, (m, p)
    eigenvalues: np.ndarray  # e, (p,), ascending
    targets: np.ndarray  # Y~, (m, k)
    weight_roots: np.ndarray  # diagonal of S^1/2, (m,)
    eigenvectors: np.ndarray | None  # V of the primal form; the dual form has it in rows

    @property
    def n_samples(self) -> int:
        """m."""
        return len(self.rows)

    @property
    def rank(self) -> int:
        """p: how many examples a hold-out can have and still be cheaper to take out than to train without."""
        return self.rows.shape[1]

    def filters(self, regparams: np.ndarray) -> np.ndarray:
        """1 / (e + regparam), shape (n_regparams, p)."""
        return spectral_filters(self.eigenvalues, regparams)

    def spectral_targets(self) -> np.ndarray:
        """F^T Y~, (p, k)."""
        return self.rows.T @ self.targets

    def residuals(self, regparams: np.ndarray) -> np.ndarray:
        """Z = B Y~ for each regparam, (n_regparams, m, k)."""
        solution = apply_filtered(self.rows, self.filters(regparams), self.spectral_targets())
        return solution if self.form == "dual" else self.targets - solution

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """Weights of the features (primal) or of the examples (dual), (n_regparams, n or m, k)."""
        if self.eigenvectors is not None:  # w = V diag(filters) V^T X~^T Y~ [thesis, eq. 2.13]
            return apply_filtered(self.eigenvectors, self.filters(regparams), self.spectral_targets())
        # f = sum_i a_i k(x_i, .) with a = S^1/2 (K~ + regparam I)^-1 Y~ [thesis, eq. 2.14].
        return self.residuals(regparams) * self.weight_roots[:, np.newaxis]

    def diagonals(self, regparams: np.ndarray) -> np.ndarray:
        """The diagonal of B for each regparam, (n_regparams, m)."""
        diagonal = self.filters(regparams) @ np.square(self.rows).T
        return diagonal if self.form == "dual" else 1.0 - diagonal

    def entries(self, first: np.ndarray, second: np.ndarray, regparams: np.ndarray) -> np.ndarray:
        """B at pairs of different examples for each regparam, (n_regparams, n_pairs): O(p) each."""
        values = filtered_dots(self.rows, first, second, self.filters(regparams))
        return values if self.form == "dual" else -values  # off the diagonal of I - F diag(filters) F^T

    def blocks(self, indices: np.ndarray, regparams: np.ndarray) -> np.ndarray:
        """B restricted to ``indices`` for each regparam, (n_regparams, u, u)."""
        grams = filtered_grams(self.rows[indices], self.filters(regparams))
        return grams if self.form == "dual" else np.eye(len(indices)) - grams

    def inverse(self, regparam: float) -> np.ndarray:
        """The whole of B for one regparam, (m, m): O(m^2 p)."""
        half = self.rows * np.sqrt(self.filters(np.array([regparam]))[0])
        B = half @ half.T  # one triangle is computed, the other copied
        return B if self.form == "dual" else np.eye(len(B)) - B

    def kernel_block(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """K~ between two sets of training examples, rebuilt from the decomposition."""
        weighted = self.rows[left] * self.eigenvalues if self.form == "dual" else self.rows[left]
        return weighted @ self.rows[right].T


def spectral_filters(eigenvalues: np.ndarray, regparams: np.ndarray) -> np.ndarray:
    """1 / (e + regparam), shape (n_regparams, p); refuses kernels that are not positive semidefinite."""
    shifted = eigenvalues + regparams[:, np.newaxis]
    if np.any(shifted <= 0):
        raise KernelError(
            f"expected a kernel matrix that is positive semidefinite up to rounding, got one with the eigenvalue "
            f"{eigenvalues.min():.3g}: adding regparam={regparams.min():.3g} does not make it positive definite; "
            "try a larger regparam"
        )
    return 1.0 / shifted


def weight_kernel(K: np.ndarray, weight_roots: np.ndarray) -> np.ndarray:
    """K~ = S^1/2 K S^1/2, a matrix of its own."""
    return K * weight_roots[:, np.newaxis] * weight_roots


def weight_features(X: Any, weight_roots: np.ndarray) -> Any:
    """X~ = S^1/2 X, a matrix of its own, sparse if ``X`` is."""
    if hasattr(X, "toarray"):
        return X.multiply(weight_roots[:, np.newaxis]).tocsr()
    return X * weight_roots[:, np.newaxis]


def decompose_dual(weighted_kernel: np.ndarray, targets: np.ndarray, weight_roots: np.ndarray) -> SpectralForm:
    """Eigendecomposition of K~, which is overwritten: O(m^3)."""
    eigenvalues, eigenvectors = eigen(weighted_kernel, overwrite=True)
    return SpectralForm("dual", eigenvectors, eigenvalues, targets, weight_roots, None)


def decompose_primal(weighted_features: Any, targets: np.ndarray, weight_roots: np.ndarray) -> SpectralForm:
    """Eigendecomposition of the n x n scatter matrix X~^T X~: O(m n^2 + n^3); ``X~`` may be sparse."""
    scatter = scatter_matrix(weighted_features)
    eigenvalues, eigenvectors = eigen(scatter, overwrite=True)
    rows = np.asarray(weighted_features @ eigenvectors)
    return SpectralForm("primal", rows, eigenvalues, targets, weight_roots, eigenvectors)


def scatter_matrix(weighted_features: Any) -> np.ndarray:
    """X~^T X~, dense: O(m n^2)."""
    scatter = weighted_features.T @ weighted_features
    return scatter.toarray() if hasattr(scatter, "toarray") else scatter


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
    step = max(1, _CHUNK_ELEMENTS // rows.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        values[:, part] = filters @ (rows[first[part]] * rows[second[part]]).T
    return values
