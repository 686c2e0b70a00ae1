"""The finite-walk kernel over graphs with labelled vertices [thesis, 2.6; Gartner et al. 2003].

    G = sum_{i=1..n} c_i L A^i L^T,      k(G, G') = sum_ij G_ij G'_ij

A feature is a pair of labels that a walk of at most n edges joins.  With c_i = 1 and n growing this becomes the
``sum`` variant of the all-paths kernel; a bound on the length also admits graphs whose sum over all walks
diverges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from kernels.attribution import Contribution, Vertex, sort_contributions
from kernels.compiling import compiled, expect
from kernels.errors import GraphError, ParameterError, ShapeError
from kernels.feature_map import BaseFeatureMap, Restricted
from kernels.labelled import LabelledGraph
from kernels.labels import stable_hash
from kernels.validation import check_fitted, check_n_features, check_weights, clone_map, select_columns, state_texts
from kernels.vocabulary import PairVocabulary, check_keys, hash_columns, join_keys, split_keys


class WalkFeatures(BaseFeatureMap):
    """Label-pair features of :class:`~kernels.labelled.LabelledGraph` objects.

    A graph of v vertices and e edges costs O(n v e) and O(v^2) label pairs.

    Parameters
    ----------
    max_length
        The most edges in a walk, n.
    length_weights
        c_1 ... c_n, finite; None is all 1.
    n_features
        None: a vocabulary is fitted, and unknown label pairs are left out by ``transform``.  A power of 2: pairs
        and a sign are hashed into that many columns with a hash that never changes, nothing needs fitting.
    """

    def __init__(
        self,
        *,
        max_length: int = 3,
        length_weights: Sequence[float] | None = None,
        n_features: int | None = None,
    ) -> None:
        self.max_length = max_length
        self.length_weights = length_weights
        self.n_features = n_features

    def fit(self, graphs: Iterable[LabelledGraph], y: ArrayLike | None = None) -> Self:
        """Learn the vocabulary; hashed features only have their parameters checked."""
        self._factors()
        if self.n_features is None:
            self.fit_transform(graphs)
        return self

    def fit_transform(self, graphs: Iterable[LabelledGraph], y: ArrayLike | None = None) -> sp.csr_matrix:
        """The features of ``graphs`` over the vocabulary of all their label pairs."""
        if self.n_features is not None:
            return self.transform(graphs)
        self._numbers: dict[str, int] = {}
        self._vocabulary = PairVocabulary()
        return self._rows(graphs, self._numbers, self._vocabulary, grow=True)

    def transform(self, graphs: Iterable[LabelledGraph]) -> sp.csr_matrix:
        """One row of features per graph (CSR, float64)."""
        if self.n_features is None:
            check_fitted(self)
            return self._rows(graphs, self._numbers, self._vocabulary, grow=False)
        numbers: dict[str, int] = {}
        vocabulary = PairVocabulary()
        X = self._rows(graphs, numbers, vocabulary, grow=True)
        hashes = np.array([stable_hash(("label", label)) for label in numbers], dtype=np.uint64)
        column_of, sign_of = hash_columns(vocabulary.keys, hashes, self.n_features)
        parts = (X.data * sign_of[X.indices], column_of[X.indices], X.indptr)
        hashed = sp.csr_matrix(parts, shape=(X.shape[0], self.n_features))
        hashed.sum_duplicates()
        return hashed

    def feature_labels(self, column: int) -> tuple[str, str]:
        """The pair of labels that a column of the fitted vocabulary stands for."""
        names = list(self._get_label_numbers())
        source, target = self._vocabulary.pair(column)
        return names[source], names[target]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """``"source -> target"`` for each column."""
        names = list(self._get_label_numbers())
        keys = self._vocabulary.keys.tolist()
        return np.array([f"{names[key >> 32]} -> {names[key & 0xFFFFFFFF]}" for key in keys], dtype=object)

    @property
    def width(self) -> int:
        """The number of columns."""
        if self.n_features is not None:
            return self.n_features
        self._get_label_numbers()
        return len(self._vocabulary)

    def attribute(self, graph: LabelledGraph, weights: ArrayLike) -> list[Contribution]:
        """Which pairs of vertices give how much of ``transform([graph]) @ weights``; they sum to it."""
        coefficients = check_weights(np.ravel(weights), self.width)
        W = walk_sums(graph.n_vertices, graph.sources, graph.targets, graph.weights, self._factors())
        contributions = []
        for k, j in np.argwhere(W).tolist():
            for source in graph.labels[k]:
                for target in graph.labels[j]:
                    column, sign = self._column(source, target)
                    if column >= 0 and (value := float(coefficients[column] * sign * W[k, j])) != 0.0:
                        vertices = (Vertex("graph", "vertex", k), Vertex("graph", "vertex", j))
                        contributions.append(Contribution(value, f"{source} -> {target}", column, vertices))
        return sort_contributions(contributions)

    def restrict(self, keep: ArrayLike) -> Restricted:
        """The fitted map with only some columns, in the order of their keys; labels that none uses are forgotten."""
        labels, columns = list(self._get_label_numbers()), select_columns(keep, self.width)
        pairs = np.array(split_keys(self._vocabulary.keys[columns]))
        used = np.unique(pairs)
        keys = join_keys(*np.searchsorted(used, pairs))
        order = np.argsort(keys)
        state = {"labels": [labels[number] for number in used], "keys": keys[order]}
        return Restricted(clone_map(self).restore(state), columns[order])

    def state(self) -> dict[str, Any]:
        """The fitted vocabulary as plain values: ``labels``, in the order of their numbers, and ``keys``, uint64."""
        return {"labels": list(self._get_label_numbers()), "keys": self._vocabulary.keys}

    def restore(self, state: dict[str, Any]) -> Self:
        """Take the vocabulary that :meth:`state` gave."""
        labels = state_texts(state, "labels")
        numbers = {label: number for number, label in enumerate(labels)}
        if len(numbers) < len(labels):
            raise ShapeError(
                f"expected distinct labels, got {len(labels) - len(numbers)} repeated; "
                "pass the state of one fitted map, unchanged"
            )
        self._vocabulary = PairVocabulary(check_keys(state, n_labels=len(labels)))
        self._numbers = numbers
        return self

    def _column(self, source: str, target: str) -> tuple[int, float]:
        """Column (-1: unknown) and sign of a pair of labels."""
        if self.n_features is not None:
            hashes = np.array([stable_hash(("label", label)) for label in (source, target)], dtype=np.uint64)
            # the key 1 = 0 << 32 | 1 is the pair of the two labels just hashed
            columns, signs = hash_columns(np.array([1], dtype=np.uint64), hashes, self.n_features)
            return int(columns[0]), float(signs[0])
        numbers = [self._numbers.get(label, -1) for label in (source, target)]
        if min(numbers) < 0:
            return -1, 1.0
        key = np.array([numbers[0] << 32 | numbers[1]], dtype=np.uint64)
        return int(self._vocabulary.columns(key, grow=False)[0]), 1.0

    def _get_label_numbers(self) -> dict[str, int]:
        if self.n_features is not None:
            raise ParameterError(
                f"expected a fitted vocabulary, got hashed features (n_features={self.n_features}), whose columns "
                "have no names; use n_features=None"
            )
        check_fitted(self)
        return self._numbers

    def _rows(
        self,
        graphs: Iterable[LabelledGraph],
        numbers: dict[str, int],
        vocabulary: PairVocabulary,
        *,
        grow: bool,
    ) -> sp.csr_matrix:
        factors = self._factors()
        indptr, columns, values = [0], [np.empty(0, np.int32)], [np.empty(0)]
        for place, graph in enumerate(graphs):
            if not isinstance(graph, LabelledGraph):
                raise GraphError(f"expected LabelledGraph objects, got {type(graph).__name__} at place {place}")
            offsets = np.concatenate(([0], np.cumsum([len(of_vertex) for of_vertex in graph.labels], dtype=np.int64)))
            all_labels = [label for of_vertex in graph.labels for label in of_vertex]
            if grow:
                label_numbers = [numbers.setdefault(label, len(numbers)) for label in all_labels]
            else:
                label_numbers = [numbers.get(label, -1) for label in all_labels]
            expect(len(factors) * graph.n_vertices * (graph.n_vertices + len(graph.sources)))
            W = walk_sums(graph.n_vertices, graph.sources, graph.targets, graph.weights, factors)
            keys, sums = label_pair_sums(W, offsets.astype(np.int64), np.array(label_numbers, dtype=np.int64))
            column_numbers = vocabulary.columns(keys, grow=grow)
            has_column = column_numbers >= 0
            columns.append(column_numbers[has_column])
            values.append(sums[has_column])
            indptr.append(indptr[-1] + int(np.count_nonzero(has_column)))
        parts = (np.concatenate(values), np.concatenate(columns), np.array(indptr))
        X = sp.csr_matrix(parts, shape=(len(indptr) - 1, len(vocabulary)))
        X.sort_indices()
        if not np.isfinite(X.data).all():
            raise GraphError(
                f"expected finite sums over walks of up to {self.max_length} edges, got overflow; "
                "use smaller edge weights or length_weights"
            )
        return X

    def _factors(self) -> NDArray[np.float64]:
        check_n_features(self.n_features)
        if not isinstance(self.max_length, int | np.integer) or self.max_length < 1:
            raise ParameterError(f"expected max_length to be an integer of 1 or more, got {self.max_length!r}")
        if self.length_weights is None:
            return np.ones(self.max_length)
        factors = np.asarray(self.length_weights, dtype=np.float64)
        if factors.shape != (self.max_length,) or not np.isfinite(factors).all():
            raise ParameterError(
                f"expected {self.max_length} finite length_weights, one per length, got {self.length_weights!r}"
            )
        return factors

    def __sklearn_is_fitted__(self) -> bool:
        return self.n_features is not None or hasattr(self, "_numbers")


@compiled
def walk_sums(
    n_vertices: int,
    sources: NDArray[np.int64],
    targets: NDArray[np.int64],
    weights: NDArray[np.float64],
    length_weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """W = sum over i of length_weights[i - 1] A^i, by O(vertices * edges) per length."""
    total = np.zeros((n_vertices, n_vertices))
    power = np.eye(n_vertices)
    for factor in length_weights:  # power is A^(i - 1) before, A^i after
        longer = np.zeros((n_vertices, n_vertices))
        for e in range(len(sources)):
            # A^i = A^(i - 1) A by columns: edge s -> t of weight w adds w times column s to column t
            for k in range(n_vertices):
                longer[k, targets[e]] += power[k, sources[e]] * weights[e]
        power = longer
        total += factor * power
    return total


@compiled
def label_pair_sums(
    W: NDArray[np.float64], label_offsets: NDArray[np.int64], labels: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Keys ``source << 32 | target`` of the label pairs that W joins, and the sums L W L^T."""
    # (L W L^T)_ij = sum over k, l of L_ik W_kl L_jl: W_kl goes to each label of k with each of l [thesis, 2.6]
    sums = {np.uint64(0): 0.0}  # so typed, and empty
    sums.clear()
    for k in range(len(W)):
        for j in range(len(W)):
            if W[k, j] == 0.0:
                continue
            for a in range(label_offsets[k], label_offsets[k + 1]):
                for b in range(label_offsets[j], label_offsets[j + 1]):
                    if labels[a] >= 0 and labels[b] >= 0:
                        key = (np.uint64(labels[a]) << np.uint64(32)) | np.uint64(labels[b])
                        sums[key] = sums.get(key, 0.0) + W[k, j]
    keys, values = np.empty(len(sums), np.uint64), np.empty(len(sums))
    for n, key in enumerate(sums):
        keys[n], values[n] = key, sums[key]
    return keys, values
