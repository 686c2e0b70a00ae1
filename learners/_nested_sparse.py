"""Nested cross-validation of reduced-set RLS: examples and their basis vectors leave together.

:mod:`learners._sparse_spectral` has the symmetric system in the residuals e of all examples M and the
coefficients a of the basis vectors R, and its inverse

    B = [ E  A^T ]     E = I - F G F^T,   A = Q G F^T,   P = Q G Q^T
        [ A  -P  ]

Every round of a nested cross-validation deletes rows and columns of that system: e_i of the held-out
examples and a_j of their basis vectors. B is formed once per regparam. An outer fold k is then eliminated in
two steps, e_k (E is positive definite) and a_k (what is left of -P is negative definite), which is
[PaperIII, Theorem 1] carried through to the predictions:

    B' = B - T^T T + S^T S

with T and S from one triangular solve each, O(|k|^2 (m + r)). An inner group needs only its own small block
of B' and its own rows of z', as in :mod:`learners._nested_rls`. Columns that weigh otherwise in every fold change B
by a few columns first (:mod:`learners._nested_columns`).

Forming E and P takes m^2 r + r^3 operations, and A another 2 m r^2. The second row of the system,
K_RM S^1/2 e = regparam K_RR a, gives with the examples N outside the basis

    regparam A = S_R^1/2 E_RM + W E_NM,    W = K_RR^-1 K_RN S_N^1/2

which takes 2 m r (m - r) only. It divides rounding errors by regparam, so it is used only if A times a random
vector comes out right to a relative 1e-10; predictions then stay within about ten times that.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from scipy.linalg import block_diag, cholesky, solve_triangular

from learners._nested_columns import Change, FoldColumns, compute_change
from learners._nested_layout import NestedLayout, Rounds, buckets_by_shape, divide_rows, empty_rounds
from learners._nested_removal import FoldRemoval, plan_removal
from learners._reduced_set import LostDirections
from learners._sparse_spectral import SparseSpectralForm, solve_quasi_definite
from learners.decomposition import SparseRLSDecomposition
from learners.errors import BasisError

#: Relative error of A up to which the cheap relation stands in for the product: hold-outs equal refitting to about ten
#: times that, well within what regparam itself allows, and a float64 product of this size errs by about 1e-13.
_PROBE_TOLERANCE = 1e-10


class _Inverse(NamedTuple):
    """B and z = B [y~; 0] for one regparam."""

    E: np.ndarray  # (m, m)
    A: np.ndarray  # (p, m)
    P: np.ndarray  # (p, p)
    e: np.ndarray  # (m, k)
    a: np.ndarray  # (p, k)


class _Elimination(NamedTuple):
    """What is left without an outer fold: T and S with columns kept as rows, and z', e then a."""

    T: np.ndarray  # (m + p, |k|)
    S: np.ndarray  # (m + p, number of lost directions)
    changed: Change  # what the fold's own weights of its columns change of B
    e: np.ndarray  # (m, k)
    a: np.ndarray  # (p, k)
    residuals: np.ndarray  # y~ minus the predictions for the fold's examples


class _Workspace:
    """The large arrays, allocated once: fresh memory for each regparam and fold would cost as much again."""

    def __init__(self, m: int, p: int, columns: int, largest_fold: int):
        self.half = np.empty((max(m, p), columns))
        self.E = np.empty((m, m))
        self.A = np.empty((p, m))
        self.P = np.empty((p, p))
        self._panels = np.empty((2, (m + p) * max(largest_fold, 1)))

    def panel(self, number: int, columns: int) -> np.ndarray:
        """Panel 0 or 1 as an uninitialised array of m + p rows."""
        rows = len(self.E) + len(self.P)
        return self._panels[number, : rows * columns].reshape(rows, columns)


