"""Learners by name: they train, choosing regparam and threshold by leave-document-out, and evaluate by nested folds.

For the least-squares learners everything is a hold-out of one decomposition (:mod:`learners`).  Ranking by
least-squares over all pairs, (1/m) sum_{i<j} ((y_i - y_j) - (f_i - f_j))^2 = min_b sum_i (y_i - f_i - b)^2, is
regression with a free intercept, so RankRLS has the same shortcuts: its constant is made so large that regularizing
it has no effect.  RankSVM, and linear estimators that a user brings, have no shortcut.

A fold's model is that which :meth:`Learner.train` makes of its training part: not even the scale of a constant is
taken from the rows that it is tested on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GroupKFold

from learners import (
    RLS,
    LearnerError,
    NestedPredictions,
    RankSVM,
    SparseRLS,
    auc,
    best_threshold,
    repeated_nested_leave_group_out,
)
from ppi.core import PpiError, TrainingError, track
from ppi.extraction import plugins
from ppi.extraction.examples import choose_parser
from ppi.extraction.outputs import OUTPUTS, REGPARAMS
from ppi.extraction.ridge import CALIBRATED_OUTPUTS, RIDGE_REGPARAM, RidgeLearner, TypedModel, require_targets
from ppi.extraction.settings import Settings
from ppi.extraction.trained_model import FoldOutcome, TrainedModel
from ppi.extraction.training_rows import Design, FoldScaling, PreparedCorpora, TrainingRows
from ppi.language import COLLAPSED_SUFFIX

#: Candidate values of regparam, in the unit of the design: its mean squared norm, rounded to a power of 2.
REGPARAM_GRID = 2.0 ** np.arange(-5, 3)
RANK_SVM_GRID = 10.0 ** np.arange(-4, 0)
#: The constant's square in RankRLS, in units of the mean squared norm: free for all practical purposes.
_FREE_CONSTANT_SQUARE = 1e4
#: Of learners without a shortcut.
_INNER_FOLDS = 5


class Learner(Protocol):
    """What a learner does with rows of features."""

    def prepare(self, rows: TrainingRows) -> None:
        """Compute what both of the others need (and the rows keep), so that it can be timed by itself."""

    def train(self, rows: TrainingRows) -> TrainedModel:
        """A model of all rows."""

    def cross_validate_nested(self, rows: TrainingRows, folds: Sequence[np.ndarray]) -> list[list[FoldOutcome]]:
        """For each assignment to outer folds: each fold with its own choice inside its training part."""


def make_learner(settings: Settings) -> Learner:
    """The learner that the settings name or hold; without ``regparam`` it chooses from its grid."""
    name, regparam = settings.learner, settings.regparam
    if settings.has_custom_learner:
        estimator = plugins.make("learner", name) if isinstance(name, str) else name
        return EstimatorLearner(lambda unit: [(0.0, estimator)])
    if name == "ridge":
        return RidgeLearner(RIDGE_REGPARAM if regparam is None else regparam, settings.min_documents)
    grid = (RANK_SVM_GRID if name == "rank-svm" else REGPARAM_GRID) if regparam is None else np.array([regparam])
    if name == "rank-svm":
        return EstimatorLearner(
            lambda unit: [(float(value), RankSVM(regparam=value, on_limit="raise")) for value in grid * unit]
        )
    return LeastSquaresLearner(
        grid,
        n_basis=settings.n_basis if name == "sparse-rls" else None,
        ranking=name == "rank-rls",
        random_state=settings.random_state,
    )


@dataclass(frozen=True)
class LeastSquaresLearner:
    """RLS, sparse RLS (``n_basis`` given), or RankRLS (``ranking``) on the Gram matrix of the design.

    ``inner`` is what :meth:`cross_validate_nested` leaves out to choose by: documents, or the other folds, for folds
    that split documents (then what is chosen on has as much to do with its training data as what is tested on).
    ``averaged`` takes the mean of the models of the whole grid instead of the one of the greatest AUC: nothing is
    chosen, where few examples would make the choice a matter of chance; its ``regparam`` is the grid's geometric mean.
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
        """One decomposition; leave-document-out for every regparam; the chosen solution, over the features."""
        design, labels = rows.design, rows.labels
        regparams = self.grid * design.unit
        model = self._estimator(len(labels), training_fraction=1.0).fit(self._gram(design), labels)
        held_out = model.leave_group_out(rows.documents, regparams=regparams)
        grid_indices, threshold, quality = self._select(labels, held_out)
        dual = np.zeros(len(labels))
        basis = model.basis_ if isinstance(model, SparseRLS) else slice(None)
        dual[basis] = model.coefficient_path(regparams[grid_indices]).mean(axis=0)
        weights, intercept, quadratic = design.collapse_dual(dual)
        if self.ranking:
            intercept += (_FREE_CONSTANT_SQUARE - 1) * design.mean_square * float(dual.sum())
        held_out_scores = held_out[grid_indices].mean(axis=0)
        return TrainedModel(
            weights, intercept, _geometric_mean(regparams[grid_indices]), threshold, quality, held_out_scores, quadratic
        )

    def cross_validate_nested(self, rows: TrainingRows, folds: Sequence[np.ndarray]) -> list[list[FoldOutcome]]:
        """All hold-outs of one decomposition: see :func:`learners.repeated_nested_leave_group_out`."""
        n_folds = min(len(np.unique(fold_of)) for fold_of in folds)
        design = rows.design
        # the part of the Gram matrix that depends on the scale
        columns = design.extra_columns()
        if self.ranking:
            columns[:, 0] *= _FREE_CONSTANT_SQUARE**0.5
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
            columns=columns,
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


