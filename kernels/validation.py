"""Checks that several modules share."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from kernels.candidates import CandidateGraph
from kernels.errors import GraphError, ParameterError


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


def check_some(name: str, values: Any, allowed: tuple[str, ...]) -> None:
    """Refuse anything but a sequence of one or more of ``allowed``."""
    if isinstance(values, str) or not len(tuple(values)) or not set(values) <= set(allowed):
        raise ParameterError(f"expected {name} to be a sequence of some of {allowed}, got {values!r}")


def check_number(name: str, value: Any, *, most: float | None = None) -> None:
    """Refuse what is not a finite number of 0 or more, and of ``most`` or less."""
    if not (isinstance(value, Real) and isfinite(value) and 0 <= float(value) <= (most or float(value))):
        limits = "of 0 or more" if most is None else f"from 0 to {most:g}"
        raise ParameterError(f"expected {name} to be a finite number {limits}, got {value!r}")


def checked_graphs(graphs: Iterable[CandidateGraph]) -> list[CandidateGraph]:
    """The graphs as a list, if that is what they are."""
    graphs = list(graphs)
    for place, graph in enumerate(graphs):
        if not isinstance(graph, CandidateGraph):
            raise GraphError(
                f"expected CandidateGraph objects, got {type(graph).__name__} at place {place}; "
                "make them with kernels.candidate_graphs"
            )
    return graphs
