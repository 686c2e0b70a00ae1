"""Base of the feature maps whose features are named by strings: counting, vocabulary, hashing, attribution.

A subclass says which features a candidate has and which vertices each comes from (``occurrences``); the value of a
feature is the number of its occurrences.  Cost: one dictionary look-up per occurrence.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from kernels.attribution import Contribution, Vertex, sort_contributions
from kernels.candidates import CandidateGraph
from kernels.errors import ParameterError, ShapeError
from kernels.feature_map import BaseFeatureMap, Restricted
from kernels.labels import stable_hash
from kernels.named_scoring import NameScorer
from kernels.parameters import check_fitted, clone_map
from kernels.scoring import Scorer
from kernels.validation import check_graphs, check_n_features, check_weights, select_columns, state_texts


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
        """The names of the occurrences alone, in any order; a subclass may have a faster way."""
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