@dataclass(frozen=True)
class EstimatorLearner:
    """A linear estimator on the explicit features: the rows of the design, which hold a constant.

    ``candidates`` maps the unit of regparam to the estimators that are tried, each with its regularization for the
    record (0 where only the estimator knows it).  If there are several, the greatest AUC on inner folds decides.
    """

    candidates: Callable[[float], Sequence[tuple[float, Any]]]

    def prepare(self, rows: TrainingRows) -> None:
        """The explicit features."""
        _ = rows.design.matrix

    def train(self, rows: TrainingRows) -> TrainedModel:
        """Cross-validate the candidates, then fit the best once more on everything."""
        design, labels = rows.design, rows.labels
        candidates = self.candidates(design.unit)
        held_out = np.array([_predict_held_out(estimator, rows) for _, estimator in candidates])
        best, threshold, quality = select_by_auc(labels, held_out)
        regparam, estimator = candidates[best]
        coefficients, free_intercept = _fit_linear(estimator, design.matrix, labels)
        weights, intercept = design.collapse(coefficients)
        return TrainedModel(weights, intercept + free_intercept, regparam, threshold, quality, held_out[best])

    def cross_validate_nested(self, rows: TrainingRows, folds: Sequence[np.ndarray]) -> list[list[FoldOutcome]]:
        """The plain nested loop."""
        repeats = []
        for fold_of in folds:
            outcomes = []
            for fold in track(np.unique(fold_of), "folds", total=len(np.unique(fold_of))):
                test = np.flatnonzero(fold_of == fold)
                model = self.train(rows.subset(fold_of != fold))
                outcomes.append(FoldOutcome(test, model.scores(rows.X[test]), model.regparam, model.threshold))
            repeats.append(outcomes)
        return repeats


def _predict_held_out(estimator: Any, rows: TrainingRows) -> np.ndarray:
    """Scores of every row by a model of other documents."""
    phi, labels, documents = rows.design.matrix, rows.labels, rows.documents
    scores = np.empty(len(labels))
    for training, test in GroupKFold(min(_INNER_FOLDS, len(np.unique(documents)))).split(phi, labels, documents):
        coefficients, free_intercept = _fit_linear(estimator, phi[training], labels[training])
        scores[test] = phi[test] @ coefficients + free_intercept
    return scores


def _fit_linear(estimator: Any, phi: sp.csr_matrix, labels: np.ndarray) -> tuple[np.ndarray, float]:
    """The weights over phi and the intercept of a copy of the estimator that is fitted to these rows."""
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


def select_by_auc(labels: np.ndarray, predictions: Sequence[np.ndarray] | np.ndarray) -> tuple[int, float, float]:
    """The predictions with the greatest AUC, the threshold with the greatest F on them, and that AUC."""
    aucs = [auc(labels, scores) for scores in predictions]
    best = int(np.argmax(aucs))
    return best, best_threshold(labels, predictions[best]).threshold, float(aucs[best])


