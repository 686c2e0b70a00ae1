"""Checks that several modules share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from numbers import Real
from reprlib import Repr
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernels.candidates import CandidateGraph
from kernels.errors import GraphError, ParameterError, ShapeError, StateError

_brief = Repr()
_brief.maxstring = _brief.maxother = 60


def check_n_features(n_features: int | None) -> None:
    """Refuse a number of hashed columns that is not a power of 2 up to 2^30."""
    if n_features is not None and (
        not isinstance(n_features, int | np.integer) or not 2 <= n_features <= 2**30 or n_features & (n_features - 1)
    ):
        raise ParameterError(f"expected n_features to be None or a power of 2 from 2 to 2**30, got {n_features!r}")


def check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is not one of ``allowed``."""
    if value not in allowed:
        raise ParameterError(f"expected {name} to be one of {allowed}, got {value!r}")


def check_subset(name: str, values: Any, allowed: tuple[str, ...]) -> None:
    """Refuse anything but a sequence of one or more of ``allowed``."""
    if isinstance(values, str) or not len(tuple(values)) or not set(values) <= set(allowed):
        raise ParameterError(f"expected {name} to be a sequence of some of {allowed}, got {values!r}")


def check_number(name: str, value: Any, *, maximum: float | None = None) -> None:
    """Refuse what is not a finite number of 0 or more, and of ``most`` or less."""
    if not (isinstance(value, Real) and isfinite(value) and 0 <= float(value) <= (maximum or float(value))):
        limits = "of 0 or more" if maximum is None else f"from 0 to {maximum:g}"
        raise ParameterError(f"expected {name} to be a finite number {limits}, got {value!r}")


def check_graphs(graphs: Iterable[CandidateGraph]) -> list[CandidateGraph]:
    """The graphs as a list, if that is what they are."""
    graphs = list(graphs)
    for place, graph in enumerate(graphs):
        if not isinstance(graph, CandidateGraph):
            raise GraphError(
                f"expected CandidateGraph objects, got {type(graph).__name__} at place {place}; "
                "make them with kernels.candidate_graphs"
            )
    return graphs


def check_weights(weights: ArrayLike, n_features: int) -> NDArray[np.float64]:
    """The weights as an array of shape (n_features,) or (n_features, n_outputs)."""
    array = np.asarray(weights, dtype=np.float64)
    if array.ndim not in (1, 2) or len(array) != n_features:
        got = len(array) if array.ndim == 1 else f"shape {array.shape}"
        raise ShapeError(
            f"expected one weight for each of the {n_features} features, got {got}; "
            "pass the coefficients of a model trained on these features"
        )
    return array


def select_columns(keep: ArrayLike, n_features: int) -> NDArray[np.int64]:
    """The columns that ``keep``, True or False for each of the map's, wants."""
    mask = np.asarray(keep)
    if mask.dtype != np.bool_ or mask.shape != (n_features,):
        raise ShapeError(
            f"expected True or False for each of the {n_features} features, "
            f"got {mask.dtype} values of shape {mask.shape}"
        )
    return np.flatnonzero(mask)


def state_field(state: Any, field: str) -> Any:
    """One field of what a feature map's ``state`` should have given."""
    if not isinstance(state, Mapping):
        raise StateError("state", "an object", truncate_repr(state))
    if field not in state:
        raise StateError(field, "a field of the state", f"none called {field!r}")
    return state[field]


def state_texts(state: Any, field: str) -> list[str]:
    """A field that is a list of texts."""
    texts = state_field(state, field)
    if not isinstance(texts, list) or not all(type(text) is str for text in texts):
        raise StateError(field, "a list of texts", truncate_repr(texts))
    return texts


def state_text_pairs(state: Any, field: str) -> list[tuple[str, str]]:
    """A field that is a list of distinct pairs of texts."""
    pairs = state_field(state, field)
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise StateError(field, "a list of pairs", truncate_repr(pairs))
    for pair in pairs:
        if not all(type(text) is str for text in pair):
            raise StateError(field, "a list of pairs, each a list of texts", truncate_repr(pair))
    distinct = list(dict.fromkeys((first, second) for first, second in pairs))
    if len(distinct) < len(pairs):
        raise StateError(field, "a list with each pair once", "repeated ones")
    return distinct


def truncate_repr(value: Any) -> str:
    """A value in an error message, cut; the whole of it is never written out."""
    return _brief.repr(value)
