"""Learners by name: train, choosing regparam and threshold by leave-document-out; and nested evaluation.

For the least-squares learners everything is a hold-out of one decomposition (:mod:`learners`).  Ranking by
least-squares over all pairs, (1/m) sum_{i<j} ((y_i - y_j) - (f_i - f_j))^2 = min_b sum_i (y_i - f_i - b)^2, is
regression with a free intercept, so RankRLS has the same shortcuts: its constant is made so large that regularizing
it has no effect.  RankSVM has no shortcut and chooses by document-level cross-validation instead.

A fold's model is that which :meth:`Learner.train` makes of its training part: not even the scale of a constant is
taken from the rows that it is tested on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from sklearn.model_selection import GroupKFold

from learners import RLS, NestedPredictions, RankSVM, SparseRLS, repeated_nested_leave_group_out
from learners.metrics import auc, best_threshold
from ppi.errors import TrainingError
from ppi.extraction.design import Design, Scale
from ppi.extraction.outcomes import FoldOutcome, Model
from ppi.extraction.preparation import TrainingRows
from ppi.extraction.ridge import REGPARAM, RidgeLearner
from ppi.extraction.settings import Settings
from ppi.progress import track

#: Candidate values of regparam, in the unit of the design: its mean squared norm, rounded to a power of 2.
REGPARAM_GRID = 2.0 ** np.arange(-5, 3)
RANK_SVM_GRID = 10.0 ** np.arange(-4, 0)

#: The constant's square in RankRLS, in units of the mean squared norm: free for all practical purposes.
_FREE = 1e4
_INNER_FOLDS = 5


class Learner(Protocol):
    """What a learner does with rows of features."""

    def prepare(self, rows: TrainingRows) -> None:
        """Compute what both of the others need (and the rows keep), so that it can be timed by itself."""
        ...

    def train(self, rows: TrainingRows) -> Model:
        """A model of all rows."""
        ...

    def nested(self, rows: TrainingRows, folds: Sequence[np.ndarray]) -> list[list[FoldOutcome]]:
        """For each assignment to outer folds: each fold with its own choice inside its training part."""
        ...


def make_learner(settings: Settings) -> Learner:
    """The learner that the settings name; without ``regparam`` it chooses from its grid."""
    name, regparam = settings.learner, settings.regparam
    if name == "ridge":
        return RidgeLearner(REGPARAM if regparam is None else regparam, settings.min_documents)
    grid = (RANK_SVM_GRID if name == "rank-svm" else REGPARAM_GRID) if regparam is None else np.array([regparam])
    if name == "rank-svm":
        return RankSVMLearner(grid, settings.random_state)
    return LeastSquaresLearner(
        grid,
        n_basis=settings.n_basis if name == "sparse-rls" else None,
        ranking=name == "rank-rls",
        random_state=settings.random_state,
    )


@dataclass(frozen=True)
class LeastSquaresLearner:
    """RLS, sparse RLS (``n_basis`` given), or RankRLS (``ranking``) on the Gram matrix of the design."""

    grid: np.ndarray
    n_basis: int | None = None
    ranking: bool = False
    random_state: int = 0

    def prepare(self, rows: TrainingRows) -> None:
        """The Gram matrix."""
        _ = rows.design.gram

    def train(self, rows: TrainingRows) -> Model:
        """One decomposition; leave-document-out for every regparam; the chosen solution, folded."""
        design, labels = rows.design, rows.labels
        regparams = self.grid * design.unit
        model = self._estimator(len(labels), share=1.0).fit(self._gram(design), labels)
        held_out = model.leave_group_out(rows.documents, regparams=regparams)
        best, threshold, quality = choose(labels, held_out)
        dual = np.zeros(len(labels))
        dual[self._coefficient_rows(model)] = model.coefficient_path([regparams[best]])[0]
        weights, intercept = design.fold_dual(dual)
        if self.ranking:
            intercept += (_FREE - 1) * design.mean_square * float(dual.sum())
        return Model(weights, intercept, float(regparams[best]), threshold, quality, held_out[best])

    def nested(self, rows: TrainingRows, folds: Sequence[np.ndarray]) -> list[list[FoldOutcome]]:
        """All hold-outs of one decomposition: see :func:`learners.repeated_nested_leave_group_out`."""
        n_folds = min(len(np.unique(each)) for each in folds)
        design = rows.design
        scales = [[design.scale(fold_of != fold) for fold in np.unique(fold_of)] for fold_of in folds]
        # basis vectors of a test fold are left out with it: draw more, so that about n_basis remain
        estimator = self._estimator(len(rows), share=(n_folds - 1) / n_folds)
        repeats = repeated_nested_leave_group_out(
            estimator,
            self._gram(design),
            rows.labels,
            folds=folds,
            groups=rows.documents,
            regparams=np.unique([self.grid * scale.unit for each in scales for scale in each]),
            columns=self._columns(design),
            column_weights=[np.array([scale.column_weights for scale in each]) for each in scales],
            progress=lambda values: track(values, "hold-outs for each regparam", total=len(values)),
        )
        return [self._outcomes(found, rows.labels, each) for found, each in zip(repeats, scales, strict=True)]

    def _outcomes(self, found: NestedPredictions, labels: np.ndarray, scales: list[Scale]) -> list[FoldOutcome]:
        outcomes = []
        for fold, scale in enumerate(scales):
            rows, test = found.training(fold), np.flatnonzero(found.fold_of == fold)
            own = np.flatnonzero(np.isin(found.regparams, self.grid * scale.unit))
            best, threshold, _ = choose(labels[rows], found.inner[fold][np.ix_(own, rows)])
            chosen = own[best]
            outcomes.append(FoldOutcome(test, found.outer[chosen, test], float(found.regparams[chosen]), threshold))
        return outcomes

    def _estimator(self, n_examples: int, *, share: float) -> RLS | SparseRLS:
        if self.n_basis is None or self.n_basis >= share * n_examples:
            return RLS(kernel="precomputed", fit_intercept=False)
        drawn = min(n_examples, round(self.n_basis / share))
        return SparseRLS(kernel="precomputed", fit_intercept=False, n_basis=drawn, random_state=self.random_state)

    def _gram(self, design: Design) -> np.ndarray:
        return design.gram + (_FREE - 1) * design.mean_square if self.ranking else design.gram

    def _columns(self, design: Design) -> np.ndarray:
        """The part of the Gram matrix that depends on the scale, as columns."""
        columns = design.extra_columns()
        if self.ranking:
            columns[:, 0] *= _FREE**0.5
        return columns

    @staticmethod
    def _coefficient_rows(model: RLS | SparseRLS) -> np.ndarray | slice:
        return model.basis_ if isinstance(model, SparseRLS) else slice(None)


@dataclass(frozen=True)
class RankSVMLearner:
    """Linear RankSVM on the explicit features; chooses regparam and threshold by inner document-level folds."""

    grid: np.ndarray
    random_state: int = 0

    def prepare(self, rows: TrainingRows) -> None:
        """The explicit features."""
        _ = rows.design.matrix

    def train(self, rows: TrainingRows) -> Model:
        """Cross-validate the grid, then fit once more on everything."""
        design, labels = rows.design, rows.labels
        phi, regparams = design.matrix, self.grid * design.unit
        held_out = self._held_out(phi, labels, rows.documents, regparams)
        best, threshold, quality = choose(labels, held_out)
        weights, intercept = design.fold(self._fit(phi, labels, regparams[best]))
        return Model(weights, intercept, float(regparams[best]), threshold, quality, held_out[best])

    def nested(self, rows: TrainingRows, folds: Sequence[np.ndarray]) -> list[list[FoldOutcome]]:
        """The plain nested loop."""
        return [
            [
                self._outcome(rows, fold_of == fold)
                for fold in track(np.unique(fold_of), "folds", total=len(np.unique(fold_of)))
            ]
            for fold_of in folds
        ]

    def _outcome(self, rows: TrainingRows, in_test: np.ndarray) -> FoldOutcome:
        training, test = rows.subset(~in_test), np.flatnonzero(in_test)
        model = self.train(training)
        scores = np.asarray(rows.X[test] @ model.weights).ravel() + model.intercept
        return FoldOutcome(test, scores, model.regparam, model.threshold)

    def _held_out(self, phi, labels: np.ndarray, documents: np.ndarray, regparams: np.ndarray) -> np.ndarray:
        splitter = GroupKFold(min(_INNER_FOLDS, len(np.unique(documents))))
        scores = np.empty((len(regparams), len(labels)))
        for rows, test in splitter.split(phi, labels, documents):
            for position, regparam in enumerate(regparams):
                scores[position, test] = phi[test] @ self._fit(phi[rows], labels[rows], regparam)
        return scores

    def _fit(self, phi, labels: np.ndarray, regparam: float) -> np.ndarray:
        return RankSVM(regparam=regparam, on_limit="raise").fit(phi, labels).coef_


def choose(labels: np.ndarray, predictions: Sequence[np.ndarray] | np.ndarray) -> tuple[int, float, float]:
    """The predictions with the greatest AUC, the threshold with the greatest F on them, and that AUC."""
    qualities = [auc(labels, each) for each in predictions]
    best = int(np.argmax(qualities))
    return best, best_threshold(labels, predictions[best]).threshold, float(qualities[best])


def check_documents(documents: np.ndarray) -> None:
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