def solve_nested_sparse(
    decomposition: SparseRLSDecomposition,
    layouts: list[NestedLayout],
    columns: list[FoldColumns],
    regparams: np.ndarray,
    progress: Callable[[np.ndarray], Iterable[float]] = iter,
) -> list[Rounds]:
    """The predictions of every round of each layout."""
    spectral = decomposition.spectral
    m, k = spectral.targets.shape
    results = [empty_rounds(layout, len(regparams), k) for layout in layouts]
    outside = np.flatnonzero(spectral.reduced.kept_position < 0)  # N
    W = spectral.in_the_basis(outside)
    removals = [[plan_removal(spectral, layout, fold) for fold in range(len(layout.folds))] for layout in layouts]
    workspace = _Workspace(
        m, len(W), spectral.rows.shape[1], max(len(fold) for layout in layouts for fold in layout.folds)
    )
    for position, regparam in enumerate(progress(regparams)):
        inverse = _form_inverse(spectral, outside, W, regparam, workspace)
        for layout, planned, own, (inner, outer) in zip(layouts, removals, columns, results):
            changes = _changes(spectral, inverse, own, regparam)
            for fold, (examples, removal, changed) in enumerate(zip(layout.folds, planned, changes)):
                eliminated = _eliminate(inverse, changed, spectral.targets, examples, removal.lost, workspace)
                outer[position, examples] = spectral.targets[examples] - eliminated.residuals
                _inner_predictions(inverse, eliminated, spectral.targets, removal, inner[fold, position])
    return results


def _form_inverse(
    spectral: SparseSpectralForm, outside: np.ndarray, W: np.ndarray, regparam: float, workspace: _Workspace
) -> _Inverse:
    """E = I - F G F^T and P = Q G Q^T, each as a product of a matrix with its own transpose, and A."""
    filters = spectral.filters(np.array([regparam]))[0]  # the diagonal of G
    E, P = workspace.E, workspace.P
    for rows, out in ((spectral.rows, E), (spectral.basis_rows, P)):
        half = np.multiply(rows, np.sqrt(filters), out=workspace.half[: len(rows)])  # F G^1/2 or Q G^1/2
        np.matmul(half, half.T, out=out)
    np.negative(E, out=E)
    E[np.diag_indices_from(E)] += 1.0
    # z = B [y~; 0] needs only the first block column of B: e = E y~ and a = A y~.
    A = _coefficient_rows(spectral, E, outside, W, filters, regparam, workspace.A)
    return _Inverse(E, A, P, E @ spectral.targets, A @ spectral.targets)


def _coefficient_rows(
    spectral: SparseSpectralForm,
    E: np.ndarray,
    outside: np.ndarray,
    W: np.ndarray,
    filters: np.ndarray,
    regparam: float,
    out: np.ndarray,
) -> np.ndarray:
    """A by the relation to E if that is cheaper and a probe finds it exact, else by its definition."""
    if len(outside) < len(W):
        # regparam A = S_R^1/2 E_RM + W E_NM
        A = np.matmul(W / regparam, E[outside], out=out)
        scale = spectral.weight_roots / regparam
        for row, example in zip(A, spectral.reduced.independent_examples):
            row += scale[example] * E[example]
        # A v = Q G (F^T v) for a random v costs O(m p): an A that passes is right in every row, but by chance.
        probe = np.random.default_rng(0).standard_normal(len(E))
        expected = spectral.basis_rows @ (filters * (spectral.rows.T @ probe))
        if np.max(np.abs(A @ probe - expected)) <= _PROBE_TOLERANCE * np.max(np.abs(expected)):
            return A
    return np.matmul(spectral.basis_rows * filters, spectral.rows.T, out=out)


def _changes(spectral: SparseSpectralForm, inverse: _Inverse, own: FoldColumns, regparam: float) -> list[Change]:
    """What each fold's weights of its columns change of B: U has blocks, the columns of M (weighted) and of R."""
    q = own.columns.shape[1]
    if q == 0:  # basis vectors that are no examples have no row in the columns
        nothing = np.zeros((len(inverse.E) + len(inverse.P), 0))
        return [Change(nothing, nothing)] * len(own.weights)
    if len(spectral.reduced.independent_examples) < len(inverse.P):
        raise BasisError(
            "expected basis vectors that are examples with columns of their own weights, got rows that are none; "
            "choose the basis among the examples"
        )
    # K_MR changes by c_M D c_R^T and K_RR by c_R D c_R^T: the system by U [0 D; D -regparam D] U^T, U = diag(E_M, E_R).
    E_M = spectral.weight_roots[:, np.newaxis] * own.columns
    E_R = own.columns[spectral.reduced.independent_examples]
    # B U, block by block, and U^T B U
    image = np.block([[inverse.E @ E_M, inverse.A.T @ E_R], [inverse.A @ E_M, -inverse.P @ E_R]])
    m = len(E_M)
    gram = np.vstack([E_M.T @ image[:m], E_R.T @ image[m:]])
    changes = []
    for weights in own.weights:
        D = np.diag(weights - 1.0)
        changes.append(compute_change(image, gram, np.block([[np.zeros((q, q)), D], [D, -regparam * D]])))
    return changes


