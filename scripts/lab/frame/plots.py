"""Figures of the pages: one style, and the same bytes for the same result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lab.frame.experiment import Picture
from ppi.evaluation import save_figure

#: one colour per series, readable in print and for the colour-blind
COLOURS = ("#1f4e79", "#c0392b", "#2e8b57", "#d68910", "#7d3c98", "#5d6d7e")
GREY = "#9aa0a6"
#: letters of an SVG file stay letters
STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "lines.markersize": 3.5,
}


def save_picture(picture: Picture, path: Path) -> None:
    """Write the picture, whole or not at all."""
    save_figure(picture.draw, path, size=picture.size, style=STYLE)
