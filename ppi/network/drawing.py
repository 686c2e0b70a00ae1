"""A network as SVG: no script, no style sheet, nothing from elsewhere, and the same drawing for the same network.

Each connected part is laid out by the springs of Kamada and Kawai (An algorithm for drawing general undirected graphs,
1989), from a fixed start, and the parts are set in rows, the largest first.  Colours of lines and text are those of the
surrounding text (``currentColor``), so that it fits light and dark pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ppi.network.labels import LabelPosition, Node, place_labels
from ppi.network.lines import EdgeGeometry, Point, attribute_text, draw_line, draw_typed_line
from ppi.network.types import Edge, Network, Protein

if TYPE_CHECKING:
    import networkx as nx

#: More edges than this are not drawn: the strongest are, and a line above says so.
MAX_DRAWN_EDGES = 80
#: Characters of a label that are shown.
MAX_LABEL_CHARS = 22

_EDGE_LENGTH = 78.0
_MARGIN = 38.0
_CHARACTER_WIDTH = 7.0  # about the width of one at this font size
_FONT_SIZE = 12
_NODE_COLOUR = "#2f6f9f"
_NAME_COLOUR = "#8a94a6"  # proteins that are only names


@dataclass(frozen=True)
class _Component:
    """A connected part of the graph, laid out in a box that begins at the origin."""

    places: dict[str, Point]
    width: float
    height: float


def draw(network: Network, *, most_edges: int = MAX_DRAWN_EDGES, width: float = 900.0) -> str:
    """The network as an ``<svg>`` element.

    Lines are the more opaque and wider the more probable the pair, and carry ``data-source``, ``data-target``,
    ``data-probability`` and, where there are types, ``data-type`` for whoever wants to filter them.  How lines show
    types: :mod:`ppi.network.lines`.  Nodes carry ``data-key``; their size grows with
    their edges.  Grey nodes are proteins that are known by name only.

    Parameters
    ----------
    most_edges
        How many are drawn, the strongest first; a line of text says if others are left out.
    width
        Where rows of parts end; a single part may be wider.

    Notes
    -----
    Quadratic in the proteins of the largest part, for each step of the springs.
    """
    subnetwork = network.strongest(most_edges)
    graph = _pair_graph(subnetwork)
    places, right, bottom = _pack_rows(_lay_out_components(graph, subnetwork), width)
    n_hidden = len(network.edges) - len(subnetwork.edges)
    note = f"The {len(subnetwork.edges)} best supported of {len(network.edges)} pairs are drawn." if n_hidden else ""
    if not subnetwork.edges:
        note = "No pair to draw."
    nodes = {
        key: Node(place, _radius(graph.degree(key)), _label_width(subnetwork.proteins[key]))
        for key, place in places.items()
    }
    labels = place_labels(nodes, [(places[a], places[b]) for a, b in graph.edges if a != b])
    body = [
        *_draw_edges(subnetwork, places, graph, labels),
        *(_draw_node(protein, nodes[protein.key], labels[protein.key]) for protein in subnetwork.proteins.values()),
    ]
    frame = _frame(labels, right, bottom, above=24.0 if note else 0.0)
    if note:
        place = f'x="{frame.left + 12:.0f}" y="{frame.top + 16:.0f}"'
        body.append(f'<text {place} font-size="12" fill="currentColor">{note}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame} role="img" '
        f'aria-label="Network of {len(subnetwork.proteins)} proteins and {len(subnetwork.edges)} pairs" '
        f'font-family="system-ui, sans-serif" font-size="{_FONT_SIZE}">' + "".join(body) + "</svg>"
    )


class _Frame(NamedTuple):
    """What of the plane is in the picture."""

    left: float
    top: float
    width: float
    height: float

    def __str__(self) -> str:
        left, top, width, height = (f"{value:.0f}" for value in self)
        return f'viewBox="{left} {top} {width} {height}" width="{width}" height="{height}"'


def _frame(labels: Mapping[str, LabelPosition], right: float, bottom: float, *, above: float) -> _Frame:
    """Everything up to there, and every name."""
    boxes = [label.box for label in labels.values()]
    left = min([0.0, *(box[0] - 8 for box in boxes)])
    top = min([0.0, *(box[1] - 4 for box in boxes)]) - above
    right = max([right, 320.0, *(box[2] + 8 for box in boxes)])
    bottom = max([bottom, 8.0, *(box[3] + 4 for box in boxes)])
    return _Frame(left, top, right - left, bottom - top)


def _lay_out_components(graph: nx.Graph, network: Network) -> list[_Component]:
    import networkx as nx

    components = [sorted(component) for component in nx.connected_components(graph)]
    components.sort(key=lambda nodes: (-len(nodes), nodes))
    return [_lay_out_component(graph.subgraph(nodes), nodes, network) for nodes in components]


def _lay_out_component(part: nx.Graph, nodes: list[str], network: Network) -> _Component:
    import networkx as nx

    if len(nodes) <= 2:
        raw: dict[str, Point] = {key: (float(index), 0.0) for index, key in enumerate(nodes)}
    else:
        ordered = nx.Graph()
        ordered.add_nodes_from(nodes)  # a subgraph's own order is that of a set
        ordered.add_edges_from(sorted((min(ends), max(ends)) for ends in part.edges))
        springs = nx.kamada_kawai_layout(ordered, pos=nx.circular_layout(ordered))
        raw = _rotate_to_landscape({key: (float(x), float(y)) for key, (x, y) in springs.items()})
    lengths = [math.dist(raw[a], raw[b]) for a, b in part.edges if a != b]
    # the wider labels are, the further apart neighbours stand
    widest = max((_label_width(network.proteins[key]) for key in nodes), default=0.0)
    scale = max(_EDGE_LENGTH, 0.7 * widest) / (sum(lengths) / len(lengths)) if lengths else 1.0
    xs = [x * scale for x, _ in raw.values()]
    ys = [y * scale for _, y in raw.values()]
    side = max(_MARGIN, widest / 2 + 8)
    places = {key: (x * scale - min(xs) + side, y * scale - min(ys) + _MARGIN) for key, (x, y) in raw.items()}
    return _Component(places, max(xs) - min(xs) + 2 * side, max(ys) - min(ys) + 2 * _MARGIN)


def _rotate_to_landscape(places: dict[str, Point]) -> dict[str, Point]:
    """The places turned so that they reach furthest from left to right, as pages do."""
    mean_x = sum(x for x, _ in places.values()) / len(places)
    mean_y = sum(y for _, y in places.values()) / len(places)
    centred = {key: (x - mean_x, y - mean_y) for key, (x, y) in places.items()}
    xx = sum(x * x for x, _ in centred.values())
    xy = sum(x * y for x, y in centred.values())
    yy = sum(y * y for _, y in centred.values())
    angle = 0.5 * math.atan2(2 * xy, xx - yy)  # of the first principal axis
    cos, sin = math.cos(angle), math.sin(angle)
    return {key: (cos * x + sin * y, cos * y - sin * x) for key, (x, y) in centred.items()}


def _pack_rows(parts: list[_Component], width: float) -> tuple[dict[str, Point], float, float]:
    """The parts set in rows: all places, and how far they reach to the right and down."""
    places: dict[str, Point] = {}
    left = top = row = right = 0.0
    for part in parts:
        if left and left + part.width > width:
            left, top, row = 0.0, top + row, 0.0
        places.update({key: (x + left, y + top) for key, (x, y) in part.places.items()})
        left += part.width
        row = max(row, part.height)
        right = max(right, left)
    return places, right, top + row


def _pair_graph(network: Network) -> nx.Graph:
    """Which proteins are joined, whatever by: that is all that places depend on."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(network.proteins)
    graph.add_edges_from((edge.source, edge.target) for edge in network.edges)
    return graph


