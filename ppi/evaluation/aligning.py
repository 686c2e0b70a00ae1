"""Tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def format_columns(rows: Sequence[Sequence[Any]]) -> str:
    """Rows as lines whose columns stand below each other, the first to the left, the others to the right."""
    lines = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
