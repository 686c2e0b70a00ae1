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

With a free intercept (:mod:`learners._intercept`) the dual form has one eigenpair less; the primal one has w^ as one
more column of F, whose filter is 1 for every regparam.
"""

from typing import Any, NamedTuple

import numpy as np

from learners._eigen import eigen
from learners._intercept import centre_rows, unit_direction
from learners._kernel import Form
from learners.errors import KernelError

_CHUNK_ELEMENTS = 1 << 18  # of a scratch array that still sits in cache


class SpectralForm(NamedTuple):
    """The decomposition, the weighted targets and the weights' square roots."""

    form: Form
    rows: np.ndarray  # F, (m, p), in the primal form with an intercept followed by w^
    eigenvalues: np.ndarray  # e, (p,), ascending
    targets: np.ndarray  # Y~, (m, k)
    weight_roots: np.ndarray  # diagonal of S^1/2, (m,)
    eigenvectors: np.ndarray | None  # V of the primal form; the dual form has it in rows
    has_intercept: bool

    @property
    def features(self) -> np.ndarray:
        """F without w^, (m, p)."""
        return self.rows[:, : len(self.eigenvalues)]

    @property
    def n_samples(self) -> int:
        """m."""
        return len(self.rows)

    @property
    def rank(self) -> int:
        """p: how many examples a hold-out can have and still be cheaper to take out than to train without."""
        n_columns: int = self.rows.shape[1]
        return n_columns

    def filters(self, regparams: np.ndarray) -> np.ndarray:
        """1 / (e + regparam), and 1 for w^: one for each column of ``rows``."""
        filters = spectral_filters(self.eigenvalues, regparams)
        return with_ones(filters) if self.rows.shape[1] > len(self.eigenvalues) else filters

    @property
    def centred_targets(self) -> np.ndarray:
        """P Y~ with an intercept, else Y~: F is orthogonal to w^ up to rounding only, which a great mean would show."""
        return centre_rows(self.targets, unit_direction(self.weight_roots)) if self.has_intercept else self.targets

    def residuals(self, regparams: np.ndarray) -> np.ndarray:
        """Z = B Y~ for each regparam, (n_regparams, m, k)."""
        targets = self.centred_targets
        # F diag(filters) F^T Y~: the dual coefficients, or the primal predictions
        solution = apply_filters(self.rows, self.filters(regparams), self.rows.T @ targets)
        return solution if self.form == "dual" else targets - solution

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """Weights of the features (primal) or of the examples (dual), (n_regparams, n or m, k)."""
        if self.eigenvectors is not None:  # w = V diag(filters) V^T X~^T Y~ [thesis, eq. 2.13]
            filters = spectral_filters(self.eigenvalues, regparams)
            return apply_filters(self.eigenvectors, filters, self.features.T @ self.centred_targets)
        # f = sum_i a_i k(x_i, .) with a = S^1/2 (K~ + regparam I)^-1 Y~ [thesis, eq. 2.14].
        a: np.ndarray = self.residuals(regparams) * self.weight_roots[:, np.newaxis]
        return a

    def diagonals(self, regparams: np.ndarray) -> np.ndarray:
        """The diagonal of B for each regparam, (n_regparams, m)."""
        diagonal: np.ndarray = self.filters(regparams) @ np.square(self.rows).T
        if self.form == "primal":
            diagonal = 1.0 - diagonal
        return diagonal

    def entries(self, first: np.ndarray, second: np.ndarray, regparams: np.ndarray) -> np.ndarray:
        """B at pairs of different examples for each regparam, (n_regparams, n_pairs): O(p) each."""
        values = compute_filtered_dots(self.rows, first, second, self.filters(regparams))
        return values if self.form == "dual" else -values  # off the diagonal of I - F diag(filters) F^T

    def blocks(self, indices: np.ndarray, regparams: np.ndarray) -> np.ndarray:
        """B restricted to ``indices`` for each regparam, (n_regparams, u, u)."""
        grams = compute_filtered_grams(self.rows[indices], self.filters(regparams))
        return grams if self.form == "dual" else np.eye(len(indices)) - grams

    def inverse(self, regparam: float) -> np.ndarray:
        """The whole of B for one regparam, (m, m): O(m^2 p)."""
        # (F diag(filters)^1/2) times its transpose
        half = self.rows * np.sqrt(self.filters(np.array([regparam]))[0])
        B: np.ndarray = half @ half.T  # one triangle is computed, the other copied
        if self.form == "primal":
            B = np.eye(len(B)) - B
        return B

    def kernel_block(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """K~ between two sets of training examples, rebuilt from the decomposition; centred with an intercept."""
        # K~ = F diag(e) F^T, or X~ X~^T = X~ V V^T X~^T = F F^T
        weighted = self.rows[left] * self.eigenvalues if self.form == "dual" else self.rows[left]
        block: np.ndarray = weighted @ self.rows[right].T
        return block


def spectral_filters(eigenvalues: np.ndarray, regparams: np.ndarray) -> np.ndarray:
    """1 / (e + regparam), shape (n_regparams, p); refuses kernels that are not positive semidefinite."""
    shifted = eigenvalues + regparams[:, np.newaxis]
    if np.any(shifted <= 0):
        raise KernelError(
            f"expected a kernel matrix that is positive semidefinite up to rounding, got one with the eigenvalue "
            f"{eigenvalues.min():.3g}: adding regparam={regparams.min():.3g} does not make it positive definite; "
            "try a larger regparam"
        )
    filters: np.ndarray = 1.0 / shifted
    return filters


def with_ones(filters: np.ndarray) -> np.ndarray:
    """Filters for one column more, that of w^."""
    return np.hstack([filters, np.ones((len(filters), 1))])


def weight_kernel(K: np.ndarray, weight_roots: np.ndarray) -> np.ndarray:
    """K~ = S^1/2 K S^1/2, a matrix of its own."""
    weighted: np.ndarray = K * weight_roots[:, np.newaxis] * weight_roots
    return weighted


class WeightedFeatures:
    """X~ = S^1/2 X, or P X~ with an intercept: a sparse X~ stays so, and products leave out what P takes from it."""

    def __init__(self, X: Any, weight_roots: np.ndarray, *, centre: bool):
        self._direction = unit_direction(weight_roots)
        self._means = None  # w^T X~ of a sparse X~ that is to be centred
        if hasattr(X, "toarray"):
            self._matrix = X.multiply(weight_roots[:, np.newaxis]).tocsr()
            if centre:
                self._means = self._matrix.T @ self._direction
        else:
            self._matrix = X * weight_roots[:, np.newaxis]
            if centre:
                self._matrix = centre_rows(self._matrix, self._direction)

    def scatter(self) -> np.ndarray:
        """X~^T X~, dense: O(m n^2)."""
        scatter = self._matrix.T @ self._matrix
        dense: np.ndarray = scatter.toarray() if hasattr(scatter, "toarray") else scatter
        if (
            self._means is not None
        ):  # (P X~)^T P X~ = X~^T X~ - (X~^T w^) (X~^T w^)^T, as P = I - w^ w^T is its own square
            dense = dense - np.outer(self._means, self._means)
        return dense

    def dot(self, V: np.ndarray) -> np.ndarray:
        """X~ V."""
        product = np.asarray(self._matrix @ V)
        return product if self._means is None else product - np.outer(self._direction, self._means @ V)

    def transpose_dot(self, Y: np.ndarray) -> np.ndarray:
        """X~^T Y."""
        product = np.asarray(self._matrix.T @ Y)
        return product if self._means is None else product - np.outer(self._means, self._direction @ Y)


def decompose_dual(
    weighted_kernel: np.ndarray, targets: np.ndarray, weight_roots: np.ndarray, *, has_intercept: bool
) -> SpectralForm:
    """Eigendecomposition of K~, or of P K~ P + c w^ w^T without the last pair; it is overwritten: O(m^3)."""
    eigenvalues, eigenvectors = eigen(weighted_kernel, overwrite=True)
    if has_intercept:  # c lies above the eigenvalues of P K~ P, so that the last pair is (c, w^)
        eigenvalues, eigenvectors = eigenvalues[:-1], eigenvectors[:, :-1]
    return SpectralForm("dual", eigenvectors, eigenvalues, targets, weight_roots, None, has_intercept)


def decompose_primal(
    features: WeightedFeatures, targets: np.ndarray, weight_roots: np.ndarray, *, has_intercept: bool
) -> SpectralForm:
    """Eigendecomposition of the n x n scatter matrix X~^T X~: O(m n^2 + n^3)."""
    # hat = X~ (X~^T X~ + regparam I)^-1 X~^T = F diag(1 / (e + regparam)) F^T with F = X~ V
    eigenvalues, eigenvectors = eigen(features.scatter(), overwrite=True)
    rows = features.dot(eigenvectors)
    if has_intercept:
        rows = np.column_stack([rows, unit_direction(weight_roots)])
    return SpectralForm("primal", rows, eigenvalues, targets, weight_roots, eigenvectors, has_intercept)


def apply_filters(rows: np.ndarray, filters: np.ndarray, right: np.ndarray) -> np.ndarray:
    """``rows @ diag(filters[l]) @ right`` for every l as one product, (n_regparams, len(rows), k)."""
    p, k = right.shape
    # stacked[p, l, :] = filters[l, p] right[p, :]: one BLAS call for all regparams
    stacked = filters.T[:, :, np.newaxis] * right[:, np.newaxis, :]
    product = rows @ stacked.reshape(p, len(filters) * k)
    filtered: np.ndarray = product.reshape(len(rows), len(filters), k).transpose(1, 0, 2)
    return filtered


def compute_filtered_grams(rows: np.ndarray, filters: np.ndarray) -> np.ndarray:
    """``rows @ diag(filters[l]) @ rows.T`` for every l, (n_regparams, u, u).

    A small block is cheapest as the products of all pairs of rows, formed once, times all filters: half the
    arithmetic, and no scaled copy of the rows for each regparam.
    """
    u, n_filters = len(rows), len(filters)
    if u >= 2 * n_filters:
        return np.stack([(rows * scale) @ rows.T for scale in filters])
    # u (u + 1) / 2 products of rows in place of n_regparams copies of all u
    first, second = np.triu_indices(u)
    values = compute_filtered_dots(rows, first, second, filters)
    grams = np.empty((n_filters, u, u))
    grams[:, first, second] = values
    grams[:, second, first] = values
    return grams


def compute_filtered_dots(rows: np.ndarray, first: np.ndarray, second: np.ndarray, filters: np.ndarray) -> np.ndarray:
    """Sum over p of ``rows[first] * rows[second] * filters[l]`` for every l, (n_regparams, len(first))."""
    values = np.empty((len(filters), len(first)))
    step = max(1, _CHUNK_ELEMENTS // rows.shape[1])
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        values[:, part] = filters @ (rows[first[part]] * rows[second[part]]).T
    return values
