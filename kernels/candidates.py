"""The candidate graph of a pair of entities [Airola2008, "Graph encoding of sentence structure"].

Two unconnected subgraphs over one sentence.  The dependency subgraph has a vertex for each token and each arc,
with edges governor -> arc -> dependent; the linear subgraph has a second vertex for each token, with an edge to
the next one.  This module finds what depends on the pair: which tokens are blinded (roles), what lies on the
shortest paths, and what stands before, between and after the pair.  Edge weights and the choice of labels
belong to the feature maps, so one candidate serves them all.

One behaviour for each odd case:

* several tokens in an entity: all of them carry its role; the shortest paths are those between the two sets;
* a token in several entities: PROT1 or PROT2 hides PROT; a token of both entities of the pair carries both
  labels, PROT1 and PROT2, and is then the whole shortest path (length 0);
* an entity that covers no token: nobody carries its role, and there is no path;
* a sentence without a parse, or with an empty one: no arcs, so only the linear subgraph connects anything;
* an empty sentence: a graph without vertices, whose features are all zero;
* a pair of an entity with itself: its tokens are both PROT1 and PROT2.

PROT1 is the entity that starts first in the text (then the one that ends first, then the one listed first in
the sentence), whichever of them the pair calls e1.  A token stands *before* the pair if it ends at or before the
pair's first character, *after* if it starts at or after its last, otherwise in the *middle*; the tokens of PROT1
and PROT2 are middle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corpora import Document, Entity, Pair, Sentence, Token
from kernels.compiling import expect
from kernels.errors import GraphError
from kernels.modality_detection import Modality, find_modality
from kernels.negation import Denial, find_denials
from kernels.sentence_graphs import AFTER, BEFORE, MIDDLE, SentenceGraph, pair_roles, sentence_graph, shortest_paths


@dataclass(frozen=True, slots=True, eq=False)
class CandidateGraph:
    """A pair in its sentence: roles and places of tokens, and what lies on the shortest paths.

    ``roles`` holds the bits :data:`~kernels.sentence_graphs.PROT1`, ``PROT2`` and ``PROT`` for each token, ``places``
    one of ``BEFORE``, ``MIDDLE``, ``AFTER``; ``path_length`` counts arcs (-1: no path).  The arrays are
    read-only.
    """

    base: SentenceGraph
    pair: Pair
    prot1: str
    prot2: str
    roles: NDArray[np.uint8]
    places: NDArray[np.uint8]
    token_on_path: NDArray[np.bool_]
    arc_on_path: NDArray[np.bool_]
    path_length: int
    document_id: str | None = None
    _denials: tuple[Denial, ...] | None = field(default=None, init=False, repr=False)
    _modality: Modality | None = field(default=None, init=False, repr=False)

    @property
    def sentence(self) -> Sentence:
        """The sentence that the pair is in."""
        return self.base.sentence

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The sentence's tokens."""
        return self.base.tokens

    @property
    def denials(self) -> tuple[Denial, ...]:
        """What denies that the pair interacts (:func:`kernels.denials`); found when first asked for, then kept."""
        if self._denials is None:
            object.__setattr__(self, "_denials", find_denials(self))
        return self._denials or ()

    @property
    def modality(self) -> Modality:
        """Whether the pair's statement is denied or supposed (:func:`kernels.modality`); found once, as denials are."""
        if self._modality is None:
            object.__setattr__(self, "_modality", find_modality(self))
        return self._modality or Modality()

    @property
    def label(self) -> bool | None:
        """Whether the pair is annotated as interacting; None if nobody said."""
        return self.pair.label


def candidate_graph(
    sentence: Sentence, pair: Pair, *, parser: str | None = None, document_id: str | None = None
) -> CandidateGraph:
    """The candidate graph of one pair; :func:`candidate_graphs` is faster for many of one sentence.

    Raises
    ------
    GraphError
        If ``parser`` is not among the sentence's parses, or the pair names an entity that it does not have.
    """
    base = sentence_graph(sentence, parser=parser)
    return sentence_candidates(base, [pair], document_id=document_id)[0]


def candidate_graphs(documents: Iterable[Document], *, parser: str | None = None) -> list[CandidateGraph]:
    """The candidate graphs of all annotated and unannotated pairs, in document order, self-pairs included."""
    graphs: list[CandidateGraph] = []
    for document in documents:
        for sentence in document.sentences:
            if sentence.pairs:
                base = sentence_graph(sentence, parser=parser)
                graphs.extend(sentence_candidates(base, sentence.pairs, document_id=document.id))
    return graphs


def sentence_candidates(
    base: SentenceGraph, pairs: Sequence[Pair], *, document_id: str | None = None
) -> list[CandidateGraph]:
    """The candidate graphs of ``pairs``, which share the tokens, arcs and distances of their sentence."""
    entities = base.sentence.entities
    row = {entity.id: index for index, entity in enumerate(entities)}
    ordered = [_order_entities(base.sentence, row, pair) for pair in pairs]
    first = np.array([rows[0] for rows in ordered], dtype=np.int64)
    second = np.array([rows[1] for rows in ordered], dtype=np.int64)
    covered = base.entity_coverage(entities)
    expect(len(pairs) * (base.n_tokens + base.n_arcs))
    roles = pair_roles(covered, first, second)
    places = _token_places(base, [(entities[a], entities[b]) for a, b in ordered])
    on_tokens, on_arcs, lengths = shortest_paths(base.governors, base.dependents, covered, first, second)
    for array in (roles, places, on_tokens, on_arcs):
        array.setflags(write=False)
    return [
        CandidateGraph(
            base,
            pair,
            entities[ordered[p][0]].id,
            entities[ordered[p][1]].id,
            roles[p],
            places[p],
            on_tokens[p],
            on_arcs[p],
            int(lengths[p]),
            document_id,
        )
        for p, pair in enumerate(pairs)
    ]


def _order_entities(sentence: Sentence, row: dict[str, int], pair: Pair) -> tuple[int, int]:
    missing = [reference for reference in (pair.e1, pair.e2) if reference not in row]
    if missing:
        raise GraphError(
            f"expected entities of sentence {sentence.id!r} in pair {pair.id!r}, got {missing[0]!r}; "
            f"the sentence has {list(row)}"
        )

    def text_order(index: int) -> tuple[int, int, int]:
        entity = sentence.entities[index]
        return entity.start, entity.end, index

    first, second = sorted((row[pair.e1], row[pair.e2]), key=text_order)
    return first, second


def _token_places(base: SentenceGraph, pairs: Sequence[tuple[Entity, Entity]]) -> NDArray[np.uint8]:
    token_starts = np.array([token.start for token in base.tokens], dtype=np.int64)
    token_ends = np.array([token.end for token in base.tokens], dtype=np.int64)
    starts = np.array([min(a.start, b.start) for a, b in pairs], dtype=np.int64)[:, None]
    ends = np.array([max(a.end, b.end) for a, b in pairs], dtype=np.int64)[:, None]
    places = np.full((len(pairs), base.n_tokens), MIDDLE, dtype=np.uint8)
    places[token_ends <= starts] = BEFORE
    places[token_starts >= ends] = AFTER
    return places
