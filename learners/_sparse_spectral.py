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

so the block B_DD comes from the few rows of F and Q that D names. Cost: O(m r^2 + r^3) for the
decomposition, O(|D|^2 r + |D|^3) for a hold-out and regparam. The removal of basis vectors is that of
[PaperIII, Theorem 1], carried through to the predictions for all regparams at once.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh, qr, solve_triangular

from learners._reduced_set import IndependentBasis, LostDirections, lost_directions
from learners._spectral import apply_filtered, filtered_grams


@dataclass(frozen=True)
class SparseSpectralForm:
    """F, Q and the eigenvalues, and which training example is which basis vector."""

    rows: np.ndarray  # F, (m, p)
    basis_rows: np.ndarray  # Q, (p, p)
    eigenvalues: np.ndarray  # (p,)
    targets: np.ndarray  # weighted, (m, k)
    weight_roots: np.ndarray  # (m,)
    kept_position: np.ndarray  # (m,): the example's row of Q, or -1
    dropped_position: np.ndarray  # (m,): the example's row of dependence, or -1
    dependence: np.ndarray  # (n_dropped, p)
    dependence_tol: float

    def filters(self, regparams: np.ndarray) -> np.ndarray:
        """1 / (e + regparam), shape (n_regparams, p)."""
        return 1.0 / (self.eigenvalues + regparams[:, np.newaxis])

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """a of the kept basis vectors for each regparam, (n_regparams, p, k): O(p^2) each."""
        return apply_filtered(self.basis_rows, self.filters(regparams), self.rows.T @ self.targets)

    def basis_examples(self) -> np.ndarray:
        """The example of each row of Q."""
        examples = np.empty(len(self.basis_rows), dtype=np.intp)
        kept = np.flatnonzero(self.kept_position >= 0)
        examples[self.kept_position[kept]] = kept
        return examples

    def lost_directions(self, examples: np.ndarray) -> LostDirections:
        """What the span loses with the basis vectors among ``examples``."""
        kept, dropped = self.kept_position[examples], self.dropped_position[examples]
        kept, dropped = kept[kept >= 0], dropped[dropped >= 0]
        return lost_directions(self.dependence, kept, dropped, self.dependence_tol)


def decompose_sparse(
    K_MR: np.ndarray,
    basis: np.ndarray,
    independent: IndependentBasis,
    targets: np.ndarray,
    weight_roots: np.ndarray,
    *,
    dependence_tol: float,
) -> SparseSpectralForm:
    """Cholesky of K_RR, then the eigendecomposition of Z^T Z: O(m r^2 + r^3)."""
    m, C = len(K_MR), independent.factor
    Z = solve_triangular(C, K_MR[:, independent.kept].T, lower=True, check_finite=False).T
    Z = Z * weight_roots[:, np.newaxis]
    eigenvalues, V = eigh(Z.T @ Z, overwrite_a=True, check_finite=False)
    basis_rows = solve_triangular(C, V, lower=True, trans="T", check_finite=False)
    return SparseSpectralForm(
        rows=Z @ V,
        basis_rows=basis_rows,
        eigenvalues=eigenvalues,
        targets=targets * weight_roots[:, np.newaxis],
        weight_roots=weight_roots,
        kept_position=_positions(basis[independent.kept], m),
        dropped_position=_positions(basis[independent.dropped], m),
        dependence=independent.dependence,
        dependence_tol=dependence_tol,
    )


def _positions(examples: np.ndarray, m: int) -> np.ndarray:
    positions = np.full(m, -1, dtype=np.intp)
    positions[examples] = np.arange(len(examples))
    return positions


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
    stacked = np.vstack([spectral.rows[indices], spectral.lost_directions(indices).apply(spectral.basis_rows)])
    block = filtered_grams(stacked, filters)
    z = apply_filtered(stacked, filters, right)
    z[:, :u] = spectral.targets[indices] - z[:, :u]
    block[:, :u, :u] = np.eye(u) - block[:, :u, :u]
    block[:, u:, u:] *= -1
    return spectral.targets[indices] - solve_quasi_definite(block, z, u)


def solve_quasi_definite(block: np.ndarray, right: np.ndarray, u: int) -> np.ndarray:
    """First u rows of the solution of symmetric systems whose leading u x u block is positive definite.

    What that block leaves of the trailing one is negative definite and of a scale of its own: it is
    equilibrated before it is solved.
    """
    coupling = block[..., :u, u:]
    solved = np.linalg.solve(block[..., :u, :u], np.concatenate([coupling, right[..., :u, :]], axis=-1))
    h = coupling.shape[-1]
    leading, first = solved[..., :h], solved[..., h:]
    if h == 0:
        return first
    back = np.swapaxes(coupling, -1, -2)
    left = block[..., u:, u:] - back @ leading
    scale = 1.0 / np.sqrt(np.abs(np.diagonal(left, axis1=-2, axis2=-1)))[..., np.newaxis]
    scaled = left * scale * np.swapaxes(scale, -1, -2)
    return first - leading @ (scale * np.linalg.solve(scaled, scale * (right[..., u:, :] - back @ first)))


def _from_rest(spectral: SparseSpectralForm, indices: np.ndarray, regparams: np.ndarray) -> np.ndarray:
    """Train on what is left, within the span of the basis vectors that are left: for large hold-outs.

    In the coordinates of F a function is a vector w with a = Q w, so the lost directions are the condition
    Q_H w = 0; the columns of ``span`` span what it leaves.
    """
    left = np.ones(len(spectral.rows), dtype=bool)
    left[indices] = False
    lost = spectral.lost_directions(indices).apply(spectral.basis_rows)
    span = qr(lost.T)[0][:, len(lost) :]
    rows, held = spectral.rows[left] @ span, spectral.rows[indices] @ span
    targets = spectral.targets[left]
    if rows.shape[1] <= rows.shape[0]:
        eigenvalues, V = eigh(rows.T @ rows, check_finite=False)
        right, held = V.T @ (rows.T @ targets), held @ V
    else:
        eigenvalues, V = eigh(rows @ rows.T, check_finite=False)
        right, held = V.T @ targets, held @ (rows.T @ V)
    filters = 1.0 / (eigenvalues + regparams[:, np.newaxis])
    return apply_filtered(held, filters, right)
