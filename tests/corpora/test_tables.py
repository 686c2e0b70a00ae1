"""Tables of texts: which column is what, rows that take several lines, and damaged ones."""

import io
import json
import zipfile

import openpyxl
import pytest

import corpora
from corpora.errors import CorpusError, FormatError, LossWarning
from corpora.formats import tables, workbook


def load(tmp_path, name, content, **options):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(corpora.read(path, **options))


def texts(document):
    return [sentence.text for sentence in document.sentences]


CSV = """PMID,Article Title,Year,Abstract
10022882,Profilin,1999,"It binds ""actin"",
as we show."
817,Cofilin,,So does it.
"""


def test_columns_are_told_by_their_names_and_noted(tmp_path):
    notes = []
    first, second = load(tmp_path, "t.csv", CSV, notes=notes)
    assert notes == [f"{tmp_path / 't.csv'}: columns: id = PMID, title = Article Title, text = Abstract"]
    assert (first.id, first.orig_id, second.orig_id) == ("10022882", "PMID:10022882", "PMID:817")
    assert texts(first) == ["Profilin", 'It binds "actin",\nas we show.']
    assert [dict(sentence.infons) for sentence in first.sentences] == [{"type": "title"}, {"type": "abstract"}]
    assert (first.infons, second.infons) == ((("Year", "1999"),), ())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", CSV.replace(",", ";").replace('actin"";', 'actin"",')),
        ("t.tsv", CSV.replace('"""actin""",', "x").replace(",", "\t").replace('actin""\t', 'actin"",')),
        ("t.csv", "\ufeff" + CSV.replace("\n", "\r\n").replace('actin"",\r\n', 'actin"",\n')),
    ],
)
def test_separators_and_line_ends(tmp_path, name, content):
    first, second = load(tmp_path, name, content)
    assert texts(first) == ["Profilin", 'It binds "actin",\nas we show.']
    assert texts(second) == ["Cofilin", "So does it."]


def test_quotes_in_tab_separated_values_are_text_where_they_do_not_enclose(tmp_path):
    (document,) = load(tmp_path, "t.tsv", 'id\ttext\na\t"Profilin" binds actin.\n')
    assert texts(document) == ['"Profilin" binds actin.']


def test_columns_by_name(tmp_path):
    content = "Nr,Name,Was,Body text\n7,a,b,Profilin binds actin.\n"
    with pytest.raises(FormatError, match=r"t.csv:1: expected a column of texts, .* 'Body text'; name it: --columns"):
        load(tmp_path, "t.csv", content)
    (document,) = load(tmp_path, "t.csv", content, columns={"id": "Nr", "text": "body text"})
    assert (document.id, texts(document)) == ("7", ["Profilin binds actin."])
    with pytest.raises(FormatError, match=r"expected a column 'Nope' for the text, got 'Nr', 'Name'"):
        load(tmp_path, "t.csv", content, columns={"text": "Nope"})


def test_columns_by_number_where_there_are_no_headings(tmp_path):
    (document,) = load(tmp_path, "t.csv", "7,Profilin binds actin.\n", columns={"id": "1", "text": "2"})
    assert (document.id, texts(document)) == ("7", ["Profilin binds actin."])
    (document,) = load(tmp_path, "t.csv", "7,Profilin binds actin.\n", columns={"text": "2"})
    assert document.id == "t-1"
    with pytest.raises(FormatError, match="expected columns counted from 1, got 0"):
        load(tmp_path, "t.csv", "7,a\n", columns={"text": "0"})


def test_pubmeds_own_table_has_no_abstracts(tmp_path):
    content = "PMID,Title,Authors,Citation,Create Date\n1,a,b,c,d\n"
    with pytest.raises(FormatError, match="PubMed's CSV has no abstracts: save the search as 'PubMed'"):
        load(tmp_path, "t.csv", content)
    assert texts(load(tmp_path, "t.csv", content, columns={"id": "PMID", "title": "Title"})[0]) == ["a"]


