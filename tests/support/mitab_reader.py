"""A strict reader of PSI-MITAB 2.7, written from the specification and sharing nothing with the writer.

https://psicquic.github.io/MITAB27Format.html: 42 columns separated by tabs, ``-`` for an empty one; a column is one or
more ``XREF:VALUE(DESCRIPTION)`` separated by ``|``; a part with a reserved character (``| ( ) :`` or a tab) stands in
double quotes, and a quote inside quotes is escaped by a backslash.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

COLUMNS = 42
#: Columns (from 1) whose fields are terms of the PSI-MI vocabulary.
TERMS = {7, 12, 17, 18, 19, 20, 21, 22}
SINGLE = {31, 32, 36, 39, 40}
_TERM = re.compile(r"MI:[0-9]{4}")
_RESERVED = set("|():\t")


@dataclass(frozen=True)
class Field:
    xref: str
    value: str
    description: str | None = None


def read(data: bytes) -> list[dict[int, list[Field] | str | None]]:
    """The rows, columns by number from 1; AssertionError where the file breaks a rule."""
    text = data.decode("utf-8")
    assert text.endswith("\n")
    lines = text[:-1].split("\n")
    assert lines[0].startswith("#"), "the header is a comment"
    assert len(lines[0].split("\t")) == COLUMNS
    return [_row(line) for line in lines[1:]]


def _row(line: str) -> dict[int, list[Field] | str | None]:
    assert "\r" not in line
    cells = line.split("\t")
    assert len(cells) == COLUMNS, len(cells)
    row: dict[int, list[Field] | str | None] = {}
    for number, cell in enumerate(cells, start=1):
        assert cell, f"column {number} is empty, not '-'"
        if cell == "-":
            row[number] = None
        elif number in SINGLE:
            row[number] = cell
        else:
            row[number] = fields(cell)
    for number in (1, 2):
        assert row[number] is not None, "interactors have an identifier"
    for number in TERMS:
        for field in row[number] or ():
            assert field.xref == "psi-mi"
            assert _TERM.fullmatch(field.value)
            assert field.description
    assert row[36] in (None, "true", "false")
    return row


def fields(cell: str) -> list[Field]:
    """The fields of a column."""
    found, place = [], 0
    while True:
        field, place = _field(cell, place)
        found.append(field)
        if place == len(cell):
            return found
        assert cell[place] == "|", (cell, place)
        place += 1


def _field(cell: str, place: int) -> tuple[Field, int]:
    xref, place = _part(cell, place)
    assert xref
    assert cell[place : place + 1] == ":", (cell, place)
    value, place = _part(cell, place + 1)
    description = None
    if cell[place : place + 1] == "(":
        description, place = _part(cell, place + 1)
        assert cell[place : place + 1] == ")", (cell, place)
        place += 1
    return Field(xref, value, description), place


def _part(cell: str, place: int) -> tuple[str, int]:
    if cell[place : place + 1] != '"':
        end = place
        while end < len(cell) and cell[end] not in _RESERVED:
            assert cell[end] != '"', "a quote begins a part or is escaped inside one"
            end += 1
        return cell[place:end], end
    made, place = [], place + 1
    while cell[place] != '"':
        if cell[place] == "\\" and cell[place + 1] == '"':
            place += 1
        made.append(cell[place])
        place += 1
    return "".join(made), place + 1
