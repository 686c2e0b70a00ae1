"""What stands for a token when entities are blinded."""

from __future__ import annotations

from kernels.candidates import CandidateGraph
from kernels.encoding import lemma_of
from kernels.labels import ROLES


def blinded(graph: CandidateGraph, t: int, kind: str) -> str:
    """The text, lemma or part of speech of token ``t``; for an entity's token its role instead of text or lemma.

    A token of both entities is ``PROT1+PROT2``; a missing part of speech is ``?``.
    """
    token, role = graph.tokens[t], int(graph.roles[t])
    if kind == "pos":
        return token.pos if token.pos is not None else "?"
    if role:
        return "+".join(name for bit, name in enumerate(ROLES) if role & (1 << bit))
    return token.text if kind == "text" else lemma_of(token)
