"""The results of annotation: interactions with probability and evidence, and annotated documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from corpora import Document, Entity, pluralize, shorten
from ppi.annotation.relationship import Relationship
from ppi.extraction import Explanation

if TYPE_CHECKING:
    import pandas as pd
    from spacy.language import Language
    from spacy.tokens import Doc


def first_infon(annotated: Entity | Document, name: str) -> str | None:
    """The first remark of that name."""
    return next((value for key, value in annotated.infons if key == name), None)


class FeatureContribution(NamedTuple):
    """What a feature adds to the score, and its part of all that features add or take away (sum of magnitudes)."""

    name: str
    value: float
    share: float


def top_contributions(
    explanation: Explanation, *, limit: int = 10
) -> tuple[list[FeatureContribution], list[FeatureContribution]]:
    """The features that raise the score, and those that lower it, strongest first.

    A feature that occurs at several places counts once, with the sum.
    """
    totals: dict[str, float] = defaultdict(float)
    for feature in explanation.features:
        totals[feature.name] += feature.value
    total_magnitude = sum(abs(value) for value in totals.values()) or 1.0
    contributions = [FeatureContribution(name, value, abs(value) / total_magnitude) for name, value in totals.items()]
    ordered = sorted(contributions, key=lambda contribution: (-contribution.share, contribution.name))
    up = [contribution for contribution in ordered if contribution.value > 0]
    down = [contribution for contribution in ordered if contribution.value < 0]
    return up[:limit], down[:limit]


@dataclass(frozen=True, repr=False)
class Evidence:
    """Why a pair got its score.

    Parameters
    ----------
    explanation
        The score taken apart: features, words, dependencies, the shortest path.
    drawing
        The same, drawn on the dependency graph as the text of an SVG file; or what draws it, when it is asked for.
    joining
        The words on the shortest path between the two mentions, themselves left out, in text order.
    negation_cues, hedge_cues
        The words by which the sentence denies the interaction, or only supposes it.
    statement
        The words that state that a protein interacts with itself, where a rule found that.
    path_drawing
        As ``drawing``, only of the words that join the two mentions; None if there is no such drawing.
    """

    explanation: Explanation
    drawing: str | Callable[[], str] = field(compare=False)  # nothing but the explanation, in another shape
    joining: tuple[str, ...] = ()
    negation_cues: tuple[str, ...] = ()
    hedge_cues: tuple[str, ...] = ()
    statement: str | None = None
    path_drawing: Callable[[], str] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Evidence: {shorten(self.path, 70) or 'no path'}>"

    def _repr_html_(self) -> str:
        from ppi.annotation.markup import evidence_html

        return evidence_html(self)

    @cached_property
    def svg(self) -> str:
        """The drawing; drawn now, if it was not."""
        return self.drawing if isinstance(self.drawing, str) else self.drawing()

    @cached_property
    def path_svg(self) -> str:
        """The drawing of what joins the two mentions; of the whole sentence, where there is no other."""
        return self.svg if self.path_drawing is None else self.path_drawing()

    @property
    def path(self) -> str:
        """The shortest path between the two mentions, as arcs in text order."""
        return self.explanation.path

    def reasons(self) -> list[str]:
        """Short sentences for a reader: what joins the two mentions, then what denies that or makes it doubtful.

        The features (:meth:`pushes`) give the rest, in the terms of the model.
        """
        if self.statement is not None:
            sentences = [f"“{self.statement}” says so of one protein"]
        else:
            verb = "stands" if len(self.joining) == 1 else "stand"
            sentences = [f"{_join_quoted(self.joining)} {verb} on the path between them"] if self.joining else []
            sentences.append(f"they are joined by: {self.path}" if self.path else "no path in the parse joins them")
        if self.negation_cues:
            sentences.append(f"the sentence denies it: {_join_quoted(self.negation_cues)}")
        if self.hedge_cues:
            sentences.append(f"the sentence only supposes it: {_join_quoted(self.hedge_cues)}")
        return sentences

    def pushes(self, *, most: int = 10) -> tuple[list[FeatureContribution], list[FeatureContribution]]:
        """The features that raise the score, and those that lower it, strongest first, with their shares."""
        return top_contributions(self.explanation, limit=most)


@dataclass(frozen=True)
class Alias:
    """The same statement under other names of the two proteins: its pair, mentions, probability and type."""

    pair: str
    proteins: tuple[Entity, Entity]
    probability: float
    type: str | None = None


@dataclass(frozen=True, repr=False)
class Interaction:
    """Two mentions of a sentence and the probability that it states their interaction.

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
        Of the extractor; larger is more probable.
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
    aliases
        Other pairs of mentions of the same two proteins in the sentence that were found to interact: one statement
        under several names, of which this is the most probable one.
    same
        Whether both mentions are one protein, or a class and who belongs to it ("the ATPase VPS4"); such pairs are
        found only if they are asked for.
    homo
        Whether the text states that a protein interacts with itself (a homodimer, an autophosphorylation): ``proteins``
        is one mention twice.
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
    aliases: tuple[Alias, ...] = ()
    same: bool = False
    homo: bool = False

    def __repr__(self) -> str:
        first, second = (shorten(entity.text, 24) for entity in self.participants)
        between = self.relationship.arrow(self.directed) or "and"
        details = ", ".join(filter(None, (self.relationship.label, f"{self.probability:.2f}", *self.marks)))
        return f"<Interaction: {first} {between} {second}, {details}>"

    def _repr_html_(self) -> str:
        from ppi.annotation.markup import interaction_html

        return interaction_html(self)

    @property
    def names(self) -> tuple[str, str]:
        """The two mentions as they are written."""
        return self.proteins[0].text, self.proteins[1].text

    @property
    def relationship(self) -> Relationship:
        """The type with its sign or kind."""
        return Relationship(self.type, self.sign, self.kind)

    @property
    def directed(self) -> bool:
        """Whether one of the two acts on the other."""
        return self.agent is not None and self.target is not None

    @property
    def participants(self) -> tuple[Entity, Entity]:
        """The two mentions, the agent first where there is one; otherwise in text order."""
        first, second = self.proteins
        return (second, first) if self.directed and self.agent == second.id else (first, second)

    @property
    def doubts(self) -> tuple[str, ...]:
        """``negated`` and ``hedged``, those of them that hold."""
        marks = (("negated", self.negated), ("hedged", self.hedged))
        return tuple(mark for mark, holds in marks if holds)

    @property
    def marks(self) -> tuple[str, ...]:
        """What a reader must know of it: its doubts, and ``same protein`` if it joins two mentions of one."""
        return (*self.doubts, "same protein") if self.same else self.doubts

    def other_names(self, which: int) -> tuple[str, ...]:
        """What else the first protein (0) or the second (1) is called in the sentence, by its aliases.

        The mentions of an alias stand in the order of ``proteins``, also where the text turns them.
        """
        names = dict.fromkeys(alias.proteins[which].text for alias in self.aliases)
        return tuple(name for name in names if name != self.proteins[which].text)

    @property
    def type_probability(self) -> float:
        """The probability of its type; without types, of any interaction."""
        return self.probability if self.type is None else self.types.get(self.type, self.probability)


