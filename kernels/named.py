"""Feature maps whose features are named by strings: counting, vocabulary, hashing, attribution, scores.

A subclass of :class:`NamedFeatures` says which features a candidate has and which vertices each comes from
(``occurrences``); the value of a feature is the number of its occurrences.  Cost: a dictionary look-up per occurrence.

Scores are counted by name, or as hashes of n-grams without making the names.  Names become 64-bit hashes there (never
stored: they differ from process to process).  That two of a model's million features and a text's collide has a chance
of about 1e-12.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from kernels._ngrams import ContextWords, Counts, Orders, PathViews, context_counts, fold_names, path_counts
from kernels.attribution import Contribution, Vertex, sort_contributions
from kernels.candidates import CandidateGraph
from kernels.compiling import expect, uses_compiled_code
from kernels.errors import ParameterError, ShapeError
from kernels.feature_map import BaseFeatureMap, Restricted
from kernels.labels import ROLE_NAMES, stable_hash
from kernels.scoring import Batch, BatchScorer, Products, Scorer, estimate_cells, weigh_counts
from kernels.validation import (
    check_fitted,
    check_graphs,
    check_n_features,
    check_weights,
    clone_map,
    select_columns,
    state_texts,
)
from kernels.vocabulary import PairVocabulary

if TYPE_CHECKING:
    from kernels.ngram_features import ContextFeatures, PathFeatures


_MASK = (1 << 64) - 1
_PATH_START = np.uint64(0x70617468)
#: Steps (:func:`kernels.compiling.expect`) of counting the n-grams of a candidate, for each of its cells.
_STEPS_PER_CELL = 3


class Occurrence(NamedTuple):
    """One feature at one place of a candidate."""

    name: str
    vertices: tuple[Vertex, ...]


class NamedFeatures(BaseFeatureMap):
    """A transformer from candidate graphs to CSR, one column per name.

    ``n_features=None`` learns a vocabulary in the order met, and ``transform`` leaves out unknown names; a
    power of 2 hashes names (and a sign) into that many columns with a hash that never changes, and needs no
    fitting.
    """

    n_features: int | None

    def occurrences(self, graph: CandidateGraph) -> Iterator[Occurrence]:
        """The features of one candidate, each name as often as it occurs."""
        raise NotImplementedError

    def names(self, graph: CandidateGraph) -> Iterator[str]:
        """Only the names of the occurrences, in any order; a subclass may have a faster way."""
        return (occurrence.name for occurrence in self.occurrences(graph))

    def _validate(self) -> None:
        check_n_features(self.n_features)

    def fit(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> Self:
        """Learn the vocabulary; hashed features only have their parameters checked."""
        self._validate()
        if self.n_features is None:
            self.fit_transform(graphs)
        return self

    def fit_transform(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> sp.csr_matrix:
        """The features of ``graphs`` over the vocabulary of all their names."""
        self._validate()
        if self.n_features is not None:
            return self.transform(graphs)
        self.vocabulary_: dict[str, int] = {}
        return self._rows(check_graphs(graphs), grow=True)

    def transform(self, graphs: Iterable[CandidateGraph]) -> sp.csr_matrix:
        """One row of features per graph (CSR, float64)."""
        self._validate()
        check_fitted(self)
        return self._rows(check_graphs(graphs), grow=False)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The name of each column."""
        if self.n_features is not None:
            raise ParameterError(
                f"expected a fitted vocabulary, got hashed features (n_features={self.n_features}), whose columns "
                "have no names; use n_features=None, or attribute(), which names them for one graph"
            )
        check_fitted(self)
        return np.array(list(self.vocabulary_), dtype=object)

    def attribute(self, graph: CandidateGraph, weights: ArrayLike) -> list[Contribution]:
        """Which vertices give how much of ``transform([graph]) @ weights``; they sum to it.

        Largest magnitude first; zero ones left out.
        """
        self._validate()
        check_fitted(self)
        coefficients = check_weights(np.ravel(weights), self.width)
        contributions = []
        for name, vertices in self.occurrences(graph):
            column, sign = self._column(name, grow=False)
            if column >= 0 and (part := float(coefficients[column] * sign)) != 0.0:
                contributions.append(Contribution(part, name, column, vertices))
        return sort_contributions(contributions)

    def scorer(self, weights: ArrayLike) -> Scorer:
        """Names are counted, without a matrix; hashed features go by the definition."""
        if self.n_features is not None:
            return super().scorer(weights)
        check_fitted(self)
        return self._make_scorer(weights)

    def _make_scorer(self, weights: ArrayLike) -> Scorer:
        """The fastest scorer with a vocabulary; a subclass may have a faster one."""
        return NameScorer(self, weights)

    def restrict(self, keep: ArrayLike) -> Restricted:
        """The fitted map with only some columns, in the order of their names, which packs best."""
        names = self.get_feature_names_out().tolist()
        columns = sorted(select_columns(keep, self.width).tolist(), key=names.__getitem__)
        smaller = clone_map(self).restore({"names": [names[column] for column in columns]})
        return Restricted(smaller, np.array(columns, dtype=np.int64))

    def state(self) -> dict[str, Any]:
        """The fitted vocabulary as plain values: ``names``, in column order."""
        return {"names": self.get_feature_names_out().tolist()}

    def restore(self, state: dict[str, Any]) -> Self:
        """Take the vocabulary that :meth:`state` gave."""
        names = state_texts(state, "names")
        vocabulary = {name: column for column, name in enumerate(names)}
        if len(vocabulary) < len(names):
            raise ShapeError(
                f"expected distinct feature names, got {len(names) - len(vocabulary)} repeated; "
                "pass the state of one fitted map, unchanged"
            )
        self.vocabulary_ = vocabulary
        return self

    @property
    def width(self) -> int:
        """The number of columns."""
        if self.n_features is not None:
            return self.n_features
        check_fitted(self)
        return len(self.vocabulary_)

    def _column(self, name: str, *, grow: bool) -> tuple[int, float]:
        """Column (-1: unknown) and sign of a name."""
        if self.n_features is not None:
            hashed = stable_hash((type(self).__name__, name))
            return hashed & (self.n_features - 1), 1.0 if hashed >> 63 else -1.0
        if grow:
            return self.vocabulary_.setdefault(name, len(self.vocabulary_)), 1.0
        return self.vocabulary_.get(name, -1), 1.0

    def _rows(self, graphs: list[CandidateGraph], *, grow: bool) -> sp.csr_matrix:
        indptr, columns, values = [0], array("i"), array("d")
        for graph in graphs:
            row: dict[int, float] = {}
            for name, count in Counter(self.names(graph)).items():
                column, sign = self._column(name, grow=grow)
                if column >= 0:
                    row[column] = row.get(column, 0.0) + sign * count
            columns.extend(row)
            values.extend(row.values())
            indptr.append(len(columns))
        parts = (np.array(values), np.array(columns, dtype=np.int32), np.array(indptr))
        features = sp.csr_matrix(parts, shape=(len(graphs), self.width))
        features.sort_indices()
        return features

    def __sklearn_is_fitted__(self) -> bool:
        return self.n_features is not None or hasattr(self, "vocabulary_")


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
        counts: Counts = context_counts(batch.sentences, batch.candidates, words, self._orders)
        return counts


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
        counts: Counts = path_counts(batch.sentences, batch.candidates, views, self._orders)
        return counts


def _hashes(words: Sequence[str]) -> NDArray[np.uint64]:
    return _as_uint64(list(map(hash, words)))


def _as_uint64(hashes: Sequence[int]) -> NDArray[np.uint64]:
    return np.array(hashes, dtype=np.int64).view(np.uint64)
