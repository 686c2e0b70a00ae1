"""The shape of a pair: how far apart its two mentions stand, what is around them, how their names compare, and what
denies that they interact.

Names are blinded everywhere else, so this is where the model can see that two mentions are one name twice, or one
inside the other, which seldom interact; and that a pair among twelve proteins is less likely than one alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from corpora import Entity
from kernels.attribution import Vertex
from kernels.candidates import CandidateGraph
from kernels.named import NamedFeatures, Occurrence
from kernels.sentence_graphs import PROT1, PROT2, SentenceGraph

_MAX_GAP_CHARACTERS = 3  # characters: "/", "-", " (", ") ..." join names; longer gaps are words, which others see
_MAX_ENTITIES = 10
_MAX_ENTITIES_BETWEEN = 6
_MAX_PATH_ARCS = 8


class PairFeatures(NamedFeatures):
    """A handful of indicators, each 0 or 1: distances in steps that widen, counts up to a limit.

    Parameters
    ----------
    n_features
        None for a fitted vocabulary, a power of 2 for stateless hashing; see :class:`~kernels.named.NamedFeatures`.
    """

    def __init__(self, *, n_features: int | None = None) -> None:
        self.n_features = n_features

    def occurrences(self, graph: CandidateGraph) -> Iterator[Occurrence]:
        """The indicators that hold; only denials belong to vertices, the words that deny."""
        for name in self._indicator_names(graph):
            yield Occurrence(name, ())
        words: dict[str, list[Vertex]] = {}
        for kind, token in graph.denials:
            words.setdefault(kind, []).append(Vertex("dependency", "token", token))
        for kind, vertices in words.items():
            yield Occurrence(f"denied by {kind}", tuple(vertices))

    def names(self, graph: CandidateGraph) -> Iterator[str]:
        """The indicators that hold."""
        yield from self._indicator_names(graph)
        for kind in dict.fromkeys(denial.kind for denial in graph.denials):
            yield f"denied by {kind}"

    def _indicator_names(self, graph: CandidateGraph) -> Iterator[str]:
        sentence = graph.sentence
        positions = _entity_positions(graph.base)
        (first, first_position), (second, second_position) = positions[graph.prot1], positions[graph.prot2]
        names = first.text.lower(), second.text.lower()
        if names[0] == names[1]:
            yield "same name"
        if names[0] in names[1] or names[1] in names[0]:
            yield "name in name"
        if _overlap(first, second):
            yield "overlap"
        gap = sentence.text[first.end : second.start]
        if first.end <= second.start and len(gap) <= _MAX_GAP_CHARACTERS:
            yield f"gap:{gap}"
        yield f"tokens between:{_bin_distance(_tokens_between(graph))}"
        yield f"entities:{min(len(sentence.entities), _MAX_ENTITIES)}"
        yield f"entities between:{min(abs(second_position - first_position) - 1, _MAX_ENTITIES_BETWEEN)}"
        yield f"path length:{min(graph.path_length, _MAX_PATH_ARCS)}"


def _overlap(first: Entity, second: Entity) -> bool:
    return any(a[0] < b[1] and b[0] < a[1] for a in first.spans for b in second.spans)


@lru_cache(maxsize=16)
def _entity_positions(base: SentenceGraph) -> dict[str, tuple[Entity, int]]:
    """Each entity of a sentence by its id, with its place in the order of the text."""
    order = sorted(base.sentence.entities, key=lambda entity: (entity.start, entity.end))
    return {entity.id: (entity, position) for position, entity in enumerate(order)}


def _tokens_between(graph: CandidateGraph) -> int | None:
    """Tokens strictly between the two mentions; None if one of them covers no token."""
    firsts, seconds = np.flatnonzero(graph.roles & PROT1), np.flatnonzero(graph.roles & PROT2)
    if not len(firsts) or not len(seconds):
        return None
    return max(0, int(seconds[0] - firsts[-1]) - 1)


def _bin_distance(distance: int | None) -> str:
    """0, 1, 2, 3, 4-5, 6-7, 8-10, ...: two steps for each doubling."""
    return "none" if distance is None else str(int(2 * np.log2(distance + 1)))