def _draw_edges(
    network: Network, places: dict[str, Point], graph: nx.Graph, labels: dict[str, LabelPosition]
) -> Iterator[str]:
    """The edges; those between the same two proteins side by side."""
    edges_by_pair: dict[frozenset[str], list[Edge]] = {}
    for edge in network.edges:
        edges_by_pair.setdefault(frozenset((edge.source, edge.target)), []).append(edge)
    for edge in network.edges:
        parallel_edges = edges_by_pair[frozenset((edge.source, edge.target))]
        # the bend of an edge is counted from its left end, so that two directions do not fall onto each other
        turn = 1 if edge.source < edge.target else -1
        ends = EdgeGeometry(
            places[edge.source],
            places[edge.target],
            _radius(graph.degree(edge.target)),
            turn * (parallel_edges.index(edge) - (len(parallel_edges) - 1) / 2),
            labels[edge.target].side,
        )
        names = [network.proteins[key].label for key in (edge.source, edge.target)]
        yield draw_line(edge, ends, names) if edge.type is None else draw_typed_line(edge, ends, names)


def _radius(degree: int) -> float:
    return 5 + 1.8 * math.sqrt(degree)


def _draw_node(protein: Protein, node: Node, label: LabelPosition) -> str:
    x, y = node.place
    colour = _NAME_COLOUR if protein.identifier is None else _NODE_COLOUR
    title = attribute_text(f"{protein.label} ({protein.key})")
    return (
        f'<g class="node" data-key="{attribute_text(protein.key)}"><title>{title}</title>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{node.radius:.1f}" fill="{colour}"/>'
        f'<text x="{label.x:.1f}" y="{label.y:.1f}" text-anchor="{label.anchor}" fill="currentColor">'
        f"{attribute_text(_shorten_label(protein))}</text></g>"
    )


def _shorten_label(protein: Protein) -> str:
    label = protein.label
    return label if len(label) <= MAX_LABEL_CHARS else label[: MAX_LABEL_CHARS - 1] + "…"


def _label_width(protein: Protein) -> float:
    return _CHARACTER_WIDTH * len(_shorten_label(protein))
