"""Networks as files: GraphML and SIF for Cytoscape, CSV, JSON, and a page to read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import IO, Any

from ppi.annotation import AnnotatedDocument, encodable_text, one_line, to_json, xml_text
from ppi.export.formats import PageFacts
from ppi.export.html_page import network_page
from ppi.export.spreadsheets import write_csv_rows
from ppi.network import EDGE_COLUMNS, Network, build_network, edge_values

JSON_SCHEMA = "ppi-network/1"
#: What an edge without a type leaves out.
_TYPE_FIELDS = ("type", "sign", "kind", "directed")


def write_network_graphml(network: Network, output: IO[bytes]) -> None:
    """GraphML with typed attributes; node ids are the proteins' keys.

    A network with types is a directed multigraph, as of :meth:`~ppi.network.Network.to_networkx`.
    """
    import networkx as nx

    graph = network.to_networkx()
    clean_graph = graph.__class__()
    for key, attributes in graph.nodes(data=True):
        clean_graph.add_node(xml_text(key), **_clean_attributes(attributes))
    for *ends, attributes in graph.edges(data=True, **({"keys": True} if graph.is_multigraph() else {})):
        source, target, *name = ends
        clean_graph.add_edge(xml_text(source), xml_text(target), *name, **_clean_attributes(attributes))
    nx.write_graphml(clean_graph, output)
    output.write(b"\n")


def write_network_sif(network: Network, output: IO[bytes]) -> None:
    """Simple interaction format, one edge per line: two names and the relation between them, by tabs.

    Relations are ``binds``, ``phosphorylates`` and other kinds, ``modifies``, ``activates``, ``inhibits``,
    ``regulates``, and ``pp`` without type.  A label that two proteins share is followed by the key.
    """
    label_counts = Counter(protein.label for protein in network.proteins.values())
    names = {
        key: protein.label if label_counts[protein.label] == 1 else f"{protein.label} ({key})"
        for key, protein in network.proteins.items()
    }
    for edge in network.edges:
        line = "\t".join(one_line(word) for word in (names[edge.source], edge.relation, names[edge.target]))
        output.write(f"{line}\n".encode())


def write_network_csv(network: Network, output: IO[bytes]) -> None:
    """One row per edge, ranked, under a header; text that a spreadsheet would run is guarded by an apostrophe."""
    write_csv_rows(EDGE_COLUMNS, (edge_values(network, edge) for edge in network.edges), output)


def write_network_json(network: Network, output: IO[bytes]) -> None:
    """One object: ``schema``, ``proteins`` and ranked ``edges``, each with its best evidence as in JSON lines."""
    value = {
        "schema": JSON_SCHEMA,
        "proteins": [vars(protein) for protein in network.proteins.values()],
        "edges": [
            {
                **{name: value for name, value in vars(edge).items() if name not in _TYPE_FIELDS or value},
                "evidence": [to_json(interaction, explain=True) for interaction in edge.evidence],
            }
            for edge in network.edges
        ],
    }
    output.write(encodable_text(json.dumps(value, ensure_ascii=False, indent=1)).encode() + b"\n")


def write_network_html(network: Network, output: IO[bytes], facts: PageFacts | None = None) -> None:
    """A page that stands alone: table, drawing, evidence."""
    output.write(network_page(network, facts=facts).encode())


def _clean_attributes(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: xml_text(value) if isinstance(value, str) else value for name, value in attributes.items()}


# The network of the annotated documents, as a file.
#
# Every interaction that is handed over takes part, whatever its probability and also if it is only supposed: whoever
# annotated has chosen already.  What a sentence denies supports no edge.


def write_annotated_graphml(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write GraphML with typed attributes."""
    write_network_graphml(build_network(annotated, min_probability=0.0, include_hedged=True), output)


def write_annotated_sif(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write lines of two names and the relation between them."""
    write_network_sif(build_network(annotated, min_probability=0.0, include_hedged=True), output)
