"""Raw text in, interactions with evidence out.

The names below are imported when they are first used, so that the settings alone do not wait for the numerical
packages.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ppi.annotation.settings import MODEL_FILE, AnnotatorSettings

if TYPE_CHECKING:
    from ppi.annotation.annotator import Annotator
    from ppi.annotation.frame import to_frame
    from ppi.annotation.pushes import FeatureContribution
    from ppi.annotation.selection import Selection
    from ppi.annotation.types import AnnotatedDocument, Evidence, Interaction

_HOMES = {
    "AnnotatedDocument": "ppi.annotation.types",
    "Annotator": "ppi.annotation.annotator",
    "Evidence": "ppi.annotation.types",
    "Interaction": "ppi.annotation.types",
    "Push": "ppi.annotation.pushes",
    "Selection": "ppi.annotation.selection",
    "to_frame": "ppi.annotation.frame",
}

__all__ = [
    "MODEL_FILE",
    "AnnotatedDocument",
    "Annotator",
    "AnnotatorSettings",
    "Evidence",
    "FeatureContribution",
    "Interaction",
    "Selection",
    "to_frame",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ppi.annotation' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *globals()])
