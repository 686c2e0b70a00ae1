"""Labels of vertices: what they are, how they are numbered, and a hash of them that never changes.

A label is a kind (role, text, lemma, part of speech, dependency type), a text and a mark that says which subgraph
it stands in and where: ``""`` and ``"IP"`` (in path) in the dependency subgraph; ``"B"``, ``"M"``, ``"A"``
(before, middle, after) and ``"L"`` (places not marked) in the linear one.  Labels of different kinds are
different, so the word "NN" is not the tag NN, and labels of the two subgraphs never meet.

A label's number is ``6 * base + mark``, where ``base`` numbers (kind, text).  Where entities are blinded, a token's
role stands for its text and lemma.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.candidates import CandidateGraph
from kernels.sentence_graphs import lemma_of

MARKS = ("", "IP", "B", "M", "A", "L")
N_MARKS = len(MARKS)
ROLES = ("PROT1", "PROT2", "PROT")
#: Kinds of labels that a map can choose; roles are always there.
LABEL_KINDS = ("text", "lemma", "pos", "dependency")
#: What stands for a token with each combination of role bits, from 0 on.
ROLE_NAMES = tuple(
    "+".join(name for bit, name in enumerate(ROLES) if role & (1 << bit)) for role in range(1 << len(ROLES))
)


class Label(NamedTuple):
    """One label of a vertex."""

    kind: str
    text: str
    mark: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.text}@{self.mark}" if self.mark else f"{self.kind}:{self.text}"


class LabelIndex:
    """Numbers for (kind, text) in the order first met; the three roles are always 0, 1 and 2.

    >>> index = LabelIndex()
    >>> index.number("text", "binds", grow=True), index.number("text", "unseen", grow=False)
    (3, -1)
    >>> index.label(6 * 3 + 1)
    Label(kind='text', text='binds', mark='IP')
    """

    def __init__(self, bases: Sequence[tuple[str, str]] = ()) -> None:
        self._by_kind: dict[str, dict[str | None, int]] = {}
        self._bases: list[tuple[str, str]] = []
        self.numbers("role", ROLES, grow=True)
        for kind, text in bases:
            self.number(kind, text, grow=True)

    def __len__(self) -> int:
        return len(self._bases)

    @property
    def bases(self) -> list[tuple[str, str]]:
        """The (kind, text) of each number, a copy."""
        return list(self._bases)

    def number(self, kind: str, text: str, *, grow: bool) -> int:
        """The number of (kind, text): a new one if ``grow``, -1 if it is unknown."""
        return self.numbers(kind, (text,), grow=grow)[0]

    def numbers(self, kind: str, texts: Sequence[str | None], *, grow: bool) -> list[int]:
        """The number of each text of one kind; None has the number -1."""
        numbers_by_text = self._by_kind.setdefault(kind, {})
        if grow:
            for text in texts:
                if text not in numbers_by_text and text is not None:
                    numbers_by_text[text] = len(self._bases)
                    self._bases.append((kind, text))
        return [numbers_by_text.get(text, -1) for text in texts]

    def label(self, number: int) -> Label:
        """The label that a number ``6 * base + mark`` stands for."""
        kind, text = self._bases[number // N_MARKS]
        return Label(kind, text, MARKS[number % N_MARKS])

    def label_number(self, label: Label) -> int:
        """The number of a label, the inverse of :meth:`label`; -1 if it is unknown."""
        base = self.number(label.kind, label.text, grow=False)
        return N_MARKS * base + MARKS.index(label.mark) if base >= 0 else -1

    def hashes(self) -> NDArray[np.uint64]:
        """The stable hash of every label number."""
        return np.array([stable_hash(base, mark) for base in self._bases for mark in MARKS], dtype=np.uint64)


@lru_cache(maxsize=1 << 18)
def stable_hash(base: tuple[str, str], mark: str = "") -> int:
    """A 64-bit hash of a label that is the same in every process and on every machine (BLAKE2b).

    >>> stable_hash(("role", "PROT1"), "IP") == stable_hash(("role", "PROT1"), "IP")
    True
    """
    data = "\x00".join((*base, mark)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


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
