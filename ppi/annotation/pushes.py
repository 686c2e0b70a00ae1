"""The features that pushed a score up and down most, with their share."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from ppi.extraction.explanation import Explanation


class FeatureContribution(NamedTuple):
    """What a feature adds to the score, and its part of all that features add or take away (sum of magnitudes)."""

    name: str
    value: float
    share: float


def top_contributions(
    explanation: Explanation, *, limit: int = 10
) -> tuple[list[FeatureContribution], list[FeatureContribution]]:
    """The features that pushed up, and those that pushed down, strongest first.

    A feature that occurs at several places counts once, with the sum.
    """
    totals: dict[str, float] = defaultdict(float)
    for feature in explanation.features:
        totals[feature.name] += feature.value
    total_magnitude = sum(abs(value) for value in totals.values()) or 1.0
    contributions = [FeatureContribution(name, value, abs(value) / total_magnitude) for name, value in totals.items()]
    ordered = sorted(contributions, key=lambda contribution: (-contribution.share, contribution.name))
    return [contribution for contribution in ordered if contribution.value > 0][:limit], [
        push for push in ordered if push.value < 0
    ][:limit]
