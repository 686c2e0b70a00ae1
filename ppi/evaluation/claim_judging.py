"""Predictions of every document judged, for one level: what is right, in order of probability, and by type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ppi.evaluation.claim_alignment import Judged
from ppi.evaluation.claim_matching import PLAIN, Aspect, Item, fit_by_overlap, items_of, right_ones
from ppi.evaluation.claim_statistics import Counts, Ranked
from ppi.evaluation.claims import Claim


@dataclass
class Judgement:
    """Counts of each document and type; ``ranked`` is None if a prediction has no probability."""

    counts: dict[str, Counts] = field(default_factory=dict)
    by_type: dict[str, list[Counts]] = field(default_factory=dict)
    ranked: list[Ranked] | None = field(default_factory=list)


class Judge:
    """Compares gold and predicted claims of one level (``mentions`` or ``identifiers``)."""

    def __init__(
        self, level: str, documents: Sequence[Judged], *, overlap: bool = False, min_probability: float | None = None
    ) -> None:
        self.level = level
        self.documents = documents
        self.fits = fit_by_overlap if overlap else None
        self.min_probability = min_probability
        #: predictions of each document, without those that gold holds as not annotated
        self.predicted = [list(self._annotated(document)) for document in documents]

    def judge(self, aspect: Aspect) -> Judgement:
        """Everything with and without types and direction, as ``aspect`` says."""
        found = Judgement()
        for number, (document, claims) in enumerate(zip(self.documents, self.predicted, strict=True)):
            gold = self._items((claim for claim in document.gold if claim.label), aspect)
            decided = self._ordered((claim for claim in claims if self._is_decided(claim)), aspect)
            right = right_ones(list(decided), gold, self.fits)
            found.counts[document.id] = Counts(len(gold), len(decided), sum(right))
            if aspect.types:
                _add_types(found.by_type, gold, decided, right)
            everything = self._ordered(claims, aspect)
            if None in everything.values():
                found.ranked = None
            if found.ranked is not None:
                answers = right_ones(list(everything), gold, self.fits)
                found.ranked += [
                    Ranked(number, float(probability or 0.0), answer)
                    for probability, answer in zip(everything.values(), answers, strict=True)
                ]
        return found

    def labelled(self, *, with_scores: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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
        if self.fits is None:
            return predicted.get(item, -np.inf) or 0.0
        fitting = [probability or 0.0 for each, probability in predicted.items() if self.fits(each, item)]
        return max(fitting, default=-np.inf)

    def _items(self, claims: Iterable[Claim], aspect: Aspect = PLAIN) -> dict[Item, float | None]:
        return items_of(claims, self.level, aspect)

    def _ordered(self, claims: Iterable[Claim], aspect: Aspect) -> dict[Item, float | None]:
        """By falling probability; of equal ones in the order of the file."""
        found = self._items(claims, aspect)
        return dict(sorted(found.items(), key=lambda each: -(each[1] or 0.0)))

    def _is_decided(self, claim: Claim) -> bool:
        if self.min_probability is not None and claim.probability is not None:
            return claim.probability >= self.min_probability
        return bool(claim.label)

    def _annotated(self, document: Judged) -> Iterator[Claim]:
        unknown = self._items(claim for claim in document.gold if claim.label is None)
        known = self._items(claim for claim in document.gold if claim.label is not None)
        for claim in document.predicted:
            own = self._items([claim]) if unknown else ()
            if not any(self._is_among(item, unknown) and not self._is_among(item, known) for item in own):
                yield claim

    def _is_among(self, item: Item, items: Iterable[Item]) -> bool:
        return item in items if self.fits is None else any(self.fits(item, each) for each in items)


def _add_types(
    by_type: dict[str, list[Counts]], gold: Iterable[Item], predicted: Iterable[Item], right: Iterable[bool]
) -> None:
    for item in gold:
        by_type.setdefault(item.type, []).append(Counts(1, 0, 0))
    for item, answer in zip(predicted, right, strict=True):
        by_type.setdefault(item.type, []).append(Counts(0, 1, int(answer)))
