"""Tab-separated values and Excel workbooks: the cells of the CSV table."""

import csv
import io
from dataclasses import replace

import annotated
import openpyxl
import pytest

from ppi.core import MissingExtraError
from ppi.export import spreadsheets
from ppi.export.formats import dumps


def csv_rows(documents) -> list[list[str]]:
    return list(csv.reader(io.StringIO(dumps(documents, "csv").decode(), newline="")))


def with_sentence(text: str):
    """An interaction in a sentence that goes on like this."""
    document = annotated.profilin()
    old = document.interactions[0]
    return replace(document, interactions=(replace(old, sentence=old.sentence + text),))


def sheet_rows(data: bytes, sheet: int = 0) -> list[tuple]:
    return list(openpyxl.load_workbook(io.BytesIO(data)).worksheets[sheet].iter_rows(values_only=True))


def test_lines_have_the_cells_of_the_csv_table_without_breaks():
    documents = [annotated.typed(), annotated.without_interactions(), with_sentence("\tA\r\nB \n\n C")]
    lines = dumps(documents, "tsv").decode().split("\n")
    assert lines.pop() == ""
    cells = [line.split("\t") for line in lines]
    rows = csv_rows(documents)
    assert cells[:-1] == rows[:-1]
    assert cells[-1][rows[0].index("sentence")].endswith(" A B   C")
    assert {len(row) for row in cells} == {len(rows[0])}


def test_workbooks_have_numbers_and_texts():
    documents = [annotated.typed(), annotated.discontinuous()]
    header, *found = sheet_rows(dumps(documents, "xlsx"))
    expected = csv_rows(documents)
    assert list(header) == expected[0]
    for row, cells in zip(found, expected[1:], strict=True):
        for name, value, text in zip(header, row, cells, strict=True):
            if isinstance(value, int | float):
                assert value == pytest.approx(float(text), rel=1e-12), name  # Excel has 15 digits
            else:
                assert (value or "") == text, name
    kinds = {name: type(value) for name, value in zip(header, found[0])}
    assert (kinds["probability"], kinds["start_1"], kinds["sentence"], kinds["pair"]) == (float, int, str, str)


@pytest.mark.parametrize("name", ["=1+1", "+1", "@a", "'=1", "-5"])
def test_nothing_is_run_as_a_formula_and_texts_are_exact(name):
    document = annotated.profilin()
    documents = [replace(document, interactions=(replace(document.interactions[0], document=name),))]
    (cell,) = [
        row[0] for row in openpyxl.load_workbook(io.BytesIO(dumps(documents, "xlsx"))).active.iter_rows(min_row=2)
    ]
    assert (cell.data_type, cell.value) == ("s", name)
    assert dumps(documents, "tsv").decode().splitlines()[1].startswith(f"'{name}\t")


def test_what_a_cell_cannot_hold(monkeypatch):
    monkeypatch.setattr(spreadsheets, "MAX_CELL_CHARACTERS", 60)
    header, row = sheet_rows(dumps([with_sentence("\x01" + "x" * 100)], "xlsx"))
    sentence = row[header.index("sentence")]
    assert len(sentence) == 60
    assert "\x01" not in sentence


def test_a_full_sheet_is_followed_by_another(monkeypatch):
    monkeypatch.setattr(spreadsheets, "MAX_SHEET_ROWS", 3)
    data = dumps([annotated.typed()], "xlsx")
    counts = [len(sheet_rows(data, number)) for number in range(4)]
    assert counts == [3, 3, 3, 2]
    assert [sheet_rows(data, number)[0] for number in range(4)] == [sheet_rows(data)[0]] * 4


def test_no_interaction_leaves_the_header():
    assert len(sheet_rows(dumps([annotated.without_interactions()], "xlsx"))) == 1


def test_without_openpyxl_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ppi-miner\[xlsx\]'"):
        dumps([], "xlsx")
