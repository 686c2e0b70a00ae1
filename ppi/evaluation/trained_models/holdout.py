"""Evaluate typed models (types, directions, signs, probabilities) on corpora that were held out of their training.

Of several corpora each is held out in turn; of a single one, parts of whole documents.

A model never saw the corpus on which it is evaluated.  To evaluate calibration on a corpus, another calibration is
fitted to the scores held out of the other corpora; the models of those scores had the evaluated corpus among their
training data, so that the result is about the two parameters of the calibration, not about everything before them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from corpora import MODIFICATION, REGULATION, Document
from ppi.core import UsageError
from ppi.evaluation.model_metrics import CalibrationMetrics, measure_calibration
from ppi.extraction import (
    CALIBRATED_OUTPUTS,
    DIRECTION,
    OUTPUTS,
    SIGN,
    Extractor,
    Settings,
    TrainingRows,
    TypedModel,
    fit_calibrations,
    prepare_corpora,
    train_typed,
)

#: Cause to theme: modification or regulation.
CAUSE = "cause to theme"


def train_with_holdout(
    documents: Mapping[str, Sequence[Document]], settings: Settings
) -> tuple[Extractor, HeldOutScores]:
    """The typed model of all corpora, as ``ppi train`` makes it, and the scores of models without each of them.

    Raises
    ------
    UsageError
        If none of the corpora has events, from which types are learned.
    """
    prepared, names = prepare_corpora(documents, settings), list(documents)
    if not prepared.has_types(names):
        raise UsageError(f"expected a corpus with events, which teach types, got {names} without any")
    rows = prepared.rows(names)
    model = train_typed(rows, min_documents=settings.min_documents, regparam=settings.regparam)
    extractor = Extractor(**vars(settings)).adopt_typed(model, prepared, rows, names=names)
    return extractor, HeldOutScores.from_model(model, rows, names)


@dataclass(frozen=True)
class HeldOutScores:
    """Scores of rows by models that have not seen their corpora, beside the targets."""

    scores: NDArray[np.float64]
    targets: NDArray[np.float64]
    corpora: NDArray[np.intp]
    names: tuple[str, ...]

    @classmethod
    def from_model(cls, model: TypedModel, rows: TrainingRows, names: Sequence[str]) -> HeldOutScores:
        """The scores that a training held out."""
        if rows.targets is None:
            raise ValueError("expected rows with targets of types, got none")
        return cls(model.held_out, rows.targets, rows.corpora, tuple(names))

    def select_scored_rows(self, output: str, corpus: str) -> NDArray[np.bool_]:
        """The rows of a corpus that have both a score and a target."""
        column = OUTPUTS.index(output)
        in_corpus: NDArray[np.bool_] = self.corpora == self.names.index(corpus)
        return in_corpus & ~np.isnan(self.targets[:, column]) & ~np.isnan(self.scores[:, column])

    def _scores_and_labels(self, output: str, corpus: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The scores of a corpus for an output, and which of these pairs are positive."""
        rows, column = self.select_scored_rows(output, corpus), OUTPUTS.index(output)
        return self.scores[rows, column], self.targets[rows, column] > 0

    def list_evaluated_corpora(self, output: str) -> list[str]:
        """The corpora that were held out and have pairs of both kinds for an output."""
        return [name for name in self.names if len(np.unique(self._scores_and_labels(output, name)[1])) == 2]

    def average_precision(self, output: str, corpus: str) -> float:
        """Of an output, or of :data:`CAUSE` (the sum of two)."""
        if output == CAUSE:
            columns = [OUTPUTS.index(MODIFICATION), OUTPUTS.index(REGULATION)]
            rows = self.select_scored_rows(REGULATION, corpus)
            positive = (self.targets[rows][:, columns] > 0).any(axis=1)
            scores = self.scores[rows][:, columns].sum(axis=1)
        else:
            scores, positive = self._scores_and_labels(output, corpus)
        return float(average_precision_score(positive, scores))

    def accuracy(self, output: str, corpus: str) -> float:
        """How often :data:`DIRECTION` or :data:`SIGN` decides right."""
        scores, positive = self._scores_and_labels(output, corpus)
        return float(np.mean((scores >= 0) == positive))

    def probabilities(self, output: str, corpus: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Probabilities by a calibration that was not fitted to the corpus, and which pairs are positive."""
        others = self.corpora != self.names.index(corpus)
        calibration = fit_calibrations(self.targets[others], self.scores[others], self.corpora[others])[output]
        scores, positive = self._scores_and_labels(output, corpus)
        return calibration(scores), positive

    def calibration_by_corpus(self, output: str) -> dict[str, CalibrationMetrics]:
        """Of each corpus, and ``pooled``."""
        parts = {name: self.probabilities(output, name) for name in self.list_evaluated_corpora(output)}
        metrics_by_corpus = {name: measure_calibration(p, np.where(y, 1, -1)) for name, (p, y) in parts.items()}
        p, y = (np.concatenate(arrays) for arrays in zip(*parts.values()))
        return {**metrics_by_corpus, "pooled": measure_calibration(p, np.where(y, 1, -1))}

    def rows(self) -> list[dict[str, Any]]:
        """One object for each corpus and output: pairs, positives, and the figures that it has."""
        corpus_rows = []
        for output in (*CALIBRATED_OUTPUTS, DIRECTION, SIGN):
            evaluated_corpora = self.list_evaluated_corpora(output)
            is_calibrated = output in CALIBRATED_OUTPUTS
            calibration = self.calibration_by_corpus(output) if is_calibrated and len(evaluated_corpora) > 1 else {}
            for corpus in evaluated_corpora:
                _, positive = self._scores_and_labels(output, corpus)
                row: dict[str, Any] = {
                    "corpus": corpus,
                    "output": output,
                    "pairs": len(positive),
                    "positive": int(positive.sum()),
                }
                if is_calibrated:
                    row["average_precision"] = self.average_precision(output, corpus)
                    if corpus in calibration:
                        row["calibration_error"] = calibration[corpus].ece
                else:
                    row["accuracy"] = self.accuracy(output, corpus)
                corpus_rows.append(row)
        return corpus_rows

    def metrics(self) -> dict[str, dict[str, dict[str, float]]]:
        """Everything as plain values: by measure, output and corpus."""
        measures = (
            ("average_precision", self.average_precision, CALIBRATED_OUTPUTS),
            ("accuracy", self.accuracy, (DIRECTION, SIGN)),
        )
        values = {
            measure: {
                output: {name: function(output, name) for name in self.list_evaluated_corpora(output)}
                for output in outputs
            }
            for measure, function, outputs in measures
        }
        values["calibration_error"] = {
            output: {name: calibration.ece for name, calibration in self.calibration_by_corpus(output).items()}
            for output in CALIBRATED_OUTPUTS
        }
        return values
