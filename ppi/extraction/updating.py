"""An extractor with feedback, from judged candidates: what :meth:`ppi.Extractor.update` does."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from kernels import CandidateGraph
from ppi.errors import UsageError
from ppi.extraction.extractor import Extractor
from ppi.extraction.feedback import Feedback, FeedbackRows, ModelUpdate, build_feedback_rows, learn, recalibrate
from ppi.extraction.judgements import PairJudgement, build_targets, count_verdicts, merge_judgements
from ppi.extraction.readings import PairPredictions

T = TypeVar("T", bound=Extractor)
#: A judgement with its claim, or how people write one, of what the model itself claims.
JudgementLabel = PairJudgement | str | bool


def update_extractor(
    extractor: T,
    graphs: Sequence[CandidateGraph],
    labels: Sequence[JudgementLabel],
    *,
    groups: ArrayLike | None = None,
    regparam: float | None = None,
    conflicts: str = "majority",
) -> T:
    """Another extractor, with what the judgements teach."""
    if len(graphs) != len(labels) or not labels:
        raise UsageError(f"expected a judgement for each pair, got {len(labels)} of {len(graphs)} pairs")
    judgements = parse_judgements(extractor, graphs, labels)
    group_labels = [graph.document_id or "" for graph in graphs] if groups is None else groups
    if np.shape(group_labels) != (len(graphs),):
        raise UsageError(f"expected groups with one label per pair, {len(graphs)}, got {np.shape(group_labels)}")
    merged = merge_judgements(
        [pair_key(graph) for graph in graphs], build_targets(judgements, extractor.outputs_), conflicts=conflicts
    )
    X = extractor.feature_matrix(graphs)
    rows = build_feedback_rows(X, linear_scores(extractor, X), merged, group_labels)
    update = learn(rows, extractor.outputs_, regparam=regparam)
    return apply_update(extractor, rows, update, judgements, disagreeing=merged.disagreeing)


def parse_judgements(
    extractor: Extractor, graphs: Sequence[CandidateGraph], labels: Sequence[JudgementLabel]
) -> list[PairJudgement]:
    """The labels as judgements; those without a claim are of what the extractor says of the pair now."""
    without_claim = [number for number, label in enumerate(labels) if not isinstance(label, PairJudgement)]
    claims = predict_claims(extractor, [graphs[number] for number in without_claim])
    judgements: list[JudgementLabel] = list(labels)
    for number, (kind, first_acts) in zip(without_claim, claims):
        judgements[number] = PairJudgement.from_label(labels[number], type=kind, first_acts=first_acts)  # type: ignore[arg-type]
    return judgements  # type: ignore[return-value]


def predict_claims(extractor: Extractor, graphs: Sequence[CandidateGraph]) -> list[tuple[str | None, bool | None]]:
    """What the extractor says of candidates: the most probable type, and whether the first of the two acts."""
    if not graphs:
        return []
    predictions = PairPredictions(extractor, list(graphs))
    claims = [predictions[place] for place in range(len(graphs))]
    return [
        (claim.type, None if claim.agent is None else claim.agent == graph.prot1)
        for claim, graph in zip(claims, graphs)
    ]


def pair_key(graph: CandidateGraph) -> tuple[str, str, str, str]:
    """Which pair it is: document, sentence and the two mentions, in text order."""
    return graph.document_id or "", graph.sentence.id, graph.prot1, graph.prot2


def linear_scores(extractor: Extractor, X: sp.csr_matrix) -> NDArray[np.float64]:
    """One row per row of features, one column per output, in double precision."""
    weights = extractor.weights_.reshape(len(extractor.weights_), -1)
    scores = np.asarray(X @ weights.astype(np.float64)) + extractor.intercepts_
    # what a model keeps of its training pairs (degree=2) is part of the start, and stays as it is
    return scores if extractor.support_ is None else scores + extractor.support_.scores(X).reshape(len(scores), -1)


def apply_update(
    extractor: T, rows: FeedbackRows, update: ModelUpdate, judgements: Sequence[PairJudgement], *, disagreeing: int = 0
) -> T:
    """A copy of the extractor with the change, the moved calibrations, and the record of both."""
    result = copy.copy(extractor)
    result._clear_caches()
    result.weights_ = (extractor.weights_ + update.weights.reshape(extractor.weights_.shape)).astype(
        extractor.weights_.dtype
    )
    result.intercepts_ = extractor.intercepts_ + update.intercepts
    recalibrations = recalibrate(extractor.calibrations_, rows, update, extractor.outputs_)
    result.calibrations_ = {**extractor.calibrations_, **recalibrations}
    result.feedback_ = Feedback(
        judgements=len(judgements),
        pairs=len(rows.targets),
        groups=len(np.unique(rows.groups)),
        disagreeing=disagreeing,
        verdicts=count_verdicts(judgements),
        estimates=update.estimates,
        recalibrated=tuple(recalibrations),
    )
    history = extractor.facts_.get("feedback", [])
    result.facts_ = {**extractor.facts_, "feedback": [*history, result.feedback_.to_dict()]}
    return result
