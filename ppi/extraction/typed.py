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
from ppi.extraction.calibration import METHOD, Calibration, fit_by_method
from ppi.extraction.outputs import INTERACTION, LEAST_POSITIVE, OUTPUTS, REGPARAMS, TYPES
from ppi.extraction.preparation import HoldOut, TrainingRows
from ppi.extraction.ridge import document_frequencies

#: Outputs that are probabilities; the others only decide between two.
CALIBRATED = (INTERACTION, *TYPES)
#: Up to so many rows the kernel matrix is formed; beyond, products go through the features.
MOST_DENSE = 8_000
#: Of conjugate gradients; closer solutions rank the same.
TOLERANCE = 1e-2


@dataclass(frozen=True)
class Outputs:
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

    kept: NDArray[np.bool_]
    outputs: Outputs
    held_out: NDArray[np.float64]
    calibrations: dict[str, Calibration]


def train_typed(rows: TrainingRows, *, min_documents: int, regparam: float | None = None) -> TypedModel:
    """Train on all rows, and on all but each corpus with types; ``regparam`` replaces those of all outputs."""
    targets = _targets(rows)
    rows.check_hold_outs()
    kept = document_frequencies(rows) >= min_documents
    X = sp.csr_matrix(rows.X[:, kept], dtype=np.float32)
    parts = typed_hold_outs(rows)
    masks = [np.ones(len(rows), dtype=np.bool_), *(~part.barred for part in parts)]
    whole, *left_out = typed_outputs(X, rows, masks, regparam=regparam)
    held_out = np.full(targets.shape, np.nan)
    for part, model in zip(parts, left_out, strict=True):
        held_out[part.tested] = model.scores(X[part.tested])
    return TypedModel(kept, whole, held_out, calibrated(targets, held_out, rows.corpora))


def typed_threshold(model: TypedModel, rows: TrainingRows) -> float:
    """The score of ``interaction`` with the best F on what was held out.

    Raises
    ------
    TrainingError
        If no corpus that was left out says of pairs of both kinds whether they interact.
    """
    targets, scores = _targets(rows)[:, 0], model.held_out[:, 0]
    known = ~np.isnan(targets) & ~np.isnan(scores)
    if len(np.unique(targets[known])) < 2:
        raise TrainingError(
            f"expected held-out pairs of both kinds to choose a threshold on, got {int(known.sum())} of one or none; "
            f"train on events with at least {LEAST_POSITIVE} pairs of each type, or add a corpus of pairs"
        )
    return best_threshold(targets[known], scores[known]).threshold


def typed_hold_outs(rows: TrainingRows) -> list[HoldOut]:
    """The parts to leave out: those with types, for they are judged by them."""
    typed = ~np.isnan(_targets(rows)[:, OUTPUTS.index(MODIFICATION)])  # taught by events alone
    several = [part for part in rows.hold_outs if (part.tested & typed).sum() > len(rows) // 100]
    return several if len(several) > 1 else list(rows.hold_outs)


def calibrated(
    targets: NDArray[np.float64], held_out: NDArray[np.float64], corpora: NDArray[np.intp]
) -> dict[str, Calibration]:
    """A calibration for each output that has both kinds among what was held out."""
    found = {}
    for name in CALIBRATED:
        column = OUTPUTS.index(name)
        known = ~np.isnan(targets[:, column]) & ~np.isnan(held_out[:, column])
        labels = targets[known, column]
        if len(np.unique(labels)) == 2:
            found[name] = fit_by_method(METHOD, held_out[known, column], labels, corpora[known])
    return found


def typed_outputs(
    X: sp.csr_matrix, rows: TrainingRows, parts: Sequence[NDArray[np.bool_]], *, regparam: float | None = None
) -> list[Outputs]:
    """The outputs learned from each part of the rows; an output that a part does not teach is NaN."""
    targets = _targets(rows)
    taught = ~np.isnan(targets) & rows.taught[:, None]
    weights = np.full((len(parts), X.shape[1], len(OUTPUTS)), 0.0, dtype=np.float32)
    intercepts = np.full((len(parts), len(OUTPUTS)), np.nan)
    for columns in _solved_together(taught):
        jobs = [
            (part, column)
            for part in range(len(parts))
            for column in columns
            if len(np.unique(targets[taught[:, column] & parts[part], column])) == 2
        ]
        if not jobs:
            continue
        use = taught[:, columns].any(axis=1)
        Y = np.nan_to_num(targets[use][:, [column for _, column in jobs]])
        masks = np.column_stack([(taught[:, column] & parts[part])[use] for part, column in jobs])
        penalty = REGPARAMS[OUTPUTS[columns[0]]] if regparam is None else regparam
        rows_used = X[use]
        K = linear_gram(rows_used.astype(np.float64)) if use.sum() <= MOST_DENSE else FeatureGram(rows_used)
        duals = masked_ridge(K, Y, masks, penalty, groups=rows.corpora[use], tol=TOLERANCE)
        solved = np.asarray(rows_used.T @ duals.astype(np.float32))
        residuals = Y - np.asarray(rows_used @ solved)
        for number, (part, column) in enumerate(jobs):
            weights[part, :, column] = solved[:, number]
            intercepts[part, column] = _mean_intercept(residuals[:, number], masks[:, number], rows.corpora[use])
    return [Outputs(weight, intercept) for weight, intercept in zip(weights, intercepts)]


def _solved_together(taught: NDArray[np.bool_]) -> list[list[int]]:
    """Outputs of one penalty that are large enough for products through the features; the others one by one."""
    large = [column for column in range(len(OUTPUTS)) if taught[:, column].sum() > MOST_DENSE]
    penalties = sorted({REGPARAMS[OUTPUTS[column]] for column in large})
    groups = [[column for column in large if REGPARAMS[OUTPUTS[column]] == penalty] for penalty in penalties]
    return groups + [[column] for column in range(len(OUTPUTS)) if column not in large and taught[:, column].any()]


def _mean_intercept(residuals: NDArray[np.float64], mask: NDArray[np.bool_], corpora: NDArray[np.intp]) -> float:
    # the corpora's intercepts, each counting the same; calibration has the last word on it
    return float(np.mean([residuals[mask & (corpora == corpus)].mean() for corpus in np.unique(corpora[mask])]))


def _targets(rows: TrainingRows) -> NDArray[np.float64]:
    if rows.targets is None:
        raise ValueError("expected rows with targets of types, got none")
    return rows.targets
