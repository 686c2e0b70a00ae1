"""Leaving out two examples: their 2 x 2 blocks of the hold-out formula, solved in closed form for all pairs.

Without U = {i, j} the residuals are r_U = B_UU^-1 z_U (see :mod:`learners._spectral`), that is

    r_i = (B_jj z_i - B_ij z_j) / d,    r_j = (B_ii z_j - B_ij z_i) / d,    d = B_ii B_jj - B_ij^2.

All pairs i < j are walked in panels of rows of B, each with the columns from its first row on.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

_PANEL_ROWS = 64  # of B treated at a time: the scratch arrays stay in cache


class PairBlocks(NamedTuple):
    """The entries B_ii, B_jj and B_ij of many pairs; they broadcast to the shape of ``cross``."""

    own: np.ndarray
    other: np.ndarray
    cross: np.ndarray

    def solve(self, z_i: np.ndarray, z_j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """r_i and r_j of every pair."""
        determinant = self.own * self.other
        determinant -= self.cross * self.cross
        # A panel holds entries with i >= j, which nobody reads; those with i = j would divide by zero.
        np.maximum(determinant, np.finfo(float).tiny, out=determinant)
        r_i = self.other * z_i
        r_i -= self.cross * z_j
        r_i /= determinant
        r_j = self.own * z_j
        r_j -= self.cross * z_i
        r_j /= determinant
        return r_i, r_j


class Panel(NamedTuple):
    """Some rows i of B and all columns j from the first of them on."""

    i: np.ndarray  # (n_rows, 1)
    j: np.ndarray  # (n_columns,)
    above: np.ndarray  # flat positions of the entries above the diagonal
    pairs: slice  # where these entries stand among all pairs, ordered as np.triu_indices(m, 1)

    def blocks(self, B: np.ndarray) -> PairBlocks:
        """The 2 x 2 blocks of the panel's pairs."""
        diagonal, first = np.diagonal(B), int(self.j[0])
        return PairBlocks(diagonal[self.i], diagonal[self.j], B[first : first + len(self.i), first:])

    def write(self, values: np.ndarray, out: np.ndarray) -> None:
        """Put the values of the pairs above the diagonal in their places in ``out`` (n_pairs,)."""
        out[self.pairs] = values.ravel()[self.above]


def upper_panels(m: int) -> Iterator[Panel]:
    """All pairs i < j of m examples, panel by panel."""
    done = 0
    for start in range(0, m, _PANEL_ROWS):
        i, j = np.arange(start, min(start + _PANEL_ROWS, m))[:, np.newaxis], np.arange(start, m)
        above = np.flatnonzero(j > i)
        yield Panel(i, j, above, slice(done, done + len(above)))
        done += len(above)
