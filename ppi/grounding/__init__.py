"""Names to identifiers: genes, families and complexes, from the lexicon that ships or the user's own.

The names below are imported when they are first used: to tell whether two mentions are one protein takes no numerical
package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ppi.grounding.candidate import GroundingCandidate, LexiconEntry
    from ppi.grounding.lexicon import Lexicon
    from ppi.grounding.normalization import normalize_name
    from ppi.grounding.resolution import Resolver

_HOMES = {
    "Candidate": "ppi.grounding.candidate",
    "Entry": "ppi.grounding.candidate",
    "Lexicon": "ppi.grounding.lexicon",
    "Resolver": "ppi.grounding.resolution",
    "normalized": "ppi.grounding.normalization",
}

__all__ = ["GroundingCandidate", "Lexicon", "LexiconEntry", "Resolver", "normalize_name"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ppi.grounding' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *globals()])