def _eliminate(
    inverse: _Inverse,
    changed: Change,
    targets: np.ndarray,
    fold: np.ndarray,
    lost: LostDirections,
    workspace: _Workspace,
) -> _Elimination:
    """Leave out the examples of a fold, then the directions its basis vectors take along."""
    m = len(inverse.E)
    z = changed.solution(np.vstack([inverse.e, inverse.a]), targets)
    # First e_k: E_kk = L L^T, and T = L^-1 [E A^T]_k, kept transposed; B becomes B - T^T T, z becomes z - T^T v.
    T = workspace.panel(0, len(fold))
    T[:m] = inverse.E[fold].T
    T[m:] = inverse.A[:, fold]
    T = changed.apply(fold, T)
    L = cholesky(T[fold], lower=True, check_finite=False)
    T = divide_rows(L, T)
    v = solve_triangular(L, z[fold], lower=True, check_finite=False)
    # Then a_k: S holds what T has left of the rows of the lost directions. Their own block of it is -M M^T, so
    # removing it adds S^T S once the rows are divided by M.
    T_lost = lost.apply(T[m:])
    S = np.matmul(T, -T_lost.T, out=workspace.panel(1, len(T_lost)))
    S[:m] += lost.apply(inverse.A).T
    S[m:] -= lost.apply(inverse.P).T
    S -= changed.minus @ lost.apply(changed.minus[m:]).T
    S += changed.plus @ lost.apply(changed.plus[m:]).T
    M = cholesky(-lost.apply(S[m:]), lower=True, check_finite=False)
    S = divide_rows(M, S)
    # w = M^-1 (a_k - T_k v) and x = -M^-T w solve for what removing the directions changes in z and in e_k.
    w = solve_triangular(M, lost.apply(z[m:]) - T_lost @ v, lower=True, check_finite=False)
    x = -solve_triangular(M, w, lower=True, trans="T", check_finite=False)
    residuals = solve_triangular(L, v - T_lost.T @ x, lower=True, trans="T", check_finite=False)
    z = z - T @ v + S @ w
    return _Elimination(T, S, changed, z[:m], z[m:], residuals)


def _inner_predictions(
    inverse: _Inverse, eliminated: _Elimination, targets: np.ndarray, removal: FoldRemoval, out: np.ndarray
) -> None:
    """Predictions of every inner group, from its own block of what is left after the fold."""
    plain = [group for group in removal.groups if group.mix is None]
    for bucket in buckets_by_shape([(len(group.examples), len(group.positions)) for group in plain]):
        U = np.array([plain[number].examples for number in bucket])
        H = np.array([plain[number].positions for number in bucket])
        block, z = _remaining_block(inverse, eliminated, U, H)
        out[U] = targets[U] - solve_quasi_definite(block, z, U.shape[1])
    for U, H, mix in removal.groups:
        if mix is not None:
            block, z = _remaining_block(inverse, eliminated, U[np.newaxis], H[np.newaxis])
            # what goes with the group are combinations of its basis vectors: the block in their coordinates
            change = block_diag(np.eye(len(U)), mix)
            block, z = change.T @ block[0] @ change, change.T @ z[0]
            out[U] = targets[U] - solve_quasi_definite(block, z, len(U))


def _remaining_block(
    inverse: _Inverse, eliminated: _Elimination, U: np.ndarray, H: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """B' and z' restricted to e_U and a_H, for a stack of groups of one shape."""
    m, u = len(inverse.E), U.shape[1]
    columns = np.hstack([U, m + H])
    # B' = B - T^T T + S^T S, with the blocks E, A and -P of B.
    changed = eliminated.changed
    T, S = eliminated.T[columns], eliminated.S[columns]
    block = S @ np.swapaxes(S, 1, 2)
    block -= T @ np.swapaxes(T, 1, 2)
    for rows, sign in ((changed.minus[columns], -1.0), (changed.plus[columns], 1.0)):
        if rows.shape[2]:
            block += sign * (rows @ np.swapaxes(rows, 1, 2))
    block[:, :u, :u] += inverse.E[U[:, :, np.newaxis], U[:, np.newaxis, :]]
    coupling = inverse.A[H[:, :, np.newaxis], U[:, np.newaxis, :]]
    block[:, u:, :u] += coupling
    block[:, :u, u:] += np.swapaxes(coupling, 1, 2)
    block[:, u:, u:] -= inverse.P[H[:, :, np.newaxis], H[:, np.newaxis, :]]
    return block, np.hstack([eliminated.e[U], eliminated.a[H]])
