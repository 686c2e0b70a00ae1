"""Several feature maps side by side, and sums, products and cosines of kernels given as explicit features.

    <[sqrt(a) X, sqrt(b) Z]_i, [...]_j> = a k_X + b k_Z          stack
    x (x) z, all products of two features                        multiply:  k_X k_Z
    x / ||x||                                                    normalize: cosine

A row of zeros stays a row of zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from kernels.attribution import Contribution, sort_contributions
from kernels.candidates import CandidateGraph
from kernels.errors import ParameterError, ShapeError, StateError
from kernels.feature_map import BaseFeatureMap, FeatureMap, Restricted, check_feature_map
from kernels.scoring import Batch, BatchScorer, Products, Scorer
from kernels.validation import (
    check_fitted,
    check_graphs,
    check_matrix,
    check_number,
    check_weights,
    clone_map,
    inverse_root,
    select_columns,
    squared_lengths,
    state_field,
)

#: Which candidates have the features of a part of :class:`CombinedFeatures`.
POLARITIES = ("any", "affirmed", "denied")


def normalize_features(X: Any) -> sp.csr_matrix:
    """Rows scaled to length 1, the cosine kernel; zero rows stay zero."""
    X = sp.csr_matrix(check_matrix("X", X))
    return sp.csr_matrix(sp.diags_array(inverse_root(squared_lengths(X))) @ X)


def stack_features(parts: Iterable[Any], *, weights: Sequence[float] | None = None) -> sp.csr_matrix:
    """Features of the kernel sum_i weights_i k_i: columns side by side, scaled by the roots of the weights."""
    matrices = [sp.csr_matrix(check_matrix("a part", X)) for X in parts]
    factors = [1.0] * len(matrices) if weights is None else list(weights)
    if len(factors) != len(matrices) or not matrices or len({X.shape[0] for X in matrices}) != 1:
        raise ShapeError(
            "expected parts with equal numbers of rows and one weight each, "
            f"got rows {[X.shape[0] for X in matrices]} and weights {factors}"
        )
    for factor in factors:
        check_number("weights", factor)
    return sp.hstack([sqrt(factor) * X for factor, X in zip(factors, matrices)], format="csr")


def multiply_features(X: Any, Z: Any) -> sp.csr_matrix:
    """Features of the kernel k_X k_Z: in each row all products of a feature of X with one of Z.

    The columns are those of X times those of Z, the non-zeros of a row the product of the two rows' non-zeros: for
    large rows, multiply the Gram matrices instead.
    """
    X, Z = sp.csr_matrix(check_matrix("X", X)), sp.csr_matrix(check_matrix("Z", Z))
    if X.shape[0] != Z.shape[0]:
        raise ShapeError(f"expected equal numbers of rows, got shapes {X.shape} and {Z.shape}")
    rows = [sp.kron(X[i], Z[i], format="csr") for i in range(X.shape[0])]
    empty = sp.csr_matrix((0, X.shape[1] * Z.shape[1]))
    return sp.vstack(rows, format="csr") if rows else empty


class CombinedFeatures(BaseFeatureMap):
    """Several feature maps of candidate graphs side by side: the kernel sum_i weight_i k_i.

    Parameters
    ----------
    parts
        (name, feature map) pairs, for example ``[("paths", AllPathsFeatures()), ("context", ContextFeatures())]``.
    weights
        One number of 0 or more for each part; None is all 1.
    normalize
        Whether the rows of each part are scaled to length 1 first, so that the parts weigh the same.  The length
        counts all features of a candidate, also those that the vocabulary does not know, so that the kernel between
        two candidates does not depend on what the map was fitted on; this costs a second pass in ``transform``.
    polarity
        For each part whose features it gives: of ``"any"`` candidate, or only of ``"affirmed"`` or ``"denied"`` ones
        (:attr:`CandidateGraph.denials`); the rows of the others are zero.  None is any, for all parts.  A part given
        twice, of affirmed and of denied ones, is the kernel k(x, x') [denied(x) = denied(x')].

    Attributes
    ----------
    maps_ : list of (name, fitted map)
    widths_ : the number of columns of each.
    """

    def __init__(
        self,
        parts: Sequence[tuple[str, FeatureMap[CandidateGraph]]],
        *,
        weights: Sequence[float] | None = None,
        normalize: bool = True,
        polarity: Sequence[str] | None = None,
    ) -> None:
        self.parts = parts
        self.weights = weights
        self.normalize = normalize
        self.polarity = polarity

    def fit(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> Self:
        """Fit a clone of every part."""
        self.fit_transform(graphs)
        return self

    def fit_transform(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> sp.csr_matrix:
        """Fit the parts and give the features of ``graphs``."""
        graphs = check_graphs(graphs)
        maps = self._fresh_maps()
        matrices = []
        for (_, part), rows in zip(maps, self.members(graphs)):
            X = part.fit_transform([graphs[row] for row in rows])
            matrices.append(_place_rows(normalize_features(X) if self.normalize else X, rows, len(graphs)))
        self._set_maps(maps)
        return self._join(matrices)

    def transform(self, graphs: Iterable[CandidateGraph]) -> sp.csr_matrix:
        """The parts' features, normalized and weighted, side by side."""
        check_fitted(self, "maps_")
        graphs = check_graphs(graphs)
        matrices = []
        for (_, part), rows in zip(self.maps_, self.members(graphs)):
            members = [graphs[row] for row in rows]
            X = part.transform(members)
            if self.normalize:
                X = sp.diags_array(inverse_root(part.squared_lengths(members))) @ X
            matrices.append(_place_rows(sp.csr_matrix(X), rows, len(graphs)))
        return self._join(matrices)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The parts' names, each with the name of its part in front."""
        check_fitted(self, "maps_")
        names = [f"{name}: {feature}" for name, part in self.maps_ for feature in part.get_feature_names_out()]
        return np.array(names, dtype=object)

    @property
    def width(self) -> int:
        """The number of columns of all parts together."""
        check_fitted(self, "maps_")
        return sum(self.widths_)

    @property
    def n_scaled_(self) -> int:  # type: ignore[override]
        """Graphs that the parts scaled in the last ``fit_transform`` or ``transform``."""
        check_fitted(self, "maps_")
        return sum(part.n_scaled_ for _, part in self.maps_)

    def attribute(self, graph: CandidateGraph, weights: ArrayLike) -> list[Contribution]:
        """Which vertices give how much of ``transform([graph]) @ weights``; they sum to it."""
        coefficients = check_weights(np.ravel(weights), self.width)
        contributions: list[Contribution] = []
        start = 0
        for (name, part), width, factor, rows in zip(self.maps_, self.widths_, self.roots(), self.members([graph])):
            if len(rows):
                if self.normalize:
                    factor = factor * float(inverse_root(part.squared_lengths([graph]))[0])
                # what is found is scaled, not all weights: a candidate has thousands of features, a model millions
                contributions.extend(
                    Contribution(factor * value, f"{name}: {feature}", start + column, vertices)
                    for value, feature, column, vertices in part.attribute(graph, coefficients[start : start + width])
                )
            start += width
        return sort_contributions(contributions)

    def scorer(self, weights: ArrayLike) -> Scorer:
        """The parts' own scorers, put together."""
        return CombinedScorer(self, weights)

    def restrict(self, keep: ArrayLike) -> Restricted:
        """The parts with only some of their columns, each in its own order; normalized as before."""
        columns, maps, kept, start = select_columns(keep, self.width), [], [], 0
        for (name, part), width in zip(self.maps_, self.widths_):
            part_mask = np.zeros(width, dtype=bool)
            part_mask[columns[(columns >= start) & (columns < start + width)] - start] = True
            smaller, inside = part.restrict(part_mask)
            maps.append((name, smaller))
            kept.append(start + inside)
            start += width
        smaller = clone_map(self)
        smaller._set_maps(maps)
        return Restricted(smaller, np.concatenate(kept))

    def state(self) -> dict[str, Any]:
        """The states of the parts, by name."""
        check_fitted(self, "maps_")
        return {name: part.state() for name, part in self.maps_}

    def restore(self, state: dict[str, Any]) -> Self:
        """Give each part the state that :meth:`state` had for it."""
        maps = self._fresh_maps()
        for name, part in maps:
            try:
                part.restore(state_field(state, name))
            except StateError as error:
                raise (error.within(name) if name in state else error) from None
        self._set_maps(maps)
        return self

    def roots(self) -> list[float]:
        """What multiplies the features of each part: the square root of its weight."""
        factors = [1.0] * len(self.parts) if self.weights is None else list(self.weights)
        if len(factors) != len(self.parts) or not factors:
            raise ParameterError(f"expected one weight for each of {len(self.parts)} parts, got {self.weights!r}")
        for factor in factors:
            check_number("weights", factor)
        return [sqrt(factor) for factor in factors]

    def members(self, graphs: Sequence[CandidateGraph]) -> list[NDArray[np.intp]]:
        """For each part the places of the candidates that have its features; parts of one polarity share an array."""
        everything = np.arange(len(graphs))
        if self.polarity is None:
            return [everything] * len(self.parts)
        if len(self.polarity) != len(self.parts) or not set(self.polarity) <= set(POLARITIES):
            raise ParameterError(
                f"expected one of {list(POLARITIES)} for each of {len(self.parts)} parts, got {self.polarity!r}"
            )
        denied = np.array([bool(graph.denials) for graph in graphs], dtype=bool)
        rows_by_polarity = {"any": everything, "affirmed": np.flatnonzero(~denied), "denied": np.flatnonzero(denied)}
        return [rows_by_polarity[polarity] for polarity in self.polarity]

    def _fresh_maps(self) -> list[tuple[str, Any]]:
        names = [name for name, _ in self.parts]
        if len(set(names)) < len(names):
            raise ParameterError(f"expected a name of its own for each part, got {names}")
        for name, part in self.parts:
            check_feature_map(name, part)
        return [(name, clone_map(part)) for name, part in self.parts]

    def _set_maps(self, maps: list[tuple[str, Any]]) -> None:
        self.maps_ = maps
        self.widths_ = [part.width for _, part in maps]

    def _join(self, matrices: list[sp.csr_matrix]) -> sp.csr_matrix:
        return sp.hstack([root * X for root, X in zip(self.roots(), matrices)], format="csr")


