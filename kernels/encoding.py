"""Candidate graphs as flat arrays of label numbers, the input of the compiled code.

Strings are looked up once for each token of a sentence, not of a candidate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.types import Token
from kernels.candidates import CandidateGraph
from kernels.labels import LabelIndex
from kernels.sentence_graph import SentenceGraph

LABEL_KINDS = ("text", "lemma", "pos", "dependency")


@dataclass(frozen=True)
class EncodedGraphs:
    """The arrays of :func:`kernels._all_paths.append_rows`."""

    sentences: tuple[NDArray, ...]
    pairs: tuple[NDArray, ...]


def encode(graphs: Sequence[CandidateGraph], index: LabelIndex, kinds: Sequence[str], *, grow: bool) -> EncodedGraphs:
    """Number the labels of ``kinds`` and lay the graphs out flat; O(total tokens and arcs)."""
    place: dict[int, int] = {}
    bases: list[SentenceGraph] = []
    for graph in graphs:
        if id(graph.base) not in place:
            place[id(graph.base)] = len(bases)
            bases.append(graph.base)
    words = [_token_numbers(base.tokens, index, kinds, grow) for base in bases]
    types = [_type_numbers(base.types, index, kinds, grow) for base in bases]
    sentences = (
        _offsets([base.n_tokens for base in bases]),
        np.concatenate([np.empty((0, 3), np.int64), *words]),
        _offsets([base.n_arcs for base in bases]),
        _joined([base.governors for base in bases], np.int32),
        _joined([base.dependents for base in bases], np.int32),
        _joined(types, np.int64),
    )
    pairs = (
        np.array([place[id(graph.base)] for graph in graphs], dtype=np.int64),
        _offsets([graph.base.n_tokens for graph in graphs]),
        _joined([graph.roles for graph in graphs], np.uint8),
        _joined([graph.places for graph in graphs], np.uint8),
        _joined([graph.token_on_path for graph in graphs], np.bool_),
        _offsets([graph.base.n_arcs for graph in graphs]),
        _joined([graph.arc_on_path for graph in graphs], np.bool_),
    )
    return EncodedGraphs(sentences, pairs)


def lemma_of(token: Token) -> str:
    """The token's lemma; without one, its lower-cased text stands in."""
    return token.lemma if token.lemma is not None else token.text.lower()


def _token_numbers(tokens: Sequence[Token], index: LabelIndex, kinds: Sequence[str], grow: bool) -> NDArray[np.int64]:
    """Three numbers a token: text, lemma, part of speech; -1 for what is not used or not known."""
    numbers = np.full((len(tokens), 3), -1, np.int64)
    if "text" in kinds:
        numbers[:, 0] = index.numbers("text", [token.text for token in tokens], grow=grow)
    if "lemma" in kinds:
        numbers[:, 1] = index.numbers("lemma", [lemma_of(token) for token in tokens], grow=grow)
    if "pos" in kinds:
        numbers[:, 2] = index.numbers("pos", [token.pos for token in tokens], grow=grow)
    return numbers


def _type_numbers(types: Sequence[str], index: LabelIndex, kinds: Sequence[str], grow: bool) -> NDArray[np.int64]:
    if "dependency" not in kinds:
        return np.full(len(types), -1, np.int64)
    return np.array(index.numbers("dependency", types, grow=grow), dtype=np.int64)


def _offsets(lengths: Sequence[int]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))).astype(np.int64)


def _joined(arrays: Sequence[NDArray], dtype) -> NDArray:
    return np.concatenate([np.empty(0, dtype), *arrays]).astype(dtype, copy=False)
