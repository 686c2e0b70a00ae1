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
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kernels._all_paths import append_rows
from kernels.attribution import Contribution, attribute_walks, converges, spectral_radius
from kernels.candidates import CandidateGraph
from kernels.encoding import LABEL_KINDS, EncodedGraphs, encode
from kernels.errors import DivergenceError, ParameterError, ShapeError
from kernels.labels import Label, LabelIndex
from kernels.validation import check_choice, check_n_features, check_number, check_some, checked_graphs
from kernels.vocabulary import PairVocabulary, hashed_columns


class AllPathsFeatures(TransformerMixin, BaseEstimator):
    """Label-pair features of candidate graphs, the all-paths graph kernel in explicit form.

    With t tokens and a arcs a candidate costs O((t + a)^2) when its parse is acyclic, plus the cube of the size of
    each cycle's component; the memory is 12 bytes a non-zero.

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

    def fit(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> AllPathsFeatures:
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
        features = self._rows(checked_graphs(graphs), grow=True)
        self.n_features_ = len(self._vocabulary)
        return features

    def transform(self, graphs: Iterable[CandidateGraph]) -> sp.csr_matrix:
        """One row of features a graph (CSR, float64; columns of a row are in no particular order)."""
        self._validate()
        check_is_fitted(self)
        return self._rows(checked_graphs(graphs), grow=False)

    def feature_labels(self, column: int) -> tuple[Label, Label]:
        """The pair of labels that a column of the fitted vocabulary stands for."""
        source, target = self._fitted_vocabulary().pair(column)
        return self._index.label(source), self._index.label(target)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """A readable name for each column, ``"text:binds@IP -> role:PROT2@IP"``."""
        keys = self._fitted_vocabulary().keys
        used = np.unique(np.concatenate([keys >> np.uint64(32), keys & np.uint64(0xFFFFFFFF)]))
        name = {int(number): str(self._index.label(int(number))) for number in used}
        return np.array([f"{name[int(k) >> 32]} -> {name[int(k) & 0xFFFFFFFF]}" for k in keys], dtype=object)

    def attribute(self, graph: CandidateGraph, weights: ArrayLike) -> list[Contribution]:
        """Which vertices of ``graph`` give how much of the score ``transform([graph]) @ weights``.

        The contributions sum to the score.  For ``max``, a label pair belongs to the vertex pair that attains
        the maximum, the first one in vertex order if several do.  Largest magnitude first; zero ones left out.
        """
        self._validate()
        check_is_fitted(self)
        coefficients = np.asarray(weights, dtype=np.float64).ravel()
        expected = self.n_features_ if self.n_features is None else self.n_features
        if len(coefficients) != expected:
            raise ShapeError(
                f"expected one weight for each of the {expected} features, got {len(coefficients)}; "
                "pass the coefficients of a model trained on these features"
            )
        return attribute_walks(self, graph, coefficients)

    def state(self) -> dict[str, Any]:
        """The fitted vocabulary as plain values: ``bases``, a list of [kind, text], and ``keys``, uint64."""
        keys = self._fitted_vocabulary().keys
        return {"bases": [list(base) for base in self._index.bases], "keys": keys}

    def restore(self, state: dict[str, Any]) -> AllPathsFeatures:
        """Take the vocabulary that :meth:`state` gave."""
        self._index = LabelIndex([(kind, text) for kind, text in state["bases"]])
        keys = np.asarray(state["keys"], dtype=np.uint64)
        highest = max(int((keys >> np.uint64(32)).max(initial=0)), int((keys & np.uint64(0xFFFFFFFF)).max(initial=0)))
        if highest >= 6 * len(self._index):
            raise ShapeError(
                f"expected label numbers below {6 * len(self._index)} in the vocabulary, got {highest}; "
                "pass the state of one fitted map, unchanged"
            )
        self._vocabulary = PairVocabulary(keys)
        self.n_features_ = len(self._vocabulary)
        return self

    def _fitted_vocabulary(self) -> PairVocabulary:
        if self.n_features is not None:
            raise ParameterError(
                f"expected a fitted vocabulary, got hashed features (n_features={self.n_features}), whose columns "
                "have no names; use n_features=None, or attribute(), which names them for one graph"
            )
        check_is_fitted(self, "n_features_")
        return self._vocabulary

    def _rows(self, graphs: list[CandidateGraph], *, grow: bool) -> sp.csr_matrix:
        hashed = self.n_features is not None
        index = LabelIndex() if hashed else self._index
        vocabulary = PairVocabulary() if hashed else self._vocabulary
        encoded = encode(graphs, index, self.labels, grow=grow or hashed)
        indptr, columns, values = self._compute(graphs, encoded, len(index), vocabulary, grow=grow or hashed)
        n_columns = len(vocabulary)
        if self.n_features is not None:  # each distinct label pair is hashed once
            n_columns = self.n_features
            column_of, sign_of = hashed_columns(vocabulary.keys, index.hashes(), n_columns)
            values *= sign_of[columns]
            columns = column_of[columns]
        if not np.isfinite(values).all():
            raise ParameterError(
                f"expected finite sums over walks, got overflow with in_path_weight={self.in_path_weight!r} and "
                f"other_weight={self.other_weight!r}; use smaller weights"
            )
        features = sp.csr_matrix((values, columns, indptr), shape=(len(graphs), n_columns))
        if hashed:
            features.sum_duplicates()  # label pairs that collide within one candidate
        return features

    def _compute(
        self,
        graphs: list[CandidateGraph],
        encoded: EncodedGraphs,
        n_bases: int,
        vocabulary: PairVocabulary,
        *,
        grow: bool,
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """CSR arrays; room for rows and keys grows as needed, graphs that diverge are scaled or refused."""
        scale = np.ones(len(graphs))
        indptr = np.zeros(len(graphs) + 1, np.int64)
        guess = sum(2 * graph.base.n_tokens**2 + 256 for graph in graphs)  # memory not written to is not used
        columns, values = np.empty(guess, np.int32), np.empty(guess)
        done = self.n_scaled_ = 0
        while done < len(graphs):
            done, vocabulary.n_keys, needed = append_rows(
                encoded.sentences,
                (*encoded.pairs, scale),
                done,
                n_bases,
                (
                    float(self.in_path_weight),
                    float(self.other_weight),
                    float(self.linear_weight),
                    float(self.min_weight),
                    self.variant == "max",
                ),
                (bool(self.blind_pos), bool(self.mark_path), bool(self.mark_place)),
                (vocabulary.table, vocabulary.room, vocabulary.n_keys, grow),
                (indptr, columns, values),
            )
            if needed:
                if indptr[done] + needed > len(columns):
                    size = max(indptr[done] + needed, 5 * len(columns) // 4)
                    columns.resize(size, refcheck=False)  # in place where the system can, without a second copy
                    values.resize(size, refcheck=False)
                if grow:
                    vocabulary.reserve(max(needed, 1 << 16))
            elif done < len(graphs):
                scale[done] = self.divergence_scale(graphs[done])
                self.n_scaled_ += 1
        columns.resize(indptr[-1], refcheck=False)
        values.resize(indptr[-1], refcheck=False)
        return indptr, columns, values

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
            check_number(name, getattr(self, name), most=1.0)
        if not (isinstance(self.scaled_radius, Real) and 0 < self.scaled_radius < 1):
            raise ParameterError(f"expected scaled_radius between 0 and 1, got {self.scaled_radius!r}")
        check_some("labels", self.labels, LABEL_KINDS)
        check_n_features(self.n_features)

    def __sklearn_is_fitted__(self) -> bool:
        return self.n_features is not None or hasattr(self, "n_features_")
