"""Finds kernels and learners that other packages offer, by name.

A package offers them as entry points, each a class or function that makes one when called without arguments::

    [project.entry-points."ppi_miner.kernels"]
    path-length = "my_package:PathLength"

Names that this package has itself come first.  Only installed packages are imported: a model file that
names a kernel of another package cannot bring its code along.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ppi.core import UsageError

#: The groups of entry points, by what they offer.
ENTRY_POINT_GROUPS = {"kernel": "ppi_miner.kernels", "learner": "ppi_miner.learners"}


@dataclass(frozen=True)
class AbsentLearner:
    """Stands for a learner that a model was trained with and that is not at hand: the model works without it."""

    name: str

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Its name, so that it can be cloned."""
        return {"name": self.name}

    def fit(self, X: Any, y: Any) -> Any:
        """Nothing is learned."""
        raise UsageError(
            f"expected the learner {self.name!r} to train again, got a model that only names it; "
            "give the learner itself"
        )


def list_names(kind: str) -> tuple[str, ...]:
    """The names that installed packages offer, sorted; ``what`` is ``"kernel"`` or ``"learner"``."""
    return tuple(sorted({point.name for point in entry_points(group=ENTRY_POINT_GROUPS[kind])}))


def make(kind: str, name: str) -> Any:
    """A new one of this name; UsageError if no package offers it, several do, or making it fails."""
    point = _entry_point(kind, name)
    try:
        return point.load()()
    except Exception as error:
        raise UsageError(
            f"expected the {kind} {name!r} from {_describe_source(point)} to be made without arguments, got "
            f"{type(error).__name__}: {error}"
        ) from error


def origin(kind: str, name: str) -> dict[str, str]:
    """The package that a name comes from, and its version, for model files that need it."""
    point = _entry_point(kind, name)
    package, version = (point.dist.name, point.dist.version) if point.dist else (point.module, "unknown")
    return {"package": package, "version": version}


def _entry_point(kind: str, name: str) -> EntryPoint:
    # one package found twice on the path is still one package
    points = {point.value: point for point in entry_points(group=ENTRY_POINT_GROUPS[kind], name=name)}
    if len(points) == 1:
        return next(iter(points.values()))
    if points:
        sources = " and ".join(sorted(map(_describe_source, points.values())))
        raise UsageError(f"expected one package that offers the {kind} {name!r}, got {sources}; uninstall one of them")
    raise UsageError(
        f"expected a {kind} that an installed package offers (entry point {ENTRY_POINT_GROUPS[kind]}), got {name!r}; "
        f"offered are {list(list_names(kind))}"
    )


def _describe_source(point: EntryPoint) -> str:
    return f"{point.dist.name} ({point.value})" if point.dist else point.value
