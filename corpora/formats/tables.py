"""Tables of texts: CSV (comma or semicolon), tab-separated values, JSON with one object per text; one document per row.

Which column is the id, the title and the text is known by their names or by :attr:`~corpora.source.Source.columns`;
the other columns become the document's remarks.  A row without id is named after the file and its number.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from corpora.errors import CorpusError, FormatError, truncate_repr
from corpora.formats.common import make_passages
from corpora.formats.table_columns import (
    Columns,
    choose_columns,
    columns_by_number,
    is_numbered,
    normalize_heading,
    split_header,
)
from corpora.json_codec import parse_json
from corpora.limits import MAX_RECORD_BYTES, MAX_VALUE_BYTES, check_annotations, check_size
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document, Infons

_Cells = Sequence[str]
_QUOTE = '"'


def read_csv(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Rows of a CSV file, the separator being that of the first line."""
    return read_rows(_csv_rows(source), source, losses)


def read_tsv(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Rows of tab-separated values; a cell may be quoted as spreadsheets do, and then hold tabs and line breaks."""
    return read_rows(_tsv_rows(source), source, losses)


def read_json(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Objects, one per line or in one list; each its own table of one row, so that fields may be missing."""
    has_noted_columns = False
    for number, value in _objects(source):
        source.record_line = number
        try:
            if not isinstance(value, dict):
                raise FormatError(f"expected an object with fields such as id and text, got {truncate_repr(value)}")
            cells = {name: _cell(content) for name, content in value.items()}
            columns = choose_columns(list(cells), source.columns)
            document = _document(list(cells.values()), columns, f"{source.stem}-{number}")
        except CorpusError as error:
            source.reject(error, number)
            continue
        if not has_noted_columns and source.columns is None:
            source.note(f"fields: {columns}")
            has_noted_columns = True
        yield from _skip_empty(document, losses)


def read_rows(rows: Iterable[tuple[int, _Cells]], source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Documents of numbered rows, of which the first holds the headings, unless columns are given by number."""
    remaining = iter(rows)
    first = next(remaining, None)
    if first is None:
        return
    try:
        if is_numbered(source.columns):
            columns = columns_by_number(source.columns or {})
            remaining = chain([first], remaining)
        else:
            columns = choose_columns([name.strip() for name in first[1]], source.columns)
    except CorpusError as error:
        raise error.with_location(source.name, first[0]) from None
    if source.columns is None:
        source.note(f"columns: {columns}")
    for row_number, (line, cells) in enumerate(remaining, start=1):
        source.record_line = line
        try:
            yield from _skip_empty(_document(cells, columns, f"{source.stem}-{row_number}"), losses)
        except CorpusError as error:
            source.reject(error, line)


def _document(cells: _Cells, columns: Columns, default_id: str) -> Document:
    if columns.names and len(cells) > len(columns.names) and any(cells[len(columns.names) :]):
        raise FormatError(f"expected {len(columns.names)} cells as in the first row, got {len(cells)}")
    id = _cell_at(cells, columns.id) or default_id
    texts = (
        (_cell_at(cells, columns.title), (("type", "title"),)),
        (_cell_at(cells, columns.text), (("type", "abstract"),) if _is_abstract(columns) else ()),
    )
    infons = _other_infons(cells, columns)
    check_annotations(len(infons), id)
    orig_id = f"PMID:{id}" if columns.is_pubmed and id.isdecimal() else None
    return Document(id, make_passages(id, texts), orig_id=orig_id, infons=infons)


def _is_abstract(columns: Columns) -> bool:
    heading = columns.names[columns.text] if columns.names and columns.text is not None else ""
    return normalize_heading(heading).startswith("ab")


def _other_infons(cells: _Cells, columns: Columns) -> Infons:
    taken = (columns.id, columns.title, columns.text)
    named = enumerate(zip(columns.names, cells))
    return tuple((name, value) for index, (name, value) in named if index not in taken and name and value)


def _cell_at(cells: _Cells, index: int | None) -> str:
    return cells[index].strip() if index is not None and index < len(cells) else ""


def _skip_empty(document: Document, losses: ConversionLosses) -> Iterator[Document]:
    if document.sentences:
        yield document
    else:
        losses.drop("rows without a text")


def _csv_rows(source: Source) -> Iterator[tuple[int, _Cells]]:
    lines = ((number, line) for number, line in source.lines())
    first = next(((number, line) for number, line in lines if line.strip()), None)
    if first is None:
        return
    _, delimiter = split_header(first[1])
    yield from _parse_csv(chain([first], lines), delimiter, source)


def _parse_csv(lines: Iterable[tuple[int, str]], delimiter: str, source: Source) -> Iterator[tuple[int, _Cells]]:
    """Rows, which may take several lines; the number is that of the first."""
    first_line = size = 0

    def check_lines() -> Iterator[str]:
        nonlocal first_line, size
        for number, line in lines:
            first_line = first_line or number
            size += len(line)
            check_size("a row (or a quote that is never closed)", size, MAX_RECORD_BYTES, path=source.name)
            yield line + "\n"

    # the module's own limit, 128 KiB for a cell, is too small for the text of an article
    csv.field_size_limit(max(csv.field_size_limit(), MAX_RECORD_BYTES))
    reader = csv.reader(check_lines(), delimiter=delimiter, strict=True)
    while True:
        first_line = size = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            source.reject(FormatError(f"expected rows of a table, got: {error}; check the quotes there"), first_line)
            if "end of data" in str(error):
                return
            continue
        if any(cell.strip() for cell in cells):
            yield first_line, cells


def _tsv_rows(source: Source) -> Iterator[tuple[int, _Cells]]:
    """A line is a row, unless it has an open quote, and too few cells or one after it that is no row either."""
    width = 0
    lines = _PeekableLines(source.lines())
    for number, line in lines:
        cells = line.split("\t")
        is_open = bool(width) and any(_is_open(cell) for cell in cells)
        if is_open and (len(cells) < width or lines.next_cells() < width):
            whole = _join_quoted_lines(line, number, lines, source)
            yield from _parse_csv(((number, part) for part in whole.split("\n")), "\t", source)
        elif line.strip():
            width = width or len(cells)
            yield number, [_unquote(cell) for cell in cells]


class _PeekableLines:
    """Numbered lines, of which the next can be looked at."""

    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self._lines = lines
        self._waiting: list[tuple[int, str]] = []

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return self

    def __next__(self) -> tuple[int, str]:
        return self._waiting.pop() if self._waiting else next(self._lines)

    def next_cells(self) -> int:
        """How many cells the next line has; more than any, if there is none."""
        if not self._waiting and (following := next(self._lines, None)) is not None:
            self._waiting.append(following)
        return self._waiting[0][1].count("\t") + 1 if self._waiting else MAX_RECORD_BYTES


def _join_quoted_lines(line: str, first_line: int, lines: Iterator[tuple[int, str]], source: Source) -> str:
    """The line with those after it, up to the one that closes the quote."""
    parts, size, quotes = [line], len(line), line.count(_QUOTE)
    for _, next_line in lines:
        parts.append(next_line)
        size, quotes = size + len(next_line), quotes + next_line.count(_QUOTE)
        check_size(f"a row (from line {first_line})", size, MAX_RECORD_BYTES, path=source.name)
        if quotes % 2 == 0:
            break
    return "\n".join(parts)


def _is_open(cell: str) -> bool:
    return cell.startswith(_QUOTE) and cell.count(_QUOTE) % 2 == 1


def _unquote(cell: str) -> str:
    if len(cell) > 1 and cell.startswith(_QUOTE) and cell.endswith(_QUOTE) and cell.count(_QUOTE) % 2 == 0:
        return cell[1:-1].replace('""', '"')
    return cell


def _objects(source: Source) -> Iterator[tuple[int, Any]]:
    """Objects of JSON lines, or of one list."""
    lines = ((number, line) for number, line in source.lines() if line.strip())
    first = next(lines, None)
    if first is None:
        return
    if first[1].lstrip().startswith("["):
        yield from enumerate(_read_list(chain([first], lines), source), start=1)
        return
    for number, line in chain([first], lines):
        try:
            yield number, parse_json(line, source, number)
        except CorpusError as error:
            source.reject(error, number)


def _read_list(lines: Iterable[tuple[int, str]], source: Source) -> list[Any]:
    parts, size = [], 0
    for _, line in lines:
        parts.append(line)
        size += len(line) + 1
        check_size("a list", size, MAX_VALUE_BYTES, path=source.name)
    value = parse_json("\n".join(parts), source, 1)
    if not isinstance(value, list):
        raise source.format_error(f"expected a list of objects, got {truncate_repr(value)}")
    return value


def _cell(value: Any) -> str:
    """A field as text; lists and objects as they are written."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping | list):
        return "" if not value else truncate_repr(value)
    return str(value)
