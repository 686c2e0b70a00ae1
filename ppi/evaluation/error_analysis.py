"""Metrics by type of relation and by document, and the worst mistakes of a model.

By type: those that the corpus gives its relations, and the outputs of a model that knows types.  By document: is a pair
of identifiers related, wherever the document says so?  A candidate is a pair of identifiers that two names of one
sentence have, ranked by the best of its pairs of mentions.  A related pair of identifiers that no sentence brings
together cannot be found, and counts as missed: recall, F and average precision are over all related pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from corpora import TYPES
from learners import auc, precision_recall_f
from ppi.evaluation.model_metrics import ThresholdMetrics, measure_at_threshold, measure_calibration
from ppi.evaluation.records import JsonRecord
from ppi.evaluation.scoring.claims import normalize_type
from ppi.extraction import DIRECTION, INTERACTION, OUTPUTS, SIGN, Examples, Extractor, IdPair, identifier_pairs

#: Of each kind, in reports; in figures for programs; in a terminal.
MAX_REPORT_MISTAKES, MAX_JSON_MISTAKES, MAX_TERMINAL_MISTAKES = 100, 10, 3


@dataclass(frozen=True)
class TypeMetrics(JsonRecord):
    """The positive pairs that relations of one type join: how many are found, and how they rank among all negatives."""

    type: str
    positive: int
    found: int
    recall: float
    mean_probability: float | None
    average_precision: float


@dataclass(frozen=True)
class OutputMetrics(JsonRecord):
    """How well one output of a typed model agrees with the corpus.

    ``at_half`` is at a probability of 0.5; ``accuracy`` is of outputs that decide between two classes.
    """

    output: str
    pairs: int
    positive: int
    average_precision: float | None = None
    auc: float | None = None
    at_half: ThresholdMetrics | None = None
    calibration_error: float | None = None
    accuracy: float | None = None


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
    """One row per output that the model was trained for and the corpus annotates; none if either has no types.

    Events annotate all of them.  Relations annotate the types that their names are kinds of
    (:mod:`ppi.evaluation.scoring.claims`); pairs that only relations of other names join count neither way.
    """
    if len(extractor.outputs_) == 1:
        return []
    all_targets = examples.targets if examples.typed else _targets_from_names(examples)
    scores = extractor.score_outputs(examples.graphs)
    rows = []
    for column, output in enumerate(OUTPUTS):
        targets = all_targets[:, column]
        has_target = ~np.isnan(targets)
        if output == INTERACTION or not extractor.has_learned(output) or len(np.unique(targets[has_target])) < 2:
            continue
        positive, output_scores = targets[has_target] > 0, scores[has_target, column]
        metrics: dict[str, Any] = {}
        if output in (DIRECTION, SIGN):
            metrics["accuracy"] = float(np.mean((output_scores >= 0) == positive))
        elif output in extractor.calibrations_:
            p = extractor.calibrations_[output](output_scores)
            metrics["average_precision"] = float(average_precision_score(positive, output_scores))
            metrics["auc"] = auc(positive, output_scores)
            metrics["at_half"] = measure_at_threshold("0.5", positive, p >= 0.5)
            metrics["calibration_error"] = measure_calibration(p, np.where(positive, 1, -1)).ece
        if metrics:
            rows.append(OutputMetrics(output, int(has_target.sum()), int(positive.sum()), **metrics))
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


@dataclass(frozen=True)
class DocumentMetrics(JsonRecord):
    """Figures over pairs of identifiers of documents; ``apart`` are related ones that no sentence brings together."""

    pairs: int
    positive: int
    apart: int
    called: int
    precision: float
    recall: float
    f: float
    average_precision: float


def measure_documents(
    examples: Examples,
    related_pairs: Mapping[str, frozenset[IdPair]],
    margins: NDArray[np.float64],
    ranks: NDArray[np.float64],
) -> DocumentMetrics | None:
    """Measure by document; None if nothing is related.

    Parameters
    ----------
    related_pairs
        The related pairs of identifiers of each document that has some.
    margins
        A pair of mentions calls its identifiers related where this is 0 or more.
    ranks
        What pairs are ordered by.
    """
    total = sum(map(len, related_pairs.values()))
    if not total:
        return None
    best: dict[tuple[str, IdPair], tuple[bool, float]] = {}
    for graph, margin, rank in zip(examples.graphs, margins.tolist(), ranks.tolist(), strict=True):
        first, second = (graph.sentence.entity(id) for id in (graph.prot1, graph.prot2))
        for identifier_pair in identifier_pairs(first, second):
            if len(identifier_pair) == 2:
                key = graph.document_id or "", identifier_pair
                already_called, best_rank = best.get(key, (False, -np.inf))
                best[key] = already_called or margin >= 0, max(best_rank, rank)
    positive = np.array(
        [identifier_pair in related_pairs.get(document, ()) for document, identifier_pair in best], dtype=np.bool_
    )
    called = np.array([is_called for is_called, _ in best.values()], dtype=np.bool_)
    apart = total - int(positive.sum())
    precision, recall, f = precision_recall_f(int(np.sum(positive & called)), int(called.sum()), total)
    # those apart are never found: they shrink the recall of each point of the curve, and so the area, by their part
    reachable_precision = (
        float(average_precision_score(positive, [rank for _, rank in best.values()])) if positive.any() else 0.0
    )
    return DocumentMetrics(
        pairs=len(best) + apart,
        positive=total,
        apart=apart,
        called=int(called.sum()),
        precision=precision,
        recall=recall,
        f=f,
        average_precision=reachable_precision * int(positive.sum()) / total,
    )


@dataclass(frozen=True)
class Mistake(JsonRecord):
    """A pair that was classified wrongly, with its sentence.

    ``label`` is that of the corpus; ``margin`` how far the score is above the threshold (negative: below);
    ``spans`` are the places of the two names in ``text``.
    """

    document: str
    sentence: str
    pair: str
    label: bool
    margin: float
    probability: float | None
    types: tuple[str, ...]
    names: tuple[str, str]
    spans: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
    text: str


def worst_mistakes(
    examples: Examples,
    margins: NDArray[np.float64],
    probabilities: NDArray[np.float64] | None = None,
    *,
    max_per_kind: int = MAX_REPORT_MISTAKES,
) -> list[Mistake]:
    """Up to ``max_per_kind`` false positives, then as many false negatives; the worst of each kind first.

    ``margins`` of 0 and more are interactions.  Of equally bad mistakes the first in the corpus comes first.
    """
    positive, called = examples.labels > 0, margins >= 0
    rank = margins if probabilities is None else probabilities
    mistakes = []
    for is_mistake, order in ((called & ~positive, -rank), (~called & positive, rank)):
        indices = np.flatnonzero(is_mistake)
        for index in indices[np.argsort(order[indices], kind="stable")][:max_per_kind]:
            graph = examples.graphs[index]
            first, second = (graph.sentence.entity(id) for id in (graph.prot1, graph.prot2))
            mistakes.append(
                Mistake(
                    document=graph.document_id or "",
                    sentence=graph.sentence.id,
                    pair=graph.pair.id,
                    label=bool(positive[index]),
                    margin=float(margins[index]),
                    probability=None if probabilities is None else float(probabilities[index]),
                    types=examples.types[index] if examples.types else (),
                    names=(first.text, second.text),
                    spans=(first.spans, second.spans),
                    text=graph.sentence.text,
                )
            )
    return mistakes


def limit_per_kind(mistakes: Sequence[Mistake], max_per_kind: int) -> list[Mistake]:
    """The first ``max_per_kind`` false positives and false negatives."""
    false_positives = [mistake for mistake in mistakes if not mistake.label]
    false_negatives = [mistake for mistake in mistakes if mistake.label]
    return [*false_positives[:max_per_kind], *false_negatives[:max_per_kind]]