def test_bad_rows_are_named_and_the_others_are_read(tmp_path):
    content = 'id,text\na,One.\nb,Two.,three,four\nc,"Qu"oted.\n,Four.\ne,\n'
    problems = []
    with pytest.warns(LossWarning, match="1 rows without a text"):
        found = load(tmp_path, "t.csv", content, problems=problems)
    assert [document.id for document in found] == ["a", "t-3"]
    assert [(problem.line, problem.message[:28]) for problem in problems] == [
        (3, "expected 2 cells as in the f"),
        (4, "expected rows of a table, go"),
    ]


def test_a_quote_that_is_never_closed_does_not_swallow_the_file(tmp_path, monkeypatch):
    with pytest.raises(FormatError, match=r"t.csv:2: expected rows of a table, got: unexpected end of data"):
        load(tmp_path, "t.csv", 'id,text\na,"Profilin\nb,actin\n')
    monkeypatch.setattr(tables, "MAX_RECORD_BYTES", 1000)
    for name, separator in (("t.csv", ","), ("t.tsv", "\t")):
        content = f'id{separator}text{separator}more\na{separator}"Profilin\n' + "b\n" * 1000
        with pytest.raises(FormatError, match=r"expected a row \(.*\) of at most 1,000 bytes, got a longer one"):
            load(tmp_path, name, content)


def test_json_one_object_per_line_or_in_a_list(tmp_path):
    rows = [{"pmid": 10022882, "title": "Profilin", "abstract": "It binds actin.", "tags": ["a"]}, {"text": "B."}]
    for name, content in (("t.jsonl", "\n".join(map(json.dumps, rows))), ("t.json", json.dumps(rows, indent=1))):
        notes = []
        first, second = load(tmp_path, name, content, notes=notes)
        assert (first.id, first.orig_id, texts(first)) == ("10022882", "PMID:10022882", ["Profilin", "It binds actin."])
        assert (second.id, texts(second)) == ("t-2", ["B."])
        assert notes == [f"{tmp_path / name}: fields: id = pmid, title = title, text = abstract"]


def test_json_that_is_no_object_is_named(tmp_path):
    problems = []
    content = '{"id": 1, "text": "a"}\n7\n{"id": 2}\n{"id": 3, "text": \n{"id": 4, "text": "b"}\n'
    found = load(tmp_path, "t.jsonl", content, format="json-records", problems=problems)
    assert [document.id for document in found] == ["1", "4"]
    assert [problem.line for problem in problems] == [2, 3, 4]


def book(*rows) -> bytes:
    made, output = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        made.active.append(row)
    made.save(output)
    return output.getvalue()


def test_workbooks(tmp_path):
    notes = []
    content = book(["PMID", "Title", "Abstract"], [10022882.0, "Profilin", "It binds actin."], [None], [7, None, "B."])
    first, second = load(tmp_path, "t.xlsx", content, notes=notes)
    assert (first.id, first.orig_id, texts(first)) == ("10022882", "PMID:10022882", ["Profilin", "It binds actin."])
    assert (second.id, texts(second)) == ("7", ["B."])
    assert "columns: id = PMID" in notes[0]


def test_damaged_and_hostile_workbooks(tmp_path, monkeypatch):
    whole = book(["id", "text"], [1, "a"])
    with pytest.raises(FormatError, match="expected a complete Excel workbook, got"):
        load(tmp_path, "t.xlsx", whole[: len(whole) // 2])
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as given, zipfile.ZipFile(output, "w") as made:
        for part in given.infolist():
            made.writestr(part, given.read(part).replace(b"<worksheet", b'<!DOCTYPE a [<!ENTITY e "e">]><worksheet'))
    with pytest.raises(FormatError, match="expected XML without DOCTYPE in a workbook, got one"):
        load(tmp_path, "t.xlsx", output.getvalue())
    monkeypatch.setattr(workbook, "MAX_VALUE_BYTES", 6000)
    with pytest.raises(FormatError, match=r"expected a workbook \(unpacked\) of at most 6,000 bytes"):
        load(tmp_path, "t.xlsx", whole)


def test_a_workbook_without_openpyxl_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(CorpusError, match=r"pip install 'ppi-miner\[xlsx\]', or save the sheet as .csv"):
        load(tmp_path, "t.xlsx", zip_head())


def zip_head() -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        archive.writestr("xl/workbook.xml", "x")
    return output.getvalue()
