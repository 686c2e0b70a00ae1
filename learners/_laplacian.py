"""Laplacian matrices of preference graphs, in forms that never need all m^2 entries at once.

A pairwise squared cost over predictions f is (S - f)^T L (S - f) with L = M M^T, M the weighted incidence
matrix of the graph of preferences [Pahikkala2009, eqs. 12, 24].  L is block-diagonal over the queries.  The
learners use it through four operations: ``dot`` (L V), ``gram`` (X^T L X), and with the symmetric root
F = L^(1/2) ``sqrt_dot`` (F V) and ``pinv_sqrt_dot`` (F^+ V).  With F the ranking problem becomes ordinary
regularized least-squares on F X, which is how every shortcut here is derived [Pahikkala2010, sec. 2].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh
from scipy.sparse.csgraph import connected_components

from learners._queries import Queries


class _Factor(NamedTuple):
    """Root, pseudo-inverse of the root and orthonormal null space of one block."""

    root: np.ndarray
    inverse_root: np.ndarray
    null: np.ndarray


class Laplacian(ABC):
    """A positive semidefinite matrix, block-diagonal over ``blocks``."""

    def __init__(self, blocks: Queries):
        self.blocks = blocks
        self.members = blocks.members()

    @abstractmethod
    def dot(self, V: np.ndarray) -> np.ndarray:
        """L V for a vector or a matrix."""

    @abstractmethod
    def gram(self, X: Any) -> np.ndarray:
        """X^T L X, dense, of a dense or sparse X; sparse X is not centered or filled."""

    @abstractmethod
    def block(self, number: int) -> np.ndarray:
        """The dense block of one query."""

    def sqrt_dot(self, V: np.ndarray) -> np.ndarray:
        """L^(1/2) V; after one eigendecomposition of each block, O(sum of squared block sizes) per column."""
        return self._blockwise(V, [factor.root for factor in self._factors])

    def pinv_sqrt_dot(self, V: np.ndarray) -> np.ndarray:
        """The pseudo-inverse of L^(1/2) times V."""
        return self._blockwise(V, [factor.inverse_root for factor in self._factors])

    @cached_property
    def null_basis(self) -> sp.csc_array:
        """Orthonormal basis of the null space of L, one column per connected component of the graph.

        The cost does not see these directions: predictions may be shifted along them freely.
        """
        widths = np.cumsum([0] + [factor.null.shape[1] for factor in self._factors])
        rows = [np.repeat(U, f.null.shape[1]) for U, f in zip(self.members, self._factors)]
        columns = [np.tile(np.arange(a, b), len(U)) for U, a, b in zip(self.members, widths, widths[1:])]
        values = [factor.null.ravel() for factor in self._factors]
        shape = (len(self.blocks.index), int(widths[-1]))
        coordinates = (np.concatenate(rows), np.concatenate(columns))
        return sp.csc_array((np.concatenate(values), coordinates), shape=shape)

    def _blockwise(self, V: np.ndarray, factors: list[np.ndarray]) -> np.ndarray:
        result = np.empty(V.shape, dtype=float)
        for U, factor in zip(self.members, factors):
            result[U] = factor @ V[U]
        return result

    @cached_property
    def _factors(self) -> list[_Factor]:
        return [_factor(self.block(number)) for number in range(self.blocks.n_queries)]


def _factor(block: np.ndarray) -> _Factor:
    values, vectors = eigh(block)
    # A graph Laplacian has one zero eigenvalue per connected component, exactly: counting them is safer than a
    # tolerance, because the root of a mistaken 1e-16 would be 1e-8.
    nullity, _ = connected_components(sp.csr_array(block), directed=False)
    # L = V diag(e) V^T, e ascending: F = V diag(sqrt e) V^T and F^+ = V diag(1 / sqrt e) V^T over the e that are not 0
    kept, roots = vectors[:, nullity:], np.sqrt(values[nullity:])
    return _Factor((kept * roots) @ kept.T, (kept / roots) @ kept.T, vectors[:, :nullity])


class LowRankLaplacian(Laplacian):
    """L = D - P P^T + R R^T with diagonal D and indicator-like sparse P, R [Pahikkala2009, eq. 25].

    P P^T holds every pair of a query, R R^T takes the pairs with tied scores out again.  Both have one
    entry in each row, sqrt(weight of the query's pairs), so ``dot`` costs O(m) per column.  ``ties`` numbers the
    examples of a query with the same score; None leaves the ties in.
    """

    def __init__(self, blocks: Queries, diagonal: np.ndarray, weights: np.ndarray, ties: np.ndarray | None):
        super().__init__(blocks)
        self.diagonal, self._entries, self._ties = diagonal, np.sqrt(weights)[blocks.index], ties
        self._P = _one_entry_per_row(self._entries, blocks.index)
        self._R = None if ties is None else _one_entry_per_row(self._entries, ties)

    def dot(self, V: np.ndarray) -> np.ndarray:
        """L V in O(m) per column."""
        # D V - P (P^T V) + R (R^T V)
        product: np.ndarray = (self.diagonal if V.ndim == 1 else self.diagonal[:, None]) * V
        product -= self._P @ (self._P.T @ V)
        if self._R is not None:
            product += self._R @ (self._R.T @ V)
        return product

    def gram(self, X: Any) -> np.ndarray:
        """X^T D X - (P^T X)^T (P^T X) + (R^T X)^T (R^T X) in O(m n^2), less for sparse X."""
        total = _dense(X.T @ (sp.diags_array(self.diagonal) @ X))
        sums = self._P.T @ X
        total -= _dense(sums.T @ sums)
        if self._R is not None:
            sums = self._R.T @ X
            total += _dense(sums.T @ sums)
        return total

    def block(self, number: int) -> np.ndarray:
        """The dense block of one query."""
        # off the diagonal minus the weight of each pair, 0 for ties; the diagonal D is the sum of a row's other entries
        U = self.members[number]
        pairs = np.outer(self._entries[U], self._entries[U])
        if self._ties is not None:
            pairs[self._ties[U][:, None] == self._ties[U]] = 0.0
        return np.diag(self.diagonal[U]) - pairs


def _one_entry_per_row(entries: np.ndarray, columns: np.ndarray) -> sp.csr_array:
    m = len(entries)
    return sp.csr_array((entries, columns, np.arange(m + 1)), shape=(m, int(columns.max()) + 1))


class CenteringLaplacian(LowRankLaplacian):
    """All pairs of each query: L = kappa (I - 1 1^T / l), whose root needs no decomposition.

    ``kappa``, one per query: l sums the squared differences over the pairs; 1 divides that by l.  ``weights`` gives it
    for the numbers of examples that queries have.
    """

    def __init__(self, blocks: Queries, weights: Callable[[np.ndarray], np.ndarray]):
        # D = kappa I and P has the entries sqrt(kappa / l), so that D - P P^T = kappa (I - 1 1^T / l)
        self.weights, self.kappa = weights, weights(blocks.sizes)
        super().__init__(blocks, self.kappa[blocks.index], self.kappa / blocks.sizes, None)

    def dot(self, V: np.ndarray) -> np.ndarray:
        """The query-wise centered V, times the weight of the query."""
        return self._scale_centered(V, self.diagonal)

    def sqrt_dot(self, V: np.ndarray) -> np.ndarray:
        """Centering is idempotent: its root is itself [Pahikkala2010, sec. 2]."""
        return self._scale_centered(V, np.sqrt(self.diagonal))

    def pinv_sqrt_dot(self, V: np.ndarray) -> np.ndarray:
        """Centering divided by the root of the weight."""
        return self._scale_centered(V, 1.0 / np.sqrt(self.diagonal))

    @cached_property
    def null_basis(self) -> sp.csc_array:
        """The normalized indicator of each query."""
        entries = 1.0 / np.sqrt(self.blocks.sizes)[self.blocks.index]
        return _one_entry_per_row(entries, self.blocks.index).tocsc()

    def _scale_centered(self, V: np.ndarray, scale: np.ndarray) -> np.ndarray:
        scaled: np.ndarray = self.blocks.center(V) * (scale if V.ndim == 1 else scale[:, None])
        return scaled


class GraphLaplacian(Laplacian):
    """Any preference graph: L = M M^T kept as a sparse matrix."""

    def __init__(self, blocks: Queries, matrix: sp.csr_array):
        super().__init__(blocks)
        self.matrix = matrix

    def dot(self, V: np.ndarray) -> np.ndarray:
        """L V in O(number of connected pairs) per column."""
        product: np.ndarray = self.matrix @ V
        return product

    def gram(self, X: Any) -> np.ndarray:
        """X^T (L X)."""
        return _dense(X.T @ (self.matrix @ X))

    def block(self, number: int) -> np.ndarray:
        """The dense block of one query."""
        U = self.members[number]
        block: np.ndarray = self.matrix[U][:, U].toarray()
        return block


def _dense(matrix: Any) -> np.ndarray:
    return matrix.toarray() if sp.issparse(matrix) else np.asarray(matrix)
