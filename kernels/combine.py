"""Sums, products and cosines of kernels that are given as explicit features or as Gram matrices.

    <[sqrt(a) X, sqrt(b) Z]_i, [...]_j> = a k_X + b k_Z          stack
    x (x) z, all products of two features                        multiply:  k_X k_Z
    x / ||x||                                                    normalize: cosine

A row of zeros stays a row of zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from kernels.attribution import Contribution
from kernels.candidates import CandidateGraph
from kernels.errors import ParameterError, ShapeError
from kernels.gram import checked_matrix
from kernels.negation import denials
from kernels.validation import check_number, checked_graphs
from kernels.vector import LinearKernel, inverse_root

#: Which candidates have the features of a part of :class:`CombinedFeatures`.
POLARITIES = ("any", "affirmed", "denied")


def normalize_features(X: Any) -> sp.csr_matrix:
    """Rows scaled to length 1, the cosine kernel; zero rows stay zero."""
    X = sp.csr_matrix(checked_matrix("X", X))
    return sp.csr_matrix(sp.diags_array(inverse_root(LinearKernel().diag(X))) @ X)


def stack_features(parts: Iterable[Any], *, weights: Sequence[float] | None = None) -> sp.csr_matrix:
    """Features of the kernel sum_i weights_i k_i: columns side by side, scaled by the roots of the weights."""
    matrices = [sp.csr_matrix(checked_matrix("a part", X)) for X in parts]
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
    X, Z = sp.csr_matrix(checked_matrix("X", X)), sp.csr_matrix(checked_matrix("Z", Z))
    if X.shape[0] != Z.shape[0]:
        raise ShapeError(f"expected equal numbers of rows, got shapes {X.shape} and {Z.shape}")
    rows = [sp.kron(X[i], Z[i], format="csr") for i in range(X.shape[0])]
    empty = sp.csr_matrix((0, X.shape[1] * Z.shape[1]))
    return sp.vstack(rows, format="csr") if rows else empty


class CombinedFeatures(TransformerMixin, BaseEstimator):
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
        (:func:`~kernels.negation.denials`); the rows of the others are zero.  None is any, for all parts.  A part given
        twice, of affirmed and of denied ones, is the kernel k(x, x') [denied(x) = denied(x')].

    Attributes
    ----------
    maps_ : list of (name, fitted map)
    widths_ : the number of columns of each.
    """

    def __init__(
        self,
        parts: Sequence[tuple[str, Any]],
        *,
        weights: Sequence[float] | None = None,
        normalize: bool = True,
        polarity: Sequence[str] | None = None,
    ) -> None:
        self.parts = parts
        self.weights = weights
        self.normalize = normalize
        self.polarity = polarity

    def fit(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> CombinedFeatures:
        """Fit a clone of every part."""
        self.fit_transform(graphs)
        return self

    def fit_transform(self, graphs: Iterable[CandidateGraph], y: ArrayLike | None = None) -> sp.csr_matrix:
        """Fit the parts and give the features of ``graphs``."""
        graphs = checked_graphs(graphs)
        self.maps_ = [(name, clone(part)) for name, part in self.parts]
        found = []
        for (_, part), rows in zip(self.maps_, self._rows(graphs)):
            X = part.fit_transform([graphs[row] for row in rows])
            found.append(_spread(normalize_features(X) if self.normalize else X, rows, len(graphs)))
        self.widths_ = [X.shape[1] for X in found]
        return self._join(found)

    def transform(self, graphs: Iterable[CandidateGraph]) -> sp.csr_matrix:
        """The parts' features, normalized and weighted, side by side."""
        check_is_fitted(self, "maps_")
        graphs = checked_graphs(graphs)
        found = []
        for (_, part), rows in zip(self.maps_, self._rows(graphs)):
            some = [graphs[row] for row in rows]
            X = part.transform(some)
            if self.normalize:
                X = sp.diags_array(_inverse_lengths(part, some)) @ X
            found.append(_spread(sp.csr_matrix(X), rows, len(graphs)))
        return self._join(found)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The parts' names, each with the name of its part in front."""
        check_is_fitted(self, "maps_")
        return np.array(
            [f"{name}: {one}" for name, part in self.maps_ for one in part.get_feature_names_out()], dtype=object
        )

    def attribute(self, graph: CandidateGraph, weights: ArrayLike) -> list[Contribution]:
        """Which vertices give how much of ``transform([graph]) @ weights``; they sum to it."""
        check_is_fitted(self, "maps_")
        coefficients = np.asarray(weights, dtype=np.float64).ravel()
        if len(coefficients) != sum(self.widths_):
            raise ShapeError(
                f"expected one weight for each of the {sum(self.widths_)} features, got {len(coefficients)}"
            )
        found, start = [], 0
        for (name, part), width, factor, rows in zip(self.maps_, self.widths_, self._roots(), self._rows([graph])):
            if not rows:
                start += width
                continue
            if self.normalize:
                factor = factor * _inverse_lengths(part, [graph])[0]
            inside = coefficients[start : start + width] * factor
            for one in part.attribute(graph, inside):
                found.append(one._replace(name=f"{name}: {one.name}", column=start + one.column))
            start += width
        return sorted(found, key=lambda one: (-abs(one.value), one.column, one.name, one.vertices))

    def _join(self, found: list[sp.csr_matrix]) -> sp.csr_matrix:
        return sp.hstack([root * X for root, X in zip(self._roots(), found)], format="csr")

    def _rows(self, graphs: Sequence[CandidateGraph]) -> list[list[int]]:
        """For each part the candidates that have its features."""
        everything = list(range(len(graphs)))
        if self.polarity is None:
            return [everything] * len(self.parts)
        if len(self.polarity) != len(self.parts) or not set(self.polarity) <= set(POLARITIES):
            raise ParameterError(
                f"expected one of {list(POLARITIES)} for each of {len(self.parts)} parts, got {self.polarity!r}"
            )
        denied = [bool(denials(graph)) for graph in graphs]
        chosen = {
            "any": everything,
            "affirmed": [row for row in everything if not denied[row]],
            "denied": [row for row in everything if denied[row]],
        }
        return [chosen[polarity] for polarity in self.polarity]

    def _roots(self) -> list[float]:
        factors = [1.0] * len(self.parts) if self.weights is None else list(self.weights)
        if len(factors) != len(self.parts) or not factors:
            raise ParameterError(f"expected one weight for each of {len(self.parts)} parts, got {self.weights!r}")
        for factor in factors:
            check_number("weights", factor)
        return [sqrt(factor) for factor in factors]


def _spread(X: sp.csr_matrix, rows: Sequence[int], n_rows: int) -> sp.csr_matrix:
    """The rows of ``X`` at the places ``rows``, which ascend, among rows of zeros."""
    lengths = np.zeros(n_rows, dtype=X.indptr.dtype)
    lengths[list(rows)] = np.diff(X.indptr)
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(X.indptr.dtype)
    return sp.csr_matrix((X.data, X.indices, indptr), shape=(n_rows, X.shape[1]))


def _inverse_lengths(part: Any, graphs: Sequence[CandidateGraph]) -> NDArray[np.float64]:
    """1 / ||x|| over all features of each candidate, known to the fitted map or not; 0 for a row of zeros."""
    whole = part if part.n_features is not None else clone(part)
    return inverse_root(LinearKernel().diag(whole.fit_transform(graphs)))
