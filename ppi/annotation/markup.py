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
MAX_TITLE_MENTIONS = 5
_PAIR_PLACE = re.compile(r"data-pair='(\d+) (\d+)'")


def html_text(value: str) -> str:
    """A text as it may stand in an element or attribute.

    >>> html_text('<a href="x">')
    '&lt;a href=&quot;x&quot;&gt;'
    """
    return escape(xml_text(value), quote=True)


def highlight_mentions(sentence: str, entities: Iterable[Entity], *, strong: Iterable[str] = ()) -> str:
    """A sentence with its mentions as ``<mark>``; those whose ids are ``strong`` have that class.

    Mentions may be discontinuous and overlap: every stretch of text is marked once.

    >>> highlight_mentions("A < B", [Entity("e1", "A", ((0, 1),)), Entity("e2", "B", ((4, 5),))], strong=["e2"])
    '<mark title="A">A</mark> &lt; <mark class="strong" title="B">B</mark>'
    """
    parts, at = [], 0
    active = _ActiveMentions(list(entities), strong=set(strong))
    for bound, changes in active.changes(len(sentence)):
        if at < bound:
            parts.append(_mark_segment(html_text(sentence[at:bound]), active))
        at = bound
        active.apply(changes)
    return "".join(parts)


class _ActiveMentions:
    """The mentions that cover a place of a sentence, in their order, kept while one goes through it."""

    def __init__(self, entities: Sequence[Entity], *, strong: Container[str]) -> None:
        self._entities, self._strong = entities, strong
        self.n_strong = 0
        self._active: list[int] = []  # places among the entities, in order
        self._spans: Counter[int] = Counter()  # of each of them: a mention may overlap itself

    def __iter__(self) -> Iterator[Entity]:
        return (self._entities[number] for number in self._active)

    def __len__(self) -> int:
        return len(self._active)

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
                insort(self._active, number)
            else:
                del self._active[bisect_left(self._active, number)]


def _mark_segment(escaped: str, active: _ActiveMentions) -> str:
    """A stretch of text that the same mentions cover, with the first of them as its title."""
    if not active:
        return escaped
    kind = ' class="strong"' if active.n_strong else ""
    names = [_title(entity) for entity in islice(active, MAX_TITLE_MENTIONS)]
    if len(active) > len(names):
        names.append(f"and {len(active) - len(names)} more")
    return f'<mark{kind} title="{html_text("; ".join(names))}">{escaped}</mark>'


def _title(entity: Entity) -> str:
    """The mention, what it is where that is said, and its identifiers."""
    details = ", ".join(filter(None, (entity.type, *entity.identifiers)))
    return f"{entity.text} ({details})" if details else entity.text


def svg_image(svg: str, description: str, *, label: str = "Drawing of the dependencies") -> str:
    """A drawing as an image: whatever it holds, an image neither runs scripts nor loads anything.

    The box around it scrolls, and knows from where to where the two mentions reach.
    """
    encoded = base64.b64encode(xml_text(svg).encode()).decode()
    pair = _PAIR_PLACE.search(svg)
    reach = f' data-left="{pair[1]}" data-right="{pair[2]}"' if pair else ""
    box = f'<div class="drawing" tabindex="0" role="group" aria-label="{html_text(label)}"{reach}>'
    return f'{box}<img src="data:image/svg+xml;base64,{encoded}" alt="{html_text(description)}"></div>'
