"""The columns of a table of edges, listed once: for CSV and for frames of pandas."""

from __future__ import annotations

from collections.abc import Callable

from ppi.annotation.columns import CellValue
from ppi.network.types import Edge, Network


def edge_values(network: Network, edge: Edge) -> tuple[CellValue, ...]:
    """What stands in each of :data:`EDGE_COLUMNS`; None where there is nothing."""
    return tuple(value(network, edge) for value in _EDGE_COLUMN_VALUES.values())


_EDGE_COLUMN_VALUES: dict[str, Callable[[Network, Edge], CellValue]] = {
    "protein_1": lambda network, edge: edge.source,
    "protein_2": lambda network, edge: edge.target,
    "label_1": lambda network, edge: network.proteins[edge.source].label,
    "label_2": lambda network, edge: network.proteins[edge.target].label,
    "probability": lambda network, edge: edge.probability,
    "papers": lambda network, edge: edge.papers,
    "sentences": lambda network, edge: edge.sentences,
    "mentions": lambda network, edge: edge.mentions,
    "best_document": lambda network, edge: edge.evidence[0].document if edge.evidence else None,
    "best_sentence": lambda network, edge: edge.evidence[0].sentence if edge.evidence else None,
    "relation": lambda network, edge: edge.relation,
    "type": lambda network, edge: edge.type,
    "sign": lambda network, edge: edge.sign,
    "kind": lambda network, edge: edge.kind,
    "directed": lambda network, edge: edge.directed,
}
EDGE_COLUMNS = tuple(_EDGE_COLUMN_VALUES)
