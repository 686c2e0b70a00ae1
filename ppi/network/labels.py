"""Where names of a drawing stand: beside their nodes, where the fewest lines and other names are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_Point = tuple[float, float]
Segment = tuple[_Point, _Point]

_SLANTS = tuple((math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in (25, 45, 65))

#: What it costs that a name lies on another name or on a node, where a line through it costs 1.
_ON_NAME, _ON_NODE = 4.0, 3.0
_ASCENT, _HEIGHT = 11.0, 14.0  # of letters above their line, and of all of it


class Node(NamedTuple):
    """A node of a drawing, with the width of its name."""

    place: _Point
    radius: float
    width: float


@dataclass(frozen=True)
class LabelPosition:
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
    for key, node in nodes.items():
        costs = []
        for order, label in enumerate(_label_positions(node)):
            cost = float(sum(_crosses(line, label.box) for line in lines))
            cost += _ON_NAME * sum(_overlap(label.box, other.box) for other in labels.values())
            cost += _ON_NODE * sum(
                _overlap(label.box, _node_box(other)) for name, other in nodes.items() if name != key
            )
            costs.append((cost, order, label))
        labels[key] = min(costs, key=lambda entry: entry[:2])[2]
    return labels


def _label_positions(node: Node) -> list[LabelPosition]:
    """Below, above, right and left of a node; then between these, close to it before further away."""
    (x, y), radius, width = node.place, node.radius, node.width
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


def _node_box(node: Node) -> tuple[float, float, float, float]:
    (x, y), radius = node.place, node.radius
    return x - radius, y - radius, x + radius, y + radius


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
