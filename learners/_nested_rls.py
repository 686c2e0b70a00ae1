"""Nested cross-validation of RLS: every round is a hold-out of the same inverse.

With B = (K + regparam I)^-1 and Z = B Y formed once for a regparam, training without the outer fold k has
the inverse B_tt - B_tk B_kk^-1 B_kt and the coefficients Z_t - B_tk B_kk^-1 Z_k on the rest t. An inner
group d needs only its own diagonal block of the first and its own rows of the second:

    T = L^-1 B_kt with L L^T = B_kk,    v = L^-1 Z_k
    f(X_d) = Y_d - (B_dd - T_d^T T_d)^-1 (Z_d - T_d^T v)

so a fold costs one triangular solve, O(|k|^2 m), and all inner groups together O(|k| m |d|). Forming B is
O(m^3) per regparam; with n_folds equal folds the rest is O(m^3 / n_folds). In the primal form B is I - hat. Both
hold-outs, the fold's and then the group's, are [Pahikkala2010, Theorem 3.1]; what the fold leaves of B is its Schur
complement, so the second is a hold-out of the first. Columns that weigh otherwise in every fold change B by a few
columns first (:mod:`learners._nested_columns`).
"""

from collections.abc import Callable, Iterable

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from learners._nested_columns import Change, FoldColumns, compute_change
from learners._nested_layout import NestedLayout, Rounds, buckets_by_shape, divide_rows, empty_rounds
from learners.decomposition import RLSDecomposition


def solve_nested_rls(
    decomposition: RLSDecomposition,
    layouts: list[NestedLayout],
    columns: list[FoldColumns],
    regparams: np.ndarray,
    progress: Callable[[np.ndarray], Iterable[float]] = iter,
) -> list[Rounds]:
    """The predictions of every round of each layout."""
    targets = decomposition.targets
    results = [empty_rounds(layout, len(regparams), targets.shape[1]) for layout in layouts]
    workspace = None
    for position, regparam in enumerate(progress(regparams)):
        # In the dual form B is overwritten by that of the next regparam: fresh memory would cost as much again.
        B = workspace = decomposition.inverse(regparam, workspace)
        z = B @ targets  # Z = B Y~, shared by all folds whose columns weigh as in K
        for layout, own, (inner, outer) in zip(layouts, columns, results):
            changes = _changes(decomposition, B, own, regparam)
            for number, (fold, changed) in enumerate(zip(layout.folds, changes)):
                Z = changed.solution(z, targets)
                rows = changed.apply(fold, np.ascontiguousarray(B[fold].T))  # B_:k, (m, |k|)
                # L L^T = B_kk and v = L^-1 Z_k; L^-T v = B_kk^-1 Z_k is the hold-out of the fold itself.
                L = cholesky(rows[fold], lower=True, check_finite=False)
                v = solve_triangular(L, Z[fold], lower=True, check_finite=False)
                removed = solve_triangular(L, v, lower=True, trans="T", check_finite=False)
                outer[position, fold] = targets[fold] - removed  # [Pahikkala2010, Theorem 3.1]
                # T = L^-1 B_kt, its columns as rows of an array, so that those of a group lie together.
                T = divide_rows(L, rows)
                # Z - T^T v = Z - B_:k B_kk^-1 Z_k are the coefficients that the fold leaves.
                _inner_predictions(B, Z - T @ v, T, changed, targets, layout, number, inner[number, position])
    return results


def _changes(decomposition: RLSDecomposition, B: np.ndarray, own: FoldColumns, regparam: float) -> list[Change]:
    """What each fold's weights of its columns change of B."""
    # B^-1 is K~ + regparam I (dual), or that divided by regparam (primal): it changes by U D U^T, or by that divided.
    U = decomposition.weight_roots[:, np.newaxis] * own.columns
    image = B @ U
    gram = U.T @ image
    scale = regparam if decomposition.form == "primal" else 1.0
    return [compute_change(image, gram, np.diag((weights - 1.0) / scale)) for weights in own.weights]


def _inner_predictions(
    B: np.ndarray,
    Z: np.ndarray,
    T: np.ndarray,
    changed: Change,
    targets: np.ndarray,
    layout: NestedLayout,
    fold: int,
    out: np.ndarray,
) -> None:
    """f(X_d) = Y_d - (B_dd - T_d^T T_d)^-1 Z_d for every inner group d; ``Z`` is what the fold has left of it."""
    groups = [layout.groups[number] for number in layout.inner_groups(fold)]
    for bucket in buckets_by_shape([(len(group),) for group in groups]):
        members = np.array([groups[position] for position in bucket])
        block = B[members[:, :, np.newaxis], members[:, np.newaxis, :]]
        # B_dd of the fold's own kernel, less B_dk B_kk^-1 B_kd = T_d^T T_d: the Schur complement that the fold leaves
        for rows, sign in ((T[members], -1.0), (changed.minus[members], -1.0), (changed.plus[members], 1.0)):
            if rows.shape[2]:
                block += sign * (rows @ np.swapaxes(rows, 1, 2))
        out[members] = targets[members] - np.linalg.solve(block, Z[members])
