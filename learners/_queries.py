"""Which example belongs to which query: the index that everything about rankings walks over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.errors import QueryError


@dataclass(frozen=True)
class Queries:
    """The m examples divided into q disjoint queries.

    Attributes
    ----------
    labels : the q distinct query identifiers, sorted.
    index : for each example the number (0 .. q-1) of its query.
    order : the examples sorted by query, in their original order within a query.
    starts : where in ``order`` each query begins.
    sizes : how many examples each query has.
    """

    labels: np.ndarray
    index: np.ndarray
    order: np.ndarray
    starts: np.ndarray
    sizes: np.ndarray

    @classmethod
    def from_qid(cls, qid: Any, n_samples: int) -> Queries:
        """Queries from one identifier (number or text) per example; ``None`` means one global ranking."""
        if qid is None:
            qid = np.zeros(n_samples, dtype=np.intp)
        qid = np.asarray(qid)
        if qid.ndim != 1 or len(qid) != n_samples:
            raise QueryError(
                f"expected qid with one entry per example, expected shape ({n_samples},), got {qid.shape!r}; "
                "pass the query identifiers in the order of the rows of X"
            )
        if qid.dtype.kind == "f" and not np.isfinite(qid).all():
            first = int(np.argmin(np.isfinite(qid)))
            raise QueryError(
                f"expected qid without NaN or infinity, but entry {first} is {qid[first]!r}; give every example a query"
            )
        labels, index, sizes = np.unique(qid, return_inverse=True, return_counts=True)
        order = np.argsort(index, kind="stable")
        return cls(labels, index, order, np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)

    @property
    def n_queries(self) -> int:
        """How many queries there are."""
        return len(self.labels)

    @property
    def is_sorted(self) -> bool:
        """Whether the examples of each query already stand together, so that ``order`` changes nothing."""
        return bool(np.all(self.index[1:] >= self.index[:-1]))

    def members(self) -> list[np.ndarray]:
        """The example indices of each query."""
        return np.split(self.order, self.starts[1:])

    def sums(self, values: np.ndarray) -> np.ndarray:
        """The sum of ``values`` (one entry or row per example) over each query, in O(m) per column."""
        if values.ndim == 1:
            return np.bincount(self.index, weights=values, minlength=self.n_queries)
        ordered = values if self.is_sorted else values[self.order]
        return np.add.reduceat(ordered, self.starts, axis=0)

    def means(self, values: np.ndarray) -> np.ndarray:
        """The mean of ``values`` over each query."""
        sizes = self.sizes if values.ndim == 1 else self.sizes[:, None]
        means: np.ndarray = self.sums(values) / sizes
        return means

    def center(self, values: np.ndarray) -> np.ndarray:
        """``values`` without the mean of their query: L v with L = I - P P^T [Airola2010, eq. 4]."""
        centred: np.ndarray = values - self.means(values)[self.index]
        return centred


def check_query_sets(sets: Sequence[Any], labels: np.ndarray) -> list[np.ndarray]:
    """Sets of query identifiers as positions in ``labels``, which are sorted; none is empty, none holds all."""
    return [_check_query_set(query_set, f"sets[{number}]", labels) for number, query_set in enumerate(sets)]


def _check_query_set(query_set: Any, name: str, labels: np.ndarray) -> np.ndarray:
    queries = np.asarray(query_set)
    if queries.ndim != 1 or not len(queries):
        raise QueryError(
            f"expected {name} to be a non-empty sequence of query identifiers, got {query_set!r}; "
            "pass [[query]] for one"
        )
    unknown = [query for query in queries.tolist() if query not in labels]
    if unknown:
        raise QueryError(f"expected {name} to hold queries of fit, got {unknown[0]!r}, which is none of its qid")
    positions = np.searchsorted(labels, queries)
    if len(np.unique(positions)) < len(positions) or len(positions) == len(labels):
        problem = "each query once, got repeats" if len(np.unique(positions)) < len(positions) else "not every query"
        raise QueryError(f"expected {name} to hold {problem}; without the set there must be something to train on")
    return positions
