"""Chunks of files: together they are the file, and what cannot be read is listed."""

import gzip
import tracemalloc

import pytest

import corpora
from corpora import MAX_RECORD_BYTES
from ppi.server.runs.chunks import Chunk, count_records, read_chunk

FORMATS = {"jsonl": ".jsonl", "pubtator": ".pubtator", "bioc-xml": ".xml", "bioc-json": ".json", "turku": ".xml"}


def chunks_of(path, format, size):
    count = count_records(path, format)
    starts = range(0, count, size) if count is not None else [0]
    return [Chunk(str(path), format, start, start + size if count is not None else None, "p") for start in starts]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.filterwarnings("ignore::corpora.loss.LossWarning")
def test_chunks_together_are_the_file(tmp_path, format, packed):
    path = tmp_path / f"sample{FORMATS[format]}{'.gz' if packed else ''}"
    corpora.write(corpora.load("sample"), path, format)
    records = [record for chunk in chunks_of(path, format, 7) for record in read_chunk(chunk)]
    assert [record.number for record in records] == list(range(20))
    assert [document for record in records for document in record.documents] == list(corpora.read(path, format))


def test_lines_keep_the_ids_they_have_in_the_whole_file(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("one\n\nthree\nfour\n")
    records = [record for chunk in chunks_of(path, "text-lines", 3) for record in read_chunk(chunk)]
    assert [document.id for record in records for document in record.documents] == [
        document.id for document in corpora.read(path, "text-lines")
    ]


def pubmed(pmid, text, closing="</PubmedArticle>"):
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>{text}</ArticleTitle>"
        f"</Article></MedlineCitation>{closing}\n"
    )


def test_a_malformed_record_costs_only_itself(tmp_path):
    path = tmp_path / "pubmed.xml.gz"
    records = [pubmed(1, "one"), pubmed(2, "two", closing=""), pubmed(3, "a < b"), pubmed(4, "four")]
    path.write_bytes(gzip.compress(("<PubmedArticleSet>" + "".join(records) + "</PubmedArticleSet>").encode()))
    records = [record for chunk in chunks_of(path, "pubmed", 2) for record in read_chunk(chunk)]
    assert [each.id for record in records for each in record.documents] == ["1", "4"]
    failures = [each for record in records for each in record.failures]
    assert [(each.record, each.document) for each in failures] == [(1, "2"), (2, "3")]
    assert all(each.reason for each in failures)


def test_bad_lines_and_bad_blocks_are_listed_with_their_ids(tmp_path):
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"id": "x", "sentences": 3}\n{"id": "y"}\nnot json\n')
    assert told(read_chunk(Chunk(str(lines), "jsonl", 0, None, "p"))) == [
        ([], [("x", True)]),
        (["y"], []),
        ([], [(None, True)]),
    ]
    blocks = tmp_path / "a.pubtator"
    blocks.write_text("1|t|One\n1|a|More\n\n2|t|Two\n2|a|Bad\n2\t90\t95\tactin\tGene\t60\n\n3|t|Three\n3|a|Last\n")
    assert told(read_chunk(Chunk(str(blocks), "pubtator", 0, None, "p"))) == [
        (["1"], []),
        (["2"], [("2", False)]),
        (["3"], []),
    ]


@pytest.mark.parametrize(
    ("format", "record"),
    [
        ("jsonl", '{{"id":"d{0}","sentences":[{{"id":"s","text":"{1}"}}]}}\n'),
        ("pubtator", "d{0}|t|{1}\nd{0}|a|More\n\n"),
        ("pubmed", "<PubmedArticle><PMID>d{0}</PMID><ArticleTitle>{1}</ArticleTitle></PubmedArticle>"),
    ],
)
def test_an_endless_record_is_listed_by_its_id_and_its_neighbours_are_read(tmp_path, format, record):
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wt", compresslevel=1) as stream:
        stream.write("<PubmedArticleSet>" * (format == "pubmed"))
        for number, size in enumerate((1, 2**20, 100 * 2**20, 1)):
            stream.write(record.format(number, "x" * size))
    tracemalloc.start()
    found = list(read_chunk(Chunk(str(path), format, 0, None, "p")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * MAX_RECORD_BYTES
    assert [[failure.document for failure in each.failures] for each in found][2] == ["d2"]
    assert "expected a record of at most 33,554,432 bytes" in found[2].failures[0].reason
    assert [each.number for each in found] == [0, 1, 2, 3]
    if format != "pubmed":
        assert [[each.id for each in one.documents] for one in found] == [["d0"], ["d1"], [], ["d3"]]


def test_whatever_a_reader_does_with_a_record_is_that_records_failure(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "x"}\n{"id": "y"}\n{"id": "z"}\n')
    real = corpora.Document.from_json

    def from_json(value):
        if value["id"] == "y":
            raise RecursionError("too deep")
        return real(value)

    monkeypatch.setattr(corpora.Document, "from_json", from_json)
    assert told(read_chunk(Chunk(str(path), "jsonl", 0, None, "p"))) == [(["x"], []), ([], [("y", True)]), (["z"], [])]


def told(records):
    return [
        ([each.id for each in record.documents], [(each.document, each.lost) for each in record.failures])
        for record in records
    ]


def test_a_file_that_breaks_off_says_what_is_lost(tmp_path):
    path = tmp_path / "broken.xml"
    path.write_text("<corpus source='x'><document id='d1'></document><document id='d2'>")
    *_, last = read_chunk(Chunk(str(path), "turku", 0, None, "p"))
    assert last.documents == ()
    assert "the rest was not read" in last.failures[-1].reason
