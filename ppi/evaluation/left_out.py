"""The typed protocol: types, directions, signs and probabilities on what was left out of training.

Of several corpora each is left out in turn; of a single one, parts of whole documents.

A model never saw the corpus it is judged on.  To judge calibration on a corpus, another one is fitted to the scores
held out of the other corpora; the models that gave those had the judged corpus among their training data, so that the
judgement is of two parameters, not of everything before them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from corpora.interactions import MODIFICATION, REGULATION
from corpora.types import Document
from ppi.errors import UsageError
from ppi.evaluation.reliability import Reliability, reliability
from ppi.extraction import Extractor
from ppi.extraction.outputs import DIRECTION, OUTPUTS, SIGN
from ppi.extraction.preparation import TrainingRows, prepare
from ppi.extraction.settings import Settings
from ppi.extraction.typed import CALIBRATED, TypedModel, calibrated, train_typed

#: Cause to theme: modification or regulation.
CAUSE = "cause to theme"


def train_left_out(documents: Mapping[str, Sequence[Document]], settings: Settings) -> tuple[Extractor, HeldOut]:
    """The typed model of all corpora, as ``ppi train`` makes it, and what models without each of them said.

    Raises
    ------
    UsageError
        If none of the corpora has events: they teach the types.
    """
    prepared, names = prepare(documents, settings), list(documents)
    if not prepared.typed(names):
        raise UsageError(f"expected a corpus with events, which teach types, got {names} without any")
    rows = prepared.rows(names)
    model = train_typed(rows, min_documents=settings.min_documents, regparam=settings.regparam)
    extractor = Extractor(**vars(settings)).adopt_typed(model, prepared, rows, names=names)
    return extractor, HeldOut.of(model, rows, names)


@dataclass(frozen=True)
class HeldOut:
    """Scores of rows by models that have not seen their corpora, beside the targets."""

    scores: NDArray[np.float64]
    targets: NDArray[np.float64]
    corpora: NDArray[np.intp]
    names: tuple[str, ...]

    @classmethod
    def of(cls, model: TypedModel, rows: TrainingRows, names: Sequence[str]) -> HeldOut:
        """What a training held out."""
        if rows.targets is None:
            raise ValueError("expected rows with targets of types, got none")
        return cls(model.held_out, rows.targets, rows.corpora, tuple(names))

    def known(self, output: str, corpus: str) -> NDArray[np.bool_]:
        """The rows of a corpus that have both a score and a target."""
        column = OUTPUTS.index(output)
        own = self.corpora == self.names.index(corpus)
        return own & ~np.isnan(self.targets[:, column]) & ~np.isnan(self.scores[:, column])

    def judged(self, output: str) -> list[str]:
        """The corpora that were left out and say something about an output."""
        column = OUTPUTS.index(output)
        return [name for name in self.names if len(np.unique(self.targets[self.known(output, name), column])) == 2]

    def average_precision(self, output: str, corpus: str) -> float:
        """Of an output, or of :data:`CAUSE` (the sum of two)."""
        if output == CAUSE:
            columns = [OUTPUTS.index(MODIFICATION), OUTPUTS.index(REGULATION)]
            rows = self.known(REGULATION, corpus)
            positive = (self.targets[rows][:, columns] > 0).any(axis=1)
            scores = self.scores[rows][:, columns].sum(axis=1)
        else:
            rows, column = self.known(output, corpus), OUTPUTS.index(output)
            positive, scores = self.targets[rows, column] > 0, self.scores[rows, column]
        return float(average_precision_score(positive, scores))

    def accuracy(self, output: str, corpus: str) -> float:
        """How often :data:`DIRECTION` or :data:`SIGN` decides right."""
        rows, column = self.known(output, corpus), OUTPUTS.index(output)
        return float(np.mean((self.scores[rows, column] >= 0) == (self.targets[rows, column] > 0)))

    def probabilities(self, output: str, corpus: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Probabilities by a calibration that was not fitted to the corpus, and which pairs are positive."""
        others = self.corpora != self.names.index(corpus)
        calibration = calibrated(self.targets[others], self.scores[others], self.corpora[others])[output]
        rows, column = self.known(output, corpus), OUTPUTS.index(output)
        return calibration(self.scores[rows, column]), self.targets[rows, column] > 0

    def reliability(self, output: str) -> dict[str, Reliability]:
        """Of each corpus, and ``pooled``."""
        parts = {name: self.probabilities(output, name) for name in self.judged(output)}
        found = {name: reliability(p, np.where(y, 1, -1)) for name, (p, y) in parts.items()}
        p, y = (np.concatenate(each) for each in zip(*parts.values()))
        return {**found, "pooled": reliability(p, np.where(y, 1, -1))}

    def rows(self) -> list[dict[str, Any]]:
        """One object for each corpus and output: pairs, positives, and the figures that it has."""
        found = []
        for output in (*CALIBRATED, DIRECTION, SIGN):
            judged = self.judged(output)
            calibrated_on_others = self.reliability(output) if output in CALIBRATED and len(judged) > 1 else {}
            for corpus in judged:
                known, column = self.known(output, corpus), OUTPUTS.index(output)
                row: dict[str, Any] = {
                    "corpus": corpus,
                    "output": output,
                    "pairs": int(known.sum()),
                    "positive": int(np.sum(self.targets[known, column] > 0)),
                }
                if output in CALIBRATED:
                    row["average_precision"] = self.average_precision(output, corpus)
                    if corpus in calibrated_on_others:
                        row["calibration_error"] = calibrated_on_others[corpus].ece
                else:
                    row["accuracy"] = self.accuracy(output, corpus)
                found.append(row)
        return found

    def figures(self) -> dict[str, dict[str, dict[str, float]]]:
        """Everything as plain values: by measure, output and corpus."""
        return {
            "average_precision": {
                output: {name: self.average_precision(output, name) for name in self.judged(output)}
                for output in CALIBRATED
            },
            "accuracy": {
                output: {name: self.accuracy(output, name) for name in self.judged(output)}
                for output in (DIRECTION, SIGN)
            },
            "calibration_error": {
                output: {name: one.ece for name, one in self.reliability(output).items()} for output in CALIBRATED
            },
        }
