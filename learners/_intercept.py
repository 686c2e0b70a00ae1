"""An intercept that is not penalised: what it changes in a least-squares problem.

With the roots w of the example weights, S^1/2 1, the intercept b adds w b to the weighted predictions. Whatever b takes
up of the residuals lies along w^ = w / ||w||, so the rest of the problem is what P = I - w^ w^T leaves of it: P X~,
P K~ P, P Y~. The matrix B from which hold-outs are read (:mod:`learners._spectral`) becomes that of the system bordered
by the intercept [An2007, sec. 2], and B w^ = 0. The hold-out formula does not change: the border is never left out.

======  =====================================================================
form    B
======  =====================================================================
dual    (P K~ P + c w^ w^T + regparam I)^-1 - w^ w^T / (c + regparam), any c
primal  I - w^ w^T - F diag(1 / (e + regparam)) F^T,  F = P X~ V
======  =====================================================================

For c above the spectrum w^ is an eigenvector of its own in the dual form; without it the others make up B.
The coefficients a~ are orthogonal to w, so predictions take the kernel as it is: k(x)^T a + b.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import lapack

from learners.errors import LabelError

_ROWS = 256  # updated at a time: the scratch array stays in cache


class Intercept(NamedTuple):
    """b = mean of y - means of the columns . coefficients: means over the weighted examples."""

    direction: np.ndarray  # w^, (m,)
    column_means: np.ndarray  # of X, K or K_MR: whatever the coefficients multiply
    target_means: np.ndarray  # (k,)

    @classmethod
    def of(cls, matrix: Any, targets: np.ndarray, weight_roots: np.ndarray) -> Intercept:
        """The intercept of a problem given without weights."""
        weights = np.square(weight_roots)
        total = weights.sum()
        if not total > 0:
            raise LabelError(
                f"expected a positive sample_weight for at least one example, got 0 for all {len(weights)}; "
                "leave sample_weight out to weigh all the same"
            )
        column_means = np.asarray(matrix.T @ weights).ravel() / total
        return cls(unit_direction(weight_roots), column_means, weights @ targets / total)

    def values(self, coefficients: np.ndarray) -> np.ndarray:
        """b for every regparam and output, (n_regparams, k), from (n_regparams, n_coefficients, k)."""
        intercepts: np.ndarray = self.target_means - np.einsum("j,ljk->lk", self.column_means, coefficients)
        return intercepts


def unit_direction(weight_roots: np.ndarray) -> np.ndarray:
    """w^ = w / ||w||."""
    direction: np.ndarray = weight_roots / np.linalg.norm(weight_roots)
    return direction


def centre_rows(rows: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """P times dense rows, an array of its own."""
    return rows - np.outer(direction, direction @ rows)


def centre_kernel(K: np.ndarray, direction: np.ndarray) -> float:
    """Turn K~ in place into P K~ P + c w^ w^T, and give c, which lies above the eigenvalues of the first."""
    # Twice the greatest sum of absolute values in a row bounds the spectrum, strictly unless there is nothing in K.
    c = 2.0 * float(lapack.dlange("1", K.T)) or 1.0
    image = K @ direction
    # P K~ P + c w^ w^T = K~ - w^ v^T - v w^T
    v = image - 0.5 * (direction @ image + c) * direction
    for start in range(0, len(K), _ROWS):
        part = slice(start, start + _ROWS)
        K[part] -= np.outer(direction[part], v) + np.outer(v[part], direction)
    return c


def subtract_direction(B: np.ndarray, direction: np.ndarray, scale: float) -> np.ndarray:
    """B - scale w^ w^T, in place."""
    for start in range(0, len(B), _ROWS):
        part = slice(start, start + _ROWS)
        B[part] -= np.outer(direction[part] * scale, direction)
    return B


class Rest(NamedTuple):
    """What is left to train on without a large hold-out, with an intercept of its own."""

    rows: np.ndarray  # P F of the rest
    held: np.ndarray  # rows of the hold-out, as far from the same means
    base: np.ndarray  # what the intercept alone predicts, (u, k)


def centre_rest(
    rows: np.ndarray, held: np.ndarray, targets: np.ndarray, rest_roots: np.ndarray, held_roots: np.ndarray
) -> Rest:
    """Centre the rows of the rest, and those held out by the means of the rest; all weighted."""
    direction = unit_direction(rest_roots)
    shift = held_roots / np.linalg.norm(rest_roots)
    means = direction @ rows
    return Rest(rows - np.outer(direction, means), held - np.outer(shift, means), np.outer(shift, direction @ targets))
