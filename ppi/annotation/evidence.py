"""The evidence of a candidate: its score taken apart and drawn, and the words that join the two mentions."""

from __future__ import annotations

from functools import partial

from kernels import CandidateGraph
from ppi.annotation.drawing import evidence_svg, path_svg
from ppi.annotation.types import Evidence
from ppi.extraction.explanation import Explanation

_PAIR = 3  # bits of kernels' roles: a token of the first mention, of the second


def evidence_of(graph: CandidateGraph, explanation: Explanation) -> Evidence:
    """The evidence of a score that was explained; drawn when the drawing is asked for."""
    denying, hedging = _cue_words(graph)
    return Evidence(
        explanation,
        partial(evidence_svg, graph, explanation),
        joining_words(graph),
        denying,
        hedging,
        path_drawing=partial(path_svg, graph, explanation),
    )


def joining_words(graph: CandidateGraph) -> tuple[str, ...]:
    """The words on the shortest paths between the mentions of the pair, without these, in text order."""
    return tuple(
        token.text
        for token, role, on_path in zip(graph.tokens, graph.roles, graph.token_on_path, strict=True)
        if on_path and not role & _PAIR
    )


def _cue_words(graph: CandidateGraph) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that deny what is stated of the pair, and those that only suppose it, in text order."""
    cues = sorted(graph.modality.cues, key=lambda cue: cue.token)
    denying = dict.fromkeys(graph.tokens[cue.token].text for cue in cues if not cue.hedges)
    hedging = dict.fromkeys(graph.tokens[cue.token].text for cue in cues if cue.hedges)
    return tuple(denying), tuple(hedging)
