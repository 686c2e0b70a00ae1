from ._all_paths import SentenceLabels
from .all_paths import AllPathsFeatures
from .attribution import Contribution, Vertex
from .candidates import CandidateGraph, candidate_graph, candidate_graphs, sentence_candidates
from .clustered import ClusteredFeatures, WordClusters
from .combined import CombinedFeatures, multiply_features, normalize_features, stack_features
from .compiling import use_compiled_code, uses_compiled_code
from .cue_words import DENYING, HEDGING
from .draw import to_svg
from .errors import DivergenceError, FeatureMapError, GraphError, KernelError, ParameterError, ShapeError, StateError
from .feature_map import BaseFeatureMap, FeatureMap, Restricted, check_feature_map
from .gram import linear_gram
from .labelled import LabelledGraph
from .labels import N_MARKS, ROLES, Label, LabelIndex
from .modality_detection import Cue, Modality, modality
from .named import Occurrence
from .negation import DENYING_WORDS, NEGATIONS, Denial, denials
from .ngram_features import ContextFeatures, PathFeatures
from .nystrom import NystromMap, ReducedMap
from .pair_features import PairFeatures
from .scoring import Batch, Scorer
from .sentence_graphs import SentenceGraph, sentence_graph
from .tree_parts import TreeParts, Trees
from .validation import clone_map
from .vector import GaussianKernel, Kernel, LinearKernel, PolynomialKernel, normalize_gram
from .views import labelled_graph, to_networkx
from .vocabulary import PairVocabulary
from .walk_rows import sentence_labels
from .walks import WalkFeatures

__all__ = [
    "DENYING",
    "DENYING_WORDS",
    "HEDGING",
    "NEGATIONS",
    "N_MARKS",
    "ROLES",
    "AllPathsFeatures",
    "BaseFeatureMap",
    "Batch",
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
    "LabelIndex",
    "LabelledGraph",
    "LinearKernel",
    "Modality",
    "NystromMap",
    "Occurrence",
    "PairFeatures",
    "PairVocabulary",
    "ParameterError",
    "PathFeatures",
    "PolynomialKernel",
    "ReducedMap",
    "Restricted",
    "Scorer",
    "SentenceGraph",
    "SentenceLabels",
    "ShapeError",
    "StateError",
    "TreeParts",
    "Trees",
    "Vertex",
    "WalkFeatures",
    "WordClusters",
    "candidate_graph",
    "candidate_graphs",
    "check_feature_map",
    "clone_map",
    "denials",
    "labelled_graph",
    "linear_gram",
    "modality",
    "multiply_features",
    "normalize_features",
    "normalize_gram",
    "sentence_candidates",
    "sentence_graph",
    "sentence_labels",
    "stack_features",
    "to_networkx",
    "to_svg",
    "use_compiled_code",
    "uses_compiled_code",
]
