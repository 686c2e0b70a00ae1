"""A fitted map with some of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from kernels import AllPathsFeatures, CombinedFeatures
from kernels.labels import N_MARKS, ROLES


def restricted(transformer: Any, keep: NDArray[np.bool_]) -> tuple[Any, NDArray[np.int64]]:
    """The fitted map with only the columns in ``keep``, and which old column each new one is.

    New columns are in the order of their keys or names, which packs best.  Normalized maps still divide by the
    length over all features, so that the columns that stay have the same values as before.
    """
    if not isinstance(transformer, CombinedFeatures):
        return _part(transformer, np.flatnonzero(keep))
    smaller = clone(transformer)
    smaller.maps_, smaller.widths_, columns, start = [], [], [], 0
    for (name, part), width in zip(transformer.maps_, transformer.widths_):
        new, order = _part(part, np.flatnonzero(keep[start : start + width]))
        smaller.maps_.append((name, new))
        smaller.widths_.append(len(order))
        columns.append(start + order)
        start += width
    return smaller, np.concatenate(columns)


def _part(part: Any, columns: NDArray[np.int64]) -> tuple[Any, NDArray[np.int64]]:
    state = part.state()
    if isinstance(part, AllPathsFeatures):
        return _all_paths(part, state, columns)
    names = [state["names"][column] for column in columns]
    order = sorted(range(len(names)), key=names.__getitem__)
    return clone(part).restore({"names": [names[at] for at in order]}), columns[order]


def _all_paths(part: Any, state: dict[str, Any], columns: NDArray[np.int64]) -> tuple[Any, NDArray[np.int64]]:
    """Labels that no pair uses any more are forgotten, the others numbered anew."""
    bases, keys = state["bases"], state["keys"][columns]
    labels = np.array([keys >> np.uint64(32), keys & np.uint64(0xFFFFFFFF)]).astype(np.int64)
    used = np.unique(np.concatenate([np.arange(len(ROLES)), (labels // N_MARKS).ravel()]))
    number = np.full(len(bases), -1, np.int64)
    number[used] = np.arange(len(used))
    renumbered = (N_MARKS * number[labels // N_MARKS] + labels % N_MARKS).astype(np.uint64)
    new = renumbered[0] << np.uint64(32) | renumbered[1]
    order = np.argsort(new)
    return clone(part).restore({"bases": [bases[base] for base in used], "keys": new[order]}), columns[order]
