"""Learners by name: train, choosing regparam and threshold by leave-document-out; and nested evaluation.

For the least-squares learners everything is a hold-out of one decomposition (:mod:`learners`).  Ranking by
least-squares over all pairs, (1/m) sum_{i<j} ((y_i - y_j) - (f_i - f_j))^2 = min_b sum_i (y_i - f_i - b)^2, is
regression with a free intercept, so RankRLS has the same shortcuts: its constant is made so large that regularizing
it has no effect.  RankSVM, and estimators that a user brings, are in :mod:`ppi.extraction.estimators`.

A fold's model is that which :meth:`Learner.train` makes of its training part: not even the scale of a constant is
taken from the rows that it is tested on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from learners import RLS, NestedPredictions, SparseRLS, repeated_nested_leave_group_out
from ppi.errors import TrainingError
from ppi.extraction import plugins
from ppi.extraction.choice import select_by_auc
from ppi.extraction.design import Design, FoldScaling
from ppi.extraction.estimators import rank_svm, wrap_estimator
from ppi.extraction.outcomes import FoldOutcome, TrainedModel
from ppi.extraction.preparation import TrainingRows
from ppi.extraction.ridge import RIDGE_REGPARAM, RidgeLearner
from ppi.extraction.settings import Settings
from ppi.progress import track

#: Candidate values of regparam, in the unit of the design: its mean squared norm, rounded to a power of 2.
REGPARAM_GRID = 2.0 ** np.arange(-5, 3)

#: The constant's square in RankRLS, in units of the mean squared norm: free for all practical purposes.
_FREE_CONSTANT_SQUARE = 1e4


class Learner(Protocol):
    """What a learner does with rows of features."""

    def prepare(self, rows: TrainingRows) -> None:
        """Compute what both of the others need (and the rows keep), so that it can be timed by itself."""
        ...

    def train(self, rows: TrainingRows) -> TrainedModel:
        """A model of all rows."""
        ...

    def cross_validate_nested(self, rows: TrainingRows, folds: Sequence[np.ndarray]) -> list[list[FoldOutcome]]:
        """For each assignment to outer folds: each fold with its own choice inside its training part."""
        ...


def make_learner(settings: Settings) -> Learner:
    """The learner that the settings name or hold; without ``regparam`` it chooses from its grid."""
    name, regparam = settings.learner, settings.regparam
    if settings.has_custom_learner:
        return wrap_estimator(plugins.make("learner", name) if isinstance(name, str) else name)
    if name == "ridge":
        return RidgeLearner(RIDGE_REGPARAM if regparam is None else regparam, settings.min_documents)
    grid = None if regparam is None else np.array([regparam])
    if name == "rank-svm":
        return rank_svm(grid)
    return LeastSquaresLearner(
        REGPARAM_GRID if grid is None else grid,
        n_basis=settings.n_basis if name == "sparse-rls" else None,
        ranking=name == "rank-rls",
        random_state=settings.random_state,
    )


@dataclass(frozen=True)
class LeastSquaresLearner:
    """RLS, sparse RLS (``n_basis`` given), or RankRLS (``ranking``) on the Gram matrix of the design.

    ``inner`` says what :meth:`nested` leaves out to choose by: documents, or the other folds, for folds that split
    documents (then what is chosen on has as much to do with its training data as what is tested on).  ``averaged``
    takes the mean of the models of the whole grid instead of the one of the greatest AUC: nothing is chosen, where few
    examples would make the choice a matter of chance; its ``regparam`` is told as the grid's geometric mean.
    """

    grid: np.ndarray
    n_basis: int | None = None
    ranking: bool = False
    random_state: int = 0
    inner: Literal["documents", "folds"] = "documents"
    averaged: bool = False

    def prepare(self, rows: TrainingRows) -> None:
        """The Gram matrix."""
        _ = rows.design.gram

    def train(self, rows: TrainingRows) -> TrainedModel:
        """One decomposition; leave-document-out for every regparam; the chosen solution, folded."""
        design, labels = rows.design, rows.labels
        regparams = self.grid * design.unit
        model = self._estimator(len(labels), training_fraction=1.0).fit(self._gram(design), labels)
        held_out = model.leave_group_out(rows.documents, regparams=regparams)
        grid_indices, threshold, quality = self._select(labels, held_out)
        dual = np.zeros(len(labels))
        dual[self._coefficient_rows(model)] = model.coefficient_path(regparams[grid_indices]).mean(axis=0)
        weights, intercept, support = design.collapse_dual(dual)
        if self.ranking:
            intercept += (_FREE_CONSTANT_SQUARE - 1) * design.mean_square * float(dual.sum())
        held_out_scores = held_out[grid_indices].mean(axis=0)
        return TrainedModel(
            weights, intercept, _geometric_mean(regparams[grid_indices]), threshold, quality, held_out_scores, support
        )

    def cross_validate_nested(self, rows: TrainingRows, folds: Sequence[np.ndarray]) -> list[list[FoldOutcome]]:
        """All hold-outs of one decomposition: see :func:`learners.repeated_nested_leave_group_out`."""
        n_folds = min(len(np.unique(fold_of)) for fold_of in folds)
        design = rows.design
        scales = [[design.fold_scaling(fold_of != fold) for fold in np.unique(fold_of)] for fold_of in folds]
        # basis vectors of a test fold are left out with it: draw more, so that about n_basis remain
        estimator = self._estimator(len(rows), training_fraction=(n_folds - 1) / n_folds)
        repeats = repeated_nested_leave_group_out(
            estimator,
            self._gram(design),
            rows.labels,
            folds=folds,
            groups=rows.documents if self.inner == "documents" else None,
            regparams=np.unique([self.grid * scale.unit for fold_scales in scales for scale in fold_scales]),
            columns=self._columns(design),
            column_weights=[np.array([scale.column_weights for scale in fold_scales]) for fold_scales in scales],
            progress=lambda values: track(values, "hold-outs for each regparam", total=len(values)),
        )
        return [
            self._fold_outcomes(predictions, rows.labels, fold_scales)
            for predictions, fold_scales in zip(repeats, scales, strict=True)
        ]

    def _fold_outcomes(
        self, predictions: NestedPredictions, labels: np.ndarray, scales: list[FoldScaling]
    ) -> list[FoldOutcome]:
        outcomes = []
        for fold, scale in enumerate(scales):
            rows, test = predictions.training(fold), np.flatnonzero(predictions.fold_of == fold)
            own_grid = np.flatnonzero(np.isin(predictions.regparams, self.grid * scale.unit))
            held_out = predictions.inner[fold][np.ix_(own_grid, rows)]
            grid_indices, threshold, _ = self._select(labels[rows], held_out)
            scores = predictions.outer[np.ix_(own_grid[grid_indices], test)].mean(axis=0)
            regparam = _geometric_mean(predictions.regparams[own_grid[grid_indices]])
            outcomes.append(FoldOutcome(test, scores, regparam, threshold, rows, held_out[grid_indices].mean(axis=0)))
        return outcomes

    def _select(self, labels: np.ndarray, held_out: np.ndarray) -> tuple[list[int], float, float]:
        """The places in the grid whose models are averaged, the threshold of the mean, and its AUC."""
        if self.averaged:
            return list(range(len(held_out))), *select_by_auc(labels, [held_out.mean(axis=0)])[1:]
        best, threshold, quality = select_by_auc(labels, held_out)
        return [best], threshold, quality

    def _estimator(self, n_examples: int, *, training_fraction: float) -> RLS | SparseRLS:
        if self.n_basis is None or self.n_basis >= training_fraction * n_examples:
            return RLS(kernel="precomputed", fit_intercept=False)
        n_drawn = min(n_examples, round(self.n_basis / training_fraction))
        return SparseRLS(kernel="precomputed", fit_intercept=False, n_basis=n_drawn, random_state=self.random_state)

    def _gram(self, design: Design) -> np.ndarray:
        return design.gram + (_FREE_CONSTANT_SQUARE - 1) * design.mean_square if self.ranking else design.gram

    def _columns(self, design: Design) -> np.ndarray:
        """The part of the Gram matrix that depends on the scale, as columns."""
        columns = design.extra_columns()
        if self.ranking:
            columns[:, 0] *= _FREE_CONSTANT_SQUARE**0.5
        return columns

    @staticmethod
    def _coefficient_rows(model: RLS | SparseRLS) -> np.ndarray | slice:
        return model.basis_ if isinstance(model, SparseRLS) else slice(None)


def _geometric_mean(regparams: np.ndarray) -> float:
    """The geometric mean; of one value, that value."""
    return float(regparams[0] if len(regparams) == 1 else np.exp(np.mean(np.log(regparams))))


def check_document_count(documents: np.ndarray) -> None:
    """Refuse to choose parameters by leaving out documents when there is only one.

    Raises
    ------
    TrainingError
        If all examples come from one document.
    """
    if len(np.unique(documents)) < 2:
        raise TrainingError(
            "expected pairs from at least 2 documents, got 1; parameters are chosen by leaving documents out"
        )
