"""One decomposition of a reduced-set RLS problem, and exact hold-outs that take their basis vectors along.

Minimising ||S^1/2 (y - K_MR a)||^2 + regparam a^T K_RR a is the linear system

    [ I            S^1/2 K_MR     ] [ e ]   [ S^1/2 y ]
    [ K_RM S^1/2   -regparam K_RR ] [ a ] = [ 0       ]

for the weighted residuals e and the coefficients a. Leaving out the examples U and the basis vectors H
deletes rows and columns of this symmetric matrix, so with its inverse B and solution z, and D = U + H,

    f(X_U) = y_U - ([B_DD]^-1 z_D)_U                                   (weighted as y~ = S^1/2 y)

by block elimination, as in :mod:`learners._spectral`. From C C^T = K_RR, Z = S^1/2 K_MR C^-T,
Z^T Z = V diag(e) V^T, F = Z V, Q = C^-T V and G = diag(1 / (e + regparam)):

    B_MM = I - F G F^T,   B_RM = Q G F^T,   B_RR = -Q G Q^T

With a free intercept (:mod:`learners._intercept`) F = P Z V, and B_MM has - w^ w^T, too: w^ is one more column of F,
whose filter is 1, beside zeros in Q. The rows of F and Q are the same functions in the coordinates w of the Nystrom
features, a = C^-T w, so the block B_DD comes from the few rows of F and Q that D names. Cost: O(m r^2 + r^3) for the
decomposition, O(|D|^2 r + |D|^3) per hold-out and regparam. The removal of basis vectors is that of [PaperIII,
Theorem 1], carried through to the predictions for all regparams at once.

References
----------
.. [PaperIII] A. Airola, T. Pahikkala, T. Salakoski. On learning and cross-validation with decomposed Nystrom
   approximation of kernel matrix. Neural Processing Letters 33(1), 2011.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import qr

from learners._eigen import eigen
from learners._intercept import centre_rest, unit_direction
from learners._reduced_set import LostDirections, ReducedSet
from learners._spectral import apply_filters, compute_filtered_grams, spectral_filters, with_ones


class SparseSpectralForm(NamedTuple):
    """F, Q and the eigenvalues, and which training example is which basis vector."""

    rows: np.ndarray  # F, (m, p), with an intercept followed by w^
    basis_rows: np.ndarray  # Q, (p, p), with an intercept followed by zeros
    eigenvalues: np.ndarray  # e, (p,), ascending
    targets: np.ndarray  # y~, (m, k)
    weight_roots: np.ndarray  # diagonal of S^1/2, (m,)
    reduced: ReducedSet
    means: np.ndarray | None  # V^T Z^T w^ with an intercept, (p,): Z V = F + w^ means^T

    @property
    def has_intercept(self) -> bool:
        """Whether the problem has one."""
        return self.means is not None

    @property
    def features(self) -> np.ndarray:
        """F without w^, (m, p)."""
        return self.rows[:, : len(self.eigenvalues)]

    def filters(self, regparams: np.ndarray) -> np.ndarray:
        """The diagonal of G, 1 / (e + regparam), and 1 for w^: one for each column of ``rows``."""
        filters = spectral_filters(self.eigenvalues, regparams)
        return with_ones(filters) if self.has_intercept else filters

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """a = Q G F^T y~ of the kept basis vectors for each regparam, (n_regparams, p, k): O(p^2) each."""
        return apply_filters(self.basis_rows, self.filters(regparams), self.rows.T @ self.targets)

    def lost_directions(self, examples: np.ndarray) -> LostDirections:
        """What the span loses with the basis vectors among ``examples``."""
        return self.reduced.lost_directions(examples)

    def in_the_basis(self, examples: np.ndarray) -> np.ndarray:
        """K_RR^-1 K_RU S_U^1/2 = Q (Z V)_U^T: weighted examples expressed in the kept basis vectors, (p, u)."""
        basis_rows = self.basis_rows
        if self.means is not None:  # Z V = F + w^ means^T: Q Z V^T has Q means in the column of w^, where Q has zeros
            basis_rows = basis_rows.copy()
            basis_rows[:, -1] = self.basis_rows[:, :-1] @ self.means
        expansion: np.ndarray = basis_rows @ self.rows[examples].T
        return expansion


def decompose_sparse(
    Z: np.ndarray, reduced: ReducedSet, targets: np.ndarray, weight_roots: np.ndarray, means: np.ndarray | None
) -> SparseSpectralForm:
    """The eigendecomposition of Z^T Z, for weighted targets y~: O(m r^2 + r^3).

    With an intercept Z is centred, and ``means`` is the w^T Z that was taken from it.
    """
    eigenvalues, V = eigen(Z.T @ Z, overwrite=True)  # (p, p), as in [Pahikkala2009, eq. 42] with L = I
    rows, basis_rows = Z @ V, reduced.to_coefficients(V)  # F = Z V and Q = C^-T V
    if means is not None:
        rows = np.column_stack([rows, unit_direction(weight_roots)])
        basis_rows = np.column_stack([basis_rows, np.zeros(len(basis_rows))])
        means = means @ V
    return SparseSpectralForm(rows, basis_rows, eigenvalues, targets, weight_roots, reduced, means)


def sparse_hold_out_each(
    spectral: SparseSpectralForm, holdouts: list[np.ndarray], regparams: np.ndarray
) -> list[np.ndarray]:
    """For each hold-out U the predictions (n_regparams, |U|, k) without U and without its basis vectors."""
    m, p = spectral.rows.shape
    filters = spectral.filters(regparams)
    right = spectral.rows.T @ spectral.targets
    predictions = []
    for indices in holdouts:
        if len(indices) <= min(m - len(indices), p):
            scaled = _from_block(spectral, indices, filters, right)
        else:
            scaled = _from_rest(spectral, indices, regparams)
        predictions.append(scaled / spectral.weight_roots[indices, np.newaxis])
    return predictions


def _from_block(
    spectral: SparseSpectralForm, indices: np.ndarray, filters: np.ndarray, right: np.ndarray
) -> np.ndarray:
    """y_U - ([B_DD]^-1 z_D)_U for every regparam."""
    u = len(indices)
    # (F_U; Q_H) G (F_U; Q_H)^T holds all four parts of B_DD but for I, and their signs.
    stacked = np.vstack([spectral.rows[indices], spectral.lost_directions(indices).apply(spectral.basis_rows)])
    block = compute_filtered_grams(stacked, filters)
    z = apply_filters(stacked, filters, right)
    z[:, :u] = spectral.targets[indices] - z[:, :u]  # e_U = y~_U - F_U G F^T y~;  a_H = Q_H G F^T y~
    block[:, :u, :u] = np.eye(u) - block[:, :u, :u]
    block[:, u:, u:] *= -1
    predictions: np.ndarray = spectral.targets[indices] - solve_quasi_definite(block, z, u)
    return predictions


def solve_quasi_definite(block: np.ndarray, right: np.ndarray, u: int) -> np.ndarray:
    """First u rows of the solution of symmetric systems whose leading u x u block is positive definite.

    What that block leaves of the trailing one is negative definite and of a scale of its own: it is
    equilibrated before it is solved.
    """
    # [A C; C^T T] [x; y] = [r; s]:  (T - C^T A^-1 C) y = s - C^T A^-1 r,  x = A^-1 r - A^-1 C y
    coupling = block[..., :u, u:]
    solved = np.linalg.solve(block[..., :u, :u], np.concatenate([coupling, right[..., :u, :]], axis=-1))
    h = coupling.shape[-1]
    leading, first = solved[..., :h], solved[..., h:]  # A^-1 C and A^-1 r
    if h == 0:
        return first
    back = np.swapaxes(coupling, -1, -2)
    left = block[..., u:, u:] - back @ leading  # the Schur complement, negative definite
    scale = 1.0 / np.sqrt(np.abs(np.diagonal(left, axis1=-2, axis2=-1)))[..., np.newaxis]
    scaled = left * scale * np.swapaxes(scale, -1, -2)
    solution: np.ndarray = first - leading @ (
        scale * np.linalg.solve(scaled, scale * (right[..., u:, :] - back @ first))
    )
    return solution


def _from_rest(spectral: SparseSpectralForm, indices: np.ndarray, regparams: np.ndarray) -> np.ndarray:
    """Train on what is left, within the span of the basis vectors that are left: for large hold-outs.

    In the coordinates of F a function is a vector w with a = Q w, so the lost directions are the condition
    Q_H w = 0; the columns of ``span`` span what it leaves.
    """
    left = np.ones(len(spectral.rows), dtype=bool)
    left[indices] = False
    lost = spectral.lost_directions(indices).apply(spectral.basis_rows[:, : len(spectral.eigenvalues)])
    span = qr(lost.T)[0][:, len(lost) :]  # an orthonormal basis of the null space of Q_H
    rows, held, targets = spectral.features[left], spectral.features[indices], spectral.targets[left]
    base: np.ndarray | float = 0.0
    if spectral.has_intercept:
        roots = spectral.weight_roots
        rows, held, base = centre_rest(rows, held, targets, roots[left], roots[indices])
    rows, held = rows @ span, held @ span
    # w = (X^T X + regparam I)^-1 X^T y = X^T (X X^T + regparam I)^-1 y, whichever is smaller [Pahikkala2010, eqs. 5, 6]
    if rows.shape[1] <= rows.shape[0]:
        eigenvalues, V = eigen(rows.T @ rows, overwrite=True)
        right, held = V.T @ (rows.T @ targets), held @ V
    else:
        eigenvalues, V = eigen(rows @ rows.T, overwrite=True)
        right, held = V.T @ targets, held @ (rows.T @ V)
    return base + apply_filters(held, spectral_filters(eigenvalues, regparams), right)
