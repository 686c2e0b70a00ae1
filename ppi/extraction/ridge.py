"""Ridge regression with an intercept for each corpus: models of interaction, and models with several outputs.

Corpora differ in how many of their pairs interact, for reasons that no text shows (what was annotated, and why); each
has its own intercept in training, so that no feature has to stand for the corpus:

    min_{w,b}  sum_{i in part} (y_i - <w, x_i> - b_corpus(i))^2 + lambda ||w||^2

lambda in units of the mean squared norm of the part's rows.  Models of all rows and of parts of them are fitted at
once.  A model has a weight for every feature of its documents, millions; those of features that fewer than
``min_documents`` of its documents have are dropped.

With several outputs, each is learned over the same features from the corpora that teach it
(:mod:`ppi.extraction.outputs`), and judged and calibrated on corpora with types that were left out of training.  There
rare features are dropped before anything is solved, so that tens of thousands of pairs fit into memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.linear_model import Ridge

from corpora import MODIFICATION, TYPES
from kernels import linear_gram
from learners import FeatureGram, auc, best_threshold, masked_ridge
from ppi.core import TrainingError
from ppi.extraction.calibration import DEFAULT_CALIBRATION_METHOD, Calibration, fit_by_method
from ppi.extraction.outputs import INTERACTION, MIN_TYPE_POSITIVES, OUTPUTS, REGPARAMS
from ppi.extraction.trained_model import FoldOutcome, TrainedModel

if TYPE_CHECKING:
    from ppi.extraction.training_rows import HoldOut, TrainingRows

#: In units of the mean squared norm of the features.
RIDGE_REGPARAM = 2.0
_PRIOR_TOLERANCE = 1e-3  # the learner corrects a starting point anyway
#: Outputs that are probabilities; the others only decide between two.
CALIBRATED_OUTPUTS = (INTERACTION, *TYPES)
#: Up to this many rows the kernel matrix is formed; beyond, products go through the features.
MAX_DENSE_ROWS = 8_000
#: Of conjugate gradients; closer solutions rank the same.
SOLVER_TOLERANCE = 1e-2


@dataclass(frozen=True)
class LinearModel:
    """f(x) = <weights, x> + intercept, and in how many of its training documents each feature occurs."""

    weights: NDArray[np.float64]
    intercept: float
    frequencies: NDArray[np.int64]

    def prune(self, min_documents: int) -> NDArray[np.float64]:
        """The weights of features that occur in at least ``min_documents`` documents, 0 for the others."""
        return np.where(self.frequencies >= min_documents, self.weights, 0.0)

    def scores(self, X: sp.csr_matrix, *, min_documents: int = 1) -> NDArray[np.float64]:
        """f of each row."""
        return np.asarray(X @ self.prune(min_documents)).ravel() + self.intercept


def fit_ridge_models(rows: TrainingRows, parts: Sequence[NDArray[np.bool_]], *, regparam: float) -> list[LinearModel]:
    """A model of each part of the rows; only rows that teach are learned from.

    With m rows and p parts: the kernel matrix, and O(m^2 p) per iteration for all models together.
    """
    masks = np.column_stack([rows.trainable & part for part in parts])
    # single precision: half the memory, and the answer is needed to four digits
    K = linear_gram(rows.X).astype(np.float32)
    duals = masked_ridge(K, rows.labels, masks, regparam, groups=rows.corpora)
    presence, document_of = _document_presence(rows)
    models = []
    for mask, dual in zip(masks.T, duals.T):
        weights = np.asarray(rows.X.T @ dual).ravel()
        intercept = _mean_intercept(rows.labels - rows.X @ weights, mask, rows.corpora)
        document_features = presence[np.unique(document_of[mask])]
        models.append(LinearModel(weights, intercept, _count_rows(document_features)))
    return models


def _mean_intercept(residuals: NDArray[np.float64], mask: NDArray[np.bool_], corpora: NDArray[np.intp]) -> float:
    # the corpora's intercepts, each counting the same; calibration has the last word on it
    return float(np.mean([residuals[mask & (corpora == corpus)].mean() for corpus in np.unique(corpora[mask])]))


def _count_rows(X: sp.csr_matrix) -> NDArray[np.int64]:
    """In how many rows each feature occurs."""
    return np.bincount(X.indices, minlength=X.shape[1])


def _document_presence(rows: TrainingRows) -> tuple[sp.csr_matrix, NDArray[np.intp]]:
    """Which feature occurs in which document, and the document of each row."""
    names = [f"{corpus}|{id}" for corpus, id in zip(rows.corpora, rows.documents)]
    _, document_of = np.unique(names, return_inverse=True)
    members = sp.csr_matrix((np.ones(len(names)), (document_of, np.arange(len(names)))))
    occurs = sp.csr_matrix((np.ones_like(rows.X.data), rows.X.indices, rows.X.indptr), shape=rows.X.shape)
    return sp.csr_matrix(members @ occurs), document_of


def document_frequencies(rows: TrainingRows) -> NDArray[np.int64]:
    """In how many of the documents each feature occurs."""
    return _count_rows(_document_presence(rows)[0])


@dataclass(frozen=True)
class RidgeLearner:
    """One model of all rows; threshold and held-out scores by leaving out corpora, or parts of a single one."""

    regparam: float = RIDGE_REGPARAM
    min_documents: int = 1

    def prepare(self, rows: TrainingRows) -> None:
        """Nothing is shared by training and evaluating."""

    def train(self, rows: TrainingRows) -> TrainedModel:
        """All rows, and all but each of the hold-outs, from one kernel matrix."""
        rows.check_hold_outs()
        whole, held_out = self._fit(rows, np.ones(len(rows), dtype=np.bool_))
        return TrainedModel(
            whole.prune(self.min_documents),
            whole.intercept,
            self.regparam,
            best_threshold(rows.labels, held_out).threshold,
            auc(rows.labels, held_out),
            held_out,
        )

    def cross_validate_nested(self, rows: TrainingRows, folds: Sequence[NDArray[Any]]) -> list[list[FoldOutcome]]:
        """For each assignment to outer folds: models without the fold, and without it and each hold-out."""
        return [[self._evaluate_fold(rows, fold_of == fold) for fold in np.unique(fold_of)] for fold_of in folds]

    def _evaluate_fold(self, rows: TrainingRows, in_test: NDArray[np.bool_]) -> FoldOutcome:
        whole, held_out = self._fit(rows, ~in_test)
        threshold = best_threshold(rows.labels[~in_test], held_out[~in_test]).threshold
        scores = whole.scores(rows.X[in_test], min_documents=self.min_documents)
        return FoldOutcome(np.flatnonzero(in_test), scores, self.regparam, threshold)

    def _fit(self, rows: TrainingRows, in_train: NDArray[np.bool_]) -> tuple[LinearModel, NDArray[np.float64]]:
        """The model of these rows, and their scores by models that lack their hold-out, too."""
        hold_outs = [part for part in rows.hold_outs if (part.test_mask & in_train).any()]
        parts = [in_train, *(in_train & ~part.excluded_mask for part in hold_outs)]
        whole, *partial_models = fit_ridge_models(rows, parts, regparam=self.regparam)
        held_out = np.full(len(rows), np.nan)
        for part, model in zip(hold_outs, partial_models, strict=True):
            test_mask = part.test_mask & in_train
            held_out[test_mask] = model.scores(rows.X[test_mask], min_documents=self.min_documents)
        return whole, held_out


def prior_weights(X: sp.csr_matrix, labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of one corpus's model as a starting point for another's (its intercept is dropped).

    By conjugate gradients on the sparse features: the extra corpora can have more pairs than a kernel matrix allows.
    """
    unit = float(X.multiply(X).sum() / X.shape[0])
    model = Ridge(alpha=RIDGE_REGPARAM * unit, solver="sparse_cg", tol=_PRIOR_TOLERANCE, fit_intercept=True)
    return np.asarray(model.fit(X, labels).coef_).ravel()


