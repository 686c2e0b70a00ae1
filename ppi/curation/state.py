"""What holds, given everything that was said: the fold of a file of judgements.

It depends on the set of lines alone, not on their order, so that merged files have one state however they are merged:
of what a curator said about a row and did not take back, the latest holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ppi.curation.judgement import Judgement, RowKey, Undo


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
        return sorted(votes, key=_time_order, reverse=True)

    def latest(self, curator: str) -> KeptJudgement | None:
        """The last judgement of a curator that holds: what undoing takes back."""
        return max((kept for kept in self if kept.judgement.curator == curator), key=_time_order, default=None)

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


def fold(events: Mapping[str, Judgement | Undo]) -> CurationState:
    """The state after these events, by their ids."""
    undone = {event.judgement for event in events.values() if isinstance(event, Undo) and _is_own(event, events)}
    kept = [
        KeptJudgement(id, event) for id, event in events.items() if isinstance(event, Judgement) and id not in undone
    ]
    rows: dict[RowKey, dict[str, KeptJudgement]] = {}
    for entry in sorted(kept, key=_time_order):
        rows.setdefault(entry.judgement.row, {})[entry.judgement.curator] = entry
    return CurationState(rows)


def _is_own(undo: Undo, events: Mapping[str, Judgement | Undo]) -> bool:
    """Nobody takes back what another said."""
    judgement = events.get(undo.judgement)
    return isinstance(judgement, Judgement) and judgement.curator == undo.curator


def _time_order(kept: KeptJudgement) -> tuple[str, str]:
    return kept.order


def _majority(votes: list[KeptJudgement]) -> Judgement | None:
    yes = sum(kept.judgement.label for kept in votes)
    if 2 * yes == len(votes):
        return None
    agreeing = [kept for kept in votes if kept.judgement.label == (2 * yes > len(votes))]
    counts = Counter((kept.judgement.verdict, kept.judgement.type) for kept in agreeing)
    return max(agreeing, key=lambda kept: (counts[kept.judgement.verdict, kept.judgement.type], kept.order)).judgement
