"""A small set of arcs that the collapsing steps rewrite: insertion order kept, no arc twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from corpora.types import Dependency, DependencyGraph, Token


class Arc(NamedTuple):
    """Governor and dependent are positions of tokens."""

    governor: int
    dependent: int
    type: str


class Arcs:
    """The arcs of a graph, by token position.  Each look-up is O(arcs at the token), each change O(1)."""

    def __init__(self, graph: DependencyGraph) -> None:
        self.tokens: tuple[Token, ...] = graph.tokens
        position_by_id = {token.id: position for position, token in enumerate(graph.tokens)}
        self._by_governor: list[dict[Arc, None]] = [{} for _ in graph.tokens]
        self._by_dependent: list[dict[Arc, None]] = [{} for _ in graph.tokens]
        for arc in graph.dependencies:
            self.add(position_by_id[arc.governor], position_by_id[arc.dependent], arc.type)

    def __iter__(self) -> Iterator[Arc]:
        return (arc for below in list(self._by_governor) for arc in list(below))

    def add(self, governor: int, dependent: int, type: str) -> None:
        """Add an arc; one that is there already stays where it is."""
        arc = Arc(governor, dependent, type)
        self._by_governor[governor][arc] = None
        self._by_dependent[dependent][arc] = None

    def remove(self, arc: Arc) -> None:
        """Take an arc out, if it is there."""
        self._by_governor[arc.governor].pop(arc, None)
        self._by_dependent[arc.dependent].pop(arc, None)

    def replace(self, arc: Arc, governor: int, dependent: int, type: str) -> None:
        """Take an arc out and put another in."""
        self.remove(arc)
        self.add(governor, dependent, type)

    def below(self, position: int, *types: str) -> list[Arc]:
        """Arcs from a token to its dependents, of some types or of all."""
        return [arc for arc in self._by_governor[position] if not types or arc.type in types]

    def above(self, position: int, *types: str) -> list[Arc]:
        """Arcs from its governors to a token, of some types or of all."""
        return [arc for arc in self._by_dependent[position] if not types or arc.type in types]

    def word(self, position: int) -> str:
        """The token in lower case, white space inside it as underscores."""
        return "_".join(self.tokens[position].text.lower().split())

    def tag(self, position: int) -> str:
        """The Penn tag, or nothing."""
        return self.tokens[position].pos or ""

    def dependencies(self) -> tuple[Dependency, ...]:
        """The arcs by token id, ordered by dependent and then governor."""
        ids = [token.id for token in self.tokens]
        ordered = sorted(self, key=lambda arc: (arc.dependent, arc.governor, arc.type))
        return tuple(Dependency(ids[arc.governor], ids[arc.dependent], arc.type) for arc in ordered)
