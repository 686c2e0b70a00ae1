"""Interaction extraction: examples from documents, kernels by name, training, folding, explanation, model files.

The names below are imported when they are first used: the settings can be listed without the numerical packages.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ppi.extraction.extractor import Extractor, ScoredPair
    from ppi.extraction.settings import Settings

_HOMES = {
    "Extractor": "ppi.extraction.extractor",
    "ScoredPair": "ppi.extraction.extractor",
    "Settings": "ppi.extraction.settings",
}

__all__ = ["Extractor", "ScoredPair", "Settings"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ppi.extraction' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *globals()])
