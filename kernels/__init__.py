"""Kernels and explicit features over candidate graphs, label graphs and vectors."""

from kernels.all_paths import AllPathsFeatures
from kernels.attribution import Contribution, Vertex
from kernels.candidates import CandidateGraph, candidate_graph, candidate_graphs, sentence_candidates
from kernels.context import ContextFeatures
from kernels.errors import DivergenceError, GraphError, KernelError, ParameterError, ShapeError
from kernels.gram import linear_gram
from kernels.labels import Label
from kernels.path import PathFeatures
from kernels.sentence_graph import SentenceGraph, sentence_graph

__all__ = [
    "AllPathsFeatures",
    "CandidateGraph",
    "ContextFeatures",
    "Contribution",
    "DivergenceError",
    "GraphError",
    "KernelError",
    "Label",
    "ParameterError",
    "PathFeatures",
    "SentenceGraph",
    "ShapeError",
    "Vertex",
    "candidate_graph",
    "candidate_graphs",
    "linear_gram",
    "sentence_candidates",
    "sentence_graph",
]
