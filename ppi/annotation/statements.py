"""One statement, one row: what a sentence says of two proteins, under whatever names.

"Fatty aldehyde dehydrogenase (FALDH; ALDH3A2) binds PEX19" makes three pairs of mentions and is one statement.  Of the
pairs of mentions of the same two proteins in a sentence (:func:`ppi.grounding.identity.same_protein`) the most
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
from ppi.grounding.identity import Identity, identity


def one_row_each(interactions: Sequence[Interaction]) -> list[Interaction]:
    """The interactions of a document, which come sentence by sentence, with one for each statement; order is kept."""
    merged: dict[tuple[object, ...], list[int]] = {}
    classes = _Classes()
    sides: list[tuple[int, int]] = []
    for at, interaction in enumerate(interactions):
        first, second = (classes.of(entity, interaction.sentence_id) for entity in interaction.proteins)
        sides.append((first, second))
        alone = (at,) if interaction.same or interaction.homo else ()
        key = (interaction.sentence_id, min(first, second), max(first, second), interaction.doubts, *alone)
        merged.setdefault(key, []).append(at)
    kept = {max(group, key=lambda at: (interactions[at].probability, -at)): group for group in merged.values()}
    return [_with_aliases(interactions, best, kept[best], sides) for best in sorted(kept)]


def _with_aliases(
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


class _Classes:
    """Numbers for the proteins of a sentence: mentions of one protein have the same."""

    def __init__(self) -> None:
        self._sentence: str | None = None
        self._seen: dict[str, int] = {}
        self._known: list[Identity] = []

    def of(self, entity: Entity, sentence: str) -> int:
        """The number of a mention's protein: that of the first one before it that is the same."""
        if sentence != self._sentence:
            self._sentence, self._seen, self._known = sentence, {}, []
        if entity.id not in self._seen:
            told = identity(entity)
            number = next((at for at, other in enumerate(self._known) if told.same(other)), len(self._known))
            if number == len(self._known):
                self._known.append(told)
            self._seen[entity.id] = number
        return self._seen[entity.id]
