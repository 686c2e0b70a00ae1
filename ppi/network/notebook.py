"""What notebooks show of a network: its drawing, and its edges in a table."""

from __future__ import annotations

from corpora.short import counted
from ppi.annotation.markup import svg_image, text
from ppi.annotation.notebook import boxed, left_out, table
from ppi.network.drawing import draw
from ppi.network.types import Edge, Network

#: Edges that are listed.
MOST_EDGES = 20


def network_html(network: Network) -> str:
    """The drawing, and the edges with the best evidence."""
    described = f"Network of {len(network.proteins)} proteins and {len(network.edges)} edges"
    rows = (_row(network, edge) for edge in network.edges[:MOST_EDGES])
    return boxed(
        f"<p>{counted(len(network.proteins), 'protein')}, {counted(len(network.edges), 'edge')}</p>",
        svg_image(draw(network), described, label="Drawing of the network"),
        table(("probability", "interaction", "papers", "sentence"), rows),
        left_out(len(network.edges), MOST_EDGES, "edges"),
    )


def _row(network: Network, edge: Edge) -> tuple[str, ...]:
    first, second = (f"<b>{text(network.proteins[key].label)}</b>" for key in (edge.source, edge.target))
    who = f"{first} {edge.relationship.sign_between(edge.directed)} {second} {text(edge.relationship.label)}"
    sentence = text(edge.evidence[0].sentence) if edge.evidence else ""
    return f"{edge.probability:.2f}", who.rstrip(), f"{edge.papers:,}", sentence