@dataclass(frozen=True)
class LinearOutputs:
    """Linear functions of the kept features, one column per output."""

    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]

    def scores(self, X: sp.csr_matrix) -> NDArray[np.float64]:
        """One row per row of X (with only the kept features), one column per output."""
        return np.asarray(X @ self.weights) + self.intercepts


@dataclass(frozen=True)
class TypedModel:
    """The model of all rows, over the features of ``feature_mask``, and how it does on corpora left out.

    ``held_out`` are the scores of rows by the model without their corpus, NaN for corpora that were not left out;
    ``calibrations``, of each output that is a probability, are fitted to those.
    """

    feature_mask: NDArray[np.bool_]
    outputs: LinearOutputs
    held_out: NDArray[np.float64]
    calibrations: dict[str, Calibration]


def train_typed(rows: TrainingRows, *, min_documents: int, regparam: float | None = None) -> TypedModel:
    """Train on all rows, and on all but each corpus with types; ``regparam`` replaces those of all outputs."""
    targets = require_targets(rows)
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
    """The score of ``interaction`` with the best F on what was held out, which must have pairs of both kinds."""
    targets, scores = require_targets(rows)[:, 0], model.held_out[:, 0]
    is_scored = ~np.isnan(targets + scores)
    if len(np.unique(targets[is_scored])) < 2:
        raise TrainingError(
            f"expected held-out pairs of both kinds to choose a threshold on, got {int(is_scored.sum())} of one or "
            f"none; train on events with at least {MIN_TYPE_POSITIVES} pairs of each type, or add a corpus of pairs"
        )
    return best_threshold(targets[is_scored], scores[is_scored]).threshold


