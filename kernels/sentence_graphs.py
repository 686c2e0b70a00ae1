"""What the candidates of one sentence share: tokens and arcs as arrays; and their roles and shortest paths, compiled.

A sentence with k entities has k(k-1)/2 candidates; the tokens, the arcs and the tokens that each entity covers
are found once here, in O(tokens * entities + arcs).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from corpora import DependencyGraph, Entity, Sentence, Token
from kernels.compiling import compiled
from kernels.errors import GraphError

#: Bits of a token's role; a token of both entities of the pair has both bits.
PROT1, PROT2, PROT = 1, 2, 4
#: Where a token stands in the text, seen from the pair.
BEFORE, MIDDLE, AFTER = 0, 1, 2
N_PLACES = 3
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
            f"expected {description} in sentence {sentence.id!r}, got {list(sentence.parsers)}; "
            "name one of these as parser="
        )
    return matches[0]


def lemma_of(token: Token) -> str:
    """The token's lemma; without one, its lower-cased text stands in."""
    return token.lemma if token.lemma is not None else token.text.lower()


def freeze_array(values: ArrayLike, dtype: DTypeLike) -> NDArray[Any]:
    """A read-only array."""
    array = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array


@compiled
def pair_roles(covered: NDArray[np.bool_], first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.uint8]:
    """One row of role bits per pair of entity rows; the pair's own entities hide the others."""
    n_pairs, n_tokens = len(first), covered.shape[1]
    roles = np.zeros((n_pairs, n_tokens), np.uint8)
    for p in range(n_pairs):
        for t in range(n_tokens):
            role = 0
            if covered[first[p], t]:
                role |= PROT1
            if covered[second[p], t]:
                role |= PROT2
            if role == 0:
                for e in range(covered.shape[0]):
                    if covered[e, t]:
                        role = PROT
                        break
            roles[p, t] = role
    return roles


@compiled
def _fill_distances(
    governors: NDArray[np.int32], dependents: NDArray[np.int32], sources: NDArray[np.bool_], distance: NDArray[np.int64]
) -> None:
    """Arcs between each token and the nearest source, directions ignored; -1 if none can be reached.

    Relaxing all arcs once per level costs O(arcs * path length); the paths of a sentence are short.
    """
    for t in range(len(distance)):
        distance[t] = 0 if sources[t] else -1
    level, changed = 0, True
    while changed:  # all tokens at most ``level`` arcs away have their distance
        changed = False
        for a in range(len(governors)):
            g, d = governors[a], dependents[a]
            if distance[g] == level and distance[d] < 0:
                distance[d] = level + 1
                changed = True
            elif distance[d] == level and distance[g] < 0:
                distance[g] = level + 1
                changed = True
        level += 1


@compiled
def shortest_paths(
    governors: NDArray[np.int32],
    dependents: NDArray[np.int32],
    covered: NDArray[np.bool_],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int64]]:
    """Tokens and arcs on any shortest undirected path between the two entities, and its length in arcs.

    An entity of several tokens is a set: the shortest of the paths between any of its tokens and any of the
    other's count.  The length is 0 for entities that share a token, -1 if there is no path.
    """
    n_pairs, n_tokens, n_arcs = len(first), covered.shape[1], len(governors)
    on_tokens = np.zeros((n_pairs, n_tokens), np.bool_)
    on_arcs = np.zeros((n_pairs, n_arcs), np.bool_)
    lengths = np.full(n_pairs, -1, np.int64)
    table = np.empty((covered.shape[0], n_tokens), np.int64)  # the distance of each token from each entity
    for e in range(covered.shape[0]):
        _fill_distances(governors, dependents, covered[e], table[e])
    for p in range(n_pairs):
        from_first, from_second = table[first[p]], table[second[p]]
        # the length is the least d1(t) + d2(t) over all tokens t; a token or arc is on a shortest path exactly if it
        # attains it
        shortest = -1
        for t in range(n_tokens):
            if from_first[t] >= 0 and from_second[t] >= 0:
                through = from_first[t] + from_second[t]
                if shortest < 0 or through < shortest:
                    shortest = through
        lengths[p] = shortest
        if shortest < 0:
            continue
        for t in range(n_tokens):
            reached = from_first[t] >= 0 and from_second[t] >= 0
            on_tokens[p, t] = reached and from_first[t] + from_second[t] == shortest
        for a in range(n_arcs):
            g, d = governors[a], dependents[a]
            if from_first[g] >= 0 and from_second[g] >= 0:
                # one end reached means both are; the path may follow the arc in either direction
                down = from_first[g] + 1 + from_second[d] == shortest
                up = from_first[d] + 1 + from_second[g] == shortest
                on_arcs[p, a] = down or up
    return on_tokens, on_arcs, lengths
