from .annotation_arguments import annotator_settings
from .arguments import add_worker_arguments
from .program import VERBS, build_parser, main
from .serve import address_of, listening_socket

__all__ = [
    "VERBS",
    "add_worker_arguments",
    "address_of",
    "annotator_settings",
    "build_parser",
    "listening_socket",
    "main",
]
