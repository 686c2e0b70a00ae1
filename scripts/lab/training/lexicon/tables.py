"""Tables with a line of column names, packed or not, comma- or tab-separated."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from corpora import Source


def read_rows(
    path: Path, columns: Sequence[str], *, delimiter: str = "\t", quoted: bool = False
) -> Iterator[tuple[str, ...]]:
    """The cells of these columns, row by row.

    Raises
    ------
    CorpusError
        With file and line: if it cannot be read, a column is missing, a row is shorter, or there is none.
    """
    source = Source(path)
    table = csv.reader(
        (text + "\n" for _, text in source.lines()),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=quoted,
    )
    try:
        yield from _cells(table, columns, source)
    except csv.Error as error:
        raise source.format_error(f"expected CSV, got: {error}", table.line_num) from None


def _cells(table: Any, columns: Sequence[str], source: Source) -> Iterator[tuple[str, ...]]:
    names: list[str] = next(table, [])
    missing = [name for name in columns if name not in names]
    if missing:
        raise source.format_error(f"expected the column {missing[0]!r}, got {names}", 1)
    indices, found = [names.index(name) for name in columns], False
    for row in table:
        if len(row) <= max(indices):
            raise source.format_error(f"expected {len(names)} columns, got {len(row)}", table.line_num)
        found = True
        yield tuple(row[index] for index in indices)
    if not found:
        raise source.format_error("expected rows below the names of the columns, got none")
