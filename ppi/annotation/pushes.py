"""The features that pushed a score up and down most, with their share."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from ppi.extraction.explanation import Explanation


class Push(NamedTuple):
    """What a feature adds to the score, and its part of all that features add or take away (sum of magnitudes)."""

    name: str
    value: float
    share: float


def strongest_pushes(explanation: Explanation, *, most: int = 10) -> tuple[list[Push], list[Push]]:
    """The features that pushed up, and those that pushed down, strongest first.

    A feature that occurs at several places counts once, with the sum.
    """
    totals: dict[str, float] = defaultdict(float)
    for one in explanation.features:
        totals[one.name] += one.value
    whole = sum(abs(value) for value in totals.values()) or 1.0
    pushes = [Push(name, value, abs(value) / whole) for name, value in totals.items()]
    ordered = sorted(pushes, key=lambda push: (-push.share, push.name))
    return [push for push in ordered if push.value > 0][:most], [push for push in ordered if push.value < 0][:most]
