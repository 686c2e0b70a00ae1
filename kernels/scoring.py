"""Scores of many candidates at once, without their feature matrix.

A score is <w, x>; a combination of maps needs <x, x> too, over all features x of the candidate, also those that the
fitted map does not know:  sum_parts r_part <w_part, x> / ||x||.  The fast scorers number the features of a batch among
themselves and look each distinct one up once, so that one pass gives both the products and the length.  What they
compute is exactly ``transform(graphs) @ weights``; the tests hold them to that.

Weights have the shape (n_features,) or (n_features, n_outputs), and scores (n,) or (n, n_outputs): several outputs
cost one look-up and one length.

A :class:`Batch` is the input of all compiled code: candidate graphs laid out flat.  What the candidates of one sentence
share stands once for the sentence; what belongs to the pair, once per candidate.  Everything is made when it is first
used: a feature map pays for what it uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernels.candidates import CandidateGraph
from kernels.compiling import compiled
from kernels.sentence_graphs import SentenceGraph, lemma_of
from kernels.validation import check_graphs, check_weights

#: Bits: a column and a count are sorted as one number, of the type of hashes, for which sorting is compiled anyway.
_HALF = np.uint64(32)
_LOW = np.uint64((1 << 32) - 1)
#: Cells of the feature matrix made at a time; bounds the memory, and fits caches.
_MAX_BATCH_CELLS = 2_000_000


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


def _concatenate(arrays: Sequence[NDArray[Any]], dtype: type) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *arrays]).astype(dtype, copy=False)


class Products(NamedTuple):
    """For each candidate x: <w, x> for each column w of the weights, (n, n_outputs), and <x, x>, (n,)."""

    products: NDArray[np.float64]
    squares: NDArray[np.float64]


class Scorer(Protocol):
    """What :meth:`FeatureMap.scorer` gives: the map and weights, ready to score; threads can share it."""

    def __call__(self, graphs: Sequence[Any]) -> NDArray[np.float64]:
        """``transform(graphs) @ weights``."""
        ...

    def products(self, batch: Batch) -> Products:
        """The scores of a batch, one column per output, and the squared lengths, for a combination of maps."""
        ...


class BatchScorer:
    """Base of the scorers of candidate graphs: cuts them into batches; a subclass scores a batch (``products``).

    Parameters
    ----------
    weights
        Of shape (n_features,) or (n_features, n_outputs).
    n_features
        The width of the map.
    """

    def __init__(self, weights: ArrayLike, n_features: int) -> None:
        weight_array = check_weights(weights, n_features)
        self._single = weight_array.ndim == 1
        self.weights = np.require(
            weight_array.reshape(n_features, 1) if self._single else weight_array, requirements=["C", "W"]
        )

    def __call__(self, graphs: Sequence[CandidateGraph]) -> NDArray[np.float64]:
        """The score of each candidate, one column per output if the weights have columns."""
        graphs = check_graphs(graphs)
        scores = np.empty((len(graphs), self.weights.shape[1]))
        for start, stop in batch_ranges(graphs):
            scores[start:stop] = self.products(Batch(graphs[start:stop])).products
        return scores[:, 0] if self._single else scores

    def products(self, batch: Batch) -> Products:
        """The scores and squared lengths of a batch."""
        raise NotImplementedError


class TransformScorer:
    """The definition: the feature matrix times the weights.  For maps without a faster way, of any kind of graphs."""

    def __init__(self, features: Any, weights: ArrayLike) -> None:
        self._features = features
        self._weights = check_weights(weights, features.width)

    def __call__(self, graphs: Sequence[Any]) -> NDArray[np.float64]:
        """The score of each graph, one column per output if the weights have columns."""
        return np.asarray(self._features.transform(graphs) @ self._weights)

    def products(self, batch: Batch) -> Products:
        """The scores, one column per output, and squared lengths of a batch."""
        scores = self(batch.graphs)
        return Products(scores.reshape(len(batch), -1), self._features.squared_lengths(batch.graphs))


def batch_ranges(graphs: Sequence[CandidateGraph]) -> list[tuple[int, int]]:
    """Ranges of candidates whose features fit into bounded memory."""
    total = np.cumsum(estimate_cells(graphs))  # total[i]: cells of the candidates up to i
    ranges, start = [], 0
    while start < len(graphs):
        before = total[start - 1] if start else 0
        # the last candidate whose total still fits; one that is too large by itself is a batch of its own
        stop = max(start + 1, int(np.searchsorted(total, before + _MAX_BATCH_CELLS, side="right")))
        ranges.append((start, stop))
        start = stop
    return ranges


@compiled
def weigh(
    indptr: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each sparse row x the products <w, x>, one for each column w of the weights, and <x, x>: (n, k) and (n,).

    Each output's sum has its terms in the same order, however many outputs there are: scoring with one column of the
    weights gives the bits of scoring with all of them.
    """
    n_rows, n_outputs = len(indptr) - 1, weights.shape[1]
    products, squares = np.zeros((n_rows, n_outputs)), np.zeros(n_rows)
    for row in range(n_rows):
        for at in range(indptr[row], indptr[row + 1]):
            value, column = values[at], columns[at]
            squares[row] += value * value
            # the outputs are the inner loop: a row of the weights is one piece of memory
            for output in range(n_outputs):
                products[row, output] += value * weights[column, output]
    return products, squares


@compiled
def weigh_counts(
    indptr: NDArray[np.int64],
    columns: NDArray[np.int32],
    counts: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """As :func:`weigh`, of whole counts, which are added up in the order of the columns; a column of -1 has no weight.

    Rows come in the order of their hashes, which differs between processes, and so would the last bits of the sums.
    """
    n_rows, n_outputs = len(indptr) - 1, weights.shape[1]
    products, squares = np.zeros((n_rows, n_outputs)), np.zeros(n_rows)
    longest = 0
    for row in range(n_rows):
        longest = max(longest, indptr[row + 1] - indptr[row])
    packed_columns = np.empty(longest, np.uint64)
    for row in range(n_rows):
        n_packed = 0
        for at in range(indptr[row], indptr[row + 1]):
            # <x, x> counts unknown features too; of whole numbers below 2^53 every order gives the same sum
            squares[row] += counts[at] * counts[at]
            if columns[at] >= 0:
                packed_columns[n_packed] = np.uint64(columns[at]) << _HALF | np.uint64(counts[at])
                n_packed += 1
        # the column is the high half: sorted by column, which no two entries of a row share
        for packed in np.sort(packed_columns[:n_packed]):
            column, count = np.int64(packed >> _HALF), np.float64(packed & _LOW)
            for output in range(n_outputs):
                products[row, output] += count * weights[column, output]
    return products, squares
