"""Kernels: candidate graphs, explicit sparse features, Gram matrices and the Nystrom map.

Documents become candidate graphs (:func:`candidate_graphs`), these become rows of features
(:class:`AllPathsFeatures`, :class:`ContextFeatures`, :class:`PathFeatures`, or several in
:class:`CombinedFeatures`), and rows become kernel matrices (:func:`linear_gram`, the kernel objects) or
low-dimensional vectors (:class:`NystromMap`).

What needs scikit-learn, networkx or numba is imported when it is first used: scoring a few candidates needs none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kernels.all_paths import AllPathsFeatures
from kernels.attribution import Contribution, Vertex
from kernels.candidates import CandidateGraph, candidate_graph, candidate_graphs, sentence_candidates
from kernels.clustered import ClusteredFeatures, WordClusters
from kernels.combine import multiply_features, normalize_features, stack_features
from kernels.combined import CombinedFeatures
from kernels.context import ContextFeatures
from kernels.draw import to_svg
from kernels.errors import (
    DivergenceError,
    FeatureMapError,
    GraphError,
    KernelError,
    ParameterError,
    ShapeError,
    StateError,
)
from kernels.feature_map import BaseFeatureMap, FeatureMap, Restricted
from kernels.labelled import LabelledGraph
from kernels.labels import Label
from kernels.modality import Cue, Modality, modality
from kernels.negation import Denial, denials
from kernels.pair import PairFeatures
from kernels.path import PathFeatures
from kernels.scoring import Scorer
from kernels.sentence_graph import SentenceGraph, sentence_graph
from kernels.walks import WalkFeatures

if TYPE_CHECKING:
    from kernels.gram import linear_gram
    from kernels.nystrom import NystromMap, ReducedMap
    from kernels.vector import GaussianKernel, Kernel, LinearKernel, PolynomialKernel, normalize_gram
    from kernels.views import labelled_graph, to_networkx

_HOMES = {
    "GaussianKernel": "kernels.vector",
    "Kernel": "kernels.vector",
    "LinearKernel": "kernels.vector",
    "NystromMap": "kernels.nystrom",
    "PolynomialKernel": "kernels.vector",
    "ReducedMap": "kernels.nystrom",
    "labelled_graph": "kernels.views",
    "linear_gram": "kernels.gram",
    "normalize_gram": "kernels.vector",
    "to_networkx": "kernels.views",
}

__all__ = [
    "AllPathsFeatures",
    "BaseFeatureMap",
    "CandidateGraph",
    "ClusteredFeatures",
    "CombinedFeatures",
    "ContextFeatures",
    "Contribution",
    "Cue",
    "Denial",
    "DivergenceError",
    "FeatureMap",
    "FeatureMapError",
    "GaussianKernel",
    "GraphError",
    "Kernel",
    "KernelError",
    "Label",
    "LabelledGraph",
    "LinearKernel",
    "Modality",
    "NystromMap",
    "PairFeatures",
    "ParameterError",
    "PathFeatures",
    "PolynomialKernel",
    "ReducedMap",
    "Restricted",
    "Scorer",
    "SentenceGraph",
    "ShapeError",
    "StateError",
    "Vertex",
    "WalkFeatures",
    "WordClusters",
    "candidate_graph",
    "candidate_graphs",
    "denials",
    "labelled_graph",
    "linear_gram",
    "modality",
    "multiply_features",
    "normalize_features",
    "normalize_gram",
    "sentence_candidates",
    "sentence_graph",
    "stack_features",
    "to_networkx",
    "to_svg",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'kernels' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *globals()})
