"""Figures as SVG: small, and the same bytes for the same result."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from corpora.source import atomic_output
from lab.frame.experiment import Picture
from ppi.errors import MissingExtraError

#: one colour a series, readable in print and for the colour-blind
COLOURS = ("#1f4e79", "#c0392b", "#2e8b57", "#d68910", "#7d3c98", "#5d6d7e")
GREY = "#9aa0a6"


def svg(picture: Picture, *, salt: str = "ppi") -> bytes:
    """The picture as SVG; letters stay letters, ids depend on ``salt`` alone and there is no date."""
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plots") from None
    style: dict[Any, Any] = {
        "svg.hashsalt": salt,
        "svg.fonttype": "none",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
        "lines.linewidth": 1.4,
        "lines.markersize": 3.5,
    }
    with matplotlib.rc_context(style):
        figure = Figure(figsize=picture.size, layout="constrained")
        canvas = FigureCanvasSVG(figure)
        picture.draw(figure)
        buffer = io.BytesIO()
        canvas.print_svg(buffer, metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def save_picture(picture: Picture, path: Path) -> None:
    """Write the picture, whole or not at all."""
    content = svg(picture, salt=path.stem)
    with atomic_output(path) as output:
        output.write(content)
