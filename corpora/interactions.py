"""Which proteins interact, and how, from what events say: one mapping, from events to labelled pairs of mentions.

Themes of an event
    The mentions of its ``Theme`` arguments (numbered or not) and, where such an argument is an event, the themes of
    that one.  "A inhibits the phosphorylation of B": B is a theme of the phosphorylation and so of the inhibition.
Causes of an event
    The mentions of its ``Cause`` arguments and, where such an argument is an event, the themes of that one
    ("binding of A to C activates B": A and C act on B).  The causes of a cause are not taken: what they act on
    is in between.
Binding
    Two mentions are themes of one ``Binding`` event, from two of its arguments.  It has no direction.
Cause to theme
    One mention (the agent) is a cause of an event of which another (the target) is a theme.  It is a
    *modification* if the innermost event, the one that happens to the target, is a protein modification (with its
    cause, or below a regulation or catalysis that has the cause), no event between names a cause of its own, and
    the signs do not say that the agent hinders it.  A catalysis of a mention itself is a modification of unknown kind.
    Everything else is *regulation*; so is methylation of DNA, which changes no protein.
Kind of a modification
    The innermost event's type in lower case; None where that says nothing (``Protein_modification``, ``Catalysis``).
Sign of a regulation
    That of the event that names the cause: ``Positive_regulation`` and ``Activation`` are positive,
    ``Negative_regulation`` and ``Inactivation`` negative, ``Regulation`` has no sign.  It says whether the agent
    furthers or hinders what happens to the target, which may itself be an inhibition or a degradation.
Negated, speculated
    What joins two mentions is negated if the event that names the cause, or one below it on the way to the
    target, is; for a binding, that event.  Events above say nothing about it ("C did not affect binding of A to
    B").  Where several events say the same, one that is neither goes before speculated before negated ones.
Equivalent mentions
    share what is said of either.  A pair of equivalent mentions is marked and has no interaction.

Pairs that no event joins are negatives, if the document is annotated with events at all; the caller knows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from corpora.events import Event, equivalence_classes, sort_topologically
from corpora.types import Document, Sentence

BINDING, MODIFICATION, REGULATION = TYPES = ("binding", "modification", "regulation")
#: Types of entities that are proteins, or the genes that they are named after.
PROTEIN_TYPES = frozenset({"Protein", "Gene_or_gene_product"})
#: Types of events that change a protein chemically, and the kind that they are; None where the type says none.
MODIFICATION_KINDS: dict[str, str | None] = {
    **{
        name: name.lower()
        for stem in (
            "acetylation",
            "glycosylation",
            "hydroxylation",
            "methylation",
            "phosphorylation",
            "ubiquitination",
        )
        for name in (stem.capitalize(), f"De{stem}")
    },
    "Protein_modification": None,
    "Catalysis": None,
}
#: What regulations do; 0 is no sign.
SIGNS = {"Positive_regulation": 1, "Activation": 1, "Negative_regulation": -1, "Inactivation": -1, "Regulation": 0}
_SIGN_NAMES = {1: "positive", -1: "negative", 0: None}
_BINDING_EVENT = "Binding"


@dataclass(frozen=True, slots=True)
class EventStatement:
    """One way in which events join two mentions; ``agent`` and ``target`` are ids, None for a binding."""

    type: str
    agent: str | None = None
    target: str | None = None
    sign: str | None = None
    kind: str | None = None
    negated: bool = False
    speculated: bool = False


@dataclass(frozen=True, slots=True)
class InteractionLabel:
    """What events say of two mentions of a sentence; without statements, that they do not interact."""

    e1: str
    e2: str
    statements: tuple[EventStatement, ...] = ()
    #: whether the two name the same thing
    equivalent: bool = False

    @property
    def types(self) -> frozenset[str]:
        """Types of interaction that are said, for certain or as a speculation, and not denied."""
        return frozenset(statement.type for statement in self.statements if not statement.negated)

    @property
    def negated(self) -> bool:
        """Whether events join the two, but all of them are denied."""
        return bool(self.statements) and not self.types

    @property
    def speculated(self) -> bool:
        """Whether all that is said of the two, and not denied, is speculation."""
        statements = [statement for statement in self.statements if not statement.negated]
        return bool(statements) and all(statement.speculated for statement in statements)

    def with_types(self, *types: str) -> InteractionLabel:
        """The label with only the statements of these types: what is negated or speculated differs between them."""
        kept = tuple(statement for statement in self.statements if statement.type in types)
        return InteractionLabel(self.e1, self.e2, kept, self.equivalent)

    @property
    def agent(self) -> str | None:
        """The mention that acts, in what is not denied; None if neither does, or both."""
        agents = {statement.agent for statement in self._statements_with_agent()}
        return agents.pop() if len(agents) == 1 else None

    @property
    def target(self) -> str | None:
        """The mention that is acted on; None if neither is, or both."""
        targets = {statement.target for statement in self._statements_with_agent()}
        return targets.pop() if len(targets) == 1 else None

    @property
    def sign(self) -> str | None:
        """``positive`` or ``negative``, if all regulations that have a sign and are not denied agree."""
        signs = {statement.sign for statement in self._statements_with_agent() if statement.sign is not None}
        return signs.pop() if len(signs) == 1 else None

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds of modification that are not denied."""
        return frozenset(statement.kind for statement in self._statements_with_agent() if statement.kind is not None)

    def _statements_with_agent(self) -> Iterator[EventStatement]:
        return (statement for statement in self.statements if statement.agent is not None and not statement.negated)


