"""Claims of a table of interactions: our own CSV and TSV, or anybody's with some of its columns.

=====================================================  ====================================================
``document``                                           its id; always needed
``start_1``, ``end_1``, ``start_2``, ``end_2``         the two mentions, characters of the document; or
``spans_1``, ``spans_2``                               the same with gaps, ``10-15;20-25``
``identifiers_1``, ``identifiers_2``                   what they are grounded to, separated by ``|`` or ``;``
``probability``, ``type``, ``sign``, ``kind``          if known
``agent``                                              1 or 2, the one that acts; empty without direction
``negated``, ``same``                                  ``true`` where it is no claim
``sentence_id``                                        for corpora whose sentences all begin at 0
``name_1``, ``name_2``                                 as written, to check the places
=====================================================  ====================================================

Mentions or identifiers have to be there; the order of columns and others beside them are no matter.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from corpora.errors import FormatError
from corpora.source import Source
from corpora.types import Span
from ppi.evaluation.claims import Claim, Participant
from ppi.export.csv_table import escape_formula
from ppi.grounding.identity import canonicalize_identifier


def read_table(path: str | Path) -> Iterator[Claim]:
    """The claims of a table of interactions, one per row.

    Raises
    ------
    FormatError
        With file and line, if a column that is needed is missing or a cell cannot be read.
    """
    source = Source(path)
    lines = source.lines()
    _, head = next(lines, (0, ""))
    numbered_lines = _NumberedLines(lines, first=head)
    rows = csv.DictReader(numbered_lines, delimiter="\t" if "\t" in head else ",")
    names = set(rows.fieldnames or ())
    column_choices = (("spans",), ("start", "end"), ("identifiers",))
    if "document" not in names or not any(all(_has(names, stem) for stem in stems) for stems in column_choices):
        raise source.format_error(
            "expected the columns document and start_1, end_1, start_2, end_2 or identifiers_1, identifiers_2, "
            f"got {', '.join(sorted(names)) or 'none'}",
            1,
        )
    for row in rows:
        try:
            if (row.get("negated") or "").lower() != "true" and (row.get("same") or "").lower() != "true":
                yield _claim(row)
        except FormatError as error:
            raise error.with_location(source.name, numbered_lines.line) from None


class _NumberedLines:
    """The lines of a table, the number of the last one given being known."""

    def __init__(self, lines: Iterable[tuple[int, str]], first: str) -> None:
        self.line = 0
        self._lines = self._count_lines(lines, first)

    def __iter__(self) -> Iterator[str]:
        return self._lines

    def _count_lines(self, lines: Iterable[tuple[int, str]], first: str) -> Iterator[str]:
        self.line = 1
        yield f"{first}\n"
        for number, line in lines:
            self.line = number
            yield f"{line}\n"


def _has(names: set[str], stem: str) -> bool:
    return {f"{stem}_1", f"{stem}_2"} <= names


def _claim(row: Mapping[str, str | None]) -> Claim:
    participants = (_participant(row, 1), _participant(row, 2))
    agent = row.get("agent") or ""
    if agent not in ("", "1", "2"):
        raise FormatError(f"expected 1 or 2 as agent, got {agent!r}")
    if agent == "2":
        participants = participants[::-1]
    kind = row.get("kind") or " ".join(filter(None, (row.get("sign"), row.get("type"))))
    document = _text(row, "document")
    if not document:
        raise FormatError("expected a document's id, got none")
    probability = _number(row, "probability")
    return Claim(
        document, participants, True, kind or None, bool(agent), probability, _text(row, "sentence_id") or None
    )


def _participant(row: Mapping[str, str | None], which: int) -> Participant:
    cell = (row.get(f"identifiers_{which}") or "").strip()
    identifiers = tuple(
        dict.fromkeys(
            canonicalize_identifier(identifier, "Gene") for identifier in re.split(r"[|;]", cell) if identifier
        )
    )
    return Participant(_spans(row, which), identifiers, _text(row, f"name_{which}") or None)


def _spans(row: Mapping[str, str | None], which: int) -> tuple[Span, ...]:
    spans = row.get(f"spans_{which}") or ""
    if not spans:
        bounds = [row.get(f"{name}_{which}") or "" for name in ("start", "end")]
        spans = "-".join(bounds) if all(bounds) else ""
    parsed_spans = []
    for part in filter(None, spans.split(";")):
        match = re.fullmatch(r"([0-9]{1,15})-([0-9]{1,15})", part.strip())
        if match is None or int(match[1]) >= int(match[2]):
            raise FormatError(f"expected the characters of a mention as start-end, got {part!r}")
        parsed_spans.append((int(match[1]), int(match[2])))
    return tuple(sorted(parsed_spans))


def _text(row: Mapping[str, str | None], name: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from running it."""
    cell = row.get(name) or ""
    return cell[1:] if cell.startswith("'") and escape_formula(cell[1:]) == cell else cell


def _number(row: Mapping[str, str | None], name: str) -> float | None:
    cell = row.get(name) or ""
    if not cell:
        return None
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(f"expected a number as {name}, got {cell!r}")
    return value
