"""What flows through parse ranking: the candidate parses of a sentence, and how good each is."""

from __future__ import annotations

from dataclasses import dataclass

from corpora.types import DependencyGraph


@dataclass(frozen=True)
class CandidateParse:
    """One parse of a sentence.

    Parameters
    ----------
    graph
        Its tokens (offsets in the sentence) and links; ``graph.parser`` is the generator's name.
    place
        In the generator's own order; 0 is the one it likes best.
    cost
        The generator's own measure, if it has one; smaller is better.
    """

    graph: DependencyGraph
    place: int
    cost: float | None = None


@dataclass(frozen=True)
class CandidateSet:
    """A sentence and its candidate parses; ``goodness`` has one number per candidate, larger is better, if known."""

    id: str
    text: str
    candidates: tuple[CandidateParse, ...]
    goodness: tuple[float, ...] | None = None
