"""The evidence of a candidate: its score taken apart and drawn, and the words that join the two mentions."""

from __future__ import annotations

from kernels import CandidateGraph
from ppi.annotation.drawing import evidence_svg
from ppi.annotation.types import Evidence
from ppi.extraction.explanation import Explanation

_PAIR = 3  # bits of kernels' roles: a token of the first mention, of the second


def evidence_of(graph: CandidateGraph, explanation: Explanation) -> Evidence:
    """The evidence of a score that was explained."""
    return Evidence(explanation, evidence_svg(graph, explanation), joining_words(graph), denying_words(graph))


def joining_words(graph: CandidateGraph) -> tuple[str, ...]:
    """The words on the shortest paths between the mentions of the pair, without these, in text order."""
    return tuple(
        token.text
        for token, role, on_path in zip(graph.tokens, graph.roles, graph.token_on_path, strict=True)
        if on_path and not role & _PAIR
    )


def denying_words(graph: CandidateGraph) -> tuple[str, ...]:
    """The words that deny what is stated of the pair, in text order."""
    return tuple(graph.tokens[token].text for token in sorted({denial.token for denial in graph.denials}))
