"""CSV (RFC 4180): one interaction per row, under a header; UTF-8, comma, CRLF, quotes where needed.

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
comes first, some also the fullwidth forms of these signs, and the texts are strangers'.  Such text cells therefore get
an apostrophe in front (as do those that would then be mistaken for one: ``'=``).  Of a cell that begins with
apostrophes and one of these, the first apostrophe is none of the text's.  JSON lines and Parquet hold every text
exactly as it is.
"""

from __future__ import annotations

import csv
import io
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
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

_BOOLEAN_WORDS = {True: "true", False: "false"}
#: Signs that begin a formula, after whatever a spreadsheet may leave out; and control characters, that it may, too.
_FORMULA = re.compile(r"'*(?:[\x00-\x1f\x7f-\x9f]|[\s\u200b\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])")


def write_csv(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write the header, then one row per interaction."""
    text = io.TextIOWrapper(output, encoding="utf-8", newline="", write_through=True)
    try:
        table = csv.writer(text)
        table.writerow(INTERACTION_COLUMNS)
        table.writerows(map(format_cell, row_values(row)) for row in interaction_rows(annotated))
    finally:
        text.detach()  # the file is the caller's to close


def escape_formula(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula.

    >>> escape_formula("=1+1"), escape_formula("actin"), escape_formula("'-5")
    ("'=1+1", 'actin', "''-5")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def format_cell(value: CellValue) -> str | int | float:
    """A value as it is written; text that a spreadsheet would run is guarded by an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return _BOOLEAN_WORDS[value]
    return escape_formula(encodable_text(value)) if isinstance(value, str) else value


# Tab-separated values and Excel workbooks: the table of :mod:`ppi.export.spreadsheets`, cell by cell, as other files.
#
# ``.tsv`` has one line per interaction and no quotes: a tab or line break inside a text becomes a space.  In ``.xlsx``
# (extra ``xlsx``) numbers are numbers, and texts are marked as texts, so that nothing is run as a formula; what a cell
# cannot hold (control characters, more than 32,767 characters) is replaced or cut.

#: What Excel takes [ECMA-376, Excel specifications and limits].
MAX_CELL_CHARACTERS, MAX_SHEET_ROWS = 32_767, 1_048_576
_BREAKS = re.compile(r"[\t\r\n]+")
_NUMBERS = re.compile(r"(?:probability|score|start|end|agent|target)(?:_|\Z)")
_SHEET = "interactions"
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the same interactions give the same bytes
_WIDTHS = {"sentence": 80, "document": 14, "name_1": 18, "name_2": 18}


def write_tsv(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write the header, then one line per interaction."""
    for cells in _table_rows(annotated):
        output.write(("\t".join(_BREAKS.sub(" ", cell) for cell in cells) + "\n").encode())


def write_xlsx(annotated: Iterable[AnnotatedDocument], output: IO[bytes], explain: bool = False) -> None:
    """Write a workbook with the header and one row per interaction; a full sheet is followed by another.

    Raises
    ------
    MissingExtraError
        If openpyxl is not installed.
    """
    openpyxl = _require_openpyxl()
    book = openpyxl.Workbook(write_only=True)
    rows = _table_rows(annotated)
    header = next(rows)
    numeric = [_NUMBERS.match(name) is not None for name in header]
    sheet: Any = None
    count = MAX_SHEET_ROWS
    for cells in rows:
        if count == MAX_SHEET_ROWS:
            sheet, count = _new_sheet(book, header), 1
        sheet.append(
            [_xlsx_cell(openpyxl, sheet, text, is_number) for text, is_number in zip(cells, numeric, strict=True)]
        )
        count += 1
    if sheet is None:
        _new_sheet(book, header)
    # a zip goes back to its headers, which the output (packed, or a pipe) may not be able to
    with tempfile.TemporaryFile() as raw_file, tempfile.TemporaryFile() as clean_file:
        book.save(raw_file)
        _copy_without_times(raw_file, clean_file)
        clean_file.seek(0)
        shutil.copyfileobj(clean_file, output)


def _table_rows(annotated: Iterable[AnnotatedDocument]) -> Iterator[list[str]]:
    """The header, then the cells of each interaction as CSV has them."""
    header, *_ = _csv_rows([])
    yield header
    for document in annotated:
        yield from _csv_rows([document])[1:]


def _csv_rows(annotated: list[AnnotatedDocument]) -> list[list[str]]:
    buffer = io.BytesIO()
    write_csv(annotated, buffer)
    # the module's own limit, 128 KiB for a cell, is one for strangers' files
    csv.field_size_limit(max(csv.field_size_limit(), 2**25))
    return list(csv.reader(io.StringIO(buffer.getvalue().decode(), newline="")))


def _new_sheet(book: Any, header: list[str]) -> Any:
    number = len(book.worksheets) + 1
    sheet = book.create_sheet(_SHEET if number == 1 else f"{_SHEET} {number}")
    sheet.freeze_panes = "A2"
    for index, name in enumerate(header):
        if name in _WIDTHS:
            sheet.column_dimensions[_column_letters(index)].width = _WIDTHS[name]
    sheet.append(header)
    return sheet


def _xlsx_cell(openpyxl: Any, sheet: Any, text: str, is_number: bool) -> Any:
    if not text:
        return None
    if is_number:
        value = float(text)
        return int(value) if value.is_integer() and "." not in text else value
    cell = openpyxl.cell.WriteOnlyCell(sheet, value=xml_text(_unescape_formula(text))[:MAX_CELL_CHARACTERS])
    cell.data_type = "s"  # also where it begins with "="
    return cell


def _unescape_formula(text: str) -> str:
    """The text without the apostrophe that a CSV file needs: a cell that says it is text is not run."""
    return text[1:] if text.startswith("'") and escape_formula(text[1:]) == text else text


def _column_letters(index: int) -> str:
    """The name of a column: A to Z, then AA."""
    return (chr(64 + index // 26) if index >= 26 else "") + chr(65 + index % 26)


def _copy_without_times(book: IO[bytes], output: IO[bytes]) -> None:
    """The workbook without the times at which it was made."""
    with zipfile.ZipFile(book) as source, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as target:
        for part in source.infolist():
            entry = zipfile.ZipInfo(part.filename, _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            data = source.read(part)
            if part.filename == "docProps/core.xml":
                data = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z", b"1980-01-01T00:00:00Z", data)
            target.writestr(entry, data)


def _require_openpyxl() -> Any:
    try:
        import openpyxl
        import openpyxl.cell
    except ImportError:
        raise MissingExtraError("openpyxl", "xlsx") from None
    return openpyxl
