"""Linear estimators by scikit-learn's contract as learners: RankSVM, and those that a user brings along.

They have no shortcut.  What there is to choose, and the threshold, is chosen by document-level cross-validation inside
the training part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GroupKFold

from learners import RankSVM
from learners.errors import LearnerError
from ppi.errors import PpiError, TrainingError
from ppi.extraction.choice import select_by_auc
from ppi.extraction.outcomes import FoldOutcome, TrainedModel
from ppi.extraction.preparation import TrainingRows
from ppi.progress import track

RANK_SVM_GRID = 10.0 ** np.arange(-4, 0)
_INNER_FOLDS = 5


class EstimatorCandidate(NamedTuple):
    """An estimator to try, and its regularization for the record: 0 where only the estimator knows it."""

    regparam: float
    estimator: Any


@dataclass(frozen=True)
class EstimatorLearner:
    """A linear estimator on the explicit features: the rows of the design, which hold a constant.

    Parameters
    ----------
    candidates
        From the unit of regparam to the estimators that are tried; if there are several, the greatest AUC on inner
        folds decides.
    """

    candidates: Callable[[float], Sequence[EstimatorCandidate]]

    def prepare(self, rows: TrainingRows) -> None:
        """The explicit features."""
        _ = rows.design.matrix

    def train(self, rows: TrainingRows) -> TrainedModel:
        """Cross-validate the candidates, then fit the best once more on everything."""
        design, labels = rows.design, rows.labels
        candidates = self.candidates(design.unit)
        held_out = np.array([_predict_held_out(candidate.estimator, rows) for candidate in candidates])
        best, threshold, quality = select_by_auc(labels, held_out)
        coefficients, free_intercept = _fit_linear(candidates[best].estimator, design.matrix, labels)
        weights, intercept = design.collapse(coefficients)
        return TrainedModel(
            weights, intercept + free_intercept, candidates[best].regparam, threshold, quality, held_out[best]
        )

    def cross_validate_nested(self, rows: TrainingRows, folds: Sequence[np.ndarray]) -> list[list[FoldOutcome]]:
        """The plain nested loop."""
        return [
            [
                self._evaluate_fold(rows, fold_of == fold)
                for fold in track(np.unique(fold_of), "folds", total=len(np.unique(fold_of)))
            ]
            for fold_of in folds
        ]

    def _evaluate_fold(self, rows: TrainingRows, in_test: np.ndarray) -> FoldOutcome:
        test = np.flatnonzero(in_test)
        model = self.train(rows.subset(~in_test))
        return FoldOutcome(test, model.scores(rows.X[test]), model.regparam, model.threshold)


def rank_svm(grid: np.ndarray | None) -> EstimatorLearner:
    """RankSVM; without a grid of its own it chooses from :data:`RANK_SVM_GRID`."""
    factors = RANK_SVM_GRID if grid is None else grid

    def candidates(unit: float) -> list[EstimatorCandidate]:
        return [
            EstimatorCandidate(float(regparam), RankSVM(regparam=regparam, on_limit="raise"))
            for regparam in factors * unit
        ]

    return EstimatorLearner(candidates)


def wrap_estimator(estimator: Any) -> EstimatorLearner:
    """The learner of an estimator that a user or another package brings."""
    return EstimatorLearner(lambda unit: [EstimatorCandidate(0.0, estimator)])


def _predict_held_out(estimator: Any, rows: TrainingRows) -> np.ndarray:
    """Scores of every row by a model of other documents."""
    phi, labels, documents = rows.design.matrix, rows.labels, rows.documents
    scores = np.empty(len(labels))
    for training, test in GroupKFold(min(_INNER_FOLDS, len(np.unique(documents)))).split(phi, labels, documents):
        coefficients, free_intercept = _fit_linear(estimator, phi[training], labels[training])
        scores[test] = phi[test] @ coefficients + free_intercept
    return scores


def _fit_linear(estimator: Any, phi: sp.csr_matrix, labels: np.ndarray) -> tuple[np.ndarray, float]:
    """The weights over phi and the intercept of a copy of the estimator that is fitted to these rows.

    Raises
    ------
    TrainingError
        If it cannot be, or is not linear: an extractor is one weight per feature.
    """
    name = type(estimator).__name__
    try:
        model = clone(estimator).fit(phi, labels)
    except (PpiError, LearnerError):
        raise
    except Exception as error:
        raise TrainingError(
            f"expected the learner {name} to fit a sparse matrix of {phi.shape[0]} rows and labels of 1 and -1, "
            f"got {type(error).__name__}: {error}"
        ) from error
    coefficients = np.asarray(getattr(model, "coef_", ())).ravel()
    if len(coefficients) != phi.shape[1]:
        raise TrainingError(
            f"expected a linear learner, with one weight in coef_ for each of {phi.shape[1]} columns, got "
            f"{len(coefficients)} of {name}; an extractor is one weight per feature"
        )
    return coefficients.astype(np.float64), float(np.sum(getattr(model, "intercept_", 0.0)))