@dataclass(frozen=True, repr=False)
class AnnotatedDocument:
    """A document, split and with its protein names, and the interactions found in it, in text order.

    Its sentences with two proteins or more are parsed; others need not be.
    ``skipped`` are the ids of sentences that are too long, or have too many pairs, to be searched.
    """

    document: Document
    interactions: tuple[Interaction, ...] = ()
    skipped: tuple[str, ...] = ()

    def __repr__(self) -> str:
        sizes = [pluralize(len(self.document.sentences), "sentence"), pluralize(len(self.interactions), "interaction")]
        if self.skipped:
            sizes.append(f"{len(self.skipped)} skipped")
        return f"<AnnotatedDocument {shorten(self.document.id)!r}: {', '.join(sizes)}>"

    def _repr_html_(self) -> str:
        from ppi.annotation.markup import document_html

        return document_html(self)

    def to_frame(self) -> pd.DataFrame:
        """The interactions as a frame of pandas; see :func:`ppi.to_frame`."""
        from ppi.annotation.interaction_table import to_frame

        return to_frame(self)

    def to_doc(self, nlp: Language | None = None) -> Doc:
        """The text as a Doc of spaCy with its names and interactions; see :func:`ppi.to_doc`."""
        from ppi.annotation.in_spacy.docs import to_doc

        return to_doc(self, nlp)


def _join_quoted(words: tuple[str, ...]) -> str:
    *others, last = (f"“{word}”" for word in words)
    return f"{', '.join(others)} and {last}" if others else last
