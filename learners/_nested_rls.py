"""Nested cross-validation of RLS: every round is a hold-out of the same inverse.

With B = (K + regparam I)^-1 and Z = B Y formed once for a regparam, training without the outer fold k has
the inverse B_tt - B_tk B_kk^-1 B_kt and the coefficients Z_t - B_tk B_kk^-1 Z_k on the rest t. An inner
group d needs only its own diagonal block of the first and its own rows of the second:

    T = L^-1 B_kt with L L^T = B_kk,    v = L^-1 Z_k
    f(X_d) = Y_d - (B_dd - T_d^T T_d)^-1 (Z_d - T_d^T v)

so a fold costs one triangular solve, O(|k|^2 m), and all inner groups together O(|k| m |d|). Forming B is
O(m^3) a regparam; with n_folds equal folds the rest is O(m^3 / n_folds). In the primal form B is I - hat.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from scipy.linalg import cholesky, lapack, solve_triangular

from learners._nested_layout import NestedLayout, buckets_by_shape, divide_rows, empty_predictions
from learners._spectral import decompose_primal
from learners.errors import KernelError

_MIRROR = 256  # rows copied at a time when a triangle is mirrored


def regularized_inverse(K: np.ndarray, regparam: float, out: np.ndarray) -> np.ndarray:
    """(K + regparam I)^-1 by Cholesky, in ``out`` (Fortran order): m^3 operations, no eigendecomposition."""
    A = out
    A[...] = K.T  # symmetric; the transpose has the order of ``out``
    A[np.diag_indices_from(A)] += regparam
    factor, info = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
    if info != 0:
        raise KernelError(
            f"the kernel matrix plus regparam={regparam:.3g} is not positive definite; the kernel must be "
            "positive semidefinite up to rounding, try a larger regparam"
        )
    inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    _mirror_lower(inverse)
    return inverse


def _mirror_lower(A: np.ndarray) -> None:
    for start in range(0, len(A), _MIRROR):
        stop = min(start + _MIRROR, len(A))
        A[start:stop, stop:] = A[stop:, start:stop].T
        corner = A[start:stop, start:stop]
        corner[...] = np.tril(corner) + np.tril(corner, -1).T


def _inverses(form: str, matrix: Any, targets: np.ndarray, weight_roots: np.ndarray) -> Callable[[float], np.ndarray]:
    """How B is formed for a regparam: I - hat from the primal decomposition, or the dual inverse."""
    if form == "dual":
        K = matrix * weight_roots[:, np.newaxis] * weight_roots
        work = np.empty_like(K, order="F")
        return lambda regparam: regularized_inverse(K, regparam, work)
    spectral = decompose_primal(matrix, targets, weight_roots)

    def residual_matrix(regparam: float) -> np.ndarray:
        half = spectral.rows * np.sqrt(spectral.filters(np.array([regparam]))[0])
        return np.eye(len(half)) - half @ half.T

    return residual_matrix


def nested_rls(
    form: str,
    matrix: Any,
    targets: np.ndarray,
    weight_roots: np.ndarray,
    layouts: list[NestedLayout],
    regparams: np.ndarray,
    progress: Callable[[np.ndarray], Iterable[float]] = iter,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each layout, weighted inner predictions (n_folds, n_regparams, m, k) and outer ones (n_regparams, m, k).

    ``matrix`` is X in the primal form and K in the dual one. NaN stands where there is no prediction.
    """
    inverse = _inverses(form, matrix, targets, weight_roots)
    targets = targets * weight_roots[:, np.newaxis]
    results = [empty_predictions(layout, len(regparams), targets.shape[1]) for layout in layouts]
    for position, regparam in enumerate(progress(regparams)):
        B = inverse(regparam)
        Z = B @ targets
        for layout, (inner, outer) in zip(layouts, results):
            for number, fold in enumerate(layout.folds):
                L = cholesky(B[np.ix_(fold, fold)], lower=True, check_finite=False)
                v = solve_triangular(L, Z[fold], lower=True, check_finite=False)
                removed = solve_triangular(L, v, lower=True, trans="T", check_finite=False)
                outer[position, fold] = targets[fold] - removed
                # Columns of T as rows of an array, so that those of a group lie together.
                T = divide_rows(L, np.ascontiguousarray(B[fold].T))
                _inner_predictions(B, Z - T @ v, T, targets, layout, number, inner[number, position])
    return results


def _inner_predictions(
    B: np.ndarray,
    Z: np.ndarray,
    T: np.ndarray,
    targets: np.ndarray,
    layout: NestedLayout,
    fold: int,
    out: np.ndarray,
) -> None:
    groups = [layout.groups[number] for number in layout.inner_groups(fold)]
    for bucket in buckets_by_shape([(len(group),) for group in groups]):
        members = np.array([groups[position] for position in bucket])
        rows = T[members]
        block = B[members[:, :, np.newaxis], members[:, np.newaxis, :]]
        block -= rows @ np.swapaxes(rows, 1, 2)
        out[members] = targets[members] - np.linalg.solve(block, Z[members])
