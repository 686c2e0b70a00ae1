"""Scores of features with names: counted by name, or as hashes of n-grams without making the names.

Names become 64-bit hashes here (never stored: they differ from process to process).  That two of a model's million
features and a text's collide has a chance of about 1e-12.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernels._ngrams import ContextWords, Counts, Orders, PathViews, context_counts, fold_names, path_counts
from kernels._weighing import weigh_counts
from kernels.batch import Batch, estimate_cells
from kernels.blinding import ROLE_NAMES
from kernels.compiling import expect, uses_compiled_code
from kernels.scoring import BatchScorer, Products
from kernels.vocabulary import PairVocabulary

if TYPE_CHECKING:
    from kernels.context import ContextFeatures
    from kernels.named import NamedFeatures
    from kernels.path import PathFeatures

_MASK = (1 << 64) - 1
_PATH_START = np.uint64(0x70617468)
#: Steps (:func:`kernels.compiling.expect`) of counting the n-grams of a candidate, for each of its cells.
_STEPS_PER_CELL = 3


class NameScorer(BatchScorer):
    """Any features with names: counted one candidate at a time."""

    def __init__(self, features: NamedFeatures, weights: ArrayLike) -> None:
        super().__init__(weights, features.width)
        self._features = features

    def products(self, batch: Batch) -> Products:
        """One dictionary look-up per distinct name of a candidate."""
        indptr, columns, counts = [0], array("i"), array("d")
        column = self._features.vocabulary_.get
        for graph in batch.graphs:
            for name, count in Counter(self._features.names(graph)).items():
                columns.append(column(name, -1))
                counts.append(count)
            indptr.append(len(columns))
        rows = np.array(indptr), np.array(columns, dtype=np.int32), np.array(counts, dtype=np.float64)
        return Products(*weigh_counts(*rows, self.weights))


class NGramScorer(BatchScorer):
    """N-grams by hash; a subclass says how a name is hashed, and counts the n-grams of a batch."""

    def __init__(self, features: NamedFeatures, weights: ArrayLike) -> None:
        super().__init__(weights, features.width)
        self._names: Iterable[str] = features.vocabulary_
        self._by_name = NameScorer(features, weights)

    def products(self, batch: Batch) -> Products:
        """Each n-gram of a candidate is looked up by its hash.

        While there is little to do, and where words have spaces, they are looked up by name; the order of summation,
        and so the result, is the same.
        """
        expect(_STEPS_PER_CELL * int(estimate_cells(batch.graphs).sum()))
        if batch.has_spaces or not uses_compiled_code():
            return self._by_name.products(batch)
        indptr, keys, counts = self._counts(batch)
        return Products(*weigh_counts(indptr, self._columns.columns(keys, grow=False), counts, self.weights))

    @cached_property
    def _columns(self) -> PairVocabulary:
        """The columns by the hashes of their names."""
        starts: list[int] = []
        words: list[int] = []
        offsets = [0]
        for name in self._names:
            start, pieces = self._pieces(name)
            starts.append(start)
            words.extend(map(hash, pieces))
            offsets.append(len(words))
        hashes = fold_names(np.array(starts, dtype=np.uint64), np.array(offsets, dtype=np.int64), _as_uint64(words))
        return PairVocabulary(hashes)

    def _pieces(self, name: str) -> tuple[int, list[str]]:
        """The hash that a name starts with, and its words."""
        raise NotImplementedError

    def _counts(self, batch: Batch) -> Counts:
        raise NotImplementedError


class ContextScorer(NGramScorer):
    """:class:`kernels.ContextFeatures` over all three regions, whole."""

    def __init__(self, features: ContextFeatures, weights: ArrayLike) -> None:
        self._kinds, self._regions, self._orders = features.kinds, features.regions, Orders(*features.orders)
        super().__init__(features, weights)

    def _pieces(self, name: str) -> tuple[int, list[str]]:
        region, _, rest = name.partition(" ")
        kind, _, gram = rest.partition(":")
        return hash((region, kind)) & _MASK, gram.split(" ")

    def _counts(self, batch: Batch) -> Counts:
        starts = [[hash((region, kind)) & _MASK for region in self._regions] for kind in self._kinds]
        words = ContextWords(
            hashes=np.array([_hashes(batch.words[kind]) for kind in self._kinds]),
            roles=_hashes(ROLE_NAMES),
            starts=np.array(starts, dtype=np.uint64),
        )
        return context_counts(batch.sentences, batch.candidates, words, self._orders)


class PathScorer(NGramScorer):
    """:class:`kernels.PathFeatures` that see the types of arcs and something of tokens."""

    def __init__(self, features: PathFeatures, weights: ArrayLike) -> None:
        self._kinds = [kind for kind in features.kinds if kind != "dependency"]
        self._orders = Orders(*features.orders)
        super().__init__(features, weights)

    def _pieces(self, name: str) -> tuple[int, list[str]]:
        return int(_PATH_START), name.split(" ")

    def _counts(self, batch: Batch) -> Counts:
        kinds = self._kinds
        lengths = [f"length:{graph.path_length if graph.path_length >= 0 else 'none'}" for graph in batch.graphs]
        word_offsets = np.arange(len(lengths) + 1, dtype=np.int64)
        views = PathViews(
            tokens=np.array([_hashes([f"{kind}:{word}" for word in batch.words[kind]]) for kind in kinds]),
            roles=np.array([_hashes([f"{kind}:{role}" for role in ROLE_NAMES]) for kind in kinds]),
            blind=np.array([kind != "pos" for kind in kinds]),
            arcs=np.array(
                [_hashes([f"{type}>" for type in batch.types]), _hashes([f"<{type}" for type in batch.types])]
            ),
            lengths=fold_names(np.full(len(lengths), _PATH_START), word_offsets, _hashes(lengths)),
            start=_PATH_START,
        )
        return path_counts(batch.sentences, batch.candidates, views, self._orders)


def _hashes(words: Sequence[str]) -> NDArray[np.uint64]:
    return _as_uint64(list(map(hash, words)))


def _as_uint64(hashes: Sequence[int]) -> NDArray[np.uint64]:
    return np.array(hashes, dtype=np.int64).view(np.uint64)
