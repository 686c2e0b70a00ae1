"""Figures by type: of what the corpus calls its relations, and of the outputs of a model that knows types."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from learners.metrics import auc
from ppi.evaluation.claim_types import normalize_type
from ppi.evaluation.model_figures import ThresholdMetrics, measure_at_threshold
from ppi.evaluation.reliability import measure_calibration
from ppi.extraction import Extractor
from ppi.extraction.examples import Examples
from ppi.extraction.outputs import DIRECTION, INTERACTION, OUTPUTS, SIGN, TYPES


@dataclass(frozen=True)
class TypeMetrics:
    """The positive pairs that relations of one type join: how many are found, and how they rank among all negatives."""

    type: str
    positive: int
    found: int
    recall: float
    mean_probability: float | None
    average_precision: float

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class OutputMetrics:
    """What one output of a typed model says, where the corpus says it too.

    ``at_half`` is at a probability of 0.5; ``accuracy`` is of outputs that decide between two.
    """

    output: str
    pairs: int
    positive: int
    average_precision: float | None = None
    auc: float | None = None
    at_half: ThresholdMetrics | None = None
    calibration_error: float | None = None
    accuracy: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def measure_types(
    examples: Examples, margins: NDArray[np.float64], probabilities: NDArray[np.float64] | None = None
) -> list[TypeMetrics]:
    """One row per type of relation that the corpus names, the most frequent first."""
    ranks = margins if probabilities is None else probabilities
    negative = examples.labels < 0
    rows = []
    for type in sorted({type for types in examples.types for type in types}):
        is_type = np.array([type in types for types in examples.types], dtype=np.bool_)
        n_found = int(np.sum(margins[is_type] >= 0))
        rows.append(
            TypeMetrics(
                type=type,
                positive=int(is_type.sum()),
                found=n_found,
                recall=n_found / int(is_type.sum()),
                mean_probability=None if probabilities is None else float(probabilities[is_type].mean()),
                average_precision=float(
                    average_precision_score(is_type[is_type | negative], ranks[is_type | negative])
                ),
            )
        )
    return sorted(rows, key=lambda row: -row.positive)


def measure_outputs(extractor: Extractor, examples: Examples) -> list[OutputMetrics]:
    """One row per output that the model was taught and the corpus tells; none if either has no types.

    Events tell all of them.  Relations tell the types that their names are kinds of
    (:mod:`ppi.evaluation.claim_types`); pairs that only relations of other names join count neither way.
    """
    if len(extractor.outputs_) == 1:
        return []
    all_targets = examples.targets if examples.typed else _targets_from_names(examples)
    scores = extractor.score_outputs(examples.graphs)
    rows = []
    for output in OUTPUTS:
        column = OUTPUTS.index(output)
        targets = all_targets[:, column]
        has_target = ~np.isnan(targets)
        if output == INTERACTION or not extractor.tells(output) or len(np.unique(targets[has_target])) < 2:
            continue
        positive, output_scores = targets[has_target] > 0, scores[has_target, column]
        row = OutputMetrics(output, int(has_target.sum()), int(positive.sum()))
        if output in (DIRECTION, SIGN):
            rows.append(_add_metrics(row, accuracy=float(np.mean((output_scores >= 0) == positive))))
        elif output in extractor.calibrations_:
            p = extractor.calibrations_[output](output_scores)
            rows.append(
                _add_metrics(
                    row,
                    average_precision=float(average_precision_score(positive, output_scores)),
                    auc=auc(positive, output_scores),
                    at_half=measure_at_threshold("0.5", positive, p >= 0.5),
                    calibration_error=measure_calibration(p, np.where(positive, 1, -1)).ece,
                )
            )
    return rows


def _targets_from_names(examples: Examples) -> NDArray[np.float64]:
    """1, -1 or NaN for each type, by the names of relations."""
    targets = np.full((len(examples.labels), len(OUTPUTS)), np.nan)
    names = [{normalize_type(type) for type in types} for types in examples.types]
    for kind in TYPES:
        for row, (label, type_names) in enumerate(zip(examples.labels, names, strict=True)):
            if label < 0 or type_names & set(TYPES):
                targets[row, OUTPUTS.index(kind)] = 1.0 if kind in type_names else -1.0
    return targets


def _add_metrics(row: OutputMetrics, **metrics: Any) -> OutputMetrics:
    return OutputMetrics(row.output, row.pairs, row.positive, **metrics)