def _geometric_mean(regparams: np.ndarray) -> float:
    """The geometric mean; of one value, that value."""
    return float(regparams[0] if len(regparams) == 1 else np.exp(np.mean(np.log(regparams))))


def check_document_count(documents: np.ndarray) -> None:
    """Refuse to choose parameters by leaving out documents when there is only one."""
    if len(np.unique(documents)) < 2:
        raise TrainingError(
            "expected pairs from at least 2 documents, got 1; parameters are chosen by leaving documents out"
        )


def describe_training(
    model: TrainedModel,
    prepared: PreparedCorpora,
    rows: TrainingRows,
    settings: Settings,
    *,
    names: Sequence[str],
    starting_from: Sequence[str] = (),
) -> dict[str, Any]:
    """What a model was trained on, for the record: counts, choices and held-out figures as plain JSON values.

    ``parser`` is whose parses were learned from: a model is meant for parses of that parser.
    """
    in_corpus = {name: rows.corpora == number for number, name in enumerate(names)}
    facts: dict[str, Any] = {
        **_count_examples(prepared, rows, settings, names),
        "extra": {name: len(prepared.examples[name]) for name in starting_from},
        "regparam": model.regparam,
        "corpora": {
            name: {"pairs": len(prepared.examples[name]), "positive": prepared.examples[name].n_positive}
            for name in names
        },
    }
    if settings.learner == "ridge":
        facts["denied_left_out"] = {name: int(np.sum(~rows.trainable[mask])) for name, mask in in_corpus.items()}
    if settings.learner == "ridge" and len(names) > 1:
        facts["leave_corpus_out_auc"] = {
            name: auc(rows.labels[mask], model.held_out[mask]) for name, mask in in_corpus.items()
        }
    else:
        facts["leave_document_out_auc"] = model.training_auc
    return facts


def describe_typed_training(
    model: TypedModel, prepared: PreparedCorpora, rows: TrainingRows, settings: Settings, *, names: Sequence[str]
) -> dict[str, Any]:
    """Counts by corpus and output, and average precision on corpora left out, as plain JSON values."""
    targets = require_targets(rows)
    is_scored = ~np.isnan(targets + model.held_out)
    corpora: dict[str, Any] = {}
    precision_by_output: dict[str, dict[str, float]] = {}
    for number, name in enumerate(names):
        in_corpus = rows.corpora == number
        corpora[name] = {"pairs": int(in_corpus.sum())}
        for column, output in enumerate(OUTPUTS):
            if not np.isnan(targets[in_corpus, column]).all():
                corpora[name][output] = int(np.sum(targets[in_corpus, column] > 0))
            mask = in_corpus & is_scored[:, column]
            if output in CALIBRATED_OUTPUTS and len(np.unique(targets[mask, column])) == 2:
                precision = average_precision_score(targets[mask, column] > 0, model.held_out[mask, column])
                precision_by_output.setdefault(output, {})[name] = float(precision)
    # the prevalence of interactions among the pairs calibrated on, each corpus counting the same
    calibrated_corpora = np.unique(rows.corpora[is_scored[:, 0]])
    prevalences = [
        np.mean(rows.labels[is_scored[:, 0] & (rows.corpora == corpus)] > 0) for corpus in calibrated_corpora
    ]
    return {
        **_count_examples(prepared, rows, settings, names),
        "corpora": corpora,
        "features": int(model.feature_mask.sum()),
        "regparam": dict(REGPARAMS) if settings.regparam is None else settings.regparam,
        "leave_corpus_out_average_precision": precision_by_output,
        "share": float(np.mean(prevalences)),
    }


def _count_examples(
    prepared: PreparedCorpora, rows: TrainingRows, settings: Settings, names: Sequence[str]
) -> dict[str, Any]:
    parser = settings.parser or choose_parser([document for name in names for document in prepared.documents[name]])
    return {
        "documents": sum(len(np.unique(prepared.examples[name].documents)) for name in names),
        "pairs": len(rows),
        "positive": int(np.sum(rows.labels > 0)),
        "parser": None if parser is None else parser.removesuffix(COLLAPSED_SUFFIX),
    }
