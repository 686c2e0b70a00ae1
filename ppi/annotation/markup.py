"""Pieces of pages and notebooks: texts with highlighted mentions, drawings.  What comes from outside is escaped."""

from __future__ import annotations

import base64
import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from html import escape
from itertools import islice

from corpora.types import Entity
from ppi.annotation.characters import xml_text

#: Mentions that are named where several cover one stretch of text.
MOST_TITLES = 5
_PAIR_PLACE = re.compile(r"data-pair='(\d+) (\d+)'")


def text(value: str) -> str:
    """A text as it may stand in an element or attribute.

    >>> text('<a href="x">')
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return escape(xml_text(value), quote=True)


def highlighted(sentence: str, entities: Iterable[Entity], *, strong: Iterable[str] = ()) -> str:
    """A sentence with its mentions as ``<mark>``; those whose ids are ``strong`` have that class.

    Mentions may be discontinuous and overlap: every stretch of text is marked once.

    >>> highlighted("A < B", [Entity("e1", "A", ((0, 1),)), Entity("e2", "B", ((4, 5),))], strong=["e2"])
    '<mark title="A">A</mark> &lt; <mark class="strong" title="B">B</mark>'
    """
    parts, at = [], 0
    covering = _Covering(list(entities), strong=set(strong))
    for bound, changes in covering.changes(len(sentence)):
        if at < bound:
            parts.append(_stretch(text(sentence[at:bound]), covering))
        at = bound
        covering.apply(changes)
    return "".join(parts)


class _Covering:
    """The mentions that cover a place of a sentence, in their order, kept while one goes through it."""

    def __init__(self, entities: Sequence[Entity], *, strong: Container[str]) -> None:
        self._entities, self._strong = entities, strong
        self.n_strong = 0
        self._covering: list[int] = []  # places among the entities, in order
        self._spans: Counter[int] = Counter()  # of each of them: a mention may overlap itself

    def __iter__(self) -> Iterator[Entity]:
        return (self._entities[number] for number in self._covering)

    def __len__(self) -> int:
        return len(self._covering)

    def changes(self, length: int) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Where mentions begin (+1) and end (-1), from the left to the right, and last the end of the sentence."""
        at: dict[int, list[tuple[int, int]]] = {length: []}
        for number, entity in enumerate(self._entities):
            for start, end in entity.spans:
                if start < end:
                    at.setdefault(start, []).append((number, 1))
                    at.setdefault(end, []).append((number, -1))
        return iter(sorted(at.items()))

    def apply(self, changes: Iterable[tuple[int, int]]) -> None:
        """Pass a bound."""
        for number, change in changes:
            before = self._spans[number]
            self._spans[number] += change
            if before and before + change:
                continue  # it covers the place with another span
            self.n_strong += change * (self._entities[number].id in self._strong)
            if change > 0:
                insort(self._covering, number)
            else:
                del self._covering[bisect_left(self._covering, number)]


def _stretch(escaped: str, covering: _Covering) -> str:
    """A stretch of text that the same mentions cover, with the first of them as its title."""
    if not covering:
        return escaped
    kind = ' class="strong"' if covering.n_strong else ""
    names = [_title(entity) for entity in islice(covering, MOST_TITLES)]
    if len(covering) > len(names):
        names.append(f"and {len(covering) - len(names)} more")
    return f'<mark{kind} title="{text("; ".join(names))}">{escaped}</mark>'


def _title(entity: Entity) -> str:
    """The mention, what it is where that is said, and its identifiers."""
    told = ", ".join(filter(None, (entity.type, *entity.identifiers)))
    return f"{entity.text} ({told})" if told else entity.text


def svg_image(svg: str, description: str, *, label: str = "Drawing of the dependencies") -> str:
    """A drawing as an image: whatever it holds, an image neither runs scripts nor loads anything.

    The box around it scrolls, and knows from where to where the two mentions reach.
    """
    packed = base64.b64encode(xml_text(svg).encode()).decode()
    pair = _PAIR_PLACE.search(svg)
    reach = f' data-left="{pair[1]}" data-right="{pair[2]}"' if pair else ""
    box = f'<div class="drawing" tabindex="0" role="group" aria-label="{text(label)}"{reach}>'
    return f'{box}<img src="data:image/svg+xml;base64,{packed}" alt="{text(description)}"></div>'
