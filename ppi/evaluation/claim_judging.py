"""Predictions of every document judged, for one level: what is right, in order of probability, and by type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ppi.evaluation.claim_alignment import AlignedDocument
from ppi.evaluation.claim_matching import PLAIN, Aspect, Item, items_of, mark_matches, matches_by_overlap
from ppi.evaluation.claim_statistics import Counts, RankedPrediction
from ppi.evaluation.claims import Claim


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
        """Everything with and without types and direction, as ``aspect`` says."""
        match_counts = MatchCounts()
        for number, (document, claims) in enumerate(zip(self.documents, self.predicted, strict=True)):
            gold = self._items((claim for claim in document.gold if claim.label), aspect)
            positives = self._sort_items((claim for claim in claims if self._is_predicted_positive(claim)), aspect)
            right = mark_matches(list(positives), gold, self.is_match)
            match_counts.counts[document.id] = Counts(len(gold), len(positives), sum(right))
            if aspect.types:
                _add_types(match_counts.by_type, gold, positives, right)
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

        What nobody predicted has ``-inf``.  Without scores there are none.
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


def _add_types(
    by_type: dict[str, list[Counts]], gold: Iterable[Item], predicted: Iterable[Item], right: Iterable[bool]
) -> None:
    for item in gold:
        by_type.setdefault(item.type, []).append(Counts(1, 0, 0))
    for item, answer in zip(predicted, right, strict=True):
        by_type.setdefault(item.type, []).append(Counts(0, 1, int(answer)))
