"""What a page says about the run behind it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PageFacts:
    """Where the threshold of a page begins, and what its probabilities mean.

    Parameters
    ----------
    min_probability
        What was asked for.
    meaning
        Sentences, as :func:`ppi.annotation.meaning.describe_calibration` gives them.
    """

    min_probability: float = 0.0
    calibration_notes: tuple[str, ...] = ()
