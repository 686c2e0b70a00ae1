"""Graphs with labelled vertices and weighted, directed edges, of any origin."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kernels.errors import GraphError
from kernels.sentence_graphs import freeze_array

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, eq=False)
class LabelledGraph:
    """A directed graph whose vertices carry any number of labels each; parallel edges add up.

    >>> graph = LabelledGraph([["a"], ["b", "c"]], edges=[(0, 1)])
    >>> graph.adjacency()
    array([[0., 1.],
           [0., 0.]])
    """

    labels: tuple[tuple[str, ...], ...]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    weights: NDArray[np.float64]

    def __init__(self, labels: Any, edges: Any = (), *, weights: Any = None) -> None:
        """``edges`` are (source, target) pairs of vertex indices; ``weights`` default to 1."""
        edge_array = np.asarray(list(edges), dtype=np.int64).reshape(-1, 2)
        values = np.ones(len(edge_array)) if weights is None else np.asarray(weights, dtype=np.float64)
        object.__setattr__(self, "labels", tuple(tuple(dict.fromkeys(of_vertex)) for of_vertex in labels))
        object.__setattr__(self, "sources", freeze_array(edge_array[:, 0], np.int64))
        object.__setattr__(self, "targets", freeze_array(edge_array[:, 1], np.int64))
        object.__setattr__(self, "weights", freeze_array(values, np.float64))
        if len(values) != len(edge_array) or not np.isfinite(values).all() or (values < 0).any():
            raise GraphError(
                f"expected one finite weight of 0 or more for each of {len(edge_array)} edges, got {weights!r}"
            )
        if len(edge_array) and (edge_array.min() < 0 or edge_array.max() >= len(self.labels)):
            raise GraphError(
                f"expected edges between vertices 0 to {len(self.labels) - 1}, "
                f"got {edge_array.min()} to {edge_array.max()}"
            )

    @property
    def n_vertices(self) -> int:
        """How many vertices there are."""
        return len(self.labels)

    def adjacency(self) -> NDArray[np.float64]:
        """The adjacency matrix A, dense."""
        A = np.zeros((self.n_vertices, self.n_vertices))
        np.add.at(A, (self.sources, self.targets), self.weights)
        return A

    @classmethod
    def from_networkx(cls, graph: nx.DiGraph, *, labels: str = "labels", weight: str = "weight") -> LabelledGraph:
        """From node attribute ``labels`` (a sequence of strings) and edge attribute ``weight`` (default 1)."""
        index_by_node: dict[Hashable, int] = {node: index for index, node in enumerate(graph.nodes)}
        edges = [(index_by_node[a], index_by_node[b]) for a, b in graph.edges()]
        weights = [data.get(weight, 1.0) for _, _, data in graph.edges(data=True)]
        return cls([data.get(labels, ()) for _, data in graph.nodes(data=True)], edges, weights=weights)
