"""The worst mistakes: pairs called interactions with most confidence that are none, and the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels import CandidateGraph
from ppi.extraction.examples import Examples

#: Of each kind, in reports; in figures for programs; in a terminal.
MAX_REPORT_MISTAKES, MAX_JSON_MISTAKES, MAX_TERMINAL_MISTAKES = 100, 10, 3


@dataclass(frozen=True)
class Mistake:
    """A pair that was judged wrongly, with its sentence.

    ``label`` is what the corpus says; ``margin`` how far the score is above the threshold (negative: below);
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

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def worst_mistakes(
    examples: Examples,
    margins: NDArray[np.float64],
    probabilities: NDArray[np.float64] | None = None,
    *,
    max_per_kind: int = MAX_REPORT_MISTAKES,
) -> list[Mistake]:
    """Up to ``most`` of each kind, those that are none first, the worst of each kind first.

    ``margins`` of 0 and more are interactions.  Of equally bad mistakes the first in the corpus comes first.
    """
    positive, called = examples.labels > 0, margins >= 0
    rank = margins if probabilities is None else probabilities
    mistakes = []
    for is_mistake, order in ((called & ~positive, -rank), (~called & positive, rank)):
        indices = np.flatnonzero(is_mistake)
        for index in indices[np.argsort(order[indices], kind="stable")][:max_per_kind]:
            probability = None if probabilities is None else float(probabilities[index])
            types = examples.types[index] if examples.types else ()
            mistakes.append(
                _make_mistake(examples.graphs[index], bool(positive[index]), margins[index], probability, types)
            )
    return mistakes


def limit_per_kind(mistakes: Sequence[Mistake], max_per_kind: int) -> list[Mistake]:
    """The first ``most`` of each kind."""
    false_positives = [mistake for mistake in mistakes if not mistake.label]
    false_negatives = [mistake for mistake in mistakes if mistake.label]
    return [*false_positives[:max_per_kind], *false_negatives[:max_per_kind]]


def _make_mistake(
    graph: CandidateGraph, label: bool, margin: float, probability: float | None, types: tuple[str, ...]
) -> Mistake:
    first, second = (graph.sentence.entity(id) for id in (graph.prot1, graph.prot2))
    return Mistake(
        document=graph.document_id or "",
        sentence=graph.sentence.id,
        pair=graph.pair.id,
        label=label,
        margin=float(margin),
        probability=probability,
        types=types,
        names=(first.text, second.text),
        spans=(first.spans, second.spans),
        text=graph.sentence.text,
    )
