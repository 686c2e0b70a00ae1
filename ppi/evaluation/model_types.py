"""Figures by type: of what the corpus calls its relations, and of the outputs of a model that knows types."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from learners.metrics import auc
from ppi.evaluation.claim_types import type_name
from ppi.evaluation.model_figures import AtThreshold, at_threshold
from ppi.evaluation.reliability import reliability
from ppi.extraction import Extractor
from ppi.extraction.examples import Examples
from ppi.extraction.outputs import DIRECTION, INTERACTION, OUTPUTS, SIGN, TYPES


@dataclass(frozen=True)
class TypeRow:
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
class OutputRow:
    """What one output of a typed model says, where the corpus says it too.

    ``at_half`` is at a probability of 0.5; ``accuracy`` is of outputs that decide between two.
    """

    output: str
    pairs: int
    positive: int
    average_precision: float | None = None
    auc: float | None = None
    at_half: AtThreshold | None = None
    calibration_error: float | None = None
    accuracy: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def type_rows(
    examples: Examples, margins: NDArray[np.float64], probabilities: NDArray[np.float64] | None = None
) -> list[TypeRow]:
    """One row per type of relation that the corpus names, the most frequent first."""
    ranks = margins if probabilities is None else probabilities
    negative = examples.labels < 0
    rows = []
    for type in sorted({type for types in examples.types for type in types}):
        own = np.array([type in types for types in examples.types], dtype=np.bool_)
        found = int(np.sum(margins[own] >= 0))
        rows.append(
            TypeRow(
                type=type,
                positive=int(own.sum()),
                found=found,
                recall=found / int(own.sum()),
                mean_probability=None if probabilities is None else float(probabilities[own].mean()),
                average_precision=float(average_precision_score(own[own | negative], ranks[own | negative])),
            )
        )
    return sorted(rows, key=lambda row: -row.positive)


def output_rows(extractor: Extractor, examples: Examples) -> list[OutputRow]:
    """One row per output that the model was taught and the corpus tells; none if either has no types.

    Events tell all of them.  Relations tell the types that their names are kinds of
    (:mod:`ppi.evaluation.claim_types`); pairs that only relations of other names join count neither way.
    """
    if len(extractor.outputs_) == 1:
        return []
    told = examples.targets if examples.typed else _named_targets(examples)
    scores = extractor.score_outputs(examples.graphs)
    rows = []
    for output in OUTPUTS:
        column = OUTPUTS.index(output)
        targets = told[:, column]
        known = ~np.isnan(targets)
        if output == INTERACTION or not extractor.tells(output) or len(np.unique(targets[known])) < 2:
            continue
        positive, own = targets[known] > 0, scores[known, column]
        row = OutputRow(output, int(known.sum()), int(positive.sum()))
        if output in (DIRECTION, SIGN):
            rows.append(_with(row, accuracy=float(np.mean((own >= 0) == positive))))
        elif output in extractor.calibrations_:
            p = extractor.calibrations_[output](own)
            rows.append(
                _with(
                    row,
                    average_precision=float(average_precision_score(positive, own)),
                    auc=auc(positive, own),
                    at_half=at_threshold("0.5", positive, p >= 0.5),
                    calibration_error=reliability(p, np.where(positive, 1, -1)).ece,
                )
            )
    return rows


def _named_targets(examples: Examples) -> NDArray[np.float64]:
    """1, -1 or NaN for each type, by the names of relations."""
    targets = np.full((len(examples.labels), len(OUTPUTS)), np.nan)
    names = [{type_name(type) for type in types} for types in examples.types]
    for kind in TYPES:
        for place, (label, named) in enumerate(zip(examples.labels, names, strict=True)):
            if label < 0 or named & set(TYPES):
                targets[place, OUTPUTS.index(kind)] = 1.0 if kind in named else -1.0
    return targets


def _with(row: OutputRow, **figures: Any) -> OutputRow:
    return OutputRow(row.output, row.pairs, row.positive, **figures)
