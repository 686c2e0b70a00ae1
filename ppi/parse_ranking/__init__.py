"""Candidate parses of a sentence, and a learned order for them.

The names below are imported when they are first used: the generators do not need the numerical packages.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ppi.parse_ranking.features import ParseFeatures
    from ppi.parse_ranking.goodness import with_goodness
    from ppi.parse_ranking.ranker import ParseRanker, RankedParse
    from ppi.parse_ranking.types import CandidateParse, CandidateSet

_HOMES = {
    "Candidate": "ppi.parse_ranking.types",
    "CandidateSet": "ppi.parse_ranking.types",
    "ParseFeatures": "ppi.parse_ranking.features",
    "ParseRanker": "ppi.parse_ranking.ranker",
    "RankedParse": "ppi.parse_ranking.ranker",
    "with_goodness": "ppi.parse_ranking.goodness",
}

__all__ = ["CandidateParse", "CandidateSet", "ParseFeatures", "ParseRanker", "RankedParse", "with_goodness"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ppi.parse_ranking' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *globals()})
