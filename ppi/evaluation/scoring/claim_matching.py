"""Match the predicted claims of documents with the gold ones, and count the right ones.

Claims become items: two ends (places or identifiers), a type and whether there is a direction, the last two only
where they are compared.  With exact places and with identifiers an item is right if the same one is in gold.  With
overlapping places each predicted item may stand for one gold item and each gold item be found once: the greatest number
of right ones that this allows (a maximum matching, found by augmenting paths, O(items x pairs that fit)).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from corpora import Span
from ppi.evaluation.scoring.claim_alignment import AlignedDocument
from ppi.evaluation.scoring.claim_statistics import Counts, RankedPrediction
from ppi.evaluation.scoring.claims import Claim, normalize_type

MENTIONS, IDENTIFIERS = LEVELS = ("mentions", "identifiers")


class Item(NamedTuple):
    """The compared part of a claim; the ends are spans or identifiers, without direction in a fixed order."""

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

    With ``is_match`` None items are right if gold has the same.  Otherwise, because an augmenting path never takes a
    partner from an item for good, the first n answers count the greatest number of right ones among the first n items,
    for every n: given by falling probability, they serve every threshold at once.
    """
    if is_match is None:
        return [item in gold for item in predicted]
    gold_items = list(gold)
    partners = [
        [place for place, item in enumerate(gold_items) if is_match(prediction, item)] for prediction in predicted
    ]
    owner: dict[int, int] = {}  # of each gold item that is taken, the predicted one
    taken: dict[int, int] = {}  # and the other way round
    return [_add_to_matching(number, partners, owner, taken) for number in range(len(predicted))]


def _add_to_matching(
    start: int, partners: Sequence[Sequence[int]], owner: dict[int, int], taken: dict[int, int]
) -> bool:
    """Find a partner for a predicted item, others moving on to another of theirs, along an augmenting path."""
    came_from: dict[int, int] = {}  # gold item -> the predicted one that would take it
    queue = [start]
    while queue:
        number = queue.pop()
        for place in partners[number]:
            if place in came_from:
                continue
            came_from[place] = number
            if place in owner:
                queue.append(owner[place])
                continue
            # along the path back from the free gold item, each takes what it was led to and leaves what it had
            free_place: int | None = place
            while free_place is not None:
                taker = came_from[free_place]
                previous_place = taken.get(taker)
                owner[free_place], taken[taker] = taker, free_place
                free_place = previous_place
            return True
    return False


@dataclass
class MatchCounts:
    """Counts of each document and type; ``ranked`` is None if a prediction has no probability."""

    counts: dict[str, Counts] = field(default_factory=dict)
    by_type: dict[str, list[Counts]] = field(default_factory=dict)
    ranked: list[RankedPrediction] | None = field(default_factory=list)


class ClaimMatcher:
    """Compares gold and predicted claims of one level (``mentions`` or ``identifiers``)."""

    def __init__(
        self,
        level: str,
        documents: Sequence[AlignedDocument],
        *,
        overlap: bool = False,
        min_probability: float | None = None,
    ) -> None:
        self.level = level
        self.documents = documents
        self.is_match = matches_by_overlap if overlap else None
        self.min_probability = min_probability
        #: predictions of each document, without those that gold holds as not annotated
        self.predicted = [list(self._select_annotated(document)) for document in documents]

    def count_matches(self, aspect: Aspect) -> MatchCounts:
        """The counts of every document, with types and direction where ``aspect`` asks for them."""
        match_counts = MatchCounts()
        for number, (document, claims) in enumerate(zip(self.documents, self.predicted, strict=True)):
            gold = self._items((claim for claim in document.gold if claim.label), aspect)
            positives = self._sort_items((claim for claim in claims if self._is_predicted_positive(claim)), aspect)
            right = mark_matches(list(positives), gold, self.is_match)
            match_counts.counts[document.id] = Counts(len(gold), len(positives), sum(right))
            if aspect.types:
                for item in gold:
                    match_counts.by_type.setdefault(item.type, []).append(Counts(1, 0, 0))
                for item, answer in zip(positives, right, strict=True):
                    match_counts.by_type.setdefault(item.type, []).append(Counts(0, 1, int(answer)))
            all_items = self._sort_items(claims, aspect)
            if None in all_items.values():
                match_counts.ranked = None
            if match_counts.ranked is not None:
                answers = mark_matches(list(all_items), gold, self.is_match)
                match_counts.ranked += [
                    RankedPrediction(number, float(probability or 0.0), answer)
                    for probability, answer in zip(all_items.values(), answers, strict=True)
                ]
        return match_counts

    def labels_and_scores(self, *, with_scores: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The pairs that gold has labelled: whether each is positive, its probability, its document's number.

        Pairs without a prediction have ``-inf``.  Without scores there are no pairs.
        """
        rows: list[tuple[bool, float, int]] = []
        for number, document in enumerate(self.documents if with_scores else ()):
            positive = self._items(claim for claim in document.gold if claim.label)
            negative = self._items(claim for claim in document.gold if claim.label is False)
            predicted = self._items(document.predicted)
            for item in {**positive, **negative}:
                rows.append((item in positive, self._probability(item, predicted), number))
        labels, scores, groups = zip(*rows, strict=True) if rows else ((), (), ())
        return np.array(labels, dtype=bool), np.array(scores, dtype=float), np.array(groups, dtype=int)

    def _probability(self, item: Item, predicted: dict[Item, float | None]) -> float:
        if self.is_match is None:
            return predicted.get(item, -np.inf) or 0.0
        probabilities = [
            probability or 0.0 for candidate, probability in predicted.items() if self.is_match(candidate, item)
        ]
        return max(probabilities, default=-np.inf)

    def _items(self, claims: Iterable[Claim], aspect: Aspect = PLAIN) -> dict[Item, float | None]:
        return items_of(claims, self.level, aspect)

    def _sort_items(self, claims: Iterable[Claim], aspect: Aspect) -> dict[Item, float | None]:
        """By falling probability; of equal ones in the order of the file."""
        probabilities = self._items(claims, aspect)
        return dict(sorted(probabilities.items(), key=lambda entry: -(entry[1] or 0.0)))

    def _is_predicted_positive(self, claim: Claim) -> bool:
        if self.min_probability is not None and claim.probability is not None:
            return claim.probability >= self.min_probability
        return bool(claim.label)

    def _select_annotated(self, document: AlignedDocument) -> Iterator[Claim]:
        unannotated = self._items(claim for claim in document.gold if claim.label is None)
        annotated = self._items(claim for claim in document.gold if claim.label is not None)
        for claim in document.predicted:
            claim_items = self._items([claim]) if unannotated else ()
            if not any(
                self._is_among(item, unannotated) and not self._is_among(item, annotated) for item in claim_items
            ):
                yield claim

    def _is_among(self, item: Item, items: Iterable[Item]) -> bool:
        return item in items if self.is_match is None else any(self.is_match(item, candidate) for candidate in items)
