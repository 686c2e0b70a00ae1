"""One statement, one row: what a sentence says of two proteins, under whatever names.

"Fatty aldehyde dehydrogenase (FALDH; ALDH3A2) binds PEX19" makes three pairs of mentions and is one statement.  Of the
pairs of mentions of the same two proteins in a sentence (:func:`ppi.grounding.identity.is_same_protein`) the most
probable one is kept, with its type, direction and evidence, of equally probable ones the first; the others are its
aliases.  Where their types or directions differ, those of the kept one hold, and each alias says its own type.  What a
sentence denies, or only supposes, is a statement apart from what it states of the same two.

Pairs that are of one protein, and were asked for, stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from corpora.types import Entity
from ppi.annotation.types import Alias, Interaction
from ppi.grounding.identity import Identity, identify


def merge_aliases(interactions: Sequence[Interaction]) -> list[Interaction]:
    """The interactions of a document, which come sentence by sentence, with one for each statement; order is kept."""
    groups: dict[tuple[object, ...], list[int]] = {}
    classes = _ProteinNumbers()
    sides: list[tuple[int, int]] = []
    for at, interaction in enumerate(interactions):
        first, second = (classes.of(entity, interaction.sentence_id) for entity in interaction.proteins)
        sides.append((first, second))
        unmergeable = (at,) if interaction.same or interaction.homo else ()
        key = (interaction.sentence_id, min(first, second), max(first, second), interaction.doubts, *unmergeable)
        groups.setdefault(key, []).append(at)
    group_by_best = {max(group, key=lambda at: (interactions[at].probability, -at)): group for group in groups.values()}
    return [_attach_aliases(interactions, best, group_by_best[best], sides) for best in sorted(group_by_best)]


def _attach_aliases(
    interactions: Sequence[Interaction], best: int, group: Sequence[int], sides: Sequence[tuple[int, int]]
) -> Interaction:
    """The interaction with the others of its group, their mentions turned so that they stand as its own."""
    aliases = []
    for at in group:
        if at != best:
            other = interactions[at]
            first, second = other.proteins
            proteins = (first, second) if sides[at] == sides[best] else (second, first)
            aliases.append(Alias(other.pair, proteins, other.probability, other.type))
    return replace(interactions[best], aliases=tuple(aliases)) if aliases else interactions[best]


class _ProteinNumbers:
    """Numbers for the proteins of a sentence: mentions of one protein have the same."""

    def __init__(self) -> None:
        self._sentence: str | None = None
        self._number_by_entity: dict[str, int] = {}
        self._identities: list[Identity] = []

    def of(self, entity: Entity, sentence: str) -> int:
        """The number of a mention's protein: that of the first one before it that is the same."""
        if sentence != self._sentence:
            self._sentence, self._number_by_entity, self._identities = sentence, {}, []
        if entity.id not in self._number_by_entity:
            own_identity = identify(entity)
            number = next(
                (at for at, other in enumerate(self._identities) if own_identity.matches(other)), len(self._identities)
            )
            if number == len(self._identities):
                self._identities.append(own_identity)
            self._number_by_entity[entity.id] = number
        return self._number_by_entity[entity.id]
