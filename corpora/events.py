"""Events: what a text says that proteins do, with who does it to whom; carried by a Document.

A :class:`Trigger` is the word that says it, an :class:`Event` joins it with its arguments, which are mentions or other
events ("A inhibits the phosphorylation of B").  Events may cross sentences, so they belong to the document and
their triggers' spans count characters of the document, not of a sentence; splitting passages into sentences leaves
them as they are.

An equivalence is a tuple of ids of mentions that name the same thing ("mitogen-activated protein kinase (MAPK)").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from corpora.errors import Problem, truncate_repr

if TYPE_CHECKING:
    from corpora.types import Sentence, Span

#: Ids of mentions that name the same thing.
Equivalence = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trigger:
    """The words that say that something happens; ``spans`` are characters of the document."""

    id: str
    text: str
    spans: tuple[Span, ...]
    type: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens: ``trigger`` is its Trigger's id, ``arguments`` are (role, reference) in file order.

    A reference is the id of an entity or of another event.  ``modifications`` say what the text adds to the event,
    such as ``Negation`` and ``Speculation``.
    """

    id: str
    type: str
    trigger: str
    arguments: tuple[tuple[str, str], ...] = ()
    modifications: tuple[str, ...] = ()


def event_problems(
    entities: Collection[str],
    triggers: Collection[str],
    events: Sequence[Event],
    equivalences: Sequence[Equivalence],
) -> Iterator[Problem]:
    """References that lead nowhere or in a circle, in a document whose entities and triggers have these ids.

    Problems of the first equivalence have the id ``*1``, and so on.
    """
    referable_ids = {*entities, *(event.id for event in events)}
    for event in events:
        if event.trigger not in triggers:
            yield Problem(f"expected the id of a trigger, got {truncate_repr(event.trigger)}; add it", event.id)
        for role, reference in event.arguments:
            if reference not in referable_ids:
                message = (
                    f"expected the id of an entity or event as {role}, got {truncate_repr(reference)}, which is missing"
                )
                yield Problem(f"{message}; add it or take the argument away", event.id)
    if cycle := find_cycle(events):
        message = f"expected an event of other things, got one that refers to itself: {' -> '.join(cycle)}"
        yield Problem(f"{message}; correct its arguments", cycle[0])
    yield from _equivalence_problems(entities, equivalences)


def find_cycle(events: Iterable[Event]) -> list[str] | None:
    """Ids of events each of which refers to the next, the last being the first again; None if there is no circle."""
    try:
        sort_topologically(events)
    except CycleError as error:
        return list(reversed(error.args[1]))
    return None


def sort_topologically(events: Iterable[Event]) -> list[Event]:
    """The events, each after all those that it refers to.

    Raises
    ------
    graphlib.CycleError
        If an event refers to itself, directly or through others; the documents' own events never do.
    """
    by_id = {event.id: event for event in events}
    sorter = TopologicalSorter(
        {id: [reference for _, reference in event.arguments if reference in by_id] for id, event in by_id.items()}
    )
    return [by_id[id] for id in sorter.static_order()]


def trigger_problems(triggers: Iterable[Trigger], sentences: Sequence[Sentence]) -> Iterator[Problem]:
    """Triggers whose text is not that of the sentence they are in.

    A trigger that no sentence holds completely cannot be compared: sentences need not cover the document.
    """
    for trigger in triggers:
        if not trigger.spans or any(not 0 <= start < end for start, end in trigger.spans):
            yield Problem(f"expected spans with 0 <= start < end, got {truncate_repr(trigger.spans)}", trigger.id)
            continue
        texts = list(texts_at(trigger.spans, sentences))
        if texts and trigger.text not in texts:
            message = (
                f"expected the text {truncate_repr(trigger.text)} at {trigger.spans}, got {truncate_repr(texts[0])}"
            )
            yield Problem(message, trigger.id)


def texts_at(spans: Sequence[Span], sentences: Iterable[Sentence]) -> Iterator[str]:
    """What stands at these characters of the document, in each sentence that holds them all."""
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    for sentence in sentences:
        if sentence.offset <= first and last <= sentence.offset + len(sentence.text):
            yield " ".join(sentence.text[start - sentence.offset : end - sentence.offset] for start, end in spans)


def duplicate_ids(entities: Collection[str], triggers: Sequence[Trigger], events: Sequence[Event]) -> Iterator[Problem]:
    """Entities, triggers and events are referred to alike, so that no two of them may have one id."""
    counts = Counter([*(trigger.id for trigger in triggers), *(event.id for event in events)])
    for id, count in counts.items():
        times = count + (id in entities)
        if times > 1:
            yield Problem(f"expected unique ids of entities, triggers and events, got this one {times} times", id)


def _equivalence_problems(entities: Collection[str], equivalences: Sequence[Equivalence]) -> Iterator[Problem]:
    parents: dict[str, str] = {}
    for number, members in enumerate(equivalences, start=1):
        id = f"*{number}"
        if len(members) < 2 or len(set(members)) < len(members):
            yield Problem(
                f"expected two or more different mentions that are one thing, got {truncate_repr(members)}", id
            )
            continue
        if missing := [member for member in members if member not in entities]:
            yield Problem(f"expected ids of entities in an equivalence, got {truncate_repr(missing[0])}", id)
            continue
        roots = [_find_root(member, parents) for member in members]
        if len(set(roots)) < len(roots):
            message = (
                f"expected mentions that are not equivalent already, got {truncate_repr(members)}, which close a circle"
            )
            yield Problem(f"{message} of equivalences; take this one away", id)
        parents.update(dict.fromkeys(roots, roots[0]))


def equivalence_classes(equivalences: Iterable[Equivalence]) -> dict[str, tuple[str, ...]]:
    """For each mention that has equivalent ones, all of them, itself included.

    >>> equivalence_classes([("T1", "T2"), ("T2", "T3")])["T1"]
    ('T1', 'T2', 'T3')
    """
    parents: dict[str, str] = {}
    members: dict[str, None] = {}
    for equivalence in equivalences:
        members.update(dict.fromkeys(equivalence))
        roots = [_find_root(member, parents) for member in equivalence]
        parents.update(dict.fromkeys(roots, roots[0]))
    classes: dict[str, list[str]] = {}
    for member in members:
        classes.setdefault(_find_root(member, parents), []).append(member)
    return {member: tuple(group) for group in classes.values() for member in group}


def _find_root(member: str, parents: dict[str, str]) -> str:
    """The representative of a mention's class [union-find]; ways that were walked get shorter."""
    while parents.get(member, member) != member:
        parents[member] = parents.get(parents[member], parents[member])
        member = parents[member]
    return member
