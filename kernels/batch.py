"""Many candidate graphs laid out flat, the input of all compiled code.

What the candidates of one sentence share stands once for the sentence; what belongs to the pair, once per candidate.
Everything is made when it is first asked for: a feature map pays for what it uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.candidates import CandidateGraph
from kernels.sentence_graph import SentenceGraph, lemma_of


class Sentences(NamedTuple):
    """The tokens and arcs of all sentences: those of sentence s begin at ``offsets[s]`` and end at ``offsets[s + 1]``.

    Governors and dependents are places among the tokens of their own sentence.
    """

    token_offsets: NDArray[np.int64]
    arc_offsets: NDArray[np.int64]
    governors: NDArray[np.int32]
    dependents: NDArray[np.int32]


class Candidates(NamedTuple):
    """The pairs: the sentence of each, and what depends on the pair for every token and arc of that sentence."""

    sentence_of: NDArray[np.int64]
    token_offsets: NDArray[np.int64]
    roles: NDArray[np.uint8]
    places: NDArray[np.uint8]
    token_on_path: NDArray[np.bool_]
    arc_offsets: NDArray[np.int64]
    arc_on_path: NDArray[np.bool_]


class Batch:
    """Candidate graphs and their flat arrays; O(total tokens and arcs).

    Parameters
    ----------
    graphs
        The candidates, in any order; those of one sentence are best kept together.
    """

    def __init__(self, graphs: Sequence[CandidateGraph]) -> None:
        self.graphs = graphs

    def __len__(self) -> int:
        return len(self.graphs)

    def subset(self, members: Sequence[int] | NDArray[np.intp]) -> Batch:
        """The batch of these candidates: itself, if that is all of them."""
        return self if len(members) == len(self) else Batch([self.graphs[member] for member in members])

    @cached_property
    def bases(self) -> list[SentenceGraph]:
        """The sentences, in the order in which candidates first name them."""
        return list({id(graph.base): graph.base for graph in self.graphs}.values())

    @cached_property
    def sentences(self) -> Sentences:
        """The structure of the sentences."""
        return Sentences(
            token_offsets=_offsets(base.n_tokens for base in self.bases),
            arc_offsets=_offsets(base.n_arcs for base in self.bases),
            governors=_concatenate([base.governors for base in self.bases], np.int32),
            dependents=_concatenate([base.dependents for base in self.bases], np.int32),
        )

    @cached_property
    def candidates(self) -> Candidates:
        """What depends on the pairs."""
        index_by_base = {id(base): number for number, base in enumerate(self.bases)}
        return Candidates(
            sentence_of=np.array([index_by_base[id(graph.base)] for graph in self.graphs], dtype=np.int64),
            token_offsets=_offsets(graph.base.n_tokens for graph in self.graphs),
            roles=_concatenate([graph.roles for graph in self.graphs], np.uint8),
            places=_concatenate([graph.places for graph in self.graphs], np.uint8),
            token_on_path=_concatenate([graph.token_on_path for graph in self.graphs], np.bool_),
            arc_offsets=_offsets(graph.base.n_arcs for graph in self.graphs),
            arc_on_path=_concatenate([graph.arc_on_path for graph in self.graphs], np.bool_),
        )

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """What stands for the tokens of all sentences before blinding, by kind: text, lemma, part of speech."""
        tokens = [token for base in self.bases for token in base.tokens]
        return {
            "text": [token.text for token in tokens],
            "lemma": [lemma_of(token) for token in tokens],
            "pos": [token.pos if token.pos is not None else "?" for token in tokens],
        }

    @cached_property
    def types(self) -> list[str]:
        """The types of the arcs of all sentences."""
        return [type for base in self.bases for type in base.types]

    @cached_property
    def has_spaces(self) -> bool:
        """Whether a word or type contains a space: joined by spaces, it could be taken for two."""
        return any(" " in "".join(texts) for texts in (*self.words.values(), self.types))


def estimate_cells(graphs: Iterable[CandidateGraph]) -> NDArray[np.int64]:
    """About how many features each candidate has over the pairs of its labels: what memory and time go by."""
    return np.array([2 * graph.base.n_tokens**2 + 256 for graph in graphs], dtype=np.int64)


def _offsets(lengths: Iterable[int]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(list(lengths), dtype=np.int64))).astype(np.int64)


def _concatenate(arrays: Sequence[NDArray], dtype: type) -> NDArray:
    return np.concatenate([np.empty(0, dtype), *arrays]).astype(dtype, copy=False)
