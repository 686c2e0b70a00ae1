"""Which predicted claims of a document are among the gold ones.

Claims become items: two ends (places or identifiers), a type and whether there is a direction, the last two only
where they are compared.  With exact places and with identifiers an item is right if the same one is in gold.  With
overlapping places each predicted item may stand for one gold item and each gold item be found once: the greatest number
of right ones that this allows (a maximum matching, found by augmenting paths, O(items x pairs that fit)).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from corpora.types import Span
from ppi.evaluation.claim_types import normalize_type
from ppi.evaluation.claims import Claim

MENTIONS, IDENTIFIERS = LEVELS = ("mentions", "identifiers")


class Item(NamedTuple):
    """What is compared; the ends are spans or identifiers, without direction in a fixed order."""

    first: Any
    second: Any
    type: str = ""
    directed: bool = False


class Aspect(NamedTuple):
    """What must be right besides the two ends."""

    types: bool = False
    direction: bool = False
    exact_types: bool = False


PLAIN = Aspect()


def items_of(claims: Iterable[Claim], level: str, aspect: Aspect = PLAIN) -> dict[Item, float | None]:
    """The different items that claims make, each with its highest probability."""
    probabilities: dict[Item, float | None] = {}
    for claim in claims:
        type = normalize_type(claim.type, exact=aspect.exact_types) if aspect.types else ""
        for first, second in _participant_pairs(claim, level):
            directed = aspect.direction and claim.directed
            if not directed and second < first:
                first, second = second, first
            item = Item(first, second, type, directed)
            best_probability = probabilities.get(item)
            probabilities[item] = (
                claim.probability if best_probability is None else max(best_probability, claim.probability or 0.0)
            )
    return probabilities


def _participant_pairs(claim: Claim, level: str) -> Iterable[tuple[Any, Any]]:
    first, second = claim.participants
    if level == IDENTIFIERS:
        return product(first.identifiers, second.identifiers)
    if not (first.spans and second.spans):
        return ()
    return ((first.spans, second.spans),)


def spans_overlap(spans: Sequence[Span], other_spans: Sequence[Span]) -> bool:
    """Whether two mentions have a character in common.

    >>> spans_overlap(((0, 4), (9, 12)), ((10, 14),)), spans_overlap(((0, 4),), ((4, 8),))
    (True, False)
    """
    return any(start < end2 and start2 < end for (start, end), (start2, end2) in product(spans, other_spans))


def matches_by_overlap(predicted: Item, gold: Item) -> bool:
    """Whether both ends overlap, in this order or, without direction, in the other."""
    if (predicted.type, predicted.directed) != (gold.type, gold.directed):
        return False
    straight = spans_overlap(predicted.first, gold.first) and spans_overlap(predicted.second, gold.second)
    if straight or predicted.directed:
        return straight
    return spans_overlap(predicted.first, gold.second) and spans_overlap(predicted.second, gold.first)


def mark_matches(
    predicted: Sequence[Item], gold: Mapping[Item, Any], is_match: Callable[[Item, Item], bool] | None = None
) -> list[bool]:
    """For each predicted item whether it adds a right one to those before it.

    With ``fits`` None items are right if gold has the same.  Otherwise, because an augmenting path never takes a
    partner from an item for good, the first n answers count the greatest number of right ones among the first n items,
    for every n: give them by falling probability, and every threshold is served at once.
    """
    if is_match is None:
        return [item in gold for item in predicted]
    gold_items = list(gold)
    partners = [
        [place for place, item in enumerate(gold_items) if is_match(prediction, item)] for prediction in predicted
    ]
    matching = _Matching(partners)
    return [matching.add(number) for number in range(len(predicted))]


class _Matching:
    """A maximum matching of the predicted items that were added, by number, with gold items."""

    def __init__(self, partners: Sequence[Sequence[int]]) -> None:
        self.partners = partners
        self.owner: dict[int, int] = {}  # of each gold item that is taken, the predicted one
        self.taken: dict[int, int] = {}  # and the other way round

    def add(self, start: int) -> bool:
        """Find it a partner, others moving on to another of theirs where needed, along an augmenting path."""
        came_from: dict[int, int] = {}  # gold item -> the predicted one that would take it
        queue = [start]
        while queue:
            number = queue.pop()
            for place in self.partners[number]:
                if place in came_from:
                    continue
                came_from[place] = number
                if place not in self.owner:
                    self._shift(start, place, came_from)
                    return True
                queue.append(self.owner[place])
        return False

    def _shift(self, start: int, place: int, came_from: Mapping[int, int]) -> None:
        """Along the path back from a free gold item, each takes what it was led to and leaves what it had."""
        while True:
            number = came_from[place]
            previous_place = self.taken.get(number)
            self.owner[place], self.taken[number] = number, place
            if previous_place is None or number == start:
                return
            place = previous_place
