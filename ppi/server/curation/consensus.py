"""Fold judgements into what holds, settle what curators say differently, and measure how far they agree.

What holds depends only on the set of lines, not on their order, so that merged files have one state however they are
merged: of what a curator said about a row and did not take back, the latest holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import attrgetter
from typing import Any, NamedTuple

from ppi.server.curation.judgement import Judgement, RowKey, Undo

#: A verdict, and whether two proteins interact by it.
VerdictAndLabel = tuple[str, bool]


class KeptJudgement(NamedTuple):
    """A judgement that holds, and its id."""

    id: str
    judgement: Judgement

    @property
    def order(self) -> tuple[str, str]:
        """By time; at the same time, by id, so that everybody has one order."""
        return self.judgement.time, self.id


@dataclass(frozen=True)
class CurationState:
    """What holds of each row, by curator; rows in the order in which they were first judged."""

    rows: Mapping[RowKey, Mapping[str, KeptJudgement]]

    def __iter__(self) -> Iterator[KeptJudgement]:
        for by_curator in self.rows.values():
            yield from by_curator.values()

    @property
    def curators(self) -> list[str]:
        """Names, sorted."""
        return sorted({kept.judgement.curator for kept in self})

    @property
    def verdicts(self) -> Counter[str]:
        """How many judgements of each verdict hold."""
        return Counter(kept.judgement.verdict for kept in self)

    def holds(self, id: str, curator: str) -> bool:
        """Whether a judgement of that curator is what holds of its row."""
        return any(kept.id == id and kept.judgement.curator == curator for kept in self)

    def of(self, row: RowKey) -> Mapping[str, KeptJudgement]:
        """What holds of a row, by curator."""
        return self.rows.get(row, {})

    def latest_first(self, curator: str | None = None) -> list[KeptJudgement]:
        """What holds, the latest first; with ``curator``, of that one."""
        votes = (kept for kept in self if curator in (None, kept.judgement.curator))
        return sorted(votes, key=attrgetter("order"), reverse=True)

    def latest(self, curator: str) -> KeptJudgement | None:
        """The last judgement of a curator that holds: what undoing takes back."""
        return max((kept for kept in self if kept.judgement.curator == curator), key=attrgetter("order"), default=None)

    def resolve(self, curator: str | None = None) -> tuple[list[Judgement], int]:
        """One judgement per row, and the number of rows about which the curators are divided.

        A row is settled if more than half of those who judged it say that the two interact, or that they do not; of
        what these say the most frequent holds, and of several the latest.  With ``curator``, only that one is heard.
        """
        judgements, divided = [], 0
        for by_curator in self.rows.values():
            votes = [kept for name, kept in by_curator.items() if curator in (None, name)]
            if not votes:
                continue
            judgement = _majority(votes)
            if judgement is None:
                divided += 1
            else:
                judgements.append(judgement)
        return judgements, divided


def fold_judgements(events: Mapping[str, Judgement | Undo]) -> CurationState:
    """The state after these events, by their ids."""
    # with the curator, because nobody takes back what another said
    undone = {(event.judgement, event.curator) for event in events.values() if isinstance(event, Undo)}
    kept = [
        KeptJudgement(id, event)
        for id, event in events.items()
        if isinstance(event, Judgement) and (id, event.curator) not in undone
    ]
    rows: dict[RowKey, dict[str, KeptJudgement]] = {}
    for entry in sorted(kept, key=attrgetter("order")):
        rows.setdefault(entry.judgement.row, {})[entry.judgement.curator] = entry
    return CurationState(rows)


def _majority(votes: list[KeptJudgement]) -> Judgement | None:
    yes = sum(kept.judgement.label for kept in votes)
    if 2 * yes == len(votes):
        return None
    agreeing = [kept for kept in votes if kept.judgement.label == (2 * yes > len(votes))]
    counts = Counter((kept.judgement.verdict, kept.judgement.type) for kept in agreeing)
    return max(agreeing, key=lambda kept: (counts[kept.judgement.verdict, kept.judgement.type], kept.order)).judgement


@dataclass(frozen=True)
class Agreement:
    """Of two curators, over the rows that both judged.

    Parameters
    ----------
    first, second
        Their names.
    rows
        How many both judged.
    same
        The fraction on which they gave the same verdict; None without rows.
    kappa
        Of the verdicts; None where it is not defined.
    kappa_interacts
        Of whether the two proteins interact, whatever the verdict.
    verdicts
        How often the first gave one verdict where the second gave another (or the same).
    """

    first: str
    second: str
    rows: int
    same: float | None
    kappa: float | None
    kappa_interacts: float | None
    verdicts: Mapping[tuple[str, str], int]

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        verdicts = [
            {"first": first, "second": second, "rows": count}
            for (first, second), count in sorted(self.verdicts.items())
        ]
        return {**vars(self), "verdicts": verdicts}


def agreements(state: CurationState) -> list[Agreement]:
    """Of every two curators of a state; those who judged no row in common, too."""
    verdicts_by_curator: dict[str, dict[RowKey, VerdictAndLabel]] = {name: {} for name in state.curators}
    for kept in state:
        verdicts_by_curator[kept.judgement.curator][kept.judgement.row] = (kept.judgement.verdict, kept.judgement.label)
    return _compare_all_pairs(verdicts_by_curator)


def agreements_of_files(states: Mapping[str, CurationState]) -> list[Agreement]:
    """Of every two files, by their names, whoever judged in them: of each row what is settled there."""
    return _compare_all_pairs(
        {
            name: {judgement.row: (judgement.verdict, judgement.label) for judgement in state.resolve()[0]}
            for name, state in states.items()
        }
    )


def _compare_all_pairs(verdicts_by_name: Mapping[str, Mapping[RowKey, VerdictAndLabel]]) -> list[Agreement]:
    agreements = []
    for (first, ours), (second, theirs) in combinations(verdicts_by_name.items(), 2):
        common = [row for row in ours if row in theirs]
        verdicts = [(ours[row][0], theirs[row][0]) for row in common]
        labels = [(ours[row][1], theirs[row][1]) for row in common]
        same = sum(ours[row][0] == theirs[row][0] for row in common) / len(common) if common else None
        kappas = cohen_kappa(verdicts), cohen_kappa(labels)
        agreements.append(Agreement(first, second, len(common), same, *kappas, Counter(verdicts)))
    return agreements


def cohen_kappa(ratings: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """How far two agree in what they said of each row, beyond what chance would give; None where it is not defined.

    Cohen's kappa is ``(o - e) / (1 - e)``: ``o`` is the fraction of the rows on which they say the same, and ``e`` the
    fraction on which they would if each threw dice with the frequencies of their own verdicts.  It is 1 where they
    always agree, 0 where they agree as often as the dice, and not defined where both only ever say one and the same.

    References
    ----------
    J. Cohen: A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20 (1960) 37-46.

    Examples
    --------
    >>> cohen_kappa([("yes", "yes"), ("yes", "no"), ("no", "no"), ("no", "no")])
    0.5
    """
    count = len(ratings)
    firsts, seconds = Counter(rating for rating, _ in ratings), Counter(rating for _, rating in ratings)
    # whole numbers until the end: count^2 times what the dice would agree on
    by_chance = sum(firsts[category] * seconds[category] for category in firsts)
    if count * count == by_chance:  # also without rows
        return None
    observed = sum(ours == theirs for ours, theirs in ratings)
    return (count * observed - by_chance) / (count * count - by_chance)
