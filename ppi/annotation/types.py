"""What annotation gives: interactions with their probability and evidence, beside the documents they were found in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from corpora.types import Document, Entity
from ppi.annotation.pushes import Push, strongest_pushes
from ppi.extraction.explanation import Explanation


@dataclass(frozen=True)
class Evidence:
    """Why a pair got its score.

    Parameters
    ----------
    explanation
        The score taken apart: features, words, dependencies, the shortest path.
    svg
        The same, drawn on the dependency graph.
    """

    explanation: Explanation
    svg: str

    @property
    def path(self) -> str:
        """The shortest path between the two mentions, as arcs in text order."""
        return self.explanation.path

    def pushes(self, *, most: int = 10) -> tuple[list[Push], list[Push]]:
        """The features that pushed the score up, and those that pushed it down, strongest first, with their share."""
        return strongest_pushes(self.explanation, most=most)


@dataclass(frozen=True)
class Interaction:
    """Two mentions of a sentence and how probably it says that they interact.

    Parameters
    ----------
    document, sentence_id, pair
        Ids.
    sentence
        The sentence's text.
    offset
        Of the sentence in the document, in characters.
    proteins
        The two mentions in text order; their spans are relative to the sentence.
    score
        What the extractor said; larger is more probable.
    probability
        That they interact in any way; calibrated on text of corpora the model was not trained on.
    types
        The probability of each type, ``binding``, ``modification`` and ``regulation``; empty for a model without types.
    type
        The most probable of them; None for a model without types.
    agent, target
        Ids of the mention that acts and of the one that is acted on, for a modification or a regulation.
    sign
        Of a regulation: ``positive``, ``negative`` or None.
    kind
        Of a modification: ``phosphorylation``, ``ubiquitination`` and so on, or None.
    negated, hedged
        Whether the sentence denies it, or only supposes it.
    evidence
        None unless it was asked for.
    """

    document: str
    sentence_id: str
    sentence: str
    offset: int
    pair: str
    proteins: tuple[Entity, Entity]
    score: float
    probability: float
    types: Mapping[str, float] = field(default_factory=dict)
    type: str | None = None
    agent: str | None = None
    target: str | None = None
    sign: str | None = None
    kind: str | None = None
    negated: bool = False
    hedged: bool = False
    evidence: Evidence | None = None

    @property
    def names(self) -> tuple[str, str]:
        """The two mentions as they are written."""
        return self.proteins[0].text, self.proteins[1].text


@dataclass(frozen=True)
class AnnotatedDocument:
    """A document, split, parsed and with its protein names, and the interactions found in it, in text order.

    ``skipped`` are the ids of sentences that are too long, or have too many pairs, to be searched.
    """

    document: Document
    interactions: tuple[Interaction, ...] = ()
    skipped: tuple[str, ...] = ()
