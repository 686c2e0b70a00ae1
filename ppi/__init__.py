"""The application: extraction, evaluation, parse ranking, annotation, command line.

The names below are imported when they are first used, so that ``ppi --help`` does not wait for the numerical packages.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ppi.annotation import AnnotatedDocument, Annotator, Evidence, Interaction
    from ppi.extraction import Extractor, ScoredPair
    from ppi.parse_ranking import ParseRanker
    from ppi.parsing import parse

_HOMES = {
    "AnnotatedDocument": "ppi.annotation",
    "Annotator": "ppi.annotation",
    "Evidence": "ppi.annotation",
    "Extractor": "ppi.extraction",
    "Interaction": "ppi.annotation",
    "ParseRanker": "ppi.parse_ranking",
    "ScoredPair": "ppi.extraction",
    "parse": "ppi.parsing",
}

__all__ = [
    "AnnotatedDocument",
    "Annotator",
    "Evidence",
    "Extractor",
    "Interaction",
    "ParseRanker",
    "ScoredPair",
    "parse",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ppi' has no attribute {name!r}")