def select_typed_hold_outs(rows: TrainingRows) -> list[HoldOut]:
    """The parts to leave out: those with types, as models are judged by them."""
    typed = ~np.isnan(require_targets(rows)[:, OUTPUTS.index(MODIFICATION)])  # only events teach it
    several = [part for part in rows.hold_outs if (part.test_mask & typed).sum() > len(rows) // 100]
    return several if len(several) > 1 else list(rows.hold_outs)


def fit_calibrations(
    targets: NDArray[np.float64], held_out: NDArray[np.float64], corpora: NDArray[np.intp]
) -> dict[str, Calibration]:
    """A calibration for each output that has both kinds among what was held out."""
    calibrations = {}
    for name in CALIBRATED_OUTPUTS:
        column = OUTPUTS.index(name)
        is_scored = ~np.isnan(targets[:, column] + held_out[:, column])
        labels, scores = targets[is_scored, column], held_out[is_scored, column]
        if len(np.unique(labels)) == 2:
            calibrations[name] = fit_by_method(DEFAULT_CALIBRATION_METHOD, scores, labels, corpora[is_scored])
    return calibrations


def fit_typed_outputs(
    X: sp.csr_matrix, rows: TrainingRows, parts: Sequence[NDArray[np.bool_]], *, regparam: float | None = None
) -> list[LinearOutputs]:
    """The outputs learned from each part of the rows; an output that a part does not teach is NaN."""
    targets = require_targets(rows)
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
        is_used = is_taught[:, columns].any(axis=1)
        Y = np.nan_to_num(targets[is_used][:, [column for _, column in jobs]])
        masks = np.column_stack([(is_taught[:, column] & parts[part])[is_used] for part, column in jobs])
        penalty = REGPARAMS[OUTPUTS[columns[0]]] if regparam is None else regparam
        X_used = X[is_used]
        K = linear_gram(X_used.astype(np.float64)) if is_used.sum() <= MAX_DENSE_ROWS else FeatureGram(X_used)
        duals = masked_ridge(K, Y, masks, penalty, groups=rows.corpora[is_used], tol=SOLVER_TOLERANCE)
        solution = np.asarray(X_used.T @ duals.astype(np.float32))
        residuals = Y - np.asarray(X_used @ solution)
        for number, (part, column) in enumerate(jobs):
            weights[part, :, column] = solution[:, number]
            intercepts[part, column] = _mean_intercept(residuals[:, number], masks[:, number], rows.corpora[is_used])
    return [LinearOutputs(weight, intercept) for weight, intercept in zip(weights, intercepts)]


def _group_columns(is_taught: NDArray[np.bool_]) -> list[list[int]]:
    """Outputs of one penalty that are large enough for products through the features; the others one by one."""
    large = [column for column in range(len(OUTPUTS)) if is_taught[:, column].sum() > MAX_DENSE_ROWS]
    penalties = sorted({REGPARAMS[OUTPUTS[column]] for column in large})
    groups = [[column for column in large if REGPARAMS[OUTPUTS[column]] == penalty] for penalty in penalties]
    return groups + [[column] for column in range(len(OUTPUTS)) if column not in large and is_taught[:, column].any()]


def require_targets(rows: TrainingRows) -> NDArray[np.float64]:
    """The targets of rows of which some corpus annotates types."""
    if rows.targets is None:
        raise ValueError("expected rows with targets of types, got none")
    return rows.targets