class CombinedScorer(BatchScorer):
    """sum_parts root_part <w_part, x> / ||x||, or without the lengths if the map does not normalize."""

    def __init__(self, features: CombinedFeatures, weights: ArrayLike) -> None:
        super().__init__(weights, features.width)
        self._features = features
        self._roots = features.roots()
        ends = np.cumsum(features.widths_)
        self._scorers = [
            part.scorer(self.weights[end - width : end])
            for (_, part), width, end in zip(features.maps_, features.widths_, ends)
        ]

    def products(self, batch: Batch) -> Products:
        """Each part scores the candidates that have its features; parts of the same candidates share one batch."""
        scores, squares = np.zeros((len(batch), self.weights.shape[1])), np.zeros(len(batch))
        batches: dict[int, Batch] = {}
        for root, scorer, members in zip(self._roots, self._scorers, self._features.members(batch.graphs)):
            if not len(members):
                continue
            if id(members) not in batches:
                batches[id(members)] = batch.subset(members)
            part = scorer.products(batches[id(members)])
            if self._features.normalize:
                # <w, root x / ||x||>; a row scaled to length 1 adds root^2 to the squared length, a row of zeros none
                scores[members] += root * (part.products * inverse_root(part.squares)[:, None])
                squares[members] += root**2 * (part.squares > 0)
            else:
                scores[members] += root * part.products
                squares[members] += root**2 * part.squares
        return Products(scores, squares)


def _place_rows(X: sp.csr_matrix, rows: NDArray[np.intp], n_rows: int) -> sp.csr_matrix:
    """The rows of ``X`` at the places ``rows``, which ascend, among rows of zeros."""
    lengths = np.zeros(n_rows, dtype=X.indptr.dtype)
    lengths[rows] = np.diff(X.indptr)
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(X.indptr.dtype)
    return sp.csr_matrix((X.data, X.indices, indptr), shape=(n_rows, X.shape[1]))
