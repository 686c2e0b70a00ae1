"""Kernels: candidate graphs, explicit sparse features, Gram matrices and the Nystrom map.

Documents become candidate graphs (:func:`candidate_graphs`), these become rows of features
(:class:`AllPathsFeatures`, :class:`ContextFeatures`, :class:`PathFeatures`, or several in
:class:`CombinedFeatures`), and rows become kernel matrices (:func:`linear_gram`, the kernel objects) or
low-dimensional vectors (:class:`NystromMap`).
"""

from kernels.all_paths import AllPathsFeatures
from kernels.attribution import Contribution, Vertex
from kernels.candidates import CandidateGraph, candidate_graph, candidate_graphs, sentence_candidates
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
from kernels.gram import linear_gram
from kernels.labelled import LabelledGraph
from kernels.labels import Label
from kernels.modality import Cue, Modality, modality
from kernels.negation import Denial, denials
from kernels.nystrom import NystromMap, ReducedMap
from kernels.pair import PairFeatures
from kernels.path import PathFeatures
from kernels.scoring import Scorer
from kernels.sentence_graph import SentenceGraph, sentence_graph
from kernels.vector import GaussianKernel, Kernel, LinearKernel, PolynomialKernel, normalize_gram
from kernels.views import labelled_graph, to_networkx
from kernels.walks import WalkFeatures

__all__ = [
    "AllPathsFeatures",
    "BaseFeatureMap",
    "CandidateGraph",
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
