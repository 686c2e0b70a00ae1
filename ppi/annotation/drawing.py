"""The evidence of a score, drawn on the dependency graph.

Words and dependencies that pushed the score up are teal, those that pushed it down orange, the stronger the more so;
arcs on the shortest path are solid, others dashed.  Beneath, the features that pushed most, with their share of all
that was pushed.  Of a long sentence there is a short drawing, too: the words that join the two mentions, and "…" for
others.  Plain SVG without styles or scripts, the same for the same evidence, with all text escaped; ``data-pair`` of
its root says from where to where the two mentions reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from kernels import CandidateGraph
from ppi.annotation.excerpt import excerpt
from ppi.annotation.heights import Heights
from ppi.annotation.pushes import Push, strongest_pushes
from ppi.extraction.explanation import Explanation, Part

_UP, _DOWN, _INK, _QUIET = "#0f766e", "#c2410c", "#1f2933", "#697586"
_PAIR = {1: "PROT1", 2: "PROT2", 3: "PROT1+PROT2"}  # bits of kernels' roles; 4 is another entity
_CHARACTER, _GAP, _MARGIN, _LEVEL = 7.8, 18.0, 24.0, 24.0
_FEATURES = 5  # listed each way
_BAR = 40.0
_DOTS = 26.0  # room for those that stand for words


@dataclass(frozen=True)
class _Arc:
    """An arc over the words from ``left`` to ``right``, with its place among the dependencies."""

    number: int
    left: int
    right: int
    tip_right: bool
    level: int


@dataclass(frozen=True)
class _Line:
    """The words on one line: the middle and width of each that is shown, by its place; where others are left out."""

    centers: dict[int, float]
    widths: dict[int, float]
    gaps: list[float]
    end: float


def evidence_svg(graph: CandidateGraph, explanation: Explanation) -> str:
    """The drawing of the whole sentence, with figures and features, as the text of an SVG file."""
    words, arcs = _words(graph, range(len(graph.tokens)), least=5), _arcs(graph)
    up, down = strongest_pushes(explanation, most=_FEATURES)
    baseline = _baseline(arcs)
    width = max(words.end + _MARGIN, 800.0)
    height = baseline + 96 + 18 * max(len(up), len(down), 1)
    lines = _begun(graph, words, width, height)
    lines.extend(_drawn(graph, explanation, words, arcs, figures=True))
    lines.append(_sum_line(explanation, baseline + 66))
    longest = max((push.share for push in (*up, *down)), default=1.0)
    lines.extend(_feature_list(up, _MARGIN, baseline + 88, _UP, longest))
    lines.extend(_feature_list(down, width / 2, baseline + 88, _DOWN, longest))
    return "\n".join([*lines, "</svg>", ""])


def path_svg(graph: CandidateGraph, explanation: Explanation) -> str:
    """The drawing of what joins the two mentions, without figures: see :mod:`ppi.annotation.excerpt`."""
    shown = excerpt(graph)
    words, arcs = _words(graph, shown, least=2), _arcs(graph, frozenset(shown))
    lines = _begun(graph, words, words.end + _MARGIN, _baseline(arcs) + 40)
    lines.extend(_drawn(graph, explanation, words, arcs, figures=False))
    return "\n".join([*lines, "</svg>", ""])


def _begun(graph: CandidateGraph, words: _Line, width: float, height: float) -> list[str]:
    title = f"{graph.pair.id}: {graph.sentence.text}"
    of_pair = [t for t in words.centers if int(graph.roles[t]) & 3]
    left = min((words.centers[t] - words.widths[t] / 2 for t in of_pair), default=0.0)
    right = max((words.centers[t] + words.widths[t] / 2 for t in of_pair), default=0.0)
    return [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0f}' height='{height:.0f}' "
        f"viewBox='0 0 {width:.0f} {height:.0f}' data-pair='{left:.0f} {right:.0f}' role='img' "
        "font-family='DejaVu Sans, Helvetica, Arial, sans-serif' font-size='13'>",
        f"<title>{_safe(title)}</title>",
        f"<rect width='{width:.0f}' height='{height:.0f}' fill='white'/>",
    ]


def _baseline(arcs: Sequence[_Arc]) -> float:
    return 40 + _LEVEL * max((arc.level for arc in arcs), default=0)


def _drawn(
    graph: CandidateGraph, explanation: Explanation, words: _Line, arcs: Sequence[_Arc], *, figures: bool
) -> Iterator[str]:
    """Arcs, the weaker first, and words."""
    baseline = _baseline(arcs)
    strengths = [abs(part.value) for part in (*explanation.words, *explanation.dependencies)]
    strongest = max(strengths, default=0.0) or 1.0
    values = {part.position: part for part in explanation.dependencies}
    feet = _feet(arcs, words)
    for arc in sorted(arcs, key=lambda arc: (bool(graph.arc_on_path[arc.number]), arc.level, arc.number)):
        part = values.get(arc.number)
        yield from _draw_arc(graph, arc, part, feet[arc.number], baseline - 24, strongest)
    for part in _with_quiet_words(graph, explanation.words):
        if part.position in words.centers:
            yield from _draw_word(graph, part, words, baseline, strongest, figures=figures)
    for x in words.gaps:
        yield f"<text x='{x:.1f}' y='{baseline:.1f}' text-anchor='middle' fill='{_QUIET}'>…</text>"


def _words(graph: CandidateGraph, shown: Sequence[int], *, least: int) -> _Line:
    """Those that are shown, each with room for so many characters, and dots where others are left out."""
    centers: dict[int, float] = {}
    widths: dict[int, float] = {}
    gaps: list[float] = []
    at, expected = _MARGIN, 0
    for t in [*shown, len(graph.tokens)]:
        if t > expected:
            gaps.append(at + _DOTS / 2)
            at += _DOTS
        if t < len(graph.tokens):
            widths[t] = max(len(graph.tokens[t].text), least) * _CHARACTER + _GAP
            centers[t] = at + widths[t] / 2
            at += widths[t] + 4
        expected = t + 1
    return _Line(centers, widths, gaps, at)


def _arcs(graph: CandidateGraph, shown: frozenset[int] | None = None) -> list[_Arc]:
    """Those between words that are shown (all by default): short arcs low; each above whatever it overlaps."""
    ends = list(zip(graph.base.governors.tolist(), graph.base.dependents.tolist()))
    heights = Heights(2 * len(graph.tokens))
    placed: list[_Arc] = []
    numbers = [a for a, pair in enumerate(ends) if shown is None or shown.issuperset(pair)]
    for number in sorted(numbers, key=lambda a: (abs(ends[a][0] - ends[a][1]), a)):
        left, right = sorted(ends[number])
        # a cell for each word and for each gap after it: arcs that only meet share none, one to itself has its word's
        first, last = (2 * left + 1, 2 * right - 1) if left < right else (2 * left, 2 * left)
        level = 1 + heights.greatest(first, last)
        heights.raise_to(first, last, level)
        placed.append(_Arc(number, left, right, ends[number][0] == left, level))
    return placed


def _feet(arcs: Sequence[_Arc], words: _Line) -> dict[int, tuple[float, float]]:
    """Where each arc stands: the ends at one word side by side, so that nested arcs do not touch."""
    ends: dict[int, list[tuple[int, int, int, int]]] = {}
    for arc in arcs:
        ends.setdefault(arc.left, []).append((1, -arc.level, arc.number, 0))
        ends.setdefault(arc.right, []).append((-1, arc.level, arc.number, 1))
    feet: dict[int, list[float]] = {arc.number: [0.0, 0.0] for arc in arcs}
    for t, here in ends.items():
        step = min(9.0, (words.widths[t] - 6) / len(here))
        for place, (_, _, number, end) in enumerate(sorted(here)):
            feet[number][end] = words.centers[t] + step * (place - (len(here) - 1) / 2)
    return {number: (min(pair), max(pair)) for number, pair in feet.items()}


def _draw_arc(
    graph: CandidateGraph, arc: _Arc, part: Part | None, feet: tuple[float, float], foot: float, strongest: float
) -> Iterator[str]:
    value = part.value if part is not None else 0.0
    color, strength = _color(value), abs(value) / strongest
    start, stop = feet
    head = foot + 6 - _LEVEL * arc.level
    bend = min(14.0, (stop - start) / 2)
    line = (
        f"M{start:.1f},{foot:.1f} L{start:.1f},{head + bend:.1f} "
        f"Q{start:.1f},{head:.1f} {start + bend:.1f},{head:.1f} L{stop - bend:.1f},{head:.1f} "
        f"Q{stop:.1f},{head:.1f} {stop:.1f},{head + bend:.1f} L{stop:.1f},{foot:.1f}"
    )
    on_path = bool(graph.arc_on_path[arc.number])
    tip = stop if arc.tip_right else start
    middle, type = (start + stop) / 2, graph.base.types[arc.number]
    half = len(type) * 3.1 + 3
    dashes = "" if on_path else " stroke-dasharray='4 3'"
    weight = " font-weight='bold'" if on_path else ""
    opacity = 0.35 + 0.65 * strength
    yield (
        f"<path d='{line}' fill='none' stroke='{color}' stroke-width='{1 + 4 * strength:.2f}' "
        f"stroke-opacity='{opacity:.2f}'{dashes}><title>{_safe(type)} {value:+.3f}</title></path>"
    )
    yield (
        f"<path d='M{tip - 3.6:.1f},{foot - 6:.1f} h7.2 L{tip:.1f},{foot + 1:.1f} Z' fill='{color}' "
        f"fill-opacity='{opacity:.2f}'/>"
    )
    yield f"<rect x='{middle - half:.1f}' y='{head - 6:.1f}' width='{2 * half:.1f}' height='12' fill='white'/>"
    yield (
        f"<text x='{middle:.1f}' y='{head + 3.5:.1f}' text-anchor='middle' font-size='10' fill='{_INK}'{weight}>"
        f"{_safe(type)}</text>"
    )


def _draw_word(
    graph: CandidateGraph, part: Part, words: _Line, baseline: float, strongest: float, *, figures: bool
) -> Iterator[str]:
    t, role = part.position, int(graph.roles[part.position])
    center, width = words.centers[t], words.widths[t]
    outline = f" stroke='{_INK}' stroke-width='1.6'" if role & 3 else ""
    yield (
        f"<rect x='{center - width / 2 + 2:.1f}' y='{baseline - 17:.1f}' width='{width - 4:.1f}' height='24' rx='5' "
        f"fill='{_color(part.value)}' fill-opacity='{0.75 * abs(part.value) / strongest:.2f}'{outline}>"
        f"<title>{_safe(part.name)} {part.value:+.3f}</title></rect>"
    )
    weight = " font-weight='bold'" if part.on_path else ""
    yield (
        f"<text x='{center:.1f}' y='{baseline:.1f}' text-anchor='middle' fill='{_INK}'{weight}>"
        f"{_safe(part.name)}</text>"
    )
    if figures:
        yield (
            f"<text x='{center:.1f}' y='{baseline + 21:.1f}' text-anchor='middle' font-size='10' fill='{_QUIET}'>"
            f"{part.value:+.2f}</text>"
        )
    if role and figures:
        yield (
            f"<text x='{center:.1f}' y='{baseline + 36:.1f}' text-anchor='middle' font-size='10' font-weight='bold' "
            f"fill='{_INK}'>{_PAIR.get(role & 3, 'PROT')}</text>"
        )


def _with_quiet_words(graph: CandidateGraph, words: Sequence[Part]) -> list[Part]:
    """A part for every word, also for those that add nothing."""
    known = {part.position: part for part in words}
    return [
        known.get(t, Part(token.text, t, 0.0, bool(graph.token_on_path[t]))) for t, token in enumerate(graph.tokens)
    ]


def _sum_line(explanation: Explanation, y: float) -> str:
    words = sum(part.value for part in explanation.words)
    arcs = sum(part.value for part in explanation.dependencies)
    return (
        f"<text x='24' y='{y:.1f}' font-size='11' fill='{_INK}'>score {explanation.score:+.3f} = words {words:+.3f}, "
        f"dependencies {arcs:+.3f}, shape of the pair {explanation.unplaced:+.3f}, constant "
        f"{explanation.intercept:+.3f}</text>"
    )


def _feature_list(pushes: Sequence[Push], x: float, y: float, color: str, longest: float) -> Iterator[str]:
    for row, push in enumerate(pushes):
        top = y + 18 * row
        yield (
            f"<rect x='{x:.1f}' y='{top - 9:.1f}' width='{_BAR * push.share / longest:.1f}' height='10' "
            f"fill='{color}' fill-opacity='0.7'/>"
        )
        yield (
            f"<text x='{x + _BAR + 6:.1f}' y='{top:.1f}' font-size='11' fill='{_INK}'>{push.value:+.3f} "
            f"({100 * push.share:.1f} %) {_safe(_shortened(push.name))}</text>"
        )


def _color(value: float) -> str:
    return _UP if value > 0 else _DOWN if value < 0 else _QUIET


def _shortened(name: str, most: int = 48) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _safe(text: str) -> str:
    """Escaped, and without the characters that XML does not allow."""
    allowed = (c if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff\x7f" else " " for c in text)
    return escape("".join(allowed), quote=True)
