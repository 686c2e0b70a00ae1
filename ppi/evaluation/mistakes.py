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
MOST, SOME, FEW = 100, 10, 3


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
    most: int = MOST,
) -> list[Mistake]:
    """Up to ``most`` of each kind, those that are none first, the worst of each kind first.

    ``margins`` of 0 and more are interactions.  Of equally bad mistakes the first in the corpus comes first.
    """
    positive, called = examples.labels > 0, margins >= 0
    rank = margins if probabilities is None else probabilities
    found = []
    for wrong, order in ((called & ~positive, -rank), (~called & positive, rank)):
        places = np.flatnonzero(wrong)
        for place in places[np.argsort(order[places], kind="stable")][:most]:
            probability = None if probabilities is None else float(probabilities[place])
            types = examples.types[place] if examples.types else ()
            found.append(_mistake(examples.graphs[place], bool(positive[place]), margins[place], probability, types))
    return found


def of_each_kind(mistakes: Sequence[Mistake], most: int) -> list[Mistake]:
    """The first ``most`` of each kind."""
    called = [mistake for mistake in mistakes if not mistake.label]
    missed = [mistake for mistake in mistakes if mistake.label]
    return [*called[:most], *missed[:most]]


def _mistake(
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
