"""What holds, given everything that was said: the fold of a file of judgements.

It depends on the set of lines alone, not on their order, so that merged files have one state however they are merged:
of what a curator said about a row and did not take back, the latest holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ppi.curation.judgement import Judgement, Row, Undo


class Kept(NamedTuple):
    """A judgement that holds, and its id."""

    id: str
    judgement: Judgement

    @property
    def order(self) -> tuple[str, str]:
        """By time; at the same time, by id, so that everybody has one order."""
        return self.judgement.time, self.id


@dataclass(frozen=True)
class State:
    """What holds of each row, by curator; rows in the order in which they were first judged."""

    rows: Mapping[Row, Mapping[str, Kept]]

    def __iter__(self) -> Iterator[Kept]:
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

    def of(self, row: Row) -> Mapping[str, Kept]:
        """What holds of a row, by curator."""
        return self.rows.get(row, {})

    def judged(self, curator: str | None = None) -> list[Kept]:
        """What holds, the latest first; with ``curator``, of that one."""
        heard = (kept for kept in self if curator in (None, kept.judgement.curator))
        return sorted(heard, key=_order, reverse=True)

    def latest(self, curator: str) -> Kept | None:
        """The last judgement of a curator that holds: what undoing takes back."""
        return max((kept for kept in self if kept.judgement.curator == curator), key=_order, default=None)

    def settled(self, curator: str | None = None) -> tuple[list[Judgement], int]:
        """One judgement per row, and the number of rows about which the curators are divided.

        A row is settled if more than half of those who judged it say that the two interact, or that they do not; of
        what these say the most frequent holds, and of several the latest.  With ``curator``, only that one is heard.
        """
        found, divided = [], 0
        for by_curator in self.rows.values():
            heard = [kept for name, kept in by_curator.items() if curator in (None, name)]
            if not heard:
                continue
            judgement = _majority(heard)
            if judgement is None:
                divided += 1
            else:
                found.append(judgement)
        return found, divided


def fold(events: Mapping[str, Judgement | Undo]) -> State:
    """The state after these events, by their ids."""
    undone = {event.judgement for event in events.values() if isinstance(event, Undo) and _is_own(event, events)}
    kept = [Kept(id, event) for id, event in events.items() if isinstance(event, Judgement) and id not in undone]
    rows: dict[Row, dict[str, Kept]] = {}
    for each in sorted(kept, key=_order):
        rows.setdefault(each.judgement.row, {})[each.judgement.curator] = each
    return State(rows)


def _is_own(undo: Undo, events: Mapping[str, Judgement | Undo]) -> bool:
    """Nobody takes back what another said."""
    judgement = events.get(undo.judgement)
    return isinstance(judgement, Judgement) and judgement.curator == undo.curator


def _order(kept: Kept) -> tuple[str, str]:
    return kept.order


def _majority(heard: list[Kept]) -> Judgement | None:
    yes = sum(kept.judgement.label for kept in heard)
    if 2 * yes == len(heard):
        return None
    agreeing = [kept for kept in heard if kept.judgement.label == (2 * yes > len(heard))]
    counts = Counter((kept.judgement.verdict, kept.judgement.type) for kept in agreeing)
    return max(agreeing, key=lambda kept: (counts[kept.judgement.verdict, kept.judgement.type], kept.order)).judgement
