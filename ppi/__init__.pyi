from . import annotation, core, evaluation, export, extraction, grounding, language, network, parse_ranking, server
from .annotation import AnnotatedDocument, Annotator, Evidence, Interaction, load_pipeline, to_doc, to_frame
from .export import write
from .extraction import Extractor, ScoredPair
from .language import parse
from .network import Network, build_network
from .parse_ranking import ParseRanker
from .server import open_run

__version__: str

__all__ = [
    "AnnotatedDocument",
    "Annotator",
    "Evidence",
    "Extractor",
    "Interaction",
    "Network",
    "ParseRanker",
    "ScoredPair",
    "annotation",
    "build_network",
    "core",
    "evaluation",
    "export",
    "extraction",
    "grounding",
    "language",
    "load_pipeline",
    "network",
    "open_run",
    "parse",
    "parse_ranking",
    "server",
    "to_doc",
    "to_frame",
    "write",
]
