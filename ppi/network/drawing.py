"""Draws a network as SVG, without scripts or style sheets; the same network gives the same drawing.

Each connected part is laid out by the springs of Kamada and Kawai (An algorithm for drawing general undirected graphs,
1989), from a fixed start, and the parts are set in rows, the largest first.  Names stand beside their nodes, where the
fewest lines and other names are.  Colours of lines and text are those of the surrounding text (``currentColor``), so
that the drawing fits light and dark pages.  Lines show the type of an edge by more than their colour:

==================  =======================================================
binding             a solid line without a head
modification        a dashed line with an arrow head
regulation          a dotted line with an arrow head; with a bar if negative
without type        a plain line
==================  =======================================================

Each has its words as a title.  Several edges between two proteins are bent apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpora import BINDING, MODIFICATION, REGULATION
from ppi.annotation import NEGATIVE, html_text, render_notebook
from ppi.network.graph import Edge, Network, Protein

if TYPE_CHECKING:
    import networkx as nx

Point = tuple[float, float]
Segment = tuple[Point, Point]

#: More edges than this are not drawn: the strongest are, and a line above reports it.
MAX_DRAWN_EDGES = 80
#: Characters of a label that are shown.
MAX_LABEL_CHARS = 22
_EDGE_LENGTH = 78.0
_MARGIN = 38.0
_CHARACTER_WIDTH = 7.0  # about the width of one at this font size
_FONT_SIZE = 12
_NODE_COLOUR = "#2f6f9f"
_NAME_COLOUR = "#8a94a6"  # proteins that are only names
#: Edges that are listed in notebooks.
MAX_LISTED_EDGES = 20
TYPE_COLOURS = {BINDING: "#2f6f9f", MODIFICATION: "#9a5b00", REGULATION: "#7a3f98"}
TYPE_DASHES = {BINDING: "", MODIFICATION: "7 3", REGULATION: "2 3"}
_BEND = 26.0  # between neighbouring lines, at the middle
_HEAD = 8.0
_LABEL_HEIGHT = 20.0  # heads end before a name that they would run through
_SLANTS = tuple((math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in (25, 45, 65))
#: What it costs that a name lies on another name or on a node, where a line through it costs 1.
_ON_NAME, _ON_NODE = 4.0, 3.0
_ASCENT, _HEIGHT = 11.0, 14.0  # of letters above their line, and of all of it


class Node(NamedTuple):
    """A node of a drawing, with the width of its name."""

    position: Point
    radius: float
    width: float


class LabelPosition(NamedTuple):
    """Where a name begins, or has its middle or end (``anchor``, as in SVG), and the box that it fills.

    ``side`` is where it stands: 1 below its node, -1 above, 0 beside it.
    """

    x: float
    y: float
    anchor: str
    left: float
    top: float
    width: float
    side: int

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return self.left, self.top, self.left + self.width, self.top + _HEIGHT


def place_labels(nodes: Mapping[str, Node], lines: Sequence[Segment]) -> dict[str, LabelPosition]:
    """A label for every node: the best place of those around it.

    The work is that of comparing every name with every line and every other name.
    """
    labels: dict[str, LabelPosition] = {}
    node_boxes = {key: (x - radius, y - radius, x + radius, y + radius) for key, ((x, y), radius, _) in nodes.items()}
    for key, node in nodes.items():
        costs = []
        for order, label in enumerate(_label_positions(node)):
            cost = float(sum(_crosses(line, label.box) for line in lines))
            cost += _ON_NAME * sum(_overlap(label.box, other.box) for other in labels.values())
            cost += _ON_NODE * sum(_overlap(label.box, box) for name, box in node_boxes.items() if name != key)
            costs.append((cost, order, label))
        labels[key] = min(costs, key=lambda entry: entry[:2])[2]
    return labels


def _label_positions(node: Node) -> list[LabelPosition]:
    """Below, above, right and left of a node; then between these, close to it before further away."""
    (x, y), radius, width = node.position, node.radius, node.width
    middle, beside = x - width / 2, radius + 4
    straight = [
        LabelPosition(x, below := y + radius + 13, "middle", middle, below - _ASCENT, width, 1),
        LabelPosition(x, above := y - radius - 5, "middle", middle, above - _ASCENT, width, -1),
        _beside(x + beside, y + 4, width, 1, 0),
        _beside(x - beside, y + 4, width, -1, 0),
    ]
    slanted = [
        _beside(x + direction * distance * cos, y + 4 + side * distance * sin, width, direction, side)
        for distance in (beside + 2, beside + 12)
        for cos, sin in _SLANTS
        for direction in (1, -1)
        for side in (1, -1)
    ]
    return straight + slanted


def _beside(x: float, y: float, width: float, direction: int, side: int) -> LabelPosition:
    """A name that begins (1) or ends (-1) there."""
    anchor, left = ("start", x) if direction == 1 else ("end", x - width)
    return LabelPosition(x, y, anchor, left, y - _ASCENT, width, side)


def _overlap(first: tuple[float, float, float, float], second: tuple[float, float, float, float]) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def _crosses(line: Segment, box: tuple[float, float, float, float]) -> bool:
    """Whether a line runs through a box (Liang and Barsky's clipping)."""
    (x, y), (x2, y2) = line
    dx, dy = x2 - x, y2 - y
    enter, leave = 0.0, 1.0
    for direction, distance in ((-dx, x - box[0]), (dx, box[2] - x), (-dy, y - box[1]), (dy, box[3] - y)):
        if direction == 0:
            if distance < 0:
                return False
        elif direction < 0:
            enter = max(enter, distance / direction)
        else:
            leave = min(leave, distance / direction)
    return enter < leave


class EdgeGeometry(NamedTuple):
    """Where a line begins and ends, how large the node at its end is, and how far it is bent aside.

    ``label_side`` is where that node's name stands: 1 below, -1 above, 0 beside it.
    """

    begin: Point
    end: Point
    radius: float
    bend: float
    label_side: int = 1


def draw_line(edge: Edge, ends: EdgeGeometry, names: list[str]) -> str:
    """An edge with a type as ``<g>`` of a line and its head; without, as ``<line>``, or ``<path>`` to its own node."""
    min_opacity = 0.15 if edge.type is None else 0.45  # heads and dashes need more to be seen
    opacity, width = min_opacity + 0.5 * edge.probability, 1 + 2.5 * edge.probability
    data = (
        f'class="edge" data-source="{html_text(edge.source)}" data-target="{html_text(edge.target)}" '
        f'data-probability="{edge.probability:.4f}"'
    )
    stroke = f'fill="none" stroke-opacity="{opacity:.2f}" stroke-width="{width:.2f}"'
    papers = "1 paper" if edge.papers == 1 else f"{edge.papers} papers"
    what = f"{edge.relationship.label}, " if edge.type is not None else ""
    joined = f" {edge.relationship.arrow_symbol(edge.directed)} ".join(names)
    title = f"<title>{html_text(f'{joined}: {what}{edge.probability:.2f}, {papers}')}</title>"
    (x, y), (x2, y2) = ends.begin, ends.end
    path, head = "", ""
    if edge.source == edge.target:  # from the node to itself, above it
        path = f"M{x - 4:.1f} {y:.1f}C{x - 24:.1f} {y - 30:.1f} {x + 24:.1f} {y - 30:.1f} {x + 4:.1f} {y:.1f}"
    elif edge.type is not None:
        path, head = _bend_line(ends, edge)
    if edge.type is not None:
        colour, dashes = TYPE_COLOURS.get(edge.type, "currentColor"), TYPE_DASHES.get(edge.type)
        dash_attribute = f' stroke-dasharray="{dashes}"' if dashes else ""
        return (
            f'<g {data} data-type="{html_text(edge.type)}" stroke="{colour}" {stroke}>'
            f'{title}<path d="{path}"{dash_attribute}/>{head}</g>'
        )
    shape = f'path d="{path}"' if path else f'line x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<{shape} {data} stroke="currentColor" {stroke}>{title}</{shape.partition(" ")[0]}>'


def _bend_line(ends: EdgeGeometry, edge: Edge) -> tuple[str, str]:
    """The line, bent aside, and its head if it has one."""
    (x1, y1), (x2, y2) = ends.begin, ends.end
    aside = _BEND * ends.bend / (math.dist(ends.begin, ends.end) or 1.0)
    middle = ((x1 + x2) / 2 - aside * (y2 - y1), (y1 + y2) / 2 + aside * (x2 - x1))
    through_name = max(0.0, ends.label_side * (middle[1] - y2)) / (math.dist(middle, ends.end) or 1.0)
    distance = ends.radius + 2 + (_LABEL_HEIGHT * through_name if edge.directed else 0.0)  # of the tip from the node
    length = math.dist(ends.end, middle) or 1.0
    dx, dy = (x2 - middle[0]) / length, (y2 - middle[1]) / length
    x, y = x2 - distance * dx, y2 - distance * dy
    path = f"M{x1:.1f} {y1:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {x:.1f} {y:.1f}"
    if not edge.directed:
        return path, ""
    half = _HEAD * 0.6
    if edge.sign == NEGATIVE:  # a bar
        return path, f'<path d="M{x - half * dy:.1f} {y + half * dx:.1f}L{x + half * dy:.1f} {y - half * dx:.1f}"/>'
    left = (x - _HEAD * dx - half * dy, y - _HEAD * dy + half * dx)
    right = (x - _HEAD * dx + half * dy, y - _HEAD * dy - half * dx)
    return path, f'<path d="M{left[0]:.1f} {left[1]:.1f}L{x:.1f} {y:.1f}L{right[0]:.1f} {right[1]:.1f}"/>'


class _Component(NamedTuple):
    """A connected part of the graph, laid out in a box that begins at the origin."""

    positions: dict[str, Point]
    width: float
    height: float


def draw(network: Network, *, most_edges: int = MAX_DRAWN_EDGES, width: float = 900.0) -> str:
    """The network as an ``<svg>`` element.

    Lines are the more opaque and wider the more probable the pair, and carry ``data-source``, ``data-target``,
    ``data-probability`` and, where there are types, ``data-type`` for filtering.  How lines show
    types: :mod:`ppi.network.drawing`.  Nodes carry ``data-key``; their size grows with their edges.  Grey nodes are
    proteins that are known by name only.

    Parameters
    ----------
    most_edges
        How many are drawn, the strongest first; a line of text reports if others are omitted.
    width
        Where rows of parts end; a single part may be wider.

    Notes
    -----
    Quadratic in the proteins of the largest part, for each step of the springs.
    """
    import networkx as nx

    subnetwork = network.strongest(most_edges)
    graph = nx.Graph()  # which proteins are joined, whatever by: that is all that places depend on
    graph.add_nodes_from(subnetwork.proteins)
    graph.add_edges_from((edge.source, edge.target) for edge in subnetwork.edges)
    components = sorted(map(sorted, nx.connected_components(graph)), key=lambda nodes: (-len(nodes), nodes))
    parts = [_lay_out_component(graph.subgraph(nodes), nodes, subnetwork) for nodes in components]
    positions, right, bottom = _pack_rows(parts, width)
    n_hidden = len(network.edges) - len(subnetwork.edges)
    note = f"The {len(subnetwork.edges)} best supported of {len(network.edges)} pairs are drawn." if n_hidden else ""
    if not subnetwork.edges:
        note = "No pair to draw."
    nodes = {
        key: Node(place, _radius(graph.degree(key)), _label_width(subnetwork.proteins[key]))
        for key, place in positions.items()
    }
    labels = place_labels(nodes, [(positions[a], positions[b]) for a, b in graph.edges if a != b])
    body = [
        *_draw_edges(subnetwork, positions, graph, labels),
        *(_draw_node(protein, nodes[protein.key], labels[protein.key]) for protein in subnetwork.proteins.values()),
    ]
    # the picture holds everything up to there, and every name
    boxes = [label.box for label in labels.values()]
    left = min([0.0, *(box[0] - 8 for box in boxes)])
    top = min([0.0, *(box[1] - 4 for box in boxes)]) - (24.0 if note else 0.0)
    full_width = max([right, 320.0, *(box[2] + 8 for box in boxes)]) - left
    full_height = max([bottom, 8.0, *(box[3] + 4 for box in boxes)]) - top
    if note:
        place = f'x="{left + 12:.0f}" y="{top + 16:.0f}"'
        body.append(f'<text {place} font-size="12" fill="currentColor">{note}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {full_width:.0f} {full_height:.0f}" '
        f'width="{full_width:.0f}" height="{full_height:.0f}" role="img" '
        f'aria-label="Network of {len(subnetwork.proteins)} proteins and {len(subnetwork.edges)} pairs" '
        f'font-family="system-ui, sans-serif" font-size="{_FONT_SIZE}">' + "".join(body) + "</svg>"
    )


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
    positions = {key: (x * scale - min(xs) + side, y * scale - min(ys) + _MARGIN) for key, (x, y) in raw.items()}
    return _Component(positions, max(xs) - min(xs) + 2 * side, max(ys) - min(ys) + 2 * _MARGIN)


def _rotate_to_landscape(positions: dict[str, Point]) -> dict[str, Point]:
    """The places turned so that they reach furthest from left to right, as pages do."""
    mean_x = sum(x for x, _ in positions.values()) / len(positions)
    mean_y = sum(y for _, y in positions.values()) / len(positions)
    centred = {key: (x - mean_x, y - mean_y) for key, (x, y) in positions.items()}
    xx = sum(x * x for x, _ in centred.values())
    xy = sum(x * y for x, y in centred.values())
    yy = sum(y * y for _, y in centred.values())
    angle = 0.5 * math.atan2(2 * xy, xx - yy)  # of the first principal axis
    cos, sin = math.cos(angle), math.sin(angle)
    return {key: (cos * x + sin * y, cos * y - sin * x) for key, (x, y) in centred.items()}


def _pack_rows(parts: list[_Component], width: float) -> tuple[dict[str, Point], float, float]:
    """The parts set in rows: all places, and how far they reach to the right and down."""
    positions: dict[str, Point] = {}
    left = top = row = right = 0.0
    for part in parts:
        if left and left + part.width > width:
            left, top, row = 0.0, top + row, 0.0
        positions.update({key: (x + left, y + top) for key, (x, y) in part.positions.items()})
        left += part.width
        row = max(row, part.height)
        right = max(right, left)
    return positions, right, top + row


def _draw_edges(
    network: Network, positions: dict[str, Point], graph: nx.Graph, labels: dict[str, LabelPosition]
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
            positions[edge.source],
            positions[edge.target],
            _radius(graph.degree(edge.target)),
            turn * (parallel_edges.index(edge) - (len(parallel_edges) - 1) / 2),
            labels[edge.target].side,
        )
        names = [network.proteins[key].label for key in (edge.source, edge.target)]
        yield draw_line(edge, ends, names)


def _radius(degree: int) -> float:
    return 5 + 1.8 * math.sqrt(degree)


def _draw_node(protein: Protein, node: Node, label: LabelPosition) -> str:
    x, y = node.position
    colour = _NAME_COLOUR if protein.identifier is None else _NODE_COLOUR
    title = html_text(f"{protein.label} ({protein.key})")
    return (
        f'<g class="node" data-key="{html_text(protein.key)}"><title>{title}</title>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{node.radius:.1f}" fill="{colour}"/>'
        f'<text x="{label.x:.1f}" y="{label.y:.1f}" text-anchor="{label.anchor}" fill="currentColor">'
        f"{html_text(_label(protein))}</text></g>"
    )


def _label(protein: Protein) -> str:
    return protein.label if len(protein.label) <= MAX_LABEL_CHARS else protein.label[: MAX_LABEL_CHARS - 1] + "…"


def _label_width(protein: Protein) -> float:
    return _CHARACTER_WIDTH * len(_label(protein))


def network_html(network: Network) -> str:
    """The drawing, and the edges with the best evidence, for notebooks."""
    return render_notebook(
        "ppi.network/notebook.html", network=network, drawing=draw(network), max_edges=MAX_LISTED_EDGES
    )
