"""One decomposition of a reduced-set RankRLS problem, and leave-query-out that takes the basis vectors along.

With C C^T = K_RR, the Nystrom features Phi = K_MR C^-T and the root F of the Laplacian, reduced-set RankRLS is
least-squares on F Phi.  Phi^T L Phi = V diag(e) V^T [Pahikkala2009, eq. 42]; in the basis V a function is a vector
w with coefficients a = C^-T V w, and G = diag(1 / (e + regparam)).

Leaving query U out takes the rows A = (F Phi V)_U from the problem, and the basis vectors H of the query restrict
w to Q w = 0, where the rows of Q span those of (C^-T V)_H [PaperIII, Theorem 1].  Everything needed lies in
T = (A; Q; Z^T Phi V), Z being the query's directions that F does not see: with Gamma = T G T^T and gamma = T G q

    r = (I - Gamma_AA)^-1 (t_U - gamma_A)                          the examples' removal (Woodbury)
    T w' = gamma - Gamma_:A r
    Psi = Gamma_:Q + Gamma_:A (I - Gamma_AA)^-1 Gamma_AQ
    T w = T w' - Psi Psi_QQ^-1 (T w')_Q                            the basis vectors' removal (Schur complement)

for O(|T|^2 p + |T|^3) a query and regparam.  The rows of Q are orthonormal, so Psi_QQ is as well conditioned as
the problem itself.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh, qr, solve_triangular

from learners._pairwise_cost import PairwiseCost
from learners._rank_systems import null_columns
from learners._reduced_set import IndependentBasis, lost_directions
from learners._spectral import apply_filtered, filtered_grams


class ReducedSet:
    """The independent basis vectors, the examples they are, and the Nystrom features of all examples."""

    def __init__(self, K_MR: np.ndarray, basis: np.ndarray, independent: IndependentBasis, tolerance: float):
        m = len(K_MR)
        self.factor = independent.factor
        self.features = solve_triangular(self.factor, K_MR[:, independent.kept].T, lower=True, check_finite=False).T
        self._dependence, self._tolerance = independent.dependence, tolerance
        self._kept_position = _positions(basis[independent.kept], m)
        self._dropped_position = _positions(basis[independent.dropped], m)

    def lost_rows(self, examples: np.ndarray, basis_rows: np.ndarray) -> np.ndarray:
        """Orthonormal rows Q: without the basis vectors among ``examples``, w satisfies Q w = 0."""
        kept, dropped = self._kept_position[examples], self._dropped_position[examples]
        lost = lost_directions(self._dependence, kept[kept >= 0], dropped[dropped >= 0], self._tolerance)
        rows = lost.apply(basis_rows)
        return qr(rows.T, mode="economic")[0].T if len(rows) else rows


def _positions(examples: np.ndarray, m: int) -> np.ndarray:
    positions = np.full(m, -1, dtype=np.intp)
    positions[examples] = np.arange(len(examples))
    return positions


class SparseRankSystem:
    """Reduced-set RankRLS for one pairwise cost: O(m r^2 + r^3)."""

    def __init__(self, reduced: ReducedSet, cost: PairwiseCost):
        self.reduced, self.cost = reduced, cost
        roots = cost.laplacian.sqrt_dot(reduced.features)
        self.eigenvalues, V = eigh(roots.T @ roots, overwrite_a=True, check_finite=False)
        self.rows, self.root_rows = reduced.features @ V, roots @ V
        self.basis_rows = solve_triangular(reduced.factor, V, lower=True, trans="T", check_finite=False)
        self.spectral_target = self.rows.T @ cost.linear_term

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """Coefficients of the independent basis vectors, (n_regparams, p, outputs): O(p^2) each."""
        return apply_filtered(self.basis_rows, self._filters(regparams), self.spectral_target)

    def leave_query_out(self, regparams: np.ndarray) -> np.ndarray:
        """Predictions of each query without it and its basis vectors, (n_regparams, m, outputs)."""
        m, p = self.rows.shape
        laplacian, filters = self.cost.laplacian, self._filters(regparams)
        target, basis = self.cost.root_target, laplacian.null_basis
        unseen_rows = basis.T @ self.rows
        seen = np.zeros((len(regparams), *target.shape))
        unseen = np.zeros((len(regparams), len(unseen_rows), target.shape[1]))
        large = []
        for U, Z in zip(laplacian.members, null_columns(laplacian)):
            if len(U) > min(p, m - len(U)):
                large.append(U)
                continue
            lost = self.reduced.lost_rows(U, self.basis_rows)
            stacked = np.vstack((self.root_rows[U], lost, unseen_rows[Z]))
            images = self._images_without(stacked, target[U], len(U), len(lost), filters)
            seen[:, U], unseen[:, Z] = images[:, : len(U)], images[:, len(U) + len(lost) :]
        predictions = np.stack([laplacian.pinv_sqrt_dot(a) + basis @ b for a, b in zip(seen, unseen)])
        for U in large:
            predictions[:, U] = self._from_rest(U, regparams)
        return predictions

    def _images_without(
        self, stacked: np.ndarray, target: np.ndarray, u: int, h: int, filters: np.ndarray
    ) -> np.ndarray:
        """T w for every regparam."""
        gamma = apply_filtered(stacked, filters, self.spectral_target)
        Gamma = filtered_grams(stacked, filters)
        A, Q = slice(0, u), slice(u, u + h)
        left = np.eye(u) - Gamma[:, A, A]
        right = np.concatenate((target - gamma[:, A], Gamma[:, A, Q]), axis=2)
        solved = np.linalg.solve(left, right)
        n_outputs = target.shape[1]
        images = gamma - Gamma[:, :, A] @ solved[:, :, :n_outputs]
        if not h:
            return images
        Psi = Gamma[:, :, Q] + Gamma[:, :, A] @ solved[:, :, n_outputs:]
        return images - Psi @ np.linalg.solve(Psi[:, Q], images[:, Q])

    def _from_rest(self, U: np.ndarray, regparams: np.ndarray) -> np.ndarray:
        """Train on what is left of the examples and of the basis: for a query of most of the data."""
        rest = np.setdiff1d(np.arange(len(self.rows)), U)
        lost = self.reduced.lost_rows(U, self.basis_rows)
        span = qr(lost.T)[0][:, len(lost) :] if len(lost) else np.eye(self.rows.shape[1])
        roots = self.root_rows[rest] @ span
        eigenvalues, V = eigh(roots.T @ roots, check_finite=False)
        right = V.T @ (roots.T @ self.cost.root_target[rest])
        filters = 1.0 / (eigenvalues + regparams[:, None])
        return apply_filtered(self.rows[U] @ span @ V, filters, right)

    def _filters(self, regparams: np.ndarray) -> np.ndarray:
        return 1.0 / (self.eigenvalues + regparams[:, None])
