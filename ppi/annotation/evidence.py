"""Draws the evidence of a candidate: its score split over the words and dependencies of its sentence.

Words and dependencies that raise the score are teal, those that lower it orange, the stronger the more so;
arcs on the shortest path are solid, others dashed.  Beneath stand the features with the largest effects, each with its
share of the sum of magnitudes.  A long sentence has a short drawing, too: the words that join the two mentions, and "…"
for others.  The drawings are plain SVG without styles or scripts, the same for the same evidence, with all text
escaped; ``data-pair`` of the root gives the left and right end of the two mentions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from typing import NamedTuple

from kernels import CandidateGraph
from ppi.annotation.results import Evidence, FeatureContribution, top_contributions
from ppi.extraction import Explanation, PartContribution

#: Sentences of no more words than this are drawn whole.
MAX_WHOLE_SENTENCE_TOKENS = 12
_PAIR_ROLES = 3  # bits of kernels' roles: a token of the first mention, of the second
_UP, _DOWN, _INK, _MUTED = "#0f766e", "#c2410c", "#1f2933", "#697586"
_ROLE_LABELS = {1: "PROT1", 2: "PROT2", 3: "PROT1+PROT2"}  # bits of kernels' roles; 4 is another entity
_CHARACTER_WIDTH, _WORD_GAP, _MARGIN, _LEVEL_HEIGHT = 7.8, 18.0, 24.0, 24.0
_N_FEATURES = 5  # listed each way
_MAX_NAME_CHARS = 48
_BAR_WIDTH = 40.0
_ELLIPSIS_WIDTH = 26.0  # of the dots that stand for words
_BOLD = " font-weight='bold'"


def build_evidence(graph: CandidateGraph, explanation: Explanation) -> Evidence:
    """The evidence of a score that was explained; drawn when the drawing is asked for."""
    cues = sorted(graph.modality.cues, key=lambda cue: cue.token)
    negation_cues, hedge_cues = (
        tuple(dict.fromkeys(graph.tokens[cue.token].text for cue in cues if bool(cue.hedges) is hedges))
        for hedges in (False, True)
    )
    return Evidence(
        explanation,
        partial(evidence_svg, graph, explanation),
        joining_words(graph),
        negation_cues,
        hedge_cues,
        path_drawing=partial(path_svg, graph, explanation),
    )


def joining_words(graph: CandidateGraph) -> tuple[str, ...]:
    """The words on the shortest paths between the mentions of the pair, without these, in text order."""
    return tuple(
        token.text
        for token, role, on_path in zip(graph.tokens, graph.roles, graph.token_on_path, strict=True)
        if on_path and not role & _PAIR_ROLES
    )


def excerpt_positions(graph: CandidateGraph) -> list[int]:
    """Places of the words to be drawn, in text order.

    These are the mentions, the words on the shortest paths between them, those that deny or suppose it, and the
    neighbours of all of them.
    """
    count = len(graph.tokens)
    if count <= MAX_WHOLE_SENTENCE_TOKENS:
        return list(range(count))
    joining = {t for t in range(count) if graph.token_on_path[t] or int(graph.roles[t]) & _PAIR_ROLES}
    joining |= {cue.token for cue in graph.modality.cues}
    positions = {near for t in joining for near in (t - 1, t, t + 1) if 0 <= near < count}
    return sorted(positions)


class _Arc(NamedTuple):
    """An arc over the words from ``left`` to ``right``, with its place among the dependencies."""

    number: int
    left: int
    right: int
    tip_right: bool
    level: int


class _WordLine(NamedTuple):
    """The words on one line: the middle and width of each that is shown, by its place; where others are left out."""

    centers: dict[int, float]
    widths: dict[int, float]
    gaps: list[float]
    end: float


def evidence_svg(graph: CandidateGraph, explanation: Explanation) -> str:
    """The drawing of the whole sentence, with figures and features, as the text of an SVG file."""
    words, arcs = _lay_out_words(graph, range(len(graph.tokens)), min_characters=5), _stack_arcs(graph)
    up, down = top_contributions(explanation, limit=_N_FEATURES)
    baseline = _baseline(arcs)
    width = max(words.end + _MARGIN, 800.0)
    height = baseline + 96 + 18 * max(len(up), len(down), 1)
    lines = _svg_header(graph, words, width, height)
    lines.extend(_draw_parts(graph, explanation, words, arcs, figures=True))
    totals = [sum(part.value for part in parts) for parts in (explanation.words, explanation.dependencies)]
    lines.append(
        f"<text x='24' y='{baseline + 66:.1f}' font-size='11' fill='{_INK}'>score {explanation.score:+.3f} = "
        f"words {totals[0]:+.3f}, dependencies {totals[1]:+.3f}, shape of the pair {explanation.unplaced:+.3f}, "
        f"constant {explanation.intercept:+.3f}</text>"
    )
    max_share = max((contribution.share for contribution in (*up, *down)), default=1.0)
    lines.extend(_feature_list(up, _MARGIN, baseline + 88, _UP, max_share))
    lines.extend(_feature_list(down, width / 2, baseline + 88, _DOWN, max_share))
    return "\n".join([*lines, "</svg>", ""])


def path_svg(graph: CandidateGraph, explanation: Explanation) -> str:
    """The drawing of what joins the two mentions, without figures: see :mod:`ppi.annotation.evidence`."""
    positions = excerpt_positions(graph)
    words, arcs = _lay_out_words(graph, positions, min_characters=2), _stack_arcs(graph, frozenset(positions))
    lines = _svg_header(graph, words, words.end + _MARGIN, _baseline(arcs) + 40)
    lines.extend(_draw_parts(graph, explanation, words, arcs, figures=False))
    return "\n".join([*lines, "</svg>", ""])


def _svg_header(graph: CandidateGraph, words: _WordLine, width: float, height: float) -> list[str]:
    title = f"{graph.pair.id}: {graph.sentence.text}"
    pair_positions = [t for t in words.centers if int(graph.roles[t]) & _PAIR_ROLES]
    left = min((words.centers[t] - words.widths[t] / 2 for t in pair_positions), default=0.0)
    right = max((words.centers[t] + words.widths[t] / 2 for t in pair_positions), default=0.0)
    return [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0f}' height='{height:.0f}' "
        f"viewBox='0 0 {width:.0f} {height:.0f}' data-pair='{left:.0f} {right:.0f}' role='img' "
        "font-family='DejaVu Sans, Helvetica, Arial, sans-serif' font-size='13'>",
        f"<title>{_escape_xml(title)}</title>",
        f"<rect width='{width:.0f}' height='{height:.0f}' fill='white'/>",
    ]


def _baseline(arcs: Sequence[_Arc]) -> float:
    return 40 + _LEVEL_HEIGHT * max((arc.level for arc in arcs), default=0)


def _draw_parts(
    graph: CandidateGraph, explanation: Explanation, words: _WordLine, arcs: Sequence[_Arc], *, figures: bool
) -> Iterator[str]:
    """Arcs, the weaker first, and words."""
    baseline = _baseline(arcs)
    strengths = [abs(part.value) for part in (*explanation.words, *explanation.dependencies)]
    strongest = max(strengths, default=0.0) or 1.0
    values = {part.position: part.value for part in explanation.dependencies}
    feet = _arc_feet(arcs, words)
    for arc in sorted(arcs, key=lambda arc: (bool(graph.arc_on_path[arc.number]), arc.level, arc.number)):
        yield from _draw_arc(graph, arc, values.get(arc.number, 0.0), feet[arc.number], baseline - 24, strongest)
    parts = {part.position: part for part in explanation.words}
    for t in words.centers:
        neutral = PartContribution(graph.tokens[t].text, t, 0.0, bool(graph.token_on_path[t]))
        yield from _draw_word(graph, parts.get(t, neutral), words, baseline, strongest, figures=figures)
    for x in words.gaps:
        yield _centered_text(x, baseline, "…", f" fill='{_MUTED}'")


def _lay_out_words(graph: CandidateGraph, positions: Sequence[int], *, min_characters: int) -> _WordLine:
    """Those that are shown, each wide enough for so many characters, and dots where others are left out."""
    centers: dict[int, float] = {}
    widths: dict[int, float] = {}
    gaps: list[float] = []
    x, expected = _MARGIN, 0
    for t in [*positions, len(graph.tokens)]:
        if t > expected:
            gaps.append(x + _ELLIPSIS_WIDTH / 2)
            x += _ELLIPSIS_WIDTH
        if t < len(graph.tokens):
            widths[t] = max(len(graph.tokens[t].text), min_characters) * _CHARACTER_WIDTH + _WORD_GAP
            centers[t] = x + widths[t] / 2
            x += widths[t] + 4
        expected = t + 1
    return _WordLine(centers, widths, gaps, x)


def _stack_arcs(graph: CandidateGraph, positions: frozenset[int] | None = None) -> list[_Arc]:
    """Those between words that are shown (all by default): short arcs low; each above whatever it overlaps."""
    ends = list(zip(graph.base.governors.tolist(), graph.base.dependents.tolist()))
    levels = [0] * (2 * len(graph.tokens))
    arcs: list[_Arc] = []
    numbers = [a for a, pair in enumerate(ends) if positions is None or positions.issuperset(pair)]
    for number in sorted(numbers, key=lambda a: (abs(ends[a][0] - ends[a][1]), a)):
        left, right = sorted(ends[number])
        # a cell for each word and for each gap after it: arcs that only meet share none, one to itself has its word's
        first, last = (2 * left + 1, 2 * right - 1) if left < right else (2 * left, 2 * left)
        level = 1 + max(levels[first : last + 1])
        levels[first : last + 1] = [level] * (last + 1 - first)
        arcs.append(_Arc(number, left, right, ends[number][0] == left, level))
    return arcs


def _arc_feet(arcs: Sequence[_Arc], words: _WordLine) -> dict[int, tuple[float, float]]:
    """Where each arc stands: the ends at one word side by side, so that nested arcs do not touch."""
    ends: dict[int, list[tuple[int, int, int, int]]] = {}
    for arc in arcs:
        ends.setdefault(arc.left, []).append((1, -arc.level, arc.number, 0))
        ends.setdefault(arc.right, []).append((-1, arc.level, arc.number, 1))
    feet: dict[int, list[float]] = {arc.number: [0.0, 0.0] for arc in arcs}
    for t, ends_here in ends.items():
        step = min(9.0, (words.widths[t] - 6) / len(ends_here))
        for slot, (_, _, number, end) in enumerate(sorted(ends_here)):
            feet[number][end] = words.centers[t] + step * (slot - (len(ends_here) - 1) / 2)
    return {number: (min(pair), max(pair)) for number, pair in feet.items()}


def _draw_arc(
    graph: CandidateGraph, arc: _Arc, value: float, feet: tuple[float, float], foot: float, strongest: float
) -> Iterator[str]:
    color, strength = _color(value), abs(value) / strongest
    start, stop = feet
    head = foot + 6 - _LEVEL_HEIGHT * arc.level
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
    opacity = 0.35 + 0.65 * strength
    yield (
        f"<path d='{line}' fill='none' stroke='{color}' stroke-width='{1 + 4 * strength:.2f}' "
        f"stroke-opacity='{opacity:.2f}'{dashes}><title>{_escape_xml(type)} {value:+.3f}</title></path>"
    )
    yield (
        f"<path d='M{tip - 3.6:.1f},{foot - 6:.1f} h7.2 L{tip:.1f},{foot + 1:.1f} Z' fill='{color}' "
        f"fill-opacity='{opacity:.2f}'/>"
    )
    yield f"<rect x='{middle - half:.1f}' y='{head - 6:.1f}' width='{2 * half:.1f}' height='12' fill='white'/>"
    yield _centered_text(middle, head + 3.5, type, f" font-size='10' fill='{_INK}'{_BOLD if on_path else ''}")


def _draw_word(
    graph: CandidateGraph, part: PartContribution, words: _WordLine, baseline: float, strongest: float, *, figures: bool
) -> Iterator[str]:
    role = int(graph.roles[part.position])
    center, width = words.centers[part.position], words.widths[part.position]
    outline = f" stroke='{_INK}' stroke-width='1.6'" if role & _PAIR_ROLES else ""
    yield (
        f"<rect x='{center - width / 2 + 2:.1f}' y='{baseline - 17:.1f}' width='{width - 4:.1f}' height='24' rx='5' "
        f"fill='{_color(part.value)}' fill-opacity='{0.75 * abs(part.value) / strongest:.2f}'{outline}>"
        f"<title>{_escape_xml(part.name)} {part.value:+.3f}</title></rect>"
    )
    yield _centered_text(center, baseline, part.name, f" fill='{_INK}'{_BOLD if part.on_path else ''}")
    if figures:
        yield _centered_text(center, baseline + 21, f"{part.value:+.2f}", f" font-size='10' fill='{_MUTED}'")
        if role:
            label = _ROLE_LABELS.get(role & _PAIR_ROLES, "PROT")
            yield _centered_text(center, baseline + 36, label, f" font-size='10'{_BOLD} fill='{_INK}'")


def _centered_text(x: float, y: float, text: str, attributes: str) -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='middle'{attributes}>{_escape_xml(text)}</text>"


def _feature_list(
    contributions: Sequence[FeatureContribution], x: float, y: float, color: str, max_share: float
) -> Iterator[str]:
    for row, contribution in enumerate(contributions):
        top, name = y + 18 * row, contribution.name
        if len(name) > _MAX_NAME_CHARS:
            name = name[: _MAX_NAME_CHARS - 1] + "…"
        width = _BAR_WIDTH * contribution.share / max_share
        yield (
            f"<rect x='{x:.1f}' y='{top - 9:.1f}' width='{width:.1f}' height='10' fill='{color}' fill-opacity='0.7'/>"
        )
        yield (
            f"<text x='{x + _BAR_WIDTH + 6:.1f}' y='{top:.1f}' font-size='11' fill='{_INK}'>{contribution.value:+.3f} "
            f"({100 * contribution.share:.1f} %) {_escape_xml(name)}</text>"
        )


def _color(value: float) -> str:
    return _UP if value > 0 else _DOWN if value < 0 else _MUTED


def _escape_xml(text: str) -> str:
    """Escaped, and without the characters that XML does not allow."""
    allowed = (c if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff\x7f" else " " for c in text)
    return escape("".join(allowed), quote=True)
