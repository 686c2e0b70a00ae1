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

for O(|T|^2 p + |T|^3) per query and regparam.  The rows of Q are orthonormal, so Psi_QQ is as well conditioned as
the problem itself.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import qr

from learners._cholesky import InverseCache, solve_each
from learners._eigen import eigen
from learners._pairwise_cost import PairwiseCost
from learners._rank_systems import null_columns, unions
from learners._reduced_set import ReducedSet
from learners._spectral import apply_filters, compute_filtered_grams, spectral_filters


class _SparseSpectrum(NamedTuple):
    """What the decomposition leaves: e, and everything in the eigenbasis V."""

    eigenvalues: np.ndarray  # e, (p,)
    rows: np.ndarray  # Phi V, (m, p)
    root_rows: np.ndarray  # F Phi V, (m, p)
    basis_rows: np.ndarray  # C^-T V, (p, p)
    target: np.ndarray  # q = (Phi V)^T M N, (p, outputs)


class SparseRankSystem:
    """Reduced-set RankRLS for one pairwise cost, decomposed when first asked: O(m r^2 + r^3)."""

    def __init__(self, features: np.ndarray, reduced: ReducedSet, cost: PairwiseCost):
        self.features, self.reduced, self.cost = features, reduced, cost
        self._inverse_cache = InverseCache()

    @cached_property
    def spectrum(self) -> _SparseSpectrum:
        """The eigendecomposition of Phi^T L Phi [Pahikkala2009, eq. 42]."""
        roots = self.cost.laplacian.sqrt_dot(self.features)
        eigenvalues, V = eigen(roots.T @ roots, overwrite=True)
        rows = self.features @ V
        basis_rows = self.reduced.to_coefficients(V)
        return _SparseSpectrum(eigenvalues, rows, roots @ V, basis_rows, rows.T @ self.cost.linear_term)

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """Coefficients of the basis vectors, 0 for dependent ones, (n_regparams, r, outputs): O(p^2) each."""
        if "spectrum" not in self.__dict__ and self._inverse_cache.is_cheaper_for(regparams):
            roots = self.cost.laplacian.sqrt_dot(self.features)
            solved = solve_each(roots.T @ roots, regparams, self.features.T @ self.cost.linear_term)
            if solved is not None:
                return self.reduced.on_whole_basis(np.stack([self.reduced.to_coefficients(w) for w in solved]))
        spectrum = self.spectrum
        kept = apply_filters(spectrum.basis_rows, self._filters(regparams), spectrum.target)
        return self.reduced.on_whole_basis(kept)

    def leave_query_out(self, regparams: np.ndarray) -> np.ndarray:
        """Predictions of each query without it and its basis vectors, (n_regparams, m, outputs)."""
        spectrum = self.spectrum
        m, p = spectrum.rows.shape
        laplacian, filters = self.cost.laplacian, self._filters(regparams)
        target, basis = self.cost.root_target, laplacian.null_basis
        unseen_rows = basis.T @ spectrum.rows
        seen = np.zeros((len(regparams), *target.shape))
        unseen = np.zeros((len(regparams), len(unseen_rows), target.shape[1]))
        large = []
        for U, Z in zip(laplacian.members, null_columns(laplacian)):
            if len(U) > min(p, m - len(U)):
                large.append(U)
                continue
            lost = self._lost_rows(U)
            stacked = np.vstack((spectrum.root_rows[U], lost, unseen_rows[Z]))
            images = self._images_without(stacked, target[U], len(U), len(lost), filters)
            seen[:, U], unseen[:, Z] = images[:, : len(U)], images[:, len(U) + len(lost) :]
        predictions = np.stack([laplacian.pinv_sqrt_dot(a) + basis @ b for a, b in zip(seen, unseen)])
        for U in large:
            predictions[:, U] = self._from_rest(U, regparams)
        return predictions

    def leave_queries_out(self, sets: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        """Predictions of each set of queries, given by their numbers, without it and its basis vectors."""
        spectrum = self.spectrum
        m, p = spectrum.rows.shape
        laplacian, filters = self.cost.laplacian, self._filters(regparams)
        target, basis = self.cost.root_target, laplacian.null_basis
        unseen_rows = basis.T @ spectrum.rows
        predictions = []
        for U, Z in unions(laplacian, sets):
            if len(U) > min(p, m - len(U)):
                predictions.append(self._from_rest(U, regparams))
                continue
            lost = self._lost_rows(U)
            stacked = np.vstack((spectrum.root_rows[U], lost, unseen_rows[Z]))
            images = self._images_without(stacked, target[U], len(U), len(lost), filters)
            seen = np.zeros((len(regparams), *target.shape))
            unseen = np.zeros((len(regparams), len(unseen_rows), target.shape[1]))
            seen[:, U], unseen[:, Z] = images[:, : len(U)], images[:, len(U) + len(lost) :]
            values = (laplacian.pinv_sqrt_dot(a)[U] + (basis @ b)[U] for a, b in zip(seen, unseen))
            predictions.append(np.stack(list(values)))
        return predictions

    def _images_without(
        self, stacked: np.ndarray, target: np.ndarray, u: int, h: int, filters: np.ndarray
    ) -> np.ndarray:
        """T w for every regparam."""
        gamma = apply_filters(stacked, filters, self.spectrum.target)
        Gamma = compute_filtered_grams(stacked, filters)
        A, Q = slice(0, u), slice(u, u + h)
        # One solve gives both r = (I - Gamma_AA)^-1 (t_U - gamma_A) and (I - Gamma_AA)^-1 Gamma_AQ.
        left = np.eye(u) - Gamma[:, A, A]
        right = np.concatenate((target - gamma[:, A], Gamma[:, A, Q]), axis=2)
        solved = np.linalg.solve(left, right)
        n_outputs = target.shape[1]
        images: np.ndarray = gamma - Gamma[:, :, A] @ solved[:, :, :n_outputs]  # T w', the examples removed
        if h:
            Psi = Gamma[:, :, Q] + Gamma[:, :, A] @ solved[:, :, n_outputs:]
            images = images - Psi @ np.linalg.solve(Psi[:, Q], images[:, Q])
        return images

    def _from_rest(self, U: np.ndarray, regparams: np.ndarray) -> np.ndarray:
        """Train on what is left of the examples and of the basis: for a query of most of the data."""
        spectrum, lost = self.spectrum, self._lost_rows(U)
        rest = np.setdiff1d(np.arange(len(spectrum.rows)), U)
        span = qr(lost.T)[0][:, len(lost) :] if len(lost) else np.eye(spectrum.rows.shape[1])
        roots = spectrum.root_rows[rest] @ span
        eigenvalues, V = eigen(roots.T @ roots, overwrite=True)
        right = V.T @ (roots.T @ self.cost.root_target[rest])
        return apply_filters(spectrum.rows[U] @ span @ V, spectral_filters(eigenvalues, regparams), right)

    def _lost_rows(self, examples: np.ndarray) -> np.ndarray:
        """Orthonormal rows Q: without the basis vectors among ``examples``, w satisfies Q w = 0."""
        rows = self.reduced.lost_directions(examples).apply(self.spectrum.basis_rows)
        return qr(rows.T, mode="economic")[0].T if len(rows) else rows

    def _filters(self, regparams: np.ndarray) -> np.ndarray:
        return spectral_filters(self.spectrum.eigenvalues, regparams)
