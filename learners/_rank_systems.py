"""One eigendecomposition of a RankRLS problem, and the path and the leave-query-out predictions read off it.

With the root F of the Laplacian (L = F F) and t such that F t = M N, RankRLS is least-squares on F f(X)
against t.  Write D = diag(1 / (e + regparam)):

======  ===================================  ============================================  ===================
form    decomposition                        solution                                      cost
======  ===================================  ============================================  ===================
dual    F K F = V diag(e) V^T                a = F c, c = V D V^T t     [eqs. 17, 31]      O(m^3)
primal  X^T L X = V diag(e) V^T              w = V D V^T X^T M N        [eqs. 28, 31]      O(m n^2 + n^3)
======  ===================================  ============================================  ===================

The paper decomposes L K, which is not symmetric; F K F has the same non-zero eigenvalues and is.
Equations are those of [Pahikkala2009].
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from learners._cholesky import InverseCache, invert_regularized, solve_each
from learners._eigen import eigen
from learners._laplacian import CenteringLaplacian
from learners._pairwise_cost import PairwiseCost
from learners._rank_removal import (
    DualFactors,
    InverseDualRemoval,
    PrimalFactors,
    PrimalRemoval,
    Removable,
    Removal,
    SpectralDualRemoval,
)
from learners._spectral import apply_filters, spectral_filters


class _Spectrum(NamedTuple):
    """The eigenvalues e, the eigenvectors V, and the right-hand side in their basis."""

    eigenvalues: np.ndarray
    vectors: np.ndarray
    target: np.ndarray  # V^T t (dual) or V^T X^T M N (primal)


class DualRankSystem:
    """RankRLS in the dual, decomposed when first asked: any kernel matrix, singular or not."""

    def __init__(self, K: np.ndarray, cost: PairwiseCost):
        self.K, self.cost = K, cost
        self._inverse_cache = InverseCache()

    @cached_property
    def spectrum(self) -> _Spectrum:
        """The eigendecomposition of F K F."""
        # F and K are symmetric and positive semidefinite, and so is F K F: e >= 0 up to rounding, V is orthogonal.
        eigenvalues, vectors = eigen(self._weight_kernel(), overwrite=True)
        return _Spectrum(eigenvalues, vectors, vectors.T @ self.cost.root_target)

    def _weight_kernel(self) -> np.ndarray:
        """F K F, a matrix of its own: O(m^2)."""
        root = self.cost.laplacian.sqrt_dot
        return root(root(self.K).T)  # (F K)^T = K F

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """Dual coefficients a = F c, (n_regparams, m, outputs): O(m^2) each, or a Cholesky factorization for few."""
        if not self._is_decomposed and self._inverse_cache.is_cheaper_for(regparams):
            # a = F c with (F K F + regparam I) c = t gives (L K + regparam I) a = F F K F c + regparam F c = F t = M N,
            # which is [eq. 17].
            solved = solve_each(self._weight_kernel(), regparams, self.cost.root_target)
            if solved is not None:
                return np.stack([self.cost.laplacian.sqrt_dot(c) for c in solved])
        spectrum = self.spectrum
        filters = spectral_filters(spectrum.eigenvalues, regparams)
        return apply_filters(self._root_vectors, filters, spectrum.target)  # a = F c

    def leave_query_out(self, regparams: np.ndarray) -> np.ndarray:
        """Predictions of each query by the model trained without it [eq. 33], (n_regparams, m, outputs).

        With G = (F K F + regparam I)^-1 and c = G t, leaving U out turns c into c - G_:U r_U with
        r_U = G_UU^-1 c_U.  On U the root-weighted prediction is then t_U - r_U; the part of f(X_U) that F
        does not see (one constant per query) comes from K itself.  O(m |U|) per query and regparam, after O(m^3).
        """
        if len(regparams) == 1 and not self._is_decomposed and self._inverse_cache.is_cheaper_for(regparams):
            G = self._inverse_cache.inverse(
                regparams[0], lambda value: invert_regularized(self._weight_kernel(), value)
            )
            if G is not None:
                return self._leave_query_out_by_inverse(G)[np.newaxis]
        laplacian, spectrum = self.cost.laplacian, self.spectrum
        filters = spectral_filters(spectrum.eigenvalues, regparams)
        c = apply_filters(spectrum.vectors, filters, spectrum.target)
        unseen_rows = (laplacian.null_basis.T @ self.K) @ self._root_vectors  # Z^T K F V
        unseen = apply_filters(unseen_rows, filters, spectrum.target)  # Z^T K a, (n_regparams, n_null, outputs)
        seen = np.empty_like(c)
        for U, Z in zip(laplacian.members, null_columns(laplacian)):
            seen[:, U], unseen[:, Z] = self._without(U, Z, c, unseen, unseen_rows, filters)
        # f = F^+ (F f) + Z (Z^T f): F^+ F and Z Z^T project onto the range of L and onto its null space.
        return np.stack([laplacian.pinv_sqrt_dot(a) + laplacian.null_basis @ b for a, b in zip(seen, unseen)])

    def leave_queries_out(self, sets: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        """Predictions of each set of queries, given by their numbers, without it: the same for their union U."""
        laplacian, spectrum = self.cost.laplacian, self.spectrum
        filters = spectral_filters(spectrum.eigenvalues, regparams)
        c = apply_filters(spectrum.vectors, filters, spectrum.target)
        unseen_rows = (laplacian.null_basis.T @ self.K) @ self._root_vectors
        unseen = apply_filters(unseen_rows, filters, spectrum.target)
        predictions = []
        for U, Z in unions(laplacian, sets):
            a, b = np.zeros_like(c), np.zeros_like(unseen)
            a[:, U], b[:, Z] = self._without(U, Z, c, unseen, unseen_rows, filters)
            values = (laplacian.pinv_sqrt_dot(x)[U] + (laplacian.null_basis @ y)[U] for x, y in zip(a, b))
            predictions.append(np.stack(list(values)))
        return predictions

    def _without(
        self,
        U: np.ndarray,
        Z: np.ndarray,
        c: np.ndarray,
        unseen: np.ndarray,
        unseen_rows: np.ndarray,
        filters: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """What the model without the examples U predicts for them, as F sees it and along the null directions Z."""
        rows = self.spectrum.vectors[U]
        stacked = np.vstack((rows, unseen_rows[Z]))
        # G_UU above Z^T K F G_:U, for every regparam
        blocks = np.stack([(stacked * scale) @ rows.T for scale in filters])
        removed = np.linalg.solve(blocks[:, : len(U)], c[:, U])  # r_U = G_UU^-1 c_U
        return self.cost.root_target[U] - removed, unseen[:, Z] - blocks[:, len(U) :] @ removed

    def _leave_query_out_by_inverse(self, G: np.ndarray) -> np.ndarray:
        """The same for one regparam, (m, outputs), from G itself."""
        laplacian, target = self.cost.laplacian, self.cost.root_target
        c = G @ target  # (m, outputs), of this one regparam
        unseen_rows = laplacian.sqrt_dot((laplacian.null_basis.T @ self.K).T).T @ G  # Z^T K F G
        seen, unseen = np.empty_like(c), unseen_rows @ target
        for U, Z in zip(laplacian.members, null_columns(laplacian)):
            removed = np.linalg.solve(G[np.ix_(U, U)], c[U])
            seen[U] = target[U] - removed
            unseen[Z] -= unseen_rows[np.ix_(Z, U)] @ removed
        predictions: np.ndarray = laplacian.pinv_sqrt_dot(seen) + laplacian.null_basis @ unseen
        return predictions

    def removable(self, laplacian: CenteringLaplacian) -> Removable:
        """The problem as one from which examples can be taken; ``laplacian`` is that of the cost, over all pairs."""
        return Removable(laplacian, self._removals)

    def _removals(self, regparams: np.ndarray) -> Iterator[Removal]:
        laplacian, queries = self.cost.laplacian, self.cost.laplacian.blocks
        scores = laplacian.pinv_sqrt_dot(self.cost.root_target)  # F^+ t = F^+ F s as M N = L s: centred
        unseen_kernel = laplacian.null_basis.T @ self.K  # N^T K
        if len(regparams) == 1 and not self._is_decomposed and self._inverse_cache.is_cheaper_for(regparams):
            G = self._inverse_cache.inverse(
                regparams[0], lambda value: invert_regularized(self._weight_kernel(), value)
            )
            if G is not None:
                # B = F G F and alpha = B s = F G t, as in :mod:`learners._rank_removal`
                B = laplacian.sqrt_dot(laplacian.sqrt_dot(G).T)
                alpha = laplacian.sqrt_dot(G @ self.cost.root_target)
                yield InverseDualRemoval(queries, scores, alpha, unseen_kernel @ alpha, B, unseen_kernel @ B)
                return
        filters = spectral_filters(self.spectrum.eigenvalues, regparams)
        # B = F V diag(filters) (F V)^T
        factors = DualFactors.of(self._root_vectors, unseen_kernel @ self._root_vectors, queries)
        alphas = apply_filters(self._root_vectors, filters, self.spectrum.target)
        for scale, alpha in zip(filters, alphas):
            yield SpectralDualRemoval(queries, scores, alpha, unseen_kernel @ alpha, factors, scale)

    @property
    def _is_decomposed(self) -> bool:
        return "spectrum" in self.__dict__  # where cached_property keeps it

    @cached_property
    def _root_vectors(self) -> np.ndarray:
        """F V."""
        return self.cost.laplacian.sqrt_dot(self.spectrum.vectors)


class PrimalRankSystem:
    """RankRLS in the primal, decomposed when first asked: n features, dense or sparse X."""

    def __init__(self, X: Any, cost: PairwiseCost):
        self.X, self.cost = X, cost
        self._inverse_cache = InverseCache()

    @cached_property
    def spectrum(self) -> _Spectrum:
        """The eigendecomposition of X^T L X."""
        gram = self.cost.laplacian.gram(self.X)  # (n, n): our X^T L X is the papers' H M M^T H^T
        eigenvalues, vectors = eigen(gram, overwrite=True)
        return _Spectrum(eigenvalues, vectors, vectors.T @ (self.X.T @ self.cost.linear_term))

    def coefficients(self, regparams: np.ndarray) -> np.ndarray:
        """Weights w, (n_regparams, n, outputs): O(n^2) each, or a Cholesky factorization for few."""
        if "spectrum" not in self.__dict__ and self._inverse_cache.is_cheaper_for(regparams):
            # (X^T L X + regparam I) w = X^T M N [eq. 28]
            linear_term = np.asarray(self.X.T @ self.cost.linear_term)
            solved = solve_each(self.cost.laplacian.gram(self.X), regparams, linear_term)
            if solved is not None:
                return solved
        spectrum = self.spectrum
        filters = spectral_filters(spectrum.eigenvalues, regparams)
        return apply_filters(spectrum.vectors, filters, spectrum.target)

    def leave_query_out(self, regparams: np.ndarray) -> np.ndarray:
        """Predictions of each query by the model trained without it, (n_regparams, m, outputs).

        With H = F X V, leaving U out turns w into w - D H_U^T r_U, r_U = (I - H_U D H_U^T)^-1 (t_U - H_U w)
        (in the eigenbasis).  A query of more examples than features is cheaper the other way round: n x n
        systems without its part of the scatter matrix.  O(n |U| min(n, |U|)) per query and regparam.
        """
        laplacian, spectrum = self.cost.laplacian, self.spectrum
        filters = spectral_filters(spectrum.eigenvalues, regparams)
        rows = np.asarray(self.X @ spectrum.vectors)  # X V: examples in the eigenbasis
        roots, target = laplacian.sqrt_dot(rows), self.cost.root_target  # H = F X V, and t
        predictions = np.empty((len(regparams), len(rows), target.shape[1]))
        for U in laplacian.members:
            for k, scale in enumerate(filters):
                predictions[k, U] = rows[U] @ self._weights_without(roots[U], target[U], scale)
        return predictions

    def leave_queries_out(self, sets: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
        """Predictions of each set of queries, given by their numbers, without it: the same for their union U."""
        laplacian, spectrum = self.cost.laplacian, self.spectrum
        filters = spectral_filters(spectrum.eigenvalues, regparams)
        rows = np.asarray(self.X @ spectrum.vectors)
        roots, target = laplacian.sqrt_dot(rows), self.cost.root_target
        return [
            np.stack([rows[U] @ self._weights_without(roots[U], target[U], scale) for scale in filters])
            for U, _ in unions(laplacian, sets)
        ]

    def removable(self, laplacian: CenteringLaplacian) -> Removable:
        """The problem as one from which examples can be taken; ``laplacian`` is that of the cost, over all pairs."""
        return Removable(laplacian, partial(self._removals, laplacian))

    def _removals(self, laplacian: CenteringLaplacian, regparams: np.ndarray) -> Iterator[Removal]:
        spectrum = self.spectrum
        filters = spectral_filters(spectrum.eigenvalues, regparams)
        rows = np.asarray(self.X @ spectrum.vectors)
        factors = PrimalFactors.of(rows, laplacian.dot(rows))
        for scale, predictions, regparam in zip(filters, apply_filters(rows, filters, spectrum.target), regparams):
            alpha = self.cost.linear_term - laplacian.dot(predictions)  # L (s - X w)
            yield PrimalRemoval(laplacian, factors, scale, predictions, alpha, float(regparam))

    def _weights_without(self, H: np.ndarray, t: np.ndarray, scale: np.ndarray) -> np.ndarray:
        """Weights, in the eigenbasis, of the model trained without the query of root rows H and targets t."""
        right = self.spectrum.target
        # V^T X^T L X V = diag(e) without the query is diag(e) - H^T H, and the right-hand side loses H^T t.
        if len(H) > H.shape[1]:
            return np.linalg.solve(np.diag(1.0 / scale) - H.T @ H, right - H.T @ t)
        # The same by Woodbury, with a system as large as the query: (D^-1 - H^T H)^-1 = D + D H^T (I - H D H^T)^-1 H D.
        weights = scale[:, None] * right
        scaled = H * scale
        residual = np.linalg.solve(np.eye(len(H)) - scaled @ H.T, t - H @ weights)
        weights_without: np.ndarray = weights - scaled.T @ residual
        return weights_without


def null_columns(laplacian: Any) -> list[np.ndarray]:
    """Which columns of the null basis belong to each block."""
    basis = laplacian.null_basis
    # L is block-diagonal, so a null direction lies in one block: that of its first entry
    owner = laplacian.blocks.index[basis.indices[basis.indptr[:-1]]]
    order = np.argsort(owner, kind="stable")
    return np.split(order, np.searchsorted(owner[order], np.arange(1, laplacian.blocks.n_queries)))


def unions(laplacian: Any, sets: list[np.ndarray]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The examples of each set of blocks, ascending, and the columns of the null basis that belong to them."""
    columns = null_columns(laplacian)
    for numbers in sets:
        U = np.sort(np.concatenate([laplacian.members[number] for number in numbers]))
        yield U, np.concatenate([columns[number] for number in numbers])
