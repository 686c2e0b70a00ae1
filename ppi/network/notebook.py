"""What notebooks show of a network: its drawing, and its edges in a table."""

from __future__ import annotations

from corpora.short import pluralize
from ppi.annotation.markup import html_text, svg_image
from ppi.annotation.notebook import html_table, truncation_note, wrap_output
from ppi.network.drawing import draw
from ppi.network.types import Edge, Network

#: Edges that are listed.
MAX_LISTED_EDGES = 20


def network_html(network: Network) -> str:
    """The drawing, and the edges with the best evidence."""
    description = f"Network of {len(network.proteins)} proteins and {len(network.edges)} edges"
    rows = (_edge_row(network, edge) for edge in network.edges[:MAX_LISTED_EDGES])
    return wrap_output(
        f"<p>{pluralize(len(network.proteins), 'protein')}, {pluralize(len(network.edges), 'edge')}</p>",
        svg_image(draw(network), description, label="Drawing of the network"),
        html_table(("probability", "interaction", "papers", "sentence"), rows),
        truncation_note(len(network.edges), MAX_LISTED_EDGES, "edges"),
    )


def _edge_row(network: Network, edge: Edge) -> tuple[str, ...]:
    first, second = (f"<b>{html_text(network.proteins[key].label)}</b>" for key in (edge.source, edge.target))
    pair = f"{first} {edge.relationship.arrow_symbol(edge.directed)} {second} {html_text(edge.relationship.label)}"
    sentence = html_text(edge.evidence[0].sentence) if edge.evidence else ""
    return f"{edge.probability:.2f}", pair.rstrip(), f"{edge.papers:,}", sentence
