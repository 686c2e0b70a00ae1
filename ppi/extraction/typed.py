"""Models with several outputs: ridge regression for each, over the same features, an intercept for each corpus.

Each output is learned from the corpora that teach it (:mod:`ppi.extraction.outputs`), and judged and calibrated on
corpora with types that were left out of training.  Features that fewer than ``min_documents`` documents have are
dropped before anything is solved, so that tens of thousands of pairs fit into memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from corpora.interactions import MODIFICATION
from kernels import linear_gram
from learners import FeatureGram, masked_ridge
from learners.metrics import best_threshold
from ppi.errors import TrainingError
from ppi.extraction.calibration import DEFAULT_CALIBRATION_METHOD, Calibration, fit_by_method
from ppi.extraction.outputs import INTERACTION, MIN_TYPE_POSITIVES, OUTPUTS, REGPARAMS, TYPES
from ppi.extraction.preparation import HoldOut, TrainingRows
from ppi.extraction.ridge import document_frequencies

#: Outputs that are probabilities; the others only decide between two.
CALIBRATED_OUTPUTS = (INTERACTION, *TYPES)
#: Up to so many rows the kernel matrix is formed; beyond, products go through the features.
MAX_DENSE_ROWS = 8_000
#: Of conjugate gradients; closer solutions rank the same.
SOLVER_TOLERANCE = 1e-2


@dataclass(frozen=True)
class LinearOutputs:
    """Linear functions of the kept features, one column per output."""

    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]

    def scores(self, X: sp.csr_matrix) -> NDArray[np.float64]:
        """One row per row of X (with the kept features alone), one column per output."""
        return np.asarray(X @ self.weights) + self.intercepts


@dataclass(frozen=True)
class TypedModel:
    """The model of all rows, and what models without each corpus with types said of it.

    Parameters
    ----------
    kept
        Which features the outputs are over.
    outputs
        The model.
    held_out
        Scores of rows by the model without their corpus, NaN for rows of corpora that were not left out.
    calibrations
        Of each output that is a probability, fitted to the scores held out.
    """

    feature_mask: NDArray[np.bool_]
    outputs: LinearOutputs
    held_out: NDArray[np.float64]
    calibrations: dict[str, Calibration]


def train_typed(rows: TrainingRows, *, min_documents: int, regparam: float | None = None) -> TypedModel:
    """Train on all rows, and on all but each corpus with types; ``regparam`` replaces those of all outputs."""
    targets = _require_targets(rows)
    rows.check_hold_outs()
    feature_mask = document_frequencies(rows) >= min_documents
    X = sp.csr_matrix(rows.X[:, feature_mask], dtype=np.float32)
    parts = select_typed_hold_outs(rows)
    masks = [np.ones(len(rows), dtype=np.bool_), *(~part.excluded_mask for part in parts)]
    whole, *partial_models = fit_typed_outputs(X, rows, masks, regparam=regparam)
    held_out = np.full(targets.shape, np.nan)
    for part, model in zip(parts, partial_models, strict=True):
        held_out[part.test_mask] = model.scores(X[part.test_mask])
    return TypedModel(feature_mask, whole, held_out, fit_calibrations(targets, held_out, rows.corpora))


def choose_typed_threshold(model: TypedModel, rows: TrainingRows) -> float:
    """The score of ``interaction`` with the best F on what was held out.

    Raises
    ------
    TrainingError
        If no corpus that was left out says of pairs of both kinds whether they interact.
    """
    targets, scores = _require_targets(rows)[:, 0], model.held_out[:, 0]
    is_scored = ~np.isnan(targets) & ~np.isnan(scores)
    if len(np.unique(targets[is_scored])) < 2:
        raise TrainingError(
            f"expected held-out pairs of both kinds to choose a threshold on, got {int(is_scored.sum())} of one or none; "
            f"train on events with at least {MIN_TYPE_POSITIVES} pairs of each type, or add a corpus of pairs"
        )
    return best_threshold(targets[is_scored], scores[is_scored]).threshold


def select_typed_hold_outs(rows: TrainingRows) -> list[HoldOut]:
    """The parts to leave out: those with types, for they are judged by them."""
    typed = ~np.isnan(_require_targets(rows)[:, OUTPUTS.index(MODIFICATION)])  # taught by events alone
    several = [part for part in rows.hold_outs if (part.test_mask & typed).sum() > len(rows) // 100]
    return several if len(several) > 1 else list(rows.hold_outs)


def fit_calibrations(
    targets: NDArray[np.float64], held_out: NDArray[np.float64], corpora: NDArray[np.intp]
) -> dict[str, Calibration]:
    """A calibration for each output that has both kinds among what was held out."""
    calibrations = {}
    for name in CALIBRATED_OUTPUTS:
        column = OUTPUTS.index(name)
        is_scored = ~np.isnan(targets[:, column]) & ~np.isnan(held_out[:, column])
        labels = targets[is_scored, column]
        if len(np.unique(labels)) == 2:
            calibrations[name] = fit_by_method(
                DEFAULT_CALIBRATION_METHOD, held_out[is_scored, column], labels, corpora[is_scored]
            )
    return calibrations


def fit_typed_outputs(
    X: sp.csr_matrix, rows: TrainingRows, parts: Sequence[NDArray[np.bool_]], *, regparam: float | None = None
) -> list[LinearOutputs]:
    """The outputs learned from each part of the rows; an output that a part does not teach is NaN."""
    targets = _require_targets(rows)
    is_taught = ~np.isnan(targets) & rows.trainable[:, None]
    weights = np.full((len(parts), X.shape[1], len(OUTPUTS)), 0.0, dtype=np.float32)
    intercepts = np.full((len(parts), len(OUTPUTS)), np.nan)
    for columns in _group_columns(is_taught):
        jobs = [
            (part, column)
            for part in range(len(parts))
            for column in columns
            if len(np.unique(targets[is_taught[:, column] & parts[part], column])) == 2
        ]
        if not jobs:
            continue
        used_rows = is_taught[:, columns].any(axis=1)
        Y = np.nan_to_num(targets[used_rows][:, [column for _, column in jobs]])
        masks = np.column_stack([(is_taught[:, column] & parts[part])[used_rows] for part, column in jobs])
        penalty = REGPARAMS[OUTPUTS[columns[0]]] if regparam is None else regparam
        rows_used = X[used_rows]
        K = linear_gram(rows_used.astype(np.float64)) if used_rows.sum() <= MAX_DENSE_ROWS else FeatureGram(rows_used)
        duals = masked_ridge(K, Y, masks, penalty, groups=rows.corpora[used_rows], tol=SOLVER_TOLERANCE)
        solution = np.asarray(rows_used.T @ duals.astype(np.float32))
        residuals = Y - np.asarray(rows_used @ solution)
        for number, (part, column) in enumerate(jobs):
            weights[part, :, column] = solution[:, number]
            intercepts[part, column] = _mean_intercept(residuals[:, number], masks[:, number], rows.corpora[used_rows])
    return [LinearOutputs(weight, intercept) for weight, intercept in zip(weights, intercepts)]


def _group_columns(is_taught: NDArray[np.bool_]) -> list[list[int]]:
    """Outputs of one penalty that are large enough for products through the features; the others one by one."""
    large = [column for column in range(len(OUTPUTS)) if is_taught[:, column].sum() > MAX_DENSE_ROWS]
    penalties = sorted({REGPARAMS[OUTPUTS[column]] for column in large})
    groups = [[column for column in large if REGPARAMS[OUTPUTS[column]] == penalty] for penalty in penalties]
    return groups + [[column] for column in range(len(OUTPUTS)) if column not in large and is_taught[:, column].any()]


def _mean_intercept(residuals: NDArray[np.float64], mask: NDArray[np.bool_], corpora: NDArray[np.intp]) -> float:
    # the corpora's intercepts, each counting the same; calibration has the last word on it
    return float(np.mean([residuals[mask & (corpora == corpus)].mean() for corpus in np.unique(corpora[mask])]))


def _require_targets(rows: TrainingRows) -> NDArray[np.float64]:
    if rows.targets is None:
        raise ValueError("expected rows with targets of types, got none")
    return rows.targets
