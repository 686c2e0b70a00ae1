"""Which words of a long sentence are drawn at first: those that join the two mentions, and what stands beside them."""

from __future__ import annotations

from kernels import CandidateGraph

#: Sentences of no more words than this are drawn whole.
MAX_WHOLE_SENTENCE_TOKENS = 12
_PAIR_BITS = 3  # bits of kernels' roles: a token of the first mention, of the second


def excerpt_positions(graph: CandidateGraph) -> list[int]:
    """Places of the words to be drawn, in text order.

    These are the mentions, the words on the shortest paths between them, those that deny or suppose it, and the
    neighbours of all of them.
    """
    count = len(graph.tokens)
    if count <= MAX_WHOLE_SENTENCE_TOKENS:
        return list(range(count))
    joining = {t for t in range(count) if graph.token_on_path[t] or int(graph.roles[t]) & _PAIR_BITS}
    joining |= {cue.token for cue in graph.modality.cues}
    positions = {near for t in joining for near in (t - 1, t, t + 1) if 0 <= near < count}
    return sorted(positions)
