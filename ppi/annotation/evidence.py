"""The evidence of a candidate: its score taken apart and drawn, and the words that join the two mentions."""

from __future__ import annotations

from functools import partial

from kernels import CandidateGraph
from ppi.annotation.drawing import evidence_svg, path_svg
from ppi.annotation.types import Evidence
from ppi.extraction.explanation import Explanation

_PAIR_ROLES = 3  # bits of kernels' roles: a token of the first mention, of the second


def build_evidence(graph: CandidateGraph, explanation: Explanation) -> Evidence:
    """The evidence of a score that was explained; drawn when the drawing is asked for."""
    negation_cues, hedge_cues = _cue_words(graph)
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


def _cue_words(graph: CandidateGraph) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that deny what is stated of the pair, and those that only suppose it, in text order."""
    cues = sorted(graph.modality.cues, key=lambda cue: cue.token)
    negation_cues = dict.fromkeys(graph.tokens[cue.token].text for cue in cues if not cue.hedges)
    hedge_cues = dict.fromkeys(graph.tokens[cue.token].text for cue in cues if cue.hedges)
    return tuple(negation_cues), tuple(hedge_cues)
