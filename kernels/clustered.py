"""Words as the clusters they belong to: what one corpus has never seen, another word of its kind stands for.

"binds", "interacts" and "associates" are three features to a map of words, and one to a map of clusters.  Clusters come
from unlabelled text (of word vectors, say); a word that is in none stands for itself, lower-cased.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from kernels.attribution import Contribution
from kernels.candidates import CandidateGraph
from kernels.errors import ParameterError
from kernels.feature_map import BaseFeatureMap, FeatureMap, Restricted
from kernels.scoring import Batch, BatchScorer, Products, Scorer
from kernels.sentence_graphs import SentenceGraph
from kernels.validation import check_fitted, check_graphs, clone_map


class WordClusters:
    """Which cluster a word belongs to.

    Parameters
    ----------
    clusters
        The name of each cluster by lower-cased word.

    >>> clusters = WordClusters({"binds": "c1", "interacts": "c1"})
    >>> clusters.of("Binds"), clusters.of("Smad3")
    ('c1', 'smad3')
    """

    def __init__(self, clusters: Mapping[str, str]) -> None:
        for word, name in clusters.items():
            if not isinstance(word, str) or word != word.lower() or not isinstance(name, str) or " " in name:
                raise ParameterError(
                    f"expected clusters by lower-cased word, with names without spaces, got {word!r}: {name!r}"
                )
        self._clusters = dict(clusters)

    def of(self, word: str) -> str:
        """The cluster's name, or the word itself, lower-cased."""
        lower = word.lower()
        return self._clusters.get(lower, lower)

    def __len__(self) -> int:
        return len(self._clusters)

    def __deepcopy__(self, memo: dict[int, Any]) -> WordClusters:
        return self  # nothing in it changes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordClusters) and self._clusters == other._clusters

    def __hash__(self) -> int:
        return hash(self._digest())

    def __repr__(self) -> str:
        return f"<WordClusters of {len(self)} words, {self._digest()}>"

    def _digest(self) -> str:
        lines = "\n".join(f"{word} {name}" for word, name in sorted(self._clusters.items()))
        return blake2b(lines.encode(), digest_size=6).hexdigest()


class ClusteredFeatures(BaseFeatureMap):
    """Another map's features, of candidates whose tokens have clusters for lemmas.

    Parameters
    ----------
    features
        A map of candidate graphs that takes lemmas, such as ``ContextFeatures(kinds=("lemma",))``.
    clusters
        Which cluster a word belongs to.

    Attributes
    ----------
    map_ : the fitted map.

    Examples
    --------
    >>> import corpora
    >>> from kernels import ContextFeatures, candidate_graphs
    >>> graphs = candidate_graphs(corpora.load("sample"))
    >>> words = ClusteredFeatures(ContextFeatures(kinds=("lemma",)), WordClusters({"binds": "c1", "interacts": "c1"}))
    >>> X = words.fit_transform(graphs)
    >>> any("c1" in name for name in words.get_feature_names_out())
    True
    """

    def __init__(self, features: FeatureMap[CandidateGraph], clusters: WordClusters) -> None:
        self.features = features
        self.clusters = clusters

    def fit(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> Self:
        """Fit a clone of the map."""
        self.fit_transform(graphs)
        return self

    def fit_transform(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> sp.csr_matrix:
        """Fit a clone of the map and give the features of ``graphs``."""
        self.map_: FeatureMap[CandidateGraph] = clone_map(self.features)
        return self.map_.fit_transform(apply_clusters(check_graphs(graphs), self.clusters))

    def transform(self, graphs: Iterable[CandidateGraph]) -> sp.csr_matrix:
        """The map's features."""
        return self._get_map().transform(apply_clusters(check_graphs(graphs), self.clusters))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The map's names, with clusters for words."""
        return self._get_map().get_feature_names_out()

    @property
    def width(self) -> int:
        """The number of columns."""
        return self._get_map().width

    @property
    def n_scaled_(self) -> int:  # type: ignore[override]
        """Graphs that the map scaled in the last ``fit_transform`` or ``transform``."""
        return self._get_map().n_scaled_

    def squared_lengths(self, graphs: Iterable[CandidateGraph]) -> NDArray[np.float64]:
        """||x||^2 over all features of each graph."""
        return self._get_map().squared_lengths(apply_clusters(check_graphs(graphs), self.clusters))

    def attribute(self, graph: CandidateGraph, weights: ArrayLike) -> list[Contribution]:
        """Which vertices give how much of ``transform([graph]) @ weights``."""
        return self._get_map().attribute(apply_clusters([graph], self.clusters)[0], weights)

    def scorer(self, weights: ArrayLike) -> Scorer:
        """The map's own scorer, of candidates with clusters."""
        return _ClusteredScorer(self, weights)

    def restrict(self, keep: ArrayLike) -> Restricted:
        """The map with only some of its columns."""
        inner, columns = self._get_map().restrict(keep)
        smaller = clone_map(self)
        smaller.map_ = inner
        return Restricted(smaller, columns)

    def state(self) -> dict[str, Any]:
        """The map's state; which words are in which cluster is a parameter, not part of it."""
        return self._get_map().state()

    def restore(self, state: dict[str, Any]) -> Self:
        """Give a clone of the map its state."""
        self.map_ = clone_map(self.features).restore(state)
        return self

    def _get_map(self) -> FeatureMap[CandidateGraph]:
        check_fitted(self, "map_")
        return self.map_


class _ClusteredScorer(BatchScorer):
    def __init__(self, features: ClusteredFeatures, weights: ArrayLike) -> None:
        super().__init__(weights, features.width)
        self._clusters = features.clusters
        self._scorer = features.map_.scorer(self.weights)

    def products(self, batch: Batch) -> Products:
        return self._scorer.products(Batch(apply_clusters(batch.graphs, self._clusters)))


def apply_clusters(graphs: Sequence[CandidateGraph], clusters: WordClusters) -> list[CandidateGraph]:
    """The candidates with clusters for lemmas; those of one sentence still share it."""
    bases: dict[int, SentenceGraph] = {}
    for graph in graphs:
        if id(graph.base) not in bases:
            tokens = tuple(replace(token, lemma=clusters.of(token.text)) for token in graph.base.tokens)
            bases[id(graph.base)] = replace(graph.base, tokens=tokens)
    return [replace(graph, base=bases[id(graph.base)]) for graph in graphs]
