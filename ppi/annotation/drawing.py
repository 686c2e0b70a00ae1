"""The evidence of a score, drawn on the dependency graph."""

from __future__ import annotations

from kernels import CandidateGraph, to_svg
from ppi.extraction.explanation import Explanation


def evidence_svg(graph: CandidateGraph, explanation: Explanation) -> str:
    """The candidate graph as the text of an SVG file."""
    return to_svg(graph)