def labelled_pairs(
    document: Document, *, protein_types: Collection[str] = PROTEIN_TYPES
) -> Iterator[tuple[Sentence, list[InteractionLabel]]]:
    """Each sentence with the labels of all pairs of proteins in it.

    Parameters
    ----------
    document
        One with events; its sentences may be sentences or whole passages.
    protein_types
        Types of the entities that count.

    Examples
    --------
    >>> from corpora import Document, Entity, Event, Sentence, Trigger
    >>> sentence = Sentence("s", "A activates B", (Entity("T1", "A", ((0, 1),), "Protein"),
    ...                                            Entity("T2", "B", ((12, 13),), "Protein")))
    >>> document = Document("d", (sentence,), triggers=(Trigger("T3", "activates", ((2, 11),), "Activation"),),
    ...                     events=(Event("E1", "Activation", "T3", (("Theme", "T2"), ("Cause", "T1"))),))
    >>> [(_, [label])] = labelled_pairs(document)
    >>> sorted(label.types), label.agent, label.target, label.sign
    (['regulation'], 'T1', 'T2', 'positive')
    """
    sentence_by_entity = {
        entity.id: number
        for number, sentence in enumerate(document.sentences)
        for entity in sentence.entities
        if entity.type in protein_types
    }
    classes = equivalence_classes(document.equivalences)
    statements = _StatementCollector(sentence_by_entity, classes)
    for event in sort_topologically(document.events):
        statements.add(event)
    for number, sentence in enumerate(document.sentences):
        proteins = [entity.id for entity in sentence.entities if sentence_by_entity.get(entity.id) == number]
        yield (
            sentence,
            [
                InteractionLabel(e1, e2, statements.pair_statements(e1, e2), e2 in classes.get(e1, ()))
                for e1, e2 in combinations(proteins, 2)
            ],
        )


class _Theme(NamedTuple):
    """A mention that an event happens to, and what lies on the way to it."""

    mention: str
    #: product of the signs of the events below the one that has this theme
    sign: int
    #: type of the innermost event
    innermost: str
    #: whether an event below has a cause of its own
    caused: bool
    negated: bool
    speculated: bool


