"""Exact hold-out predictions of RLS from its decomposition: one, a group, or two examples left out.

All functions take a :class:`learners._spectral.SpectralForm` and a vector of regparams and return
predictions on the scale of the original targets, with the regparams along the first axis. None of them
trains again; each equals training again.
"""

import numpy as np
from scipy.linalg import eigh

from learners._spectral import SpectralForm, apply_filtered, filtered_dots

_ROW_BLOCK = 64  # rows of B that leave_pair_out treats at a time: the scratch arrays stay in cache


def leave_one_out(spectral: SpectralForm, regparams: np.ndarray) -> np.ndarray:
    """Predictions (n_regparams, m, k), each by the model trained without that example: O(m p) a regparam."""
    filters = spectral.filters(regparams)
    diagonal = filters @ np.square(spectral.rows).T
    if spectral.form == "primal":
        diagonal = 1.0 - diagonal
    predictions = spectral.targets - spectral.residuals(filters) / diagonal[:, :, np.newaxis]
    return predictions / spectral.weight_roots[:, np.newaxis]


def hold_out_each(spectral: SpectralForm, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
    """For each hold-out U the predictions (n_regparams, |U|, k) of the model trained without it.

    Costs O(|U|^2 p + |U|^3) a regparam for a small hold-out. One of more than half of the examples, or in
    the primal form of more examples than features, is cheaper to predict from what is left.
    """
    filters = spectral.filters(regparams)
    residuals = spectral.residuals(filters)
    predictions = []
    for indices in holdouts:
        n_left = len(spectral.rows) - len(indices)
        p = spectral.rows.shape[1]
        if len(indices) <= n_left and (spectral.form == "dual" or len(indices) <= p):
            removed = np.linalg.solve(spectral.blocks(indices, filters), residuals[:, indices])
            scaled = spectral.targets[indices] - removed
        elif spectral.form == "primal" and p <= n_left:
            scaled = _primal_from_rest(spectral, indices, regparams)
        else:
            scaled = _dual_from_rest(spectral, indices, regparams)
        predictions.append(scaled / spectral.weight_roots[indices, np.newaxis])
    return predictions


def _rest(spectral: SpectralForm, indices: np.ndarray) -> np.ndarray:
    left = np.ones(len(spectral.rows), dtype=bool)
    left[indices] = False
    return np.flatnonzero(left)


def _dual_from_rest(spectral: SpectralForm, indices: np.ndarray, regparams: np.ndarray) -> np.ndarray:
    rest = _rest(spectral, indices)
    eigenvalues, eigenvectors = eigh(spectral.kernel_block(rest, rest), check_finite=False)
    filters = 1.0 / (eigenvalues + regparams[:, np.newaxis])
    cross = spectral.kernel_block(indices, rest) @ eigenvectors
    return apply_filtered(cross, filters, eigenvectors.T @ spectral.targets[rest])


def _primal_from_rest(spectral: SpectralForm, indices: np.ndarray, regparams: np.ndarray) -> np.ndarray:
    rest = _rest(spectral, indices)
    rows = spectral.rows[rest]
    eigenvalues, eigenvectors = eigh(rows.T @ rows, check_finite=False)
    filters = 1.0 / (eigenvalues + regparams[:, np.newaxis])
    right = eigenvectors.T @ (rows.T @ spectral.targets[rest])
    return apply_filtered(spectral.rows[indices] @ eigenvectors, filters, right)


def leave_pair_out(spectral: SpectralForm, first: np.ndarray, second: np.ndarray, regparams: np.ndarray) -> np.ndarray:
    """Predictions (n_regparams, n_pairs, 2, k) for given pairs: O(p) a pair and regparam."""
    filters = spectral.filters(regparams)
    residuals = spectral.residuals(filters)
    diagonal = filters @ np.square(spectral.rows).T
    cross = filtered_dots(spectral.rows, first, second, filters)
    if spectral.form == "primal":
        diagonal, cross = 1.0 - diagonal, -cross
    out = np.empty((len(regparams), len(first), 2, spectral.targets.shape[1]))
    one, two = diagonal[:, first], diagonal[:, second]
    determinant = (one * two - cross * cross)[:, :, np.newaxis]
    z1, z2 = residuals[:, first], residuals[:, second]
    g, one, two = cross[:, :, np.newaxis], one[:, :, np.newaxis], two[:, :, np.newaxis]
    out[:, :, 0] = spectral.targets[first] - (two * z1 - g * z2) / determinant
    out[:, :, 1] = spectral.targets[second] - (one * z2 - g * z1) / determinant
    out[:, :, 0] /= spectral.weight_roots[first, np.newaxis]
    out[:, :, 1] /= spectral.weight_roots[second, np.newaxis]
    return out


def leave_each_pair_out(spectral: SpectralForm, regparams: np.ndarray) -> np.ndarray:
    """Predictions (n_regparams, m (m - 1) / 2, 2, k) for all pairs, ordered as ``np.triu_indices(m, 1)``.

    B is formed once a regparam, O(m^2 p); each pair then costs O(1): its 2 x 2 block is solved in closed
    form, for a panel of rows at a time.
    """
    m, k = spectral.targets.shape
    filters = spectral.filters(regparams)
    residuals = spectral.residuals(filters)
    out = np.empty((len(regparams), m * (m - 1) // 2, 2, k))
    panels = _upper_panels(m)
    for scale, z, predictions in zip(filters, residuals, out):
        half = spectral.rows * np.sqrt(scale)
        B = half @ half.T
        if spectral.form == "primal":
            B = np.eye(m) - B
        for output in range(k):
            _solve_pairs(B, spectral, z[:, output], output, panels, predictions[:, :, output])
    return out


def _upper_panels(m: int) -> list[tuple[slice, np.ndarray, slice]]:
    """Row ranges, the flat positions of each panel's part above the diagonal, and where these pairs go."""
    panels, done = [], 0
    for start in range(0, m, _ROW_BLOCK):
        stop = min(start + _ROW_BLOCK, m)
        above = np.flatnonzero(np.arange(start, m) > np.arange(start, stop)[:, np.newaxis])
        panels.append((slice(start, stop), above, slice(done, done + len(above))))
        done += len(above)
    return panels


def _solve_pairs(
    B: np.ndarray, spectral: SpectralForm, z: np.ndarray, output: int, panels: list, out: np.ndarray
) -> None:
    """Predictions of every pair for one regparam and output, written to ``out`` of shape (n_pairs, 2)."""
    diagonal = np.diagonal(B)
    y, roots = spectral.targets[:, output], spectral.weight_roots
    for rows, above, pairs in panels:
        i, j = (rows, np.newaxis), slice(rows.start, None)
        g = B[rows, j]
        determinant = diagonal[i] * diagonal[j]
        determinant -= g * g
        # The diagonal of the panel pairs an example with itself: determinant 0, never copied out.
        np.maximum(determinant, np.finfo(float).tiny, out=determinant)
        for column, own, other in ((0, i, j), (1, j, i)):
            change = g * z[other]
            change -= diagonal[other] * z[own]
            change /= determinant
            change += y[own]
            change /= roots[own]
            out[pairs, column] = change.ravel()[above]
