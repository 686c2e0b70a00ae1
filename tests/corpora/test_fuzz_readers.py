"""Whatever the bytes, a reader gives documents or one of our errors."""

import io
import warnings

import openpyxl
import pytest
from byte_sources import mutated
from hypothesis import given, settings

import corpora

WRITABLE = ["turku", "bioc-xml", "bioc-json", "jsonl", "pubtator", "conllu", "conllx"]
NUMBERS = [b"-1", b"99999999999999999999", b"1e9", b"0x1", b"\xd9\xa3"]


def seed_bytes(format, folder) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", corpora.LossWarning)
        path = folder / "seed"
        corpora.write(corpora.load("sample")[:6], path, format)
    return path.read_bytes()


def workbook() -> bytes:
    book, output = openpyxl.Workbook(), io.BytesIO()
    for row in (["PMID", "Abstract"], [1, "Profilin binds actin."], [2, "b"]):
        book.active.append(row)
    book.save(output)
    return output.getvalue()


PUBMED = (
    b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version='1'>1</PMID><Article>"
    b"<ArticleTitle>A</ArticleTitle><Abstract><AbstractText Label='B'>c <i>d</i></AbstractText></Abstract>"
    b"</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
)
JATS = (
    b"<!DOCTYPE article SYSTEM 'a.dtd'><article><front><article-meta><article-id pub-id-type='pmc'>1</article-id>"
    b"<title-group><article-title>A <i>b</i></article-title></title-group><abstract><p>c</p></abstract></article-meta>"
    b"</front><body><sec><title>R</title><p>d [<xref ref-type='bibr'>1</xref>] &alpha;<fig><label>F</label><caption>"
    b"<p>e</p></caption></fig></p></sec></body></article>"
)
WRITTEN = {
    "pubmed": PUBMED,
    "text": PUBMED,
    "text-lines": PUBMED,
    "jats": JATS,
    "medline": b"PMID- 1\nTI  - A\n      b\nAB  - c\n\nPMID- 2\nTI  - d\n",
    "csv": b'PMID,Title,Abstract\n1,a,"b ""c"",\nd"\n2,e,f\n',
    "tsv": b'PMID\tTitle\tAbstract\n1\ta\t"b ""c""\nd"\n2\te\tf\n',
    "json-records": b'{"pmid": 1, "title": "a", "abstract": "b", "more": [1, {}]}\n{"pmid": 2, "text": "c"}\n',
    "xlsx": workbook(),
}


@pytest.mark.parametrize("format", [*WRITABLE, *WRITTEN])
def test_mutated_files(tmp_path_factory, format):
    folder = tmp_path_factory.mktemp("fuzz")
    seed = seed_bytes(format, folder) if format in WRITABLE else WRITTEN[format]

    @given(mutated(seed, NUMBERS))
    @settings(max_examples=150)
    def check(data):
        path = folder / "mutated"
        path.write_bytes(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", corpora.LossWarning)
            try:
                list(corpora.read(path, format))
                list(corpora.read(path))
            except corpora.CorpusError as error:
                assert str(error)
            problems = []
            try:
                list(corpora.read(path, format, problems=problems))
            except corpora.CorpusError as error:
                assert error.problems

    check()


@pytest.mark.parametrize("format", ["brat", "bionlp"])
def test_mutated_archives(tmp_path_factory, format):
    folder = tmp_path_factory.mktemp("fuzz")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", corpora.LossWarning)
        corpora.write(corpora.load("sample")[:3], folder / "seed.tar", format)

    @given(mutated((folder / "seed.tar").read_bytes(), [*NUMBERS, b"\t", b"T1", b"\0"]))
    @settings(max_examples=150)
    def check(data):
        path = folder / "mutated.tar"
        path.write_bytes(data)
        for problems in (None, []):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", corpora.LossWarning)
                try:
                    list(corpora.read(path, format, problems=problems))
                except corpora.CorpusError as error:
                    assert str(error)

    check()


@pytest.mark.parametrize("depth", [300, *range(960, 1000, 5), 1100])
def test_nesting_of_any_depth_in_json_lines(tmp_path, depth):
    path = tmp_path / "deep.jsonl"
    for name in ("id", "infons", "sentences"):
        path.write_text(f'{{"id":"a","{name}":' + "[" * depth + "]" * depth + "}")
        with pytest.raises(corpora.FormatError, match=r"deep.jsonl:1: expected"):
            corpora.load(path)
