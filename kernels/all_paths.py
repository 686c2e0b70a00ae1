"""The all-paths graph kernel as explicit sparse features [Airola2008, "The all-paths graph kernel"].

    W = (I - A)^-1 - I        summed weights of all walks between two vertices
    G_ij = sum_kl L_ik W_kl L_jl     (``variant="sum"``, the article's definition)
    G_ij = max_kl L_ik W_kl L_jl     (``variant="max"``, the erratum: what the published figures used)
    k(G, G') = sum_ij G_ij G'_ij

A feature is a pair of labels (i, j) that a walk joins, its value G_ij; the kernel is the inner product of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from kernels.attribution import Contribution, attribute_walks, converges, spectral_radius
from kernels.candidates import CandidateGraph
from kernels.errors import DivergenceError, ParameterError
from kernels.feature_map import BaseFeatureMap, Restricted
from kernels.labels import LABEL_KINDS, Label, LabelIndex
from kernels.scoring import Batch, Scorer
from kernels.validation import (
    check_choice,
    check_fitted,
    check_graphs,
    check_n_features,
    check_number,
    check_subset,
    check_weights,
    clone_map,
    select_columns,
)
from kernels.vocabulary import (
    PairVocabulary,
    hash_columns,
    join_keys,
    label_hashes,
    restore_pairs,
    restrict_pairs,
    split_keys,
)
from kernels.walk_rows import AllPathsScorer, walk_rows


class AllPathsFeatures(BaseFeatureMap):
    """Label-pair features of candidate graphs, the all-paths graph kernel in explicit form.

    With t tokens and a arcs a candidate costs O((t + a)^2) when its parse is acyclic, plus the cube of the size of
    each cycle's component; the memory is 12 bytes per non-zero.

    Parameters
    ----------
    variant
        ``"max"`` or ``"sum"``, as above.
    in_path_weight, other_weight
        Weight of a dependency edge on, and off, the shortest paths, from 0 to 1.
    linear_weight
        Weight of an edge between neighbouring words, from 0 to 1.
    labels
        Which of ``"text"``, ``"lemma"``, ``"pos"``, ``"dependency"`` label the vertices.  A token without a lemma
        is labelled with its lower-cased text, one without a part of speech has no such label.
    blind_pos
        Whether the part of speech of entity tokens is hidden as their text is.
    mark_path, mark_place
        Whether labels in the dependency subgraph tell what is on the path, and labels in the linear one what is
        before, in the middle and after.
    min_weight
        Entries of W below this are taken as 0.  If N entries are cut from the G of one candidate, then for ``max``
        ||G - G_cut|| <= min_weight sqrt(N); for ``sum``, with N terms L_ik W_kl L_jl cut, <= min_weight N.
        A kernel value moves by at most ||G - G_cut|| ||G'|| + ||G_cut|| ||G' - G'_cut||.
    on_divergence
        For a graph whose spectral radius is 1 or more: ``"error"``, or ``"scale"`` its dependency weights
        down to the radius ``scaled_radius``; ``n_scaled_`` counts these in the last call.
    scaled_radius
        See ``on_divergence``.
    n_features
        None: a vocabulary is fitted, and unknown label pairs are left out by ``transform``.  A power of 2: pairs
        are hashed into that many columns with a hash that never changes, nothing needs fitting, and pairs that
        collide share a column; the sign of a pair is also hashed, so that kernel values are right on average.

    Attributes
    ----------
    n_features_ : int
        Number of columns of a fitted vocabulary.
    n_scaled_ : int
        Graphs that were scaled in the last ``fit_transform`` or ``transform``.
    """

    def __init__(
        self,
        *,
        variant: str = "max",
        in_path_weight: float = 0.9,
        other_weight: float = 0.3,
        linear_weight: float = 0.9,
        labels: Sequence[str] = ("text", "pos", "dependency"),
        blind_pos: bool = False,
        mark_path: bool = True,
        mark_place: bool = True,
        min_weight: float = 0.0,
        on_divergence: str = "error",
        scaled_radius: float = 0.95,
        n_features: int | None = None,
    ) -> None:
        self.variant = variant
        self.in_path_weight = in_path_weight
        self.other_weight = other_weight
        self.linear_weight = linear_weight
        self.labels = labels
        self.blind_pos = blind_pos
        self.mark_path = mark_path
        self.mark_place = mark_place
        self.min_weight = min_weight
        self.on_divergence = on_divergence
        self.scaled_radius = scaled_radius
        self.n_features = n_features

    def fit(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> Self:
        """Learn the vocabulary; hashed features only have their parameters checked."""
        if self.n_features is None:
            self.fit_transform(graphs)
        else:
            self._validate()
        return self

    def fit_transform(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> sp.csr_matrix:
        """The features of ``graphs`` over the vocabulary of all their label pairs."""
        self._validate()
        if self.n_features is not None:
            return self.transform(graphs)
        self._index, self._vocabulary = LabelIndex(), PairVocabulary()
        features = self._rows(check_graphs(graphs), grow=True)
        self.n_features_ = len(self._vocabulary)
        return features

    def transform(self, graphs: Iterable[CandidateGraph]) -> sp.csr_matrix:
        """One row of features per graph (CSR, float64; columns of a row are in no particular order)."""
        self._validate()
        check_fitted(self)
        return self._rows(check_graphs(graphs), grow=False)

    def feature_labels(self, column: int) -> tuple[Label, Label]:
        """The pair of labels that a column of the fitted vocabulary stands for."""
        source, target = self._get_vocabulary().pair(column)
        return self._index.label(source), self._index.label(target)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """A readable name for each column, ``"text:binds@IP -> role:PROT2@IP"``."""
        sources, targets = split_keys(self._get_vocabulary().keys)
        used = np.unique(np.concatenate([sources, targets])).tolist()
        name = {number: str(self._index.label(number)) for number in used}
        pairs = zip(sources.tolist(), targets.tolist())
        return np.array([f"{name[source]} -> {name[target]}" for source, target in pairs], dtype=object)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self._get_vocabulary()) if self.n_features is None else self.n_features

    def attribute(self, graph: CandidateGraph, weights: ArrayLike) -> list[Contribution]:
        """Which vertices of ``graph`` give how much of the score ``transform([graph]) @ weights``.

        The contributions sum to the score.  For ``max``, a label pair belongs to the vertex pair that attains
        the maximum, the first one in vertex order if several do.  Largest magnitude first; zero ones left out.
        """
        self._validate()
        check_fitted(self)
        return attribute_walks(self, graph, check_weights(np.ravel(weights), self.width))

    def pair_columns(
        self, labels: Sequence[Label], sources: NDArray[np.int64], targets: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Column (-1: not in the vocabulary) and sign of each pair of labels, given by their places in ``labels``."""
        if self.n_features is not None:
            return hash_columns(join_keys(sources, targets), label_hashes(labels), self.n_features)
        numbers = np.array([self._index.label_number(label) for label in labels], dtype=np.int64)
        first, second = numbers[sources], numbers[targets]
        columns = self._vocabulary.columns(join_keys(np.maximum(first, 0), np.maximum(second, 0)), grow=False)
        columns[(first < 0) | (second < 0)] = -1
        return columns, np.ones(len(columns))

    def scorer(self, weights: ArrayLike) -> Scorer:
        """One look-up per distinct label pair of a batch; hashed features go by the definition."""
        if self.n_features is not None:
            return super().scorer(weights)
        vocabulary = self._get_vocabulary()
        return AllPathsScorer(self, self._index, vocabulary, weights)

    def restrict(self, keep: ArrayLike) -> Restricted:
        """The fitted map with only some columns, in the order of their keys, which packs best.

        Labels that no pair uses any more are forgotten.
        """
        state = self.state()
        bases, keys, columns = restrict_pairs(state["bases"], state["keys"], select_columns(keep, self.width))
        return Restricted(clone_map(self).restore({"bases": bases, "keys": keys}), columns)

    def state(self) -> dict[str, Any]:
        """The fitted vocabulary as plain values: ``bases``, a list of [kind, text], and ``keys``, uint64."""
        keys = self._get_vocabulary().keys
        return {"bases": [list(base) for base in self._index.bases], "keys": keys}

    def restore(self, state: dict[str, Any]) -> Self:
        """Take the vocabulary that :meth:`state` gave."""
        self._index, self._vocabulary = restore_pairs(state)
        self.n_features_ = len(self._vocabulary)
        return self

    def _get_vocabulary(self) -> PairVocabulary:
        if self.n_features is not None:
            raise ParameterError(
                f"expected a fitted vocabulary, got hashed features (n_features={self.n_features}), whose columns "
                "have no names; use n_features=None, or attribute(), which names them for one graph"
            )
        check_fitted(self, "n_features_")
        return self._vocabulary

    def _rows(self, graphs: list[CandidateGraph], *, grow: bool) -> sp.csr_matrix:
        """The feature matrix; hashed features first get a vocabulary, so that each label pair is hashed once."""
        hashed = self.n_features is not None
        index = LabelIndex() if hashed else self._index
        vocabulary = PairVocabulary() if hashed else self._vocabulary
        rows = walk_rows(self, Batch(graphs), index, vocabulary, grow=grow or hashed)
        self.n_scaled_ = rows.n_scaled
        if self.n_features is None:
            return sp.csr_matrix((rows.values, rows.columns, rows.indptr), shape=(len(graphs), len(vocabulary)))
        column_of, sign_of = hash_columns(vocabulary.keys, index.hashes(), self.n_features)
        parts = (rows.values * sign_of[rows.columns], column_of[rows.columns], rows.indptr)
        features = sp.csr_matrix(parts, shape=(len(graphs), self.n_features))
        features.sum_duplicates()  # label pairs that collide within one candidate
        return features

    def divergence_scale(self, graph: CandidateGraph) -> float:
        """What multiplies the dependency weights of ``graph``: 1 if its sum over walks converges.

        Raises
        ------
        DivergenceError
            If it does not and ``on_divergence`` is ``"error"``.
        """
        weights = np.where(graph.arc_on_path, float(self.in_path_weight), float(self.other_weight))
        if converges(graph, weights):
            return 1.0
        radius = spectral_radius(graph, weights)
        if self.on_divergence == "error":
            raise DivergenceError(
                f"expected a spectral radius below 1, got {radius:.6g} in the graph of pair {graph.pair.id!r} "
                f"(sentence {graph.sentence.id!r}); lower in_path_weight={self.in_path_weight!r} and "
                f'other_weight={self.other_weight!r}, or use on_divergence="scale"'
            )
        scale = float(self.scaled_radius) / max(radius, 1.0)
        while not converges(graph, scale * weights):  # a radius that rounding made too small
            scale *= 0.5
        return scale

    def _validate(self) -> None:
        check_choice("variant", self.variant, ("max", "sum"))
        check_choice("on_divergence", self.on_divergence, ("error", "scale"))
        for name in ("in_path_weight", "other_weight", "linear_weight", "min_weight"):
            check_number(name, getattr(self, name), maximum=1.0)
        if not (isinstance(self.scaled_radius, Real) and 0 < self.scaled_radius < 1):
            raise ParameterError(f"expected scaled_radius between 0 and 1, got {self.scaled_radius!r}")
        check_subset("labels", self.labels, LABEL_KINDS)
        check_n_features(self.n_features)

    def __sklearn_is_fitted__(self) -> bool:
        return self.n_features is not None or hasattr(self, "n_features_")
