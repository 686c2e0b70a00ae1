"""Ridge regression with an intercept for each corpus, on all rows and on parts of them at once.

Corpora differ in how many of their pairs interact, for reasons that no text shows (what was annotated, and why); each
has its own intercept in training, so that no feature has to stand for the corpus:

    min_{w,b}  sum_{i in part} (y_i - <w, x_i> - b_corpus(i))^2 + lambda ||w||^2

lambda in units of the mean squared norm of the part's rows.  A model has a weight for every feature of its documents,
millions; those of features that fewer than ``min_documents`` of its documents have are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.linear_model import Ridge

from kernels import linear_gram
from learners import masked_ridge
from learners.metrics import auc, best_threshold
from ppi.extraction.outcomes import FoldOutcome, TrainedModel

if TYPE_CHECKING:
    from ppi.extraction.preparation import TrainingRows

#: In units of the mean squared norm of the features.
RIDGE_REGPARAM = 2.0
_PRIOR_TOLERANCE = 1e-3  # the learner corrects a starting point anyway


@dataclass(frozen=True)
class LinearModel:
    """f(x) = <weights, x> + intercept, and in how many of its training documents each feature occurs."""

    weights: NDArray[np.float64]
    intercept: float
    frequencies: NDArray[np.int64]

    def prune(self, min_documents: int) -> NDArray[np.float64]:
        """The weights of features that occur in at least so many documents, 0 for the others."""
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
    return [_make_linear_model(rows, mask, dual, presence, document_of) for mask, dual in zip(masks.T, duals.T)]


def _make_linear_model(
    rows: TrainingRows,
    mask: NDArray[np.bool_],
    dual: NDArray[np.float64],
    presence: sp.csr_matrix,
    document_of: NDArray[np.intp],
) -> LinearModel:
    weights = np.asarray(rows.X.T @ dual).ravel()
    residuals = rows.labels - rows.X @ weights
    # the corpora's intercepts, each counting the same; calibration has the last word on it
    corpus_intercepts = [residuals[mask & (rows.corpora == corpus)].mean() for corpus in np.unique(rows.corpora[mask])]
    document_features = presence[np.unique(document_of[mask])]
    return LinearModel(
        weights, float(np.mean(corpus_intercepts)), np.bincount(document_features.indices, minlength=rows.X.shape[1])
    )


def _document_presence(rows: TrainingRows) -> tuple[sp.csr_matrix, NDArray[np.intp]]:
    """Which feature occurs in which document, and the document of each row."""
    names = [f"{corpus}|{id}" for corpus, id in zip(rows.corpora, rows.documents)]
    _, document_of = np.unique(names, return_inverse=True)
    members = sp.csr_matrix((np.ones(len(names)), (document_of, np.arange(len(names)))))
    occurs = sp.csr_matrix((np.ones_like(rows.X.data), rows.X.indices, rows.X.indptr), shape=rows.X.shape)
    return sp.csr_matrix(members @ occurs), document_of


def document_frequencies(rows: TrainingRows) -> NDArray[np.int64]:
    """In how many of the documents each feature occurs."""
    presence, _ = _document_presence(rows)
    return np.bincount(presence.indices, minlength=rows.X.shape[1])


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
        everything = np.ones(len(rows), dtype=np.bool_)
        whole, *partial_models = self._fit_parts(rows, [everything, *(~part.excluded_mask for part in rows.hold_outs)])
        held_out = np.empty(len(rows))
        for part, model in zip(rows.hold_outs, partial_models, strict=True):
            held_out[part.test_mask] = model.scores(rows.X[part.test_mask], min_documents=self.min_documents)
        return TrainedModel(
            whole.prune(self.min_documents),
            whole.intercept,
            self.regparam,
            best_threshold(rows.labels, held_out).threshold,
            auc(rows.labels, held_out),
            held_out,
        )

    def cross_validate_nested(self, rows: TrainingRows, folds: Sequence[NDArray]) -> list[list[FoldOutcome]]:
        """For each assignment to outer folds: models without the fold, and without it and each hold-out."""
        return [[self._evaluate_fold(rows, fold_of == fold) for fold in np.unique(fold_of)] for fold_of in folds]

    def _evaluate_fold(self, rows: TrainingRows, in_test: NDArray[np.bool_]) -> FoldOutcome:
        inner = [part for part in rows.hold_outs if (part.test_mask & ~in_test).any()]
        whole, *partial_models = self._fit_parts(rows, [~in_test, *(~in_test & ~part.excluded_mask for part in inner)])
        held_out = np.full(len(rows), np.nan)
        for part, model in zip(inner, partial_models, strict=True):
            test_mask = part.test_mask & ~in_test
            held_out[test_mask] = model.scores(rows.X[test_mask], min_documents=self.min_documents)
        threshold = best_threshold(rows.labels[~in_test], held_out[~in_test]).threshold
        scores = whole.scores(rows.X[in_test], min_documents=self.min_documents)
        return FoldOutcome(np.flatnonzero(in_test), scores, self.regparam, threshold)

    def _fit_parts(self, rows: TrainingRows, parts: Sequence[NDArray[np.bool_]]) -> list[LinearModel]:
        return fit_ridge_models(rows, parts, regparam=self.regparam)


def prior_weights(X: sp.csr_matrix, labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of one corpus's model as a starting point for another's (its intercept is dropped).

    By conjugate gradients on the sparse features: the extra corpora can have more pairs than a kernel matrix allows.
    """
    unit = float(X.multiply(X).sum() / X.shape[0])
    model = Ridge(alpha=RIDGE_REGPARAM * unit, solver="sparse_cg", tol=_PRIOR_TOLERANCE, fit_intercept=True)
    return np.asarray(model.fit(X, labels).coef_).ravel()
