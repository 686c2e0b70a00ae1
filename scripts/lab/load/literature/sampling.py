"""Sentences of a run for a reader to judge: the same number from each band of probability."""

from __future__ import annotations

import random
from pathlib import Path

from ppi.annotation import Interaction
from ppi.evaluation import format_table
from ppi.server import read_run

#: Bands of probability, from the most probable: at least, and less than.
BANDS = ((0.9, 1.01), (0.7, 0.9), (0.5, 0.7))
_HEADER = ("", "probability", "what was found", "sentence", "right?")


def sample(run: Path, count: int, *, seed: int) -> list[Interaction]:
    """``count`` interactions of a run, drawn without replacement, as evenly from the bands as can be."""
    bands: list[list[Interaction]] = [[] for _ in BANDS]
    for interaction, _ in read_run(run):
        for band, (least, less) in zip(bands, BANDS):
            if least <= interaction.probability < less:
                band.append(interaction)
    generator, drawn = random.Random(seed), []
    for number, band in enumerate(bands):
        wanted = count // len(bands) + (number < count % len(bands))
        drawn += generator.sample(band, min(wanted, len(band)))
    return drawn


def sample_table(run: Path, count: int, *, seed: int) -> str:
    """The sample as a Markdown table, with a column for the reader."""
    rows = [
        (number, f"{each.probability:.2f}", _told(each), " ".join(each.sentence.split()), "")
        for number, each in enumerate(sample(run, count, seed=seed), start=1)
    ]
    return format_table(_HEADER, rows)


def _told(interaction: Interaction) -> str:
    first, second = interaction.participants
    how = interaction.relationship
    return f"{first.text} {how.arrow(interaction.directed)} {second.text}, {how.label}"
