"""A candidate graph as a picture: words on a line, dependencies as arcs above, the shortest paths in bold.

The SVG is plain text made here, the same for the same graph, with everything from the corpus escaped.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import groupby

from kernels.candidates import CandidateGraph
from kernels.labels import blind_token
from kernels.sentence_graphs import AFTER, BEFORE

_CHARACTER, _GAP, _MARGIN = 7.8, 16.0, 24.0
_LEVEL = 24.0
_FONT = "font-family='DejaVu Sans, Helvetica, Arial, sans-serif'"
_INK, _QUIET, _PATH = "#1f2933", "#9aa5b1", "#c2410c"
_ROLE_COLORS = {"PROT1": "#bfdbfe", "PROT2": "#fde68a", "PROT": "#e4e7eb", "PROT1+PROT2": "#d9f99d"}
_PLACE = {BEFORE: "before", AFTER: "after"}


@dataclass(frozen=True)
class _Arc:
    left: int
    right: int
    type: str
    to_right: bool
    on_path: bool
    level: int


def to_svg(graph: CandidateGraph) -> str:
    """The drawing as the text of an SVG file.

    Boxes mark the pair (PROT1, PROT2) and other entities (PROT); arcs point to the dependent; bold ones are on a
    shortest path.  Words before and after the pair are paler than those between.
    """
    widths = [max(len(token.text), len(token.pos or ""), 3) * _CHARACTER + _GAP for token in graph.tokens]
    centers, at = [], _MARGIN
    for width in widths:
        centers.append(at + width / 2)
        at += width + 6
    arcs = _arcs(graph)
    baseline = 34 + _LEVEL * max((arc.level for arc in arcs), default=0)
    feet = _arc_ends(arcs, centers, widths)
    width, height = max(at + _MARGIN - 6, 120.0), baseline + 62
    title = f"{graph.pair.id}: {graph.sentence.text}"
    lines = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0f}' height='{height:.0f}' "
        f"viewBox='0 0 {width:.0f} {height:.0f}' {_FONT} font-size='13'>",
        f"<title>{_safe(title)}</title>",
        f"<rect width='{width:.0f}' height='{height:.0f}' fill='white'/>",
    ]
    for a in sorted(range(len(arcs)), key=lambda a: (arcs[a].on_path, arcs[a].level, a)):  # bold ones on top
        lines.extend(_draw_arc(arcs[a], *feet[a], baseline - 22))
    for t, center in enumerate(centers):
        lines.extend(_draw_token(graph, t, center, widths[t], baseline))
    lines.extend(_draw_roles(graph, centers, widths, baseline + 38))
    return "\n".join([*lines, "</svg>", ""])


def _arcs(graph: CandidateGraph) -> list[_Arc]:
    """Arcs with levels: an arc lies above all that end within it, and above an earlier one over the same words."""
    governors, dependents = graph.base.governors.tolist(), graph.base.dependents.tolist()
    order = sorted(range(len(governors)), key=lambda a: (abs(governors[a] - dependents[a]), a))
    placed: list[_Arc] = []
    for a in order:
        left, right = sorted((governors[a], dependents[a]))
        below = [arc.level for arc in placed if left < arc.right and arc.left < right]
        below += [arc.level for arc in placed if (arc.left, arc.right) == (left, right)]
        level = 1 + max(below, default=0)
        on_path = bool(graph.arc_on_path[a])
        placed.append(_Arc(left, right, graph.base.types[a], governors[a] == left, on_path, level))
    return placed


def _arc_ends(arcs: list[_Arc], centers: list[float], widths: list[float]) -> list[tuple[float, float]]:
    """Where each arc stands: the ends at one word side by side, so that nested arcs do not touch.

    From left to right: arcs to the left, inner ones first; loops; arcs to the right, outer ones first.
    """
    ends: dict[int, list[tuple[int, int, int, int]]] = {}
    for a, arc in enumerate(arcs):
        if arc.left == arc.right:
            ends.setdefault(arc.left, []).extend([(0, 0, a, 0), (0, 0, a, 1)])
        else:
            ends.setdefault(arc.left, []).append((1, -arc.level, a, 0))
            ends.setdefault(arc.right, []).append((-1, arc.level, a, 1))
    feet = [[0.0, 0.0] for _ in arcs]
    for t, here in ends.items():
        step = min(9.0, (widths[t] - 6) / len(here))
        for place, (_, _, a, end) in enumerate(sorted(here)):
            feet[a][end] = centers[t] + step * (place - (len(here) - 1) / 2)
    return [(left, right) for left, right in feet]


def _draw_arc(arc: _Arc, start: float, stop: float, foot: float) -> list[str]:
    color, stroke = (_PATH, 2.6) if arc.on_path else (_QUIET, 1.1)
    head = foot + 6 - _LEVEL * arc.level
    bend = min(14.0, (stop - start) / 2)
    line = (
        f"M{start:.1f},{foot:.1f} L{start:.1f},{head + bend:.1f} "
        f"Q{start:.1f},{head:.1f} {start + bend:.1f},{head:.1f} L{stop - bend:.1f},{head:.1f} "
        f"Q{stop:.1f},{head:.1f} {stop:.1f},{head + bend:.1f} L{stop:.1f},{foot:.1f}"
    )
    tip = stop if arc.to_right else start
    middle, half = (start + stop) / 2, len(arc.type) * 3.1 + 3
    weight = " font-weight='bold'" if arc.on_path else ""
    ink = _PATH if arc.on_path else "#616e7c"
    return [
        f"<path d='{line}' fill='none' stroke='{color}' stroke-width='{stroke}'/>",
        f"<path d='M{tip - 3.6:.1f},{foot - 6:.1f} h7.2 L{tip:.1f},{foot + 1:.1f} Z' fill='{color}'/>",
        f"<rect x='{middle - half:.1f}' y='{head - 6:.1f}' width='{2 * half:.1f}' height='12' fill='white'/>",
        f"<text x='{middle:.1f}' y='{head + 3.5:.1f}' text-anchor='middle' font-size='10' fill='{ink}'{weight}>"
        f"{_safe(arc.type)}</text>",
    ]


def _draw_token(graph: CandidateGraph, t: int, center: float, width: float, baseline: float) -> list[str]:
    token, role = graph.tokens[t], int(graph.roles[t])
    place = _PLACE.get(int(graph.places[t]), "between")
    ink = _INK if place == "between" or role else "#7b8794"
    parts = []
    if role:
        parts.append(
            f"<rect x='{center - width / 2 + 1:.1f}' y='{baseline - 15:.1f}' width='{width - 2:.1f}' "
            f"height='21' rx='5' fill='{_ROLE_COLORS[blind_token(graph, t, 'text')]}'/>"
        )
    weight = " font-weight='bold'" if graph.token_on_path[t] else ""
    parts.append(
        f"<text class='{place}' x='{center:.1f}' y='{baseline:.1f}' text-anchor='middle' fill='{ink}'{weight}>"
        f"{_safe(token.text)}</text>"
    )
    parts.append(
        f"<text x='{center:.1f}' y='{baseline + 21:.1f}' text-anchor='middle' font-size='10' fill='{_QUIET}'>"
        f"{_safe(token.pos or '')}</text>"
    )
    return parts


def _draw_roles(graph: CandidateGraph, centers: list[float], widths: list[float], y: float) -> list[str]:
    """The name of each role, once under a run of words that have it."""
    parts = []
    names = [blind_token(graph, t, "text") if graph.roles[t] else "" for t in range(len(centers))]
    for name, run in groupby(range(len(names)), key=names.__getitem__):
        tokens = list(run)
        if name:
            left, right = centers[tokens[0]] - widths[tokens[0]] / 2, centers[tokens[-1]] + widths[tokens[-1]] / 2
            parts.append(
                f"<text x='{(left + right) / 2:.1f}' y='{y:.1f}' text-anchor='middle' font-size='10' "
                f"font-weight='bold' fill='{_INK}'>{name}</text>"
            )
    return parts


def _safe(text: str) -> str:
    """Escaped, and without the control characters that XML does not allow."""
    return escape("".join(character if character >= " " else " " for character in text), quote=True)
