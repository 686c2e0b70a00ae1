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
from ppi.extraction.feedback import Change, Feedback, FeedbackRows, feedback_rows, learn, recalibrated
from ppi.extraction.judgements import Judgement, combined, judgement_targets, verdict_counts
from ppi.extraction.readings import Readings

T = TypeVar("T", bound=Extractor)
#: A judgement with its claim, or how people write one, of what the model itself claims.
Label = Judgement | str | bool


def updated(
    extractor: T,
    graphs: Sequence[CandidateGraph],
    labels: Sequence[Label],
    *,
    groups: ArrayLike | None = None,
    regparam: float | None = None,
    conflicts: str = "majority",
) -> T:
    """Another extractor, with what the judgements teach."""
    if len(graphs) != len(labels) or not labels:
        raise UsageError(f"expected a judgement for each pair, got {len(labels)} of {len(graphs)} pairs")
    judgements = judged(extractor, graphs, labels)
    named = [graph.document_id or "" for graph in graphs] if groups is None else groups
    if np.shape(named) != (len(graphs),):
        raise UsageError(f"expected groups with one label per pair, {len(graphs)}, got {np.shape(named)}")
    combination = combined(
        [pair_key(graph) for graph in graphs], judgement_targets(judgements, extractor.outputs_), conflicts=conflicts
    )
    X = extractor.feature_matrix(graphs)
    rows = feedback_rows(X, linear_scores(extractor, X), combination, named)
    change = learn(rows, extractor.outputs_, regparam=regparam)
    return with_feedback(extractor, rows, change, judgements, disagreeing=combination.disagreeing)


def judged(extractor: Extractor, graphs: Sequence[CandidateGraph], labels: Sequence[Label]) -> list[Judgement]:
    """The labels as judgements; those without a claim are of what the extractor says of the pair now."""
    plain = [number for number, label in enumerate(labels) if not isinstance(label, Judgement)]
    claims = claimed(extractor, [graphs[number] for number in plain])
    judgements: list[Label] = list(labels)
    for number, (kind, first_acts) in zip(plain, claims):
        judgements[number] = Judgement.of(labels[number], type=kind, first_acts=first_acts)  # type: ignore[arg-type]
    return judgements  # type: ignore[return-value]


def claimed(extractor: Extractor, graphs: Sequence[CandidateGraph]) -> list[tuple[str | None, bool | None]]:
    """What the extractor says of candidates: the most probable type, and whether the first of the two acts."""
    if not graphs:
        return []
    readings = Readings(extractor, list(graphs))
    claims = [readings[place] for place in range(len(graphs))]
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


def with_feedback(
    extractor: T, rows: FeedbackRows, change: Change, judgements: Sequence[Judgement], *, disagreeing: int = 0
) -> T:
    """A copy of the extractor with the change, the moved calibrations, and the record of both."""
    changed = copy.copy(extractor)
    changed._forget()
    changed.weights_ = (extractor.weights_ + change.weights.reshape(extractor.weights_.shape)).astype(
        extractor.weights_.dtype
    )
    changed.intercepts_ = extractor.intercepts_ + change.intercepts
    moved = recalibrated(extractor.calibrations_, rows, change, extractor.outputs_)
    changed.calibrations_ = {**extractor.calibrations_, **moved}
    changed.feedback_ = Feedback(
        judgements=len(judgements),
        pairs=len(rows.targets),
        groups=len(np.unique(rows.groups)),
        disagreeing=disagreeing,
        verdicts=verdict_counts(judgements),
        estimates=change.estimates,
        recalibrated=tuple(moved),
    )
    before = extractor.facts_.get("feedback", [])
    changed.facts_ = {**extractor.facts_, "feedback": [*before, changed.feedback_.to_dict()]}
    return changed
