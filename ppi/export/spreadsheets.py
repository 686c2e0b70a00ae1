"""Tables for spreadsheets, one interaction per row under a header: CSV, tab-separated values, Excel workbooks.

``.csv`` is RFC 4180: UTF-8, comma, CRLF, quotes where needed.  ``.tsv`` has one line per interaction and no quotes: a
tab or line break inside a text becomes a space.  In ``.xlsx`` (extra ``xlsx``) numbers are numbers, and texts are
marked as texts, so that nothing is run as a formula; what a cell cannot hold (control characters, more than 32,767
characters) is replaced or cut.

Columns, in this order for good (new ones will come at the end):

======================================  ===========================================================================
``document``, ``pubmed``                ids; the second is empty where the document is not known to be in PubMed
``sentence_id``, ``pair``               ids
``name_1``, ``name_2``                  the mentions as written, in text order
``start_1``, ``end_1``, ``start_2`` ... characters in the document, zero-based, end-exclusive
``spans_1``, ``spans_2``                the same with gaps, for discontinuous mentions: ``10-15;20-25``
``identifiers_1``, ``identifiers_2``    what they are grounded to, separated by ``|``; several are candidates
``grounding_1``, ``grounding_2``        how they were grounded
``probability``, ``score``              numbers, in full precision
``sentence``                            its text
``path``                                the shortest dependency path, where the interaction has its evidence
``type``, ``sign``, ``kind``            how they interact, where the model knows types
``agent``, ``target``                   which of the two acts and which is acted on: 1 or 2
``negated``, ``hedged``                 whether the sentence denies it, or only supposes it: true or false
``probability_binding``, ...            of each type, where the model knows types
``type_1``, ``type_2``                  what each is: ``PROTEIN``, ``FAMILY`` (a family or complex), or a given type
``symbol_1``, ``symbol_2``              the official symbol, where the lexicon has one
``taxid_1``, ``species_1`` ...          the species: NCBI's number, and its Latin name
``entity_kind_1``, ``entity_kind_2``    ``family`` or ``complex`` where it is no single gene
``uniprot_1``, ``uniprot_2``            UniProt's accession, where the lexicon has it
``aliases_1``, ``aliases_2``            other names under which the sentence says it, separated by ``|``
``same``                                whether both are one protein, which is there only if asked for: true or false
``homo``                                whether the text says that one protein interacts with itself: true or false
``year``                                of the paper, where its file says it
======================================  ===========================================================================

Spreadsheets run cells that begin with ``=``, ``+``, ``-`` or ``@`` as formulas, also where white space or a line break
comes first, some also the fullwidth forms of these signs, and the texts are strangers'.  Such text cells of CSV
and TSV therefore get an apostrophe in front (as do those that would then be mistaken for one: ``'=``).  Of a cell that
begins with apostrophes and one of these, the first apostrophe does not belong to the text.  JSON lines and Parquet hold
every text exactly as it is.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from typing import IO, Any

from ppi.annotation import (
    INTERACTION_COLUMNS,
    AnnotatedDocument,
    CellValue,
    encodable_text,
    interaction_rows,
    row_values,
    xml_text,
)
from ppi.core import MissingExtraError
from ppi.export.formats import add_zip_entry

#: What Excel takes [ECMA-376, Excel specifications and limits].
MAX_CELL_CHARACTERS, MAX_SHEET_ROWS = 32_767, 1_048_576
#: Signs that begin a formula, after whatever a spreadsheet may leave out; and control characters, that it may, too.
_FORMULA = re.compile(r"'*(?:[\x00-\x1f\x7f-\x9f]|[\s\u200b\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])")
_BREAKS = re.compile(r"[\t\r\n]+")
_NUMBERS = re.compile(r"(?:probability|score|start|end|agent|target)(?:_|\Z)")
_SHEET = "interactions"
_WIDTHS = {"sentence": 80, "document": 14, "name_1": 18, "name_2": 18}


def write_csv(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write the header, then one row per interaction."""
    write_csv_rows(INTERACTION_COLUMNS, map(row_values, interaction_rows(annotated)), output)


def write_csv_rows(header: Sequence[str], rows: Iterable[Iterable[CellValue]], output: IO[bytes]) -> None:
    """Write a table; text that a spreadsheet would run is guarded by an apostrophe."""
    text = io.TextIOWrapper(output, encoding="utf-8", newline="", write_through=True)
    try:
        table = csv.writer(text)
        table.writerow(header)
        table.writerows(map(_format_cell, row) for row in rows)
    finally:
        text.detach()  # the file is the caller's to close


def write_tsv(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write the header, then one line per interaction."""
    output.write(("\t".join(INTERACTION_COLUMNS) + "\n").encode())
    for row in interaction_rows(annotated):
        cells = (_BREAKS.sub(" ", _format_cell(value)) for value in row_values(row))
        output.write(("\t".join(cells) + "\n").encode())


def write_xlsx(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write a workbook with the header and one row per interaction; a full sheet is followed by another.

    Raises
    ------
    MissingExtraError
        If openpyxl is not installed.
    """
    try:
        import openpyxl
        import openpyxl.cell
    except ImportError:
        raise MissingExtraError("openpyxl", "xlsx") from None

    def make_cell(name: str, value: CellValue) -> Any:
        if value in (None, "") or _NUMBERS.match(name):
            return value if value != "" else None
        cell = openpyxl.cell.WriteOnlyCell(sheet, value=xml_text(_cell_text(value))[:MAX_CELL_CHARACTERS])
        cell.data_type = "s"  # also where it begins with "="
        return cell

    book = openpyxl.Workbook(write_only=True)
    sheet = _add_sheet(book)
    n_rows = 1
    for row in interaction_rows(annotated):
        if n_rows == MAX_SHEET_ROWS:
            sheet, n_rows = _add_sheet(book), 1
        sheet.append(list(map(make_cell, INTERACTION_COLUMNS, row_values(row))))
        n_rows += 1
    # a zip goes back to its headers, which the output (packed, or a pipe) may not be able to
    with tempfile.TemporaryFile() as raw_file, tempfile.TemporaryFile() as clean_file:
        book.save(raw_file)
        _copy_without_times(raw_file, clean_file)
        clean_file.seek(0)
        shutil.copyfileobj(clean_file, output)


def escape_formula(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula.

    >>> escape_formula("=1+1"), escape_formula("actin"), escape_formula("'-5")
    ("'=1+1", 'actin', "''-5")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def _format_cell(value: CellValue) -> str:
    text = _cell_text(value)
    return escape_formula(encodable_text(text)) if isinstance(value, str) else text


def _cell_text(value: CellValue) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _add_sheet(book: Any) -> Any:
    from openpyxl.utils import get_column_letter

    number = len(book.worksheets) + 1
    sheet = book.create_sheet(_SHEET if number == 1 else f"{_SHEET} {number}")
    sheet.freeze_panes = "A2"
    for name, width in _WIDTHS.items():
        sheet.column_dimensions[get_column_letter(INTERACTION_COLUMNS.index(name) + 1)].width = width
    sheet.append(INTERACTION_COLUMNS)
    return sheet


def _copy_without_times(book: IO[bytes], output: IO[bytes]) -> None:
    """Copy the workbook without the times at which it was made."""
    with zipfile.ZipFile(book) as source, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as target:
        for part in source.infolist():
            data = source.read(part)
            if part.filename == "docProps/core.xml":
                data = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z", b"1980-01-01T00:00:00Z", data)
            add_zip_entry(target, part.filename, data)
