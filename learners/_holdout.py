"""Exact hold-out predictions of RLS from its decomposition: one, a group, or two examples left out.

All functions take a :class:`learners._spectral.SpectralForm`, or for one regparam a
:class:`learners._cholesky.InverseForm`, and a vector of regparams, and return predictions on the scale of the
original targets, with the regparams along the first axis. None of them trains again; each equals training again.
"""

import numpy as np

from learners._cholesky import InverseForm
from learners._eigen import eigen
from learners._intercept import centre_kernel, centre_rest, unit_direction
from learners._pairs import PairBlocks, upper_panels
from learners._spectral import SpectralForm, apply_filters, spectral_filters

HoldOutForm = SpectralForm | InverseForm


def leave_one_out(spectral: HoldOutForm, regparams: np.ndarray) -> np.ndarray:
    """Predictions (n_regparams, m, k), each by the model trained without that example: O(m p) per regparam."""
    diagonal = spectral.diagonals(regparams)
    # f(x_i) = y_i - z_i / B_ii: the hold-out formula of learners._spectral for U = {i}.
    predictions = spectral.targets - spectral.residuals(regparams) / diagonal[:, :, np.newaxis]
    unweighted: np.ndarray = predictions / spectral.weight_roots[:, np.newaxis]
    return unweighted


def hold_out_each(spectral: HoldOutForm, holdouts: list[np.ndarray], regparams: np.ndarray) -> list[np.ndarray]:
    """For each hold-out U the predictions (n_regparams, |U|, k) of the model trained without it.

    Costs O(|U|^2 p + |U|^3) per regparam for a small hold-out. One of more than half of the examples, or in
    the primal form of more examples than features, is cheaper to predict from what is left.
    """
    residuals = spectral.residuals(regparams)
    predictions = []
    p = spectral.rank
    for indices in holdouts:
        n_left = spectral.n_samples - len(indices)
        if len(indices) <= n_left and (spectral.form == "dual" or len(indices) <= p):
            # f(X_U) = Y_U - B_UU^-1 Z_U
            removed = np.linalg.solve(spectral.blocks(indices, regparams), residuals[:, indices])
            scaled = spectral.targets[indices] - removed
        elif isinstance(spectral, SpectralForm) and spectral.form == "primal" and p <= n_left:
            scaled = _primal_from_rest(spectral, indices, regparams)
        else:
            scaled = _dual_from_rest(spectral, indices, regparams)
        predictions.append(scaled / spectral.weight_roots[indices, np.newaxis])
    return predictions


def _rest(spectral: HoldOutForm, indices: np.ndarray) -> np.ndarray:
    left = np.ones(spectral.n_samples, dtype=bool)
    left[indices] = False
    return np.flatnonzero(left)


def _dual_from_rest(spectral: HoldOutForm, indices: np.ndarray, regparams: np.ndarray) -> np.ndarray:
    """K_UT (K_TT + regparam I)^-1 Y_T for the rest T [thesis, eq. 2.14]: an eigendecomposition of its own."""
    rest = _rest(spectral, indices)
    K, cross, targets = spectral.kernel_block(rest, rest), spectral.kernel_block(indices, rest), spectral.targets[rest]
    if spectral.has_intercept:
        # A kernel with constants added to it, as this one may be, is the same to a free intercept.
        roots, held_roots = spectral.weight_roots[rest], spectral.weight_roots[indices]
        _, cross, base = centre_rest(K, cross, targets, roots, held_roots)
        centre_kernel(K, unit_direction(roots))
    eigenvalues, eigenvectors = eigen(K, overwrite=True)
    if not spectral.has_intercept:
        filters = spectral_filters(eigenvalues, regparams)
        return apply_filters(cross @ eigenvectors, filters, eigenvectors.T @ targets)
    filters, eigenvectors = spectral_filters(eigenvalues[:-1], regparams), eigenvectors[:, :-1]
    predictions: np.ndarray = base + apply_filters(cross @ eigenvectors, filters, eigenvectors.T @ targets)
    return predictions


def _primal_from_rest(spectral: SpectralForm, indices: np.ndarray, regparams: np.ndarray) -> np.ndarray:
    """F_U (F_T^T F_T + regparam I)^-1 F_T^T Y_T for the rest T [thesis, eq. 2.13 in the coordinates of F]."""
    rest = _rest(spectral, indices)
    rows, held, targets = spectral.features[rest], spectral.features[indices], spectral.targets[rest]
    base: np.ndarray | float = 0.0
    if spectral.has_intercept:
        rows, held, base = centre_rest(rows, held, targets, spectral.weight_roots[rest], spectral.weight_roots[indices])
    eigenvalues, eigenvectors = eigen(rows.T @ rows, overwrite=True)
    right = eigenvectors.T @ (rows.T @ targets)
    return base + apply_filters(held @ eigenvectors, spectral_filters(eigenvalues, regparams), right)


def leave_pair_out(spectral: HoldOutForm, first: np.ndarray, second: np.ndarray, regparams: np.ndarray) -> np.ndarray:
    """Predictions (n_regparams, n_pairs, 2, k) for given pairs: O(p) per pair and regparam."""
    residuals, diagonal = spectral.residuals(regparams), spectral.diagonals(regparams)
    entries = (diagonal[:, first], diagonal[:, second], spectral.entries(first, second, regparams))
    blocks = PairBlocks(*(entry[:, :, np.newaxis] for entry in entries))
    removed = blocks.solve(residuals[:, first], residuals[:, second])
    out = np.empty((len(regparams), len(first), 2, spectral.targets.shape[1]))
    for side, (examples, change) in enumerate(zip((first, second), removed)):
        out[:, :, side] = spectral.targets[examples] - change
        out[:, :, side] /= spectral.weight_roots[examples, np.newaxis]
    return out


def leave_each_pair_out(spectral: HoldOutForm, regparams: np.ndarray) -> np.ndarray:
    """Predictions (n_regparams, m (m - 1) / 2, 2, k) for all pairs, ordered as ``np.triu_indices(m, 1)``.

    B is formed once per regparam, O(m^2 p); each pair then costs O(1).
    """
    m, k = spectral.targets.shape
    residuals = spectral.residuals(regparams)
    out = np.empty((len(regparams), m * (m - 1) // 2, 2, k))
    panels = list(upper_panels(m))
    y, roots = spectral.targets, spectral.weight_roots
    for regparam, z, predictions in zip(regparams, residuals, out):
        B = spectral.inverse(regparam)
        for panel in panels:
            blocks = panel.blocks(B)
            for output in range(k):
                removed = blocks.solve(z[panel.i, output], z[panel.j, output])
                for side, (examples, change) in enumerate(zip((panel.i, panel.j), removed)):
                    values = (y[examples, output] - change) / roots[examples]
                    panel.write(values, predictions[:, side, output])
    return out
