"""spaCy: the component ``ppi_interactions``, ``doc._.interactions``, the shipped pipeline, and documents as Docs.

The names below are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ppi.annotation.in_spacy.component import InteractionFinder
    from ppi.annotation.in_spacy.loading import load_pipeline
    from ppi.annotation.in_spacy.writing import to_doc

_HOMES = {
    "InteractionFinder": "ppi.annotation.in_spacy.component",
    "load_pipeline": "ppi.annotation.in_spacy.loading",
    "to_doc": "ppi.annotation.in_spacy.writing",
}

__all__ = ["InteractionFinder", "load_pipeline", "to_doc"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ppi.annotation.in_spacy' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *globals()])
