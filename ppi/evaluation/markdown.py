"""Tables in Markdown: the one writer behind every report and page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def table(head: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    """A table with one line per row; a ``|`` inside a cell is escaped, a line break becomes a space.

    Raises
    ------
    ValueError
        If a row does not have one cell per column.

    >>> print(table(["corpus", "F"], [["AImed", 55.4], ["a|b", ""]]))
    | corpus | F |
    |---|---|
    | AImed | 55.4 |
    | a\\|b |  |
    """
    lines = [_line(head), "|" + "---|" * len(head)]
    for row in rows:
        if len(row) != len(head):
            raise ValueError(f"expected one cell for each of the {len(head)} columns, got {len(row)}: {list(row)!r}")
        lines.append(_line(row))
    return "\n".join(lines)


def _line(cells: Iterable[Any]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(value: Any) -> str:
    return " ".join(str(value).splitlines()).replace("|", "\\|")
