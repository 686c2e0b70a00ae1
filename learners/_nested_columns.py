"""Columns of features whose weight in the kernel is another one in every outer fold.

Let c be columns of features of the kernel, K = K_rest + c c^T.  In fold k they weigh otherwise,

    K_k = K + c (D_k - I) c^T,    D_k diagonal,

because their scale is taken from the fold's training part, say.  The symmetric matrix whose inverse B gives every
hold-out changes by U C U^T, of as low a rank, so the fold's own inverse is that of all folds but for a few columns:

    B_k = B + B U W (B U)^T,    W = -(C^-1 + U^T B U)^-1 = -(I + C U^T B U)^-1 C        (Woodbury)

=========  =======================  ========================================
problem    U                        C, with D = D_k - I
=========  =======================  ========================================
dual       S^1/2 c                  D
primal     S^1/2 c                  D / regparam, as B is regparam (K + ...)^-1 there
sparse     blocks S^1/2 c_M, c_R    [0 D; D -regparam D]
=========  =======================  ========================================

The eigenvalues of W are of both signs: B_k = B - minus minus^T + plus plus^T.  Nothing in the solution that an example
has been left out of depends on its row of c, so a fold's model depends on its training part alone if D_k does.
"""

from typing import Any, NamedTuple

import numpy as np

from learners._nested_layout import NestedLayout
from learners.errors import LearnerError

#: Eigenvalues of W below this part of the greatest are rounding errors.
_NEGLIGIBLE = 1e-14


class FoldColumns(NamedTuple):
    """The columns, and how much they weigh in each fold of one layout, in units of what they weigh in K."""

    columns: np.ndarray  # c, (m, q)
    weights: np.ndarray  # the diagonals of D_k, (n_folds, q)


class Change(NamedTuple):
    """What a fold's own weights change: B_k = B - minus minus^T + plus plus^T."""

    minus: np.ndarray  # (n, a)
    plus: np.ndarray  # (n, b)

    def apply(self, rows: np.ndarray, B_rows: np.ndarray) -> np.ndarray:
        """Rows of B_k as columns, from the same rows of B as columns, which are overwritten."""
        B_rows -= self.minus @ self.minus[rows].T
        B_rows += self.plus @ self.plus[rows].T
        return B_rows

    def solution(self, z: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """B_k [y; 0] from z = B [y; 0]."""
        m = len(targets)
        z_k: np.ndarray = z - self.minus @ (self.minus[:m].T @ targets) + self.plus @ (self.plus[:m].T @ targets)
        return z_k


def check_columns(columns: Any, column_weights: Any, layouts: list[NestedLayout]) -> list[FoldColumns]:
    """The columns with their weights in every layout; none at all where none are given.

    Raises
    ------
    LearnerError
        If the shapes do not fit, or a weight is not positive.
    """
    if (columns is None) != (column_weights is None):
        raise LearnerError("expected columns together with column_weights, got only one of them; pass both or neither")
    if columns is None:
        m = layouts[0].n_samples if layouts else 0
        return [FoldColumns(np.zeros((m, 0)), np.zeros((len(layout.folds), 0))) for layout in layouts]
    c = np.asarray(columns, dtype=np.float64)
    weights = [np.asarray(fold_weights, dtype=np.float64) for fold_weights in column_weights]
    m = layouts[0].n_samples
    if c.ndim != 2 or len(c) != m or not np.all(np.isfinite(c)):
        raise LearnerError(f"expected columns to be finite, one row for each of {m} examples, got shape {c.shape}")
    shapes = [(len(layout.folds), c.shape[1]) for layout in layouts]
    if [fold_weights.shape for fold_weights in weights] != shapes:
        raise LearnerError(
            f"expected column_weights of the shapes {shapes}, one row per fold and one value per column, "
            f"got {[fold_weights.shape for fold_weights in weights]}"
        )
    for fold_weights in weights:
        if not (np.all(np.isfinite(fold_weights)) and np.all(fold_weights > 0)):
            raise LearnerError(
                f"expected positive column_weights, got {fold_weights.min()!r}; scale the columns instead"
            )
    return [FoldColumns(c, fold_weights) for fold_weights in weights]


def compute_change(image: np.ndarray, gram: np.ndarray, C: np.ndarray) -> Change:
    """minus and plus from B U, U^T B U and C."""
    # W is symmetric (C and U^T B U are) up to rounding, and small: (q, q), or (2 q, 2 q) with basis vectors.
    W = -np.linalg.solve(np.eye(len(C)) + C @ gram, C)
    values, vectors = np.linalg.eigh(0.5 * (W + W.T))
    # B_k - B = B U W (B U)^T = sum over eigenpairs of W of sign(v) (B U x sqrt|v|) (B U x sqrt|v|)^T
    is_significant = np.abs(values) > _NEGLIGIBLE * np.max(np.abs(values), initial=0.0)
    rows = image @ (vectors * np.sqrt(np.abs(values)))
    return Change(rows[:, is_significant & (values < 0)], rows[:, is_significant & (values > 0)])
