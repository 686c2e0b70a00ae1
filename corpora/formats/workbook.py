"""Excel workbooks (.xlsx; extra ``xlsx``): the first sheet is a table of texts, one document per row.

A workbook is a zip of XML, which a small file can make enormous: its parts are refused beyond a limit, and the sheet
is read row by row.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import IO, Any, BinaryIO

from corpora.errors import CorpusError
from corpora.formats.tables import read_rows
from corpora.limits import MAX_RECORD_BYTES, MAX_VALUE_BYTES, check_size
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document

#: Cells of a row beyond this are not looked at: sheets may claim 16,384 columns.
MAX_COLUMNS = 500
_DOCTYPE, _BLOCK = b"<!DOCTYPE", 2**20
_ZIP_FAILURES = (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """One document per row of the first sheet."""
    openpyxl = _require_openpyxl()
    with source.open() as stream:
        data = stream.read(MAX_VALUE_BYTES + 1)
    check_size("a workbook", len(data), MAX_VALUE_BYTES, path=source.name)
    _check_parts(io.BytesIO(data), source)
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        if len(book.worksheets) > 1:
            source.note(f"only the first of {len(book.worksheets)} sheets is read, {book.worksheets[0].title!r}")
        yield from read_rows(_rows(book.worksheets[0], source), source, losses)
    except CorpusError:
        raise
    except Exception as error:  # whatever a damaged part makes the package raise, which is no list of its own
        raise source.format_error(
            f"expected a complete Excel workbook, got: {type(error).__name__}: {error}; open it and save it again"
        ) from None


def _rows(sheet: Any, source: Source) -> Iterator[tuple[int, Sequence[str]]]:
    for number, row in enumerate(sheet.iter_rows(max_col=MAX_COLUMNS, values_only=True), start=1):
        cells = [_text(value) for value in row]
        while cells and not cells[-1]:
            cells.pop()
        check_size("a row", sum(map(len, cells)), MAX_RECORD_BYTES, path=source.name)
        if cells:
            yield number, cells


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():  # spreadsheets have no whole numbers, PubMed has
        return str(int(value))
    return str(value)


def _check_parts(data: BinaryIO, source: Source) -> None:
    """Refuse a workbook whose parts unpack to too much, or that declares entities."""
    try:
        with zipfile.ZipFile(data) as archive:
            size = sum(part.file_size for part in archive.infolist())
            check_size("a workbook (unpacked)", size, MAX_VALUE_BYTES, path=source.name)
            for part in archive.infolist():
                if part.filename.endswith((".xml", ".rels")):
                    with archive.open(part) as stream:
                        _check_prolog(stream, source)
    except CorpusError:
        raise
    except _ZIP_FAILURES as error:
        raise source.format_error(
            f"expected a complete Excel workbook, got: {error}; open it and save it again"
        ) from None


def _check_prolog(stream: IO[bytes], source: Source) -> None:
    """No writer of workbooks puts a DOCTYPE into them; whoever does means to define entities."""
    before = b""
    while block := stream.read(_BLOCK):
        if _DOCTYPE in before + block:
            raise source.format_error("expected XML without DOCTYPE in a workbook, got one")
        before = block[-len(_DOCTYPE) :]


def _require_openpyxl() -> Any:
    try:
        import openpyxl
    except ImportError:
        raise CorpusError(
            "expected the package 'openpyxl' for .xlsx, which is not installed; run: pip install 'ppi-miner[xlsx]', "
            "or save the sheet as .csv"
        ) from None
    return openpyxl
