"""Turns judgements of what a model claimed of a pair into training targets.

================  ===========  ============  ============  =========================================================
verdict           interaction  claimed type  other types   direction
================  ===========  ============  ============  =========================================================
right             positive     positive      -             as claimed
wrong             negative     negative      -             -
wrong type        positive     negative      the right     -
                                             one positive
wrong direction   positive     positive      -             the other way round
not a protein     -            -             -             -
================  ===========  ============  ============  =========================================================

A dash teaches nothing: the target is missing, never negative.  A name of something else shows nothing about the words
around it, which are all that a model sees (names are blinded): such judgements are counted, and change no weight.
Nothing teaches the sign of a regulation: no verdict denies one, and what is only ever confirmed is not learned but
repeated.  A claim without a type (a model without types) teaches only ``interaction``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from corpora import TYPES, truncate_repr
from ppi.core import UsageError
from ppi.extraction.outputs import DIRECTION, INTERACTION

RIGHT, WRONG, WRONG_TYPE, WRONG_DIRECTION = "right", "wrong", "wrong type", "wrong direction"
NOT_A_PROTEIN = "not a protein"
VERDICTS = (RIGHT, WRONG, WRONG_TYPE, WRONG_DIRECTION, NOT_A_PROTEIN)
#: What is done with several judgements of one pair.
CONFLICTS = ("majority", "refuse")


@dataclass(frozen=True)
class PairJudgement:
    """A verdict on a claim.

    Parameters
    ----------
    verdict
        One of :data:`VERDICTS`.
    type
        The claimed type, or None for a claim without one.
    first_acts
        The claimed direction: whether the mention that stands first in the text acts; None for a claim without one.
    right_type
        With ``wrong type``: the right type, if it was given.

    Raises
    ------
    UsageError
        If there is no such verdict or type, or the verdict does not fit the claim.
    """

    verdict: str
    type: str | None = None
    first_acts: bool | None = None
    right_type: str | None = None

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise UsageError(f"expected a verdict, one of {list(VERDICTS)}, got {truncate_repr(self.verdict)}")
        for kind in (self.type, self.right_type):
            if kind is not None and kind not in TYPES:
                raise UsageError(f"expected a type, one of {list(TYPES)}, got {truncate_repr(kind)}")
        if self.right_type is not None and (self.verdict != WRONG_TYPE or self.right_type == self.type):
            raise UsageError(
                f"expected another type with {WRONG_TYPE!r} and only there, got {self.right_type!r} with "
                f"{self.verdict!r} of {self.type!r}"
            )
        if self.verdict == WRONG_TYPE and self.type is None:
            raise UsageError(f"expected a claim with a type to be called {WRONG_TYPE!r}, got one without")
        if self.verdict == WRONG_DIRECTION and self.first_acts is None:
            raise UsageError(f"expected a claim with a direction to be called {WRONG_DIRECTION!r}, got one without")

    @classmethod
    def from_label(cls, label: str | bool, *, type: str | None = None, first_acts: bool | None = None) -> Self:
        """From how people write it: ``True``, ``"wrong"``, ``"wrong type: binding"``; of a claim.

        >>> PairJudgement.from_label("wrong type: binding", type="regulation")
        PairJudgement(verdict='wrong type', type='regulation', first_acts=None, right_type='binding')
        """
        if isinstance(label, (bool, np.bool_)):
            return cls(RIGHT if label else WRONG, type, first_acts)
        if not isinstance(label, str):
            raise UsageError(
                f"expected a judgement, True, False or one of {list(VERDICTS)}, got {truncate_repr(label)}"
            )
        verdict, _, right_type = (part.strip() for part in label.partition(":"))
        return cls(verdict, type, first_acts, right_type or None)

    def targets(self) -> dict[str, float]:
        """1 or -1 for each output that it teaches."""
        if self.verdict == NOT_A_PROTEIN:
            return {}
        target_by_output = {INTERACTION: -1.0 if self.verdict == WRONG else 1.0}
        if self.type is not None:
            target_by_output[self.type] = -1.0 if self.verdict in (WRONG, WRONG_TYPE) else 1.0
        if self.right_type is not None:
            target_by_output[self.right_type] = 1.0
        if self.first_acts is not None and self.verdict in (RIGHT, WRONG_DIRECTION):
            target_by_output[DIRECTION] = 1.0 if self.first_acts == (self.verdict == RIGHT) else -1.0
        return target_by_output


def build_targets(judgements: Sequence[PairJudgement], outputs: Sequence[str]) -> NDArray[np.float64]:
    """One row per judgement, one column per output; NaN where it teaches nothing."""
    targets = [[taught.get(output, np.nan) for output in outputs] for taught in map(PairJudgement.targets, judgements)]
    return np.array(targets, dtype=np.float64).reshape(len(targets), len(outputs))


class MergedJudgements(NamedTuple):
    """Judgements with one row per pair: which judgement to take the pair from, and the targets."""

    first_rows: NDArray[np.intp]
    targets: NDArray[np.float64]
    disagreeing: int


def merge_judgements(
    pairs: Sequence[Hashable], targets: NDArray[np.float64], *, conflicts: str = "majority"
) -> MergedJudgements:
    """Several judgements of one pair as one row, so that a pair counts once however many have judged it.

    Parameters
    ----------
    pairs
        Of each judgement: which pair it is of.
    targets
        What each teaches, NaN for nothing.
    conflicts
        ``"majority"``: for each output that of most, and nothing where they are equally many; ``"refuse"``: an error
        where two disagree.

    Raises
    ------
    UsageError
        Naming a pair that was judged in two ways, with ``"refuse"``.
    """
    if conflicts not in CONFLICTS:
        raise UsageError(f"expected conflicts to be one of {list(CONFLICTS)}, got {truncate_repr(conflicts)}")
    rows_by_pair: dict[Hashable, list[int]] = {}
    for number, pair in enumerate(pairs):
        rows_by_pair.setdefault(pair, []).append(number)
    merged_targets = np.full((len(rows_by_pair), targets.shape[1]), np.nan)
    disagreeing = 0
    for row, (pair, members) in enumerate(rows_by_pair.items()):
        is_taught = ~np.isnan(targets[members])
        balance = np.where(is_taught, targets[members], 0.0).sum(axis=0)
        is_disputed = bool((np.abs(balance) < is_taught.sum(axis=0)).any())
        if is_disputed and conflicts == "refuse":
            raise UsageError(
                f"expected judgements that agree, got different ones of pair {pair!r}; settle it, or take the "
                "majority (conflicts='majority')"
            )
        disagreeing += is_disputed
        merged_targets[row] = np.where(balance == 0.0, np.nan, np.sign(balance))
    first_rows = np.array([members[0] for members in rows_by_pair.values()], dtype=np.intp)
    return MergedJudgements(first_rows, merged_targets, disagreeing)


def count_verdicts(judgements: Sequence[PairJudgement]) -> dict[str, int]:
    """How many of each verdict."""
    counts = Counter(judgement.verdict for judgement in judgements)
    return {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]}
