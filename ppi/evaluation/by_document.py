"""Relations between identifiers, judged by document: is the pair of genes related, wherever it is said?

A candidate is a pair of identifiers that two names of one sentence carry; what the best of its pairs of mentions has is
what it has.  A related pair of identifiers that no sentence brings together cannot be found, and counts as missed:
recall, F and average precision are over all related pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from learners.metrics import precision_recall_f
from ppi.extraction.examples import Examples
from ppi.extraction.related import IdPair, identifier_pairs


@dataclass(frozen=True)
class DocumentMetrics:
    """Figures over pairs of identifiers of documents; ``apart`` are related ones that no sentence brings together."""

    pairs: int
    positive: int
    apart: int
    called: int
    precision: float
    recall: float
    f: float
    average_precision: float

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def measure_documents(
    examples: Examples,
    related_pairs: Mapping[str, frozenset[IdPair]],
    margins: NDArray[np.float64],
    ranks: NDArray[np.float64],
) -> DocumentMetrics | None:
    """Judge by document; None if nothing is related.

    Parameters
    ----------
    related
        The related pairs of identifiers of each document that has some.
    margins
        A pair of mentions says that its identifiers are related where this is 0 or more.
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
    # those apart are never found: each point of the curve has its recall, and so the area, shrunk by their share
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