class _StatementCollector:
    """What events say of pairs of mentions; ``add`` them, each after those that it refers to.

    Ways through the events are kept as sets of what matters of them, so that no nesting makes them many.
    """

    def __init__(self, sentence_by_entity: dict[str, int], classes: dict[str, tuple[str, ...]]) -> None:
        self.sentence_by_entity = sentence_by_entity
        self.classes = classes
        self._events: dict[str, Event] = {}
        self._themes: dict[str, frozenset[_Theme]] = {}
        #: for each pair and what is said, whether it is negated and speculated
        self._flags_by_pair: dict[frozenset[str], dict[EventStatement, tuple[bool, bool]]] = {}

    def pair_statements(self, e1: str, e2: str) -> tuple[EventStatement, ...]:
        """What is said of the two, by type, agent, sign and kind."""
        flags_by_statement = self._flags_by_pair.get(frozenset((e1, e2)), {})
        return tuple(
            replace(statement, negated=flags_by_statement[statement][0], speculated=flags_by_statement[statement][1])
            for statement in sorted(
                flags_by_statement,
                key=lambda statement: (statement.type, *map(str, (statement.agent, statement.sign, statement.kind))),
            )
        )

    def add(self, event: Event) -> None:
        """Take in an event."""
        parts = [self._themes_of(event, reference) for reference in _references(event, "Theme")]
        themes = frozenset().union(*parts)
        self._events[event.id] = event
        self._themes[event.id] = themes
        if event.type == _BINDING_EVENT:
            for first, second in combinations(parts, 2):
                self._bind(first, second)
        for agent, sign in self._causes_of(event):
            for theme in themes:
                self._add_statement(agent, theme.mention, _cause_to_theme(event, sign, agent, theme), theme)

    def _themes_of(self, event: Event, reference: str) -> frozenset[_Theme]:
        negated, speculated = "Negation" in event.modifications, "Speculation" in event.modifications
        if reference not in self._events:
            return frozenset(
                _Theme(mention, 1, event.type, False, negated, speculated) for mention in self._mentions(reference)
            )
        below = self._events[reference]
        caused = any(True for _ in _references(below, "Cause"))
        return frozenset(
            theme._replace(
                sign=SIGNS.get(below.type, 1) * theme.sign,
                caused=caused or theme.caused,
                negated=negated or theme.negated,
                speculated=speculated or theme.speculated,
            )
            for theme in self._themes[reference]
        )

    def _causes_of(self, event: Event) -> set[tuple[str, int]]:
        """Mentions that cause the event, with the signs of the events on the way to them."""
        causes: set[tuple[str, int]] = set()
        for reference in _references(event, "Cause"):
            if reference in self._events:
                sign = SIGNS.get(self._events[reference].type, 1)
                causes.update((theme.mention, sign * theme.sign) for theme in self._themes[reference])
            else:
                causes.update((mention, 1) for mention in self._mentions(reference))
        return causes

    def _mentions(self, reference: str) -> Iterable[str]:
        """The proteins among a mention and its equivalents."""
        return (mention for mention in self.classes.get(reference, (reference,)) if mention in self.sentence_by_entity)

    def _bind(self, first: Iterable[_Theme], second: Collection[_Theme]) -> None:
        for theme1 in first:
            for theme2 in second:
                self._add_statement(theme1.mention, theme2.mention, EventStatement(BINDING), theme1)

    def _add_statement(self, e1: str, e2: str, statement: EventStatement, theme: _Theme) -> None:
        if self.sentence_by_entity[e1] != self.sentence_by_entity[e2] or e1 == e2 or e2 in self.classes.get(e1, ()):
            return
        flags_by_statement = self._flags_by_pair.setdefault(frozenset((e1, e2)), {})
        flags = (theme.negated, theme.speculated)
        flags_by_statement[statement] = min(flags_by_statement.get(statement, flags), flags)


def _cause_to_theme(event: Event, cause_sign: int, agent: str, theme: _Theme) -> EventStatement:
    # along all events from agent to target; one that is no regulation says that the agent acts, not in which sense
    sign = SIGNS.get(event.type, 0) * cause_sign * theme.sign
    if theme.innermost in MODIFICATION_KINDS and not theme.caused and sign >= 0:
        return EventStatement(MODIFICATION, agent, theme.mention, kind=MODIFICATION_KINDS[theme.innermost])
    return EventStatement(REGULATION, agent, theme.mention, _SIGN_NAMES[SIGNS.get(event.type, 0)])


def _references(event: Event, role: str) -> Iterator[str]:
    return (reference for name, reference in event.arguments if name.rstrip("0123456789") == role)
