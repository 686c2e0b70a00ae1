"""How far two curators agree, beyond what chance alone would give.

Cohen's kappa is ``(o - e) / (1 - e)``: ``o`` is the share of the rows that both judged on which they say the same, and
``e`` the share on which they would if each threw dice with the frequencies of their own verdicts.  It is 1 where they
always agree, 0 where they agree as often as the dice, and not defined where both only ever say one and the same thing.

References
----------
J. Cohen: A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20 (1960) 37-46.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ppi.curation.judgement import Row
from ppi.curation.state import State

#: A verdict, and whether two proteins interact by it.
Said = tuple[str, bool]


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
        The share on which they gave the same verdict; None without rows.
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
        return {
            "first": self.first,
            "second": self.second,
            "rows": self.rows,
            "same": self.same,
            "kappa": self.kappa,
            "kappa_interacts": self.kappa_interacts,
            "verdicts": [
                {"first": first, "second": second, "rows": count}
                for (first, second), count in sorted(self.verdicts.items())
            ],
        }


def agreement(first: str, second: str, said: Iterable[tuple[Said, Said]]) -> Agreement:
    """The agreement of two, given for each row the verdict of both and whether it says that the two interact."""
    pairs = list(said)
    verdicts = [(one[0], other[0]) for one, other in pairs]
    return Agreement(
        first,
        second,
        len(pairs),
        sum(one == other for one, other in verdicts) / len(pairs) if pairs else None,
        cohen_kappa(verdicts),
        cohen_kappa([(one[1], other[1]) for one, other in pairs]),
        Counter(verdicts),
    )


def agreements(state: State) -> list[Agreement]:
    """Of every two curators of a state; those who judged no row in common, too."""
    said: dict[str, dict[Row, Said]] = {name: {} for name in state.curators}
    for kept in state:
        said[kept.judgement.curator][kept.judgement.row] = (kept.judgement.verdict, kept.judgement.label)
    return _of_every_two(said)


def agreements_of_files(states: Mapping[str, State]) -> list[Agreement]:
    """Of every two files, by their names, whoever judged in them: of each row what is settled there."""
    return _of_every_two(
        {name: {each.row: (each.verdict, each.label) for each in state.settled()[0]} for name, state in states.items()}
    )


def _of_every_two(said: Mapping[str, Mapping[Row, Said]]) -> list[Agreement]:
    return [
        agreement(
            first, second, [(told, said[second][row]) for row, told in said[first].items() if row in said[second]]
        )
        for first, second in combinations(said, 2)
    ]


def cohen_kappa(said: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's kappa of what two said of each row; None where it is not defined.

    >>> cohen_kappa([("yes", "yes"), ("yes", "no"), ("no", "no"), ("no", "no")])
    0.5
    """
    count = len(said)
    firsts, seconds = Counter(one for one, _ in said), Counter(other for _, other in said)
    # whole numbers until the end: count^2 times what the dice would agree on
    by_chance = sum(firsts[what] * seconds[what] for what in firsts)
    if count * count == by_chance:  # also without rows
        return None
    observed = sum(one == other for one, other in said)
    return (count * observed - by_chance) / (count * count - by_chance)
