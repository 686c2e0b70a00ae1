"""What stands for a token when entities are blinded."""

from __future__ import annotations

from kernels.candidates import CandidateGraph
from kernels.labels import ROLES
from kernels.sentence_graph import lemma_of

#: What stands for a token with each combination of role bits, from 0 on.
ROLE_NAMES = tuple(
    "+".join(name for bit, name in enumerate(ROLES) if role & (1 << bit)) for role in range(1 << len(ROLES))
)


def blind_token(graph: CandidateGraph, t: int, kind: str) -> str:
    """The text, lemma or part of speech of token ``t``; for an entity's token its role instead of text or lemma.

    A token of both entities is ``PROT1+PROT2``; a missing part of speech is ``?``.
    """
    token, role = graph.tokens[t], int(graph.roles[t])
    if kind == "pos":
        return token.pos if token.pos is not None else "?"
    if role:
        return ROLE_NAMES[role]
    return token.text if kind == "text" else lemma_of(token)
