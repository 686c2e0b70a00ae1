"""Formats are told by ending and content; names that lead nowhere are errors of ours."""

import pytest

import corpora
from corpora.errors import CorpusError, CorpusNotFoundError
from corpora.registry import detect_format
from corpora.source import Source

BIOC_DOCUMENT = b'{"id":"1","relations":[],"passages":[{"offset":0,"text":"a"}]}\n'
OUR_DOCUMENT = b'{"id":"1","sentences":[{"id":"s","text":"<corpus > holds \\"passages\\": 3"}]}\n'
TURKU = '<?xml version="1.0" encoding="{}"?>\n<!-- <collection> -->\n<corpus><document id="d"/></corpus>'


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("x.jsonl", BIOC_DOCUMENT, "bioc-json"),
        ("x", BIOC_DOCUMENT, "bioc-json"),
        ("x.jsonl", OUR_DOCUMENT, "jsonl"),
        ("x.json", OUR_DOCUMENT, "jsonl"),
        ("x", OUR_DOCUMENT, "jsonl"),
        ("x", b"\xef\xbb\xbf" + OUR_DOCUMENT, "jsonl"),
        ("x.jsonl", b"", "jsonl"),
        ("x.xml", TURKU.format("UTF-8").encode(), "turku"),
        ("x.xml", b"\xef\xbb\xbf" + TURKU.format("UTF-8").encode(), "turku"),
        ("x.xml", TURKU.format("UTF-16").encode("utf-16"), "turku"),
        ("x", b"1|t|The <corpus > element\n", "pubtator"),
    ],
)
def test_formats_are_detected_by_ending_and_content(tmp_path, name, content, format):
    path = tmp_path / name
    path.write_bytes(content)
    assert detect_format(Source(path)).name == format
    list(corpora.read(path))


@pytest.mark.parametrize("name", ["", "a" * 300, "a\0b"])
def test_names_that_cannot_be_files_are_not_found(name, monkeypatch, tmp_path):
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    with pytest.raises(CorpusNotFoundError, match="expected a file or the name of a corpus"):
        corpora.find(name)


def test_a_parser_that_no_sentence_has_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(CorpusError, match=r"sample.xml: expected a parse named 'glod', got only \['gold'\]"):
        corpora.write(corpora.read(corpora.find("sample"), parsers=["glod"]), tmp_path / "out.jsonl")
    assert list(tmp_path.iterdir()) == []
