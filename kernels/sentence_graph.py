"""What the candidates of one sentence share: its tokens and arcs as arrays.

A sentence with k entities has k(k-1)/2 candidates; the tokens, the arcs and the tokens that each entity covers
are found once here, in O(tokens * entities + arcs).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.types import DependencyGraph, Entity, Sentence, Token
from kernels.errors import GraphError

_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True, eq=False)
class SentenceGraph:
    """A tokenized and perhaps parsed sentence; arcs are token indices, self-loops and parallel arcs included.

    ``parser`` is None for a sentence without a parse; it then has no arcs.
    """

    sentence: Sentence
    parser: str | None
    tokens: tuple[Token, ...]
    governors: NDArray[np.int32]
    dependents: NDArray[np.int32]
    types: tuple[str, ...]

    @property
    def n_tokens(self) -> int:
        """How many tokens the sentence has."""
        return len(self.tokens)

    @property
    def n_arcs(self) -> int:
        """How many dependencies the parse has."""
        return len(self.types)

    def entity_coverage(self, entities: Iterable[Entity]) -> NDArray[np.bool_]:
        """For each entity (row), which tokens share at least one character with one of its spans."""
        starts = np.array([token.start for token in self.tokens], dtype=np.int64)
        ends = np.array([token.end for token in self.tokens], dtype=np.int64)
        spans = [(row, *span) for row, entity in enumerate(entities) for span in entity.spans]
        rows, span_starts, span_ends = np.array(spans, dtype=np.int64).reshape(-1, 3).T
        overlaps = (starts < span_ends[:, None]) & (ends > span_starts[:, None])
        covered = np.zeros((int(rows.max(initial=-1)) + 1, len(self.tokens)), dtype=np.bool_)
        np.logical_or.at(covered, rows, overlaps)  # the spans of a discontinuous entity are united
        return covered


def sentence_graph(sentence: Sentence, *, parser: str | None = None) -> SentenceGraph:
    """The tokens and arcs of ``sentence`` as ``parser`` made them.

    A sentence that has no parse at all gives its first tokenization and no arcs; one without tokens is split
    into runs of word characters and single other characters.

    Parameters
    ----------
    parser
        Name of the parse to take; None takes the only one.

    Raises
    ------
    GraphError
        If the sentence has parses, but not this one, or several and none is named.
    """
    graph = _choose_parse(sentence, parser)
    tokens = graph.tokens if graph is not None else ()
    arcs = graph.dependencies if graph is not None else ()
    if not tokens:
        tokens = tuple(
            Token(str(number), match.start(), match.end(), match.group())
            for number, match in enumerate(_WORD.finditer(sentence.text), start=1)
        )
    index_by_id = {token.id: index for index, token in enumerate(tokens)}
    return SentenceGraph(
        sentence,
        graph.parser if graph is not None else None,
        tokens,
        freeze_array([index_by_id[arc.governor] for arc in arcs], np.int32),
        freeze_array([index_by_id[arc.dependent] for arc in arcs], np.int32),
        tuple(arc.type for arc in arcs),
    )


def _choose_parse(sentence: Sentence, parser: str | None) -> DependencyGraph | None:
    parses = [graph for graph in sentence.parses if graph.parser is not None]
    if not parses:
        return sentence.parses[0] if sentence.parses else None
    matches = parses if parser is None else [graph for graph in parses if graph.parser == parser]
    if len(matches) != 1:
        description = "exactly one parse" if parser is None else f"a parse named {parser!r}"
        raise GraphError(
            f"expected {description} in sentence {sentence.id!r}, got {list(sentence.parsers)}; name one of these as parser="
        )
    return matches[0]


def lemma_of(token: Token) -> str:
    """The token's lemma; without one, its lower-cased text stands in."""
    return token.lemma if token.lemma is not None else token.text.lower()


def freeze_array(values, dtype) -> NDArray:
    """A read-only array."""
    array = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array
