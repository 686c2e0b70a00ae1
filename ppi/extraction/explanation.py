"""Explains the score of a pair: the exact split into features, and from there to words, dependencies and the path."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from corpora import pluralize
from kernels import CandidateGraph, Contribution


@dataclass(frozen=True)
class PartContribution:
    """What one word or dependency adds to the score; ``position`` is its place among the tokens or arcs."""

    name: str
    position: int
    value: float
    on_path: bool


@dataclass(frozen=True, repr=False)
class Explanation:
    """A score taken apart: ``intercept`` + the sum of ``features`` = ``score``.

    A feature's value is shared equally by the words and dependencies it came from, so that ``intercept`` +
    ``unplaced`` + the sums of ``words`` and ``dependencies`` is the score again.
    """

    score: float
    threshold: float
    intercept: float
    features: list[Contribution]
    words: list[PartContribution]
    dependencies: list[PartContribution]
    unplaced: float
    path: str
    path_value: float
    #: the output of the model that is explained, where it has several
    output: str | None = None

    def __repr__(self) -> str:
        return f"<Explanation: {self.score:+.3f} by {pluralize(len(self.features), 'feature')}>"

    def to_dict(self, *, most: int = 20) -> dict[str, Any]:
        """Plain JSON values, with the ``most`` weightiest features and what the others add."""
        return {
            **({} if self.output is None else {"output": self.output}),
            "score": self.score,
            "threshold": self.threshold,
            "intercept": self.intercept,
            "features": [{"name": feature.name, "value": feature.value} for feature in self.features[:most]],
            "other_features": sum(feature.value for feature in self.features[most:]),
            "words": [vars(part) for part in self.words],
            "dependencies": [vars(part) for part in self.dependencies],
            "unplaced": self.unplaced,
            "path": self.path,
            "path_value": self.path_value,
        }


def explain_graph(
    graph: CandidateGraph, features: list[Contribution], *, intercept: float, threshold: float
) -> Explanation:
    """Aggregate the contributions of a candidate's features."""
    value_by_vertex: dict[tuple[str, int], float] = defaultdict(float)
    unplaced = path_value = 0.0
    for feature in features:
        if not feature.vertices:
            unplaced += feature.value
            continue
        for vertex in feature.vertices:
            value_by_vertex[vertex.kind, vertex.position] += feature.value / len(feature.vertices)
        if all(_is_on_path(graph, vertex.kind, vertex.position) for vertex in feature.vertices):
            path_value += feature.value
    parts = {
        kind: [
            PartContribution(names[position], position, value, _is_on_path(graph, kind, position))
            for (kind_of_part, position), value in sorted(value_by_vertex.items())
            if kind_of_part == kind
        ]
        for kind, names in (("token", [token.text for token in graph.tokens]), ("arc", graph.base.types))
    }
    return Explanation(
        score=intercept + sum(feature.value for feature in features),
        threshold=threshold,
        intercept=intercept,
        features=features,
        words=parts["token"],
        dependencies=parts["arc"],
        unplaced=unplaced,
        path=format_path(graph),
        path_value=path_value,
    )


def format_path(graph: CandidateGraph) -> str:
    """The words and dependencies on the shortest paths, in text order; empty without a path."""
    arcs = [
        f"{graph.tokens[governor].text} -{kind}-> {graph.tokens[dependent].text}"
        for governor, dependent, kind, on_path in zip(
            graph.base.governors, graph.base.dependents, graph.base.types, graph.arc_on_path, strict=True
        )
        if on_path
    ]
    return ", ".join(arcs)


def _is_on_path(graph: CandidateGraph, kind: str, position: int) -> bool:
    return bool((graph.token_on_path if kind == "token" else graph.arc_on_path)[position])
