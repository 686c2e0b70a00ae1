"""What a feature map is: graphs to sparse rows, and all that scoring, pruning, explaining and saving ask of one.

:class:`FeatureMap` is the protocol; nothing in the project asks which class a map is.  :class:`BaseFeatureMap` fulfils
it for a class of your own that has ``fit_transform`` and ``transform``:

>>> import corpora, numpy as np, scipy.sparse as sp
>>> from kernels import CombinedFeatures, PathFeatures, candidate_graphs
>>> class PathLength(BaseFeatureMap):
...     width = 1
...     def fit_transform(self, graphs, y=None):
...         return self.transform(graphs)
...     def transform(self, graphs):
...         return sp.csr_matrix([[max(graph.path_length, 0.0)] for graph in graphs])
>>> graphs = candidate_graphs(corpora.load("sample"))
>>> features = CombinedFeatures([("path", PathFeatures()), ("length", PathLength())])
>>> X = features.fit_transform(graphs)
>>> weights = np.ones(features.width)
>>> np.allclose(features.scorer(weights)(graphs), X @ weights)
True
>>> features.state()
Traceback (most recent call last):
kernels.errors.FeatureMapError: expected PathLength to have state, got none; write it (see kernels.FeatureMap)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol, Self, TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from kernels.attribution import Contribution, sort_contributions
from kernels.errors import FeatureMapError
from kernels.scoring import Scorer, TransformScorer
from kernels.validation import Parametrized, check_weights, clone_map, squared_lengths

Graph = TypeVar("Graph", contravariant=True)

_MEMBERS = (
    "get_params",
    "width",
    "n_scaled_",
    "fit_transform",
    "transform",
    "get_feature_names_out",
    "squared_lengths",
    "attribute",
    "scorer",
    "restrict",
    "state",
    "restore",
)


class Restricted(NamedTuple):
    """A map with some of the columns of another, and which of the other's columns each of its own is."""

    map: Any
    columns: NDArray[np.int64]


class FeatureMap(Protocol[Graph]):
    """A transformer from graphs to explicit sparse features, one row per graph."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """What the map was made with, as scikit-learn has it, so that it can be cloned."""
        ...

    @property
    def width(self) -> int:
        """The number of columns of the fitted map."""
        ...

    @property
    def n_scaled_(self) -> int:
        """Graphs of the last call whose weights were scaled down so that a sum over walks converges."""
        ...

    def fit_transform(self, graphs: Iterable[Graph], y: ArrayLike | None = None) -> sp.csr_matrix:
        """Learn which features there are, and give those of ``graphs``."""
        ...

    def transform(self, graphs: Iterable[Graph]) -> sp.csr_matrix:
        """The features of ``graphs`` that the fitted map knows."""
        ...

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """A readable name for each column."""
        ...

    def squared_lengths(self, graphs: Iterable[Graph]) -> NDArray[np.float64]:
        """||x||^2 over all features of each graph, known to the fitted map or not."""
        ...

    def attribute(self, graph: Any, weights: ArrayLike) -> list[Contribution]:
        """Which vertices give how much of ``transform([graph]) @ weights``; they sum to it."""
        ...

    def scorer(self, weights: ArrayLike) -> Scorer:
        """The fastest way to ``transform(graphs) @ weights``; weights (n_features,) or (n_features, n_outputs)."""
        ...

    def restrict(self, keep: ArrayLike) -> Restricted:
        """The fitted map with only the columns in ``keep``, one boolean per column.

        The columns that stay have the same values: :meth:`squared_lengths` does not change.
        """
        ...

    def state(self) -> dict[str, Any]:
        """What was fitted, as plain values: flat arrays of numbers, and what JSON can hold."""
        ...

    def restore(self, state: dict[str, Any]) -> Self:
        """Take what :meth:`state` gave; refuse, with a KernelError, what it cannot have given."""
        ...


class BaseFeatureMap(Parametrized):
    """A feature map but for ``width``, ``fit_transform`` and ``transform``.

    Scoring and explaining go by the definition; ``restrict``, ``state`` and ``restore`` say what has to be written.
    """

    n_scaled_ = 0

    @property
    def width(self) -> int:
        """Not known to this map."""
        raise _missing(self, "width")

    def fit_transform(self, graphs: Iterable[Any], y: ArrayLike | None = None) -> sp.csr_matrix:
        """Not known to this map."""
        raise _missing(self, "fit_transform")

    def transform(self, graphs: Iterable[Any]) -> sp.csr_matrix:
        """Not known to this map."""
        raise _missing(self, "transform")

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The number of each column, for want of a better name."""
        return np.array([str(column) for column in range(self.width)], dtype=object)

    def squared_lengths(self, graphs: Iterable[Any]) -> NDArray[np.float64]:
        """||x||^2 over all features of each graph: those of a map fitted to the graphs themselves."""
        return squared_lengths(clone_map(self).fit_transform(graphs))

    def attribute(self, graph: Any, weights: ArrayLike) -> list[Contribution]:
        """What each feature gives of ``transform([graph]) @ weights``; of no vertices in particular."""
        row = sp.csr_matrix(self.transform([graph]))
        values = row.data * check_weights(weights, row.shape[1])[row.indices]
        names = self.get_feature_names_out()
        terms = zip(values.tolist(), row.indices.tolist())
        return sort_contributions(
            Contribution(value, names[column], column, ()) for value, column in terms if value != 0.0
        )

    def scorer(self, weights: ArrayLike) -> Scorer:
        """The feature matrix times the weights."""
        return TransformScorer(self, weights)

    def restrict(self, keep: ArrayLike) -> Restricted:
        """Not known to this map."""
        raise _missing(self, "restrict")

    def state(self) -> dict[str, Any]:
        """Not known to this map."""
        raise _missing(self, "state")

    def restore(self, state: dict[str, Any]) -> Self:
        """Not known to this map."""
        raise _missing(self, "restore")


def check_feature_map(name: str, features: Any) -> None:
    """Refuse what does not fulfil :class:`FeatureMap`, naming what it lacks."""
    missing = [member for member in _MEMBERS if not hasattr(type(features), member) and member not in vars(features)]
    if missing:
        raise FeatureMapError(
            f"expected a feature map as {name!r}, got {type(features).__name__} without {', '.join(missing)}; "
            "derive it from kernels.BaseFeatureMap, or see kernels.FeatureMap"
        )


def _missing(features: Any, member: str) -> FeatureMapError:
    return FeatureMapError(
        f"expected {type(features).__name__} to have {member}, got none; write it (see kernels.FeatureMap)"
    )
