"""What a file is, by its first bytes; what is no text is named, with what to do."""

import bz2
import io
import lzma
import zipfile

import pytest

import corpora
from corpora.errors import CorpusNotFoundError, FormatError, UnknownFormatError
from corpora.registry import detect_format
from corpora.source import Source

MEDLINE = b"PMID- 10022882\nTI  - Profilin binds\n      actin.\n"


def zipped(*names: str) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return output.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("x", b"Profilin binds actin.", "text"),
        ("x.md", b"# Profilin\nbinds actin.", "text"),
        ("x", b"[1] Profilin binds actin.", "text"),
        ("x", b"Text, title and abstract of the paper: profilin, which binds actin, and so on.", "text"),
        ("x.txt", MEDLINE, "medline"),
        ("x", b"\n" + MEDLINE, "medline"),
        ("x.nbib", MEDLINE, "medline"),
        ("x.txt", b"1|t|Profilin\n1|a|binds actin\n", "pubtator"),
        ("x.xml", b"<?xml version='1.0'?><!DOCTYPE article SYSTEM 'a.dtd'><article/>", "jats"),
        ("x.nxml", b"<article xmlns='https://jats.nlm.nih.gov/ns/archiving/1.3/'/>", "jats"),
        ("x", b"<pmc-articleset><article/></pmc-articleset>", "jats"),
        ("x", b"<j:article xmlns:j='a'/>", "jats"),
        ("x.csv", b"PMID,Abstract\n1,a\n", "csv"),
        ("x", b"PMID,Title,Abstract\n1,a,b\n", "csv"),
        ("x", b"PMID\tAbstract\n1\ta\n", "tsv"),
        ("x", b'{"pmid": 1, "abstract": "a"}\n', "json-records"),
        ("x.jsonl", b'{"id": "1", "text": "a"}\n', "json-records"),
        ("x.json", b'[{"id": "1", "text": "a"}]', "json-records"),
        ("x", b"# newdoc\n1\tA\ta\tN\tN\t_\t0\troot\t_\t_\n\n", "conllu"),
        ("x.conll", b"1\tA\ta\tN\tN\t_\t0\troot\t_\t_\n\n", "conllx"),
        ("x", zipped("[Content_Types].xml", "xl/workbook.xml"), "xlsx"),
    ],
)
def test_content_goes_before_the_ending_and_the_rest_is_text(tmp_path, name, content, format):
    path = tmp_path / name
    path.write_bytes(content)
    assert detect_format(Source(path)).name == format


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.pdf", b"%PDF-1.7\n", "expected texts, got a PDF; turn it into text first, .*pdftotext"),
        ("x.txt", b"%PDF-1.7\n", "expected texts, got a PDF"),
        ("x.docx", zipped("[Content_Types].xml", "word/document.xml"), "a word processor; save it as plain text"),
        ("x.zip", zipped("a.txt"), "a zip archive; unpack it"),
        ("x.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "an old Office program; save it as text"),
        ("x.txt.bz2", bz2.compress(b"a"), "packed with bzip2; unpack it"),
        ("x.txt.xz", lzma.compress(b"a"), "packed with xz; unpack it"),
        ("x", b"\x7fELF\0\0", "got binary data .*; give a text file"),
        ("x.txt", "Profilin".encode("utf-16"), "text in UTF-16; save it as UTF-8"),
        ("x.html", b"<!DOCTYPE html><html><p>a", "got a web page; save its text"),
        (
            "x.xml",
            b"<records><a/></records>",
            "XML with the root <records>; XML is read if its root is one of <corpus>",
        ),
        ("x", b"<?xml version='1.0'?><records/>", "XML with the root <records>"),
        (
            "x.xml",
            b"<eSearchResult><IdList><Id>1</Id></IdList></eSearchResult>",
            "without texts; get their texts first",
        ),
        ("x.xml", b"no XML", "got 'no XML'; its ending promises turku or bioc-xml"),
        ("x.xml", b"", "got an empty file"),
        ("x.json", b'{"a": {"text": 1}, "b": 2}', "JSON with the fields 'a', 'b'; JSON is read if it is BioC"),
        ("x", b'[{"type": "Complex", "evidence": [{"text": "a"}]}]', "JSON with the fields 'type', 'evidence'"),
        (
            "x.txt",
            b"10022882\n10022883\n",
            "a list of ids; get their texts first: .*save as 'PubMed'.*efetch.*pubtator3",
        ),
        ("x", b"PMC1234567, PMC1234568", "a list of ids"),
        ("x.ris", b"TY  - JOUR\nTI  - a\n", "references as RIS; save them as .csv"),
        ("x.bib", b"@article{a,\n title={b}}\n", "references as BibTeX"),
        ("x", b"T1\tProtein 0 8\tProfilin\n", "standoff annotations without their text; give the folder"),
        ("x.jsonl", b'{"schema":"ppi-interaction/1"}\n', "interactions found before; `ppi network` and `ppi export`"),
        ("x.csv", b"document,pubmed,sentence_id,pair\n", "interactions found before"),
    ],
)
def test_what_is_no_text_is_named_with_what_to_do(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnknownFormatError, match=message) as caught:
        corpora.load(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_a_wrong_guess_is_named_and_the_cure_works(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"PMID- 1 is a number\nand this is prose.\n")
    with pytest.raises(FormatError, match=r"x:2: .* \(taken for medline; --from text reads it as text\)"):
        corpora.load(path)
    assert corpora.load(path, "text")


def test_content_against_the_ending_is_noted(tmp_path):
    path, notes = tmp_path / "x.txt", []
    path.write_bytes(MEDLINE)
    assert list(corpora.read(path, notes=notes))
    assert notes == [f"{path}: read as medline, by its content"]


@pytest.mark.parametrize(
    ("wanted", "meant"), [("abstract.txt", "abstracts.txt"), ("abstracts", "abstracts.txt"), ("Abstracts.txt", "abs")]
)
def test_names_that_are_nearly_right_are_suggested(tmp_path, wanted, meant, monkeypatch):
    monkeypatch.delenv("PPI_CORPORA", raising=False)
    (tmp_path / "abstracts.txt").write_text("a")
    with pytest.raises(CorpusNotFoundError, match=rf"did you mean '.*{meant}"):
        corpora.find(tmp_path / wanted)


@pytest.mark.parametrize("id", ["10022882", "PMC1234567"])
def test_the_id_of_a_paper_says_where_its_text_is(tmp_path, monkeypatch, id):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorpusNotFoundError, match=r"no file .*if it is the id of a paper, get their texts first"):
        corpora.find(id)


def test_the_names_of_bundled_corpora_are_suggested(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorpusNotFoundError, match=r"did you mean 'abstracts'\?"):
        corpora.find("abstrats")
