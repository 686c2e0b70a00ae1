"""The finite-walk kernel over graphs with labelled vertices [thesis, 2.6; Gartner et al. 2003].

    G = sum_{i=1..n} c_i L A^i L^T,      k(G, G') = sum_ij G_ij G'_ij

A feature is a pair of labels that a walk of at most n edges joins.  With c_i = 1 and n growing this becomes the
``sum`` variant of the all-paths kernel; a bound on the length also admits graphs whose sum over all walks
diverges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kernels._walks import label_pair_sums, walk_sums
from kernels.errors import GraphError, ParameterError
from kernels.labelled import LabelledGraph
from kernels.labels import stable_hash
from kernels.validation import check_n_features
from kernels.vocabulary import PairVocabulary, hashed_columns


class WalkFeatures(TransformerMixin, BaseEstimator):
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

    def fit(self, graphs: Iterable[LabelledGraph], y: ArrayLike | None = None) -> WalkFeatures:
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
        """One row of features a graph (CSR, float64)."""
        if self.n_features is None:
            check_is_fitted(self)
            return self._rows(graphs, self._numbers, self._vocabulary, grow=False)
        numbers: dict[str, int] = {}
        vocabulary = PairVocabulary()
        X = self._rows(graphs, numbers, vocabulary, grow=True)
        hashes = np.array([stable_hash(("label", label)) for label in numbers], dtype=np.uint64)
        column_of, sign_of = hashed_columns(vocabulary.keys, hashes, self.n_features)
        parts = (X.data * sign_of[X.indices], column_of[X.indices], X.indptr)
        hashed = sp.csr_matrix(parts, shape=(X.shape[0], self.n_features))
        hashed.sum_duplicates()
        return hashed

    def feature_labels(self, column: int) -> tuple[str, str]:
        """The pair of labels that a column of the fitted vocabulary stands for."""
        names = list(self._fitted_numbers())
        source, target = self._vocabulary.pair(column)
        return names[source], names[target]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """``"source -> target"`` for each column."""
        names = list(self._fitted_numbers())
        keys = self._vocabulary.keys.tolist()
        return np.array([f"{names[key >> 32]} -> {names[key & 0xFFFFFFFF]}" for key in keys], dtype=object)

    def _fitted_numbers(self) -> dict[str, int]:
        if self.n_features is not None:
            raise ParameterError(
                f"expected a fitted vocabulary, got hashed features (n_features={self.n_features}), whose columns "
                "have no names; use n_features=None"
            )
        check_is_fitted(self)
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
            offsets = np.concatenate(([0], np.cumsum([len(some) for some in graph.labels], dtype=np.int64)))
            flat = [label for some in graph.labels for label in some]
            if grow:
                found = [numbers.setdefault(label, len(numbers)) for label in flat]
            else:
                found = [numbers.get(label, -1) for label in flat]
            W = walk_sums(graph.n_vertices, graph.sources, graph.targets, graph.weights, factors)
            keys, sums = label_pair_sums(W, offsets.astype(np.int64), np.array(found, dtype=np.int64))
            at = vocabulary.columns(keys, grow=grow)
            known = at >= 0
            columns.append(at[known])
            values.append(sums[known])
            indptr.append(indptr[-1] + int(np.count_nonzero(known)))
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
                f"expected {self.max_length} finite length_weights, one a length, got {self.length_weights!r}"
            )
        return factors

    def __sklearn_is_fitted__(self) -> bool:
        return self.n_features is not None or hasattr(self, "_numbers")
