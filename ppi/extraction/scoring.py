"""Scores of many candidates at once, without their feature matrix.

A score is  b + sum_parts r_part <w_part, x> / ||x||,  where x holds all features of the candidate in that part, also
those the model does not know.  The features of a batch are numbered among themselves, and each distinct one is
looked up in the model once; so one pass gives both the product and the length.  What it computes is exactly
``transform(graphs) @ weights``; the tests hold it to that.

Names of features become 64-bit hashes here (never stored: they differ from process to process).  That two of a
model's million features and a text's collide has a chance of about 1e-12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from kernels import AllPathsFeatures, CandidateGraph, CombinedFeatures, ContextFeatures, PathFeatures, denials
from kernels.encoding import lemma_of
from kernels.labels import N_MARKS, ROLES
from kernels.sentence_graph import SentenceGraph
from kernels.vector import inverse_root
from kernels.vocabulary import PairVocabulary
from ppi.extraction._ngrams import context_counts, fold_names, path_counts, weigh, weigh_counts

#: Cells of the feature matrix made at a time; bounds the memory, and fits caches.
_MOST_CELLS = 2_000_000
_REGIONS = ("before", "between", "after")
_MASK = (1 << 64) - 1
_PATH_START = np.uint64(0x70617468)


class Rows(NamedTuple):
    """For each candidate <w, x> and <x, x>."""

    products: NDArray[np.float64]
    squares: NDArray[np.float64]


class FoldedScorer:
    """A fitted feature map (with a vocabulary) and weights, ready to score.

    Building it costs O(features); scoring a batch the features of its candidates, each distinct one looked up once.
    """

    def __init__(self, transformer: Any, weights: NDArray[np.floating]) -> None:
        combined = isinstance(transformer, CombinedFeatures)
        maps = transformer.maps_ if combined else [("features", transformer)]
        widths = transformer.widths_ if combined else [len(weights)]
        factors = transformer.weights if combined and transformer.weights is not None else [1.0] * len(maps)
        self._normalize = combined and transformer.normalize
        self._polarity = transformer.polarity if combined else None
        self._roots = [sqrt(factor) for factor in factors]
        ends = np.cumsum(widths)
        self._parts = [
            _part(part, np.asarray(weights[end - width : end], dtype=np.float64))
            for (_, part), width, end in zip(maps, widths, ends)
        ]

    def __call__(self, graphs: Sequence[CandidateGraph]) -> NDArray[np.float64]:
        """<w, phi(x)> of each candidate, without the intercept."""
        scores = np.empty(len(graphs))
        for start, stop in _portions(graphs):
            scores[start:stop] = self._score(graphs[start:stop])
        return scores

    def _score(self, graphs: Sequence[CandidateGraph]) -> NDArray[np.float64]:
        total = np.zeros(len(graphs))
        for polarity, members in self._groups(graphs):
            batch = Batch([graphs[member] for member in members])
            for number, (root, part) in enumerate(zip(self._roots, self._parts)):
                if self._polarity is None or self._polarity[number] in ("any", polarity):
                    rows = part(batch)
                    values = rows.products * inverse_root(rows.squares) if self._normalize else rows.products
                    total[members] += root * values
        return total

    def _groups(self, graphs: Sequence[CandidateGraph]) -> list[tuple[str, NDArray[np.intp]]]:
        """Candidates that have features in the same parts."""
        if self._polarity is None:
            return [("any", np.arange(len(graphs)))]
        denied = np.array([bool(denials(graph)) for graph in graphs])
        groups = [("affirmed", np.flatnonzero(~denied)), ("denied", np.flatnonzero(denied))]
        return [(polarity, members) for polarity, members in groups if len(members)]


class Batch:
    """Candidates and what several parts need of them, laid out flat."""

    def __init__(self, graphs: Sequence[CandidateGraph]) -> None:
        place: dict[int, int] = {}
        self.graphs = graphs
        self.bases: list[SentenceGraph] = []
        for graph in graphs:
            if place.setdefault(id(graph.base), len(self.bases)) == len(self.bases):
                self.bases.append(graph.base)
        self.sentence_of = np.array([place[id(graph.base)] for graph in graphs], dtype=np.int64)
        self.token_offsets = _offsets([base.n_tokens for base in self.bases])
        self.arc_offsets = _offsets([base.n_arcs for base in self.bases])
        self.pair_offsets = _offsets([graph.base.n_tokens for graph in graphs])
        self.flag_offsets = _offsets([graph.base.n_arcs for graph in graphs])
        self.roles = np.concatenate([graph.roles for graph in graphs])
        self.places = np.concatenate([graph.places for graph in graphs])
        self.token_on_path = np.concatenate([graph.token_on_path for graph in graphs])
        self.arc_on_path = np.concatenate([graph.arc_on_path for graph in graphs])
        self.governors = np.concatenate([base.governors for base in self.bases])
        self.dependents = np.concatenate([base.dependents for base in self.bases])
        self.words = {
            "text": [token.text for base in self.bases for token in base.tokens],
            "lemma": [lemma_of(token) for base in self.bases for token in base.tokens],
            "pos": [token.pos if token.pos is not None else "?" for base in self.bases for token in base.tokens],
        }
        self.types = [type for base in self.bases for type in base.types]
        everything = "".join(["".join(each) for each in self.words.values()] + self.types)
        #: A word with a space in it could be two: such batches are scored by names.
        self.spaced = " " in everything


class _AllPaths:
    """The all-paths kernel: the batch's own vocabulary, translated to the model's."""

    def __init__(self, part: AllPathsFeatures, weights: NDArray[np.float64]) -> None:
        state = part.state()
        self._fresh = clone(part)
        self._number = {tuple(base): number for number, base in enumerate(state["bases"])}
        self._columns = PairVocabulary(state["keys"])
        self._weights = weights

    def __call__(self, batch: Batch) -> Rows:
        own = clone(self._fresh)  # threads share the scorer
        X = own.fit_transform(batch.graphs)
        state = own.state()
        known = np.array([self._number.get(tuple(base), -1) for base in state["bases"]], dtype=np.int64)
        # number of each label of the batch in the model; marks keep their places
        label = (N_MARKS * known[:, None] + np.arange(N_MARKS)).ravel()
        label[np.repeat(known < 0, N_MARKS)] = -1
        keys = state["keys"]
        source, target = label[keys >> np.uint64(32)], label[keys & np.uint64(0xFFFFFFFF)]
        found = (source >= 0) & (target >= 0)
        wanted = source[found].astype(np.uint64) << np.uint64(32) | target[found].astype(np.uint64)
        weights = np.zeros(len(keys))
        weights[found] = np.append(self._weights, 0.0)[self._columns.columns(wanted, grow=False)]  # -1 is the 0
        return Rows(*weigh(X.indptr, X.indices, X.data, weights))


class _Named:
    """Any features with names: counted one candidate at a time."""

    def __init__(self, part: Any, weights: NDArray[np.float64]) -> None:
        self._part = part
        self._weights = weights.tolist()

    def __call__(self, batch: Batch) -> Rows:
        products, squares = np.zeros(len(batch.graphs)), np.zeros(len(batch.graphs))
        column = self._part.vocabulary_.get
        for at, graph in enumerate(batch.graphs):
            counts = Counter(self._part.names(graph))
            squares[at] = sum(count * count for count in counts.values())
            # in the order of the columns, as compiled: both ways give the same bits
            for place, count in sorted((column(name, -1), count) for name, count in counts.items()):
                if place >= 0:
                    products[at] += count * self._weights[place]
        return Rows(products, squares)


class _NGrams:
    """N-grams by hash; a subclass lists those of a batch."""

    def __init__(self, part: Any, weights: NDArray[np.float64]) -> None:
        self._part = part
        self._by_name: _Named | None = None
        self._weights = weights
        starts: list[int] = []
        words: list[int] = []
        offsets = [0]
        for name in part.vocabulary_:
            start, pieces = self._pieces(name)
            starts.append(start)
            words.extend(map(hash, pieces))
            offsets.append(len(words))
        hashes = fold_names(np.array(starts, dtype=np.uint64), np.array(offsets, dtype=np.int64), _unsigned(words))
        self._columns = PairVocabulary(hashes)

    def __call__(self, batch: Batch) -> Rows:
        if batch.spaced:
            if self._by_name is None:
                self._by_name = _Named(self._part, self._weights)
            return self._by_name(batch)
        indptr, keys, counts = self._counts(batch)
        return Rows(*weigh_counts(indptr, self._columns.columns(keys, grow=False), counts, self._weights))

    def _pieces(self, name: str) -> tuple[int, list[str]]:
        raise NotImplementedError

    def _counts(self, batch: Batch) -> tuple[NDArray, NDArray, NDArray]:
        raise NotImplementedError


class _Context(_NGrams):
    """:class:`kernels.ContextFeatures` over all three regions, whole."""

    def _pieces(self, name: str) -> tuple[int, list[str]]:
        region, _, rest = name.partition(" ")
        kind, _, gram = rest.partition(":")
        return hash((region, kind)) & _MASK, gram.split(" ")

    def _counts(self, batch: Batch) -> tuple[NDArray, NDArray, NDArray]:
        words = np.array([_hashes(batch.words[kind]) for kind in self._part.kinds])
        starts = [[hash((region, kind)) & _MASK for region in _REGIONS] for kind in self._part.kinds]
        return context_counts(
            batch.sentence_of,
            batch.token_offsets,
            words,
            batch.pair_offsets,
            batch.roles,
            batch.places,
            _hashes(_ROLE_NAMES),
            np.array(starts, dtype=np.uint64),
            *self._part.orders,
        )


class _Path(_NGrams):
    """:class:`kernels.PathFeatures`."""

    def _pieces(self, name: str) -> tuple[int, list[str]]:
        return int(_PATH_START), name.split(" ")

    def _counts(self, batch: Batch) -> tuple[NDArray, NDArray, NDArray]:
        kinds = [kind for kind in self._part.kinds if kind != "dependency"]
        views = np.array([_hashes([f"{kind}:{word}" for word in batch.words[kind]]) for kind in kinds])
        arcs = np.array([_hashes([f"{type}>" for type in batch.types]), _hashes([f"<{type}" for type in batch.types])])
        lengths = [f"length:{graph.path_length if graph.path_length >= 0 else 'none'}" for graph in batch.graphs]
        folded = fold_names(
            np.full(len(lengths), _PATH_START), np.arange(len(lengths) + 1, dtype=np.int64), _hashes(lengths)
        )
        return path_counts(
            (
                batch.token_offsets,
                views,
                np.array([kind != "pos" for kind in kinds]),
                batch.arc_offsets,
                batch.governors,
                batch.dependents,
                arcs,
            ),
            (
                batch.sentence_of,
                batch.pair_offsets,
                batch.roles,
                batch.token_on_path,
                batch.flag_offsets,
                batch.arc_on_path,
            ),
            np.array([_hashes([f"{kind}:{role}" for role in _ROLE_NAMES]) for kind in kinds]),
            folded,
            _PATH_START,
            *self._part.orders,
        )


#: What stands for a token with each combination of role bits (:func:`kernels.blinding.blinded`).
_ROLE_NAMES = ["+".join(name for bit, name in enumerate(ROLES) if role & (1 << bit)) for role in range(8)]


def _part(part: Any, weights: NDArray[np.float64]) -> Any:
    """The fastest way to score with a feature map."""
    if isinstance(part, AllPathsFeatures):
        return _AllPaths(part, weights)
    if isinstance(part, ContextFeatures) and tuple(part.regions) == _REGIONS and part.window is None:
        return _Context(part, weights)
    if isinstance(part, PathFeatures) and "dependency" in part.kinds and len(part.kinds) > 1:
        return _Path(part, weights)
    return _Named(part, weights)


def _hashes(words: Sequence[str]) -> NDArray[np.uint64]:
    return _unsigned(list(map(hash, words)))


def _unsigned(hashes: Sequence[int]) -> NDArray[np.uint64]:
    return np.array(hashes, dtype=np.int64).view(np.uint64)


def _offsets(lengths: Sequence[int]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))).astype(np.int64)


def _portions(graphs: Sequence[CandidateGraph]) -> list[tuple[int, int]]:
    """Ranges of candidates whose features fit into bounded memory."""
    cells = np.cumsum([2 * graph.base.n_tokens**2 + 256 for graph in graphs])
    portions, start = [], 0
    while start < len(graphs):
        before = cells[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(cells, before + _MOST_CELLS, side="right")))
        portions.append((start, stop))
        start = stop
    return portions
