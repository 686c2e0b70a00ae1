"""The lines of a network's drawing, which show the type of an edge by more than its colour.

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
from html import escape
from typing import NamedTuple

from ppi.annotation.characters import xml_text
from ppi.annotation.relationship import BINDING, MODIFICATION, NEGATIVE, REGULATION
from ppi.network.types import Edge

Point = tuple[float, float]

TYPE_COLOURS = {BINDING: "#2f6f9f", MODIFICATION: "#9a5b00", REGULATION: "#7a3f98"}
TYPE_DASHES = {BINDING: "", MODIFICATION: "7 3", REGULATION: "2 3"}
_BEND = 26.0  # between neighbouring lines, at the middle
_HEAD = 8.0
_LABEL_HEIGHT = 20.0  # heads end before a name that they would run through


class EdgeGeometry(NamedTuple):
    """Where a line begins and ends, how large the node at its end is, and how far it is bent aside.

    ``name`` is on which side of that node its name stands: 1 below, -1 above, 0 beside it.
    """

    begin: Point
    end: Point
    radius: float
    bend: float
    name: int = 1


def draw_line(edge: Edge, ends: EdgeGeometry, names: list[str]) -> str:
    """An edge without a type, as ``<line>``, or ``<path>`` from a node to itself."""
    (x1, y1), (x2, y2) = ends.begin, ends.end
    shared = f'{_data_attributes(edge)} stroke="currentColor" fill="none" {_stroke_attributes(edge)}'
    title = _title(edge, names)
    if edge.source == edge.target:
        return f'<path d="{_loop(ends.begin)}" {shared}>{title}</path>'
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {shared}>{title}</line>'


def draw_typed_line(edge: Edge, ends: EdgeGeometry, names: list[str]) -> str:
    """An edge with a type, as ``<g>`` of a line and its head."""
    type = edge.type or ""
    colour, dashes = TYPE_COLOURS.get(type, "currentColor"), TYPE_DASHES.get(type)
    path, head = (_loop(ends.begin), "") if edge.source == edge.target else _bend_line(ends, edge)
    dash_attribute = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<g {_data_attributes(edge)} data-type="{attribute_text(type)}" stroke="{colour}" fill="none" {_stroke_attributes(edge)}>'
        f'{_title(edge, names)}<path d="{path}"{dash_attribute}/>{head}</g>'
    )


def attribute_text(text: str) -> str:
    """A text as it may stand in an attribute."""
    return escape(xml_text(text), quote=True)


def _data_attributes(edge: Edge) -> str:
    return (
        f'class="edge" data-source="{attribute_text(edge.source)}" data-target="{attribute_text(edge.target)}" '
        f'data-probability="{edge.probability:.4f}"'
    )


def _stroke_attributes(edge: Edge) -> str:
    min_opacity = 0.15 if edge.type is None else 0.45  # heads and dashes need more to be seen
    opacity, width = min_opacity + 0.5 * edge.probability, 1 + 2.5 * edge.probability
    return f'stroke-opacity="{opacity:.2f}" stroke-width="{width:.2f}"'


def _title(edge: Edge, names: list[str]) -> str:
    papers = "1 paper" if edge.papers == 1 else f"{edge.papers} papers"
    what = f"{edge.relationship.label}, " if edge.type is not None else ""
    joined = f" {edge.relationship.arrow_symbol(edge.directed)} ".join(names)
    return f"<title>{attribute_text(f'{joined}: {what}{edge.probability:.2f}, {papers}')}</title>"


def _loop(place: Point) -> str:
    """From a node to itself, above it."""
    x, y = place
    return f"M{x - 4:.1f} {y:.1f}C{x - 24:.1f} {y - 30:.1f} {x + 24:.1f} {y - 30:.1f} {x + 4:.1f} {y:.1f}"


def _bend_line(ends: EdgeGeometry, edge: Edge) -> tuple[str, str]:
    """The line, bent aside, and its head if it has one."""
    (x1, y1), (x2, y2) = ends.begin, ends.end
    length = math.dist(ends.begin, ends.end) or 1.0
    aside = _BEND * ends.bend / length
    middle = ((x1 + x2) / 2 - aside * (y2 - y1), (y1 + y2) / 2 + aside * (x2 - x1))
    through_name = max(0.0, ends.name * (middle[1] - y2)) / (math.dist(middle, ends.end) or 1.0)
    tip, along = _point_before(
        ends.end, middle, ends.radius + 2 + (_LABEL_HEIGHT * through_name if edge.directed else 0.0)
    )
    path = f"M{x1:.1f} {y1:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {tip[0]:.1f} {tip[1]:.1f}"
    return path, _head(tip, along, bar=edge.sign == NEGATIVE) if edge.directed else ""


def _point_before(end: Point, origin: Point, distance: float) -> tuple[Point, Point]:
    """The point that far before the end, seen from the origin, and the direction there, of length 1."""
    length = math.dist(end, origin) or 1.0
    along = ((end[0] - origin[0]) / length, (end[1] - origin[1]) / length)
    return (end[0] - distance * along[0], end[1] - distance * along[1]), along


def _head(tip: Point, along: Point, *, bar: bool) -> str:
    (x, y), (dx, dy) = tip, along
    half = _HEAD * 0.6
    if bar:
        return f'<path d="M{x - half * dy:.1f} {y + half * dx:.1f}L{x + half * dy:.1f} {y - half * dx:.1f}"/>'
    left = (x - _HEAD * dx - half * dy, y - _HEAD * dy + half * dx)
    right = (x - _HEAD * dx + half * dy, y - _HEAD * dy - half * dx)
    return f'<path d="M{left[0]:.1f} {left[1]:.1f}L{x:.1f} {y:.1f}L{right[0]:.1f} {right[1]:.1f}"/>'
