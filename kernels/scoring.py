"""Scores of many candidates at once, without their feature matrix.

A score is <w, x>; a combination of maps needs <x, x> too, over all features x of the candidate, also those that the
fitted map does not know:  sum_parts r_part <w_part, x> / ||x||.  The fast scorers number the features of a batch among
themselves and look each distinct one up once, so that one pass gives both the products and the length.  What they
compute is exactly ``transform(graphs) @ weights``; the tests hold them to that.

Weights have the shape (n_features,) or (n_features, n_outputs), and scores (n,) or (n, n_outputs): several outputs
cost one look-up and one length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernels.batch import Batch, estimate_cells
from kernels.candidates import CandidateGraph
from kernels.validation import check_graphs, check_weights

#: Cells of the feature matrix made at a time; bounds the memory, and fits caches.
_MAX_BATCH_CELLS = 2_000_000


class Products(NamedTuple):
    """For each candidate x: <w, x> for each column w of the weights, (n, n_outputs), and <x, x>, (n,)."""

    products: NDArray[np.float64]
    squares: NDArray[np.float64]


class Scorer(Protocol):
    """What :meth:`FeatureMap.scorer` gives: the map and weights, ready to score; threads can share it."""

    def __call__(self, graphs: Sequence[Any]) -> NDArray[np.float64]:
        """``transform(graphs) @ weights``."""
        ...

    def products(self, batch: Batch) -> Products:
        """The scores of a batch, one column per output, and the squared lengths, for a combination of maps."""
        ...


class BatchScorer:
    """Base of the scorers of candidate graphs: cuts them into batches; a subclass scores a batch (``products``).

    Parameters
    ----------
    weights
        Of shape (n_features,) or (n_features, n_outputs).
    n_features
        The width of the map.
    """

    def __init__(self, weights: ArrayLike, n_features: int) -> None:
        weight_array = check_weights(weights, n_features)
        self._single = weight_array.ndim == 1
        self.weights = np.require(
            weight_array.reshape(n_features, 1) if self._single else weight_array, requirements=["C", "W"]
        )

    def __call__(self, graphs: Sequence[CandidateGraph]) -> NDArray[np.float64]:
        """The score of each candidate, one column per output if the weights have columns."""
        graphs = check_graphs(graphs)
        scores = np.empty((len(graphs), self.weights.shape[1]))
        for start, stop in batch_ranges(graphs):
            scores[start:stop] = self.products(Batch(graphs[start:stop])).products
        return scores[:, 0] if self._single else scores

    def products(self, batch: Batch) -> Products:
        """The scores and squared lengths of a batch."""
        raise NotImplementedError


class TransformScorer:
    """The definition: the feature matrix times the weights.  For maps without a faster way, of any kind of graphs."""

    def __init__(self, features: Any, weights: ArrayLike) -> None:
        self._features = features
        self._weights = check_weights(weights, features.width)

    def __call__(self, graphs: Sequence[Any]) -> NDArray[np.float64]:
        """The score of each graph, one column per output if the weights have columns."""
        return np.asarray(self._features.transform(graphs) @ self._weights)

    def products(self, batch: Batch) -> Products:
        """The scores, one column per output, and squared lengths of a batch."""
        scores = self(batch.graphs)
        return Products(scores.reshape(len(batch), -1), self._features.squared_lengths(batch.graphs))


def batch_ranges(graphs: Sequence[CandidateGraph]) -> list[tuple[int, int]]:
    """Ranges of candidates whose features fit into bounded memory."""
    total = np.cumsum(estimate_cells(graphs))
    ranges, start = [], 0
    while start < len(graphs):
        before = total[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(total, before + _MAX_BATCH_CELLS, side="right")))
        ranges.append((start, stop))
        start = stop
    return ranges
