"""Small packed files with endless lines, texts and documents are refused before they take memory."""

import gzip
import tracemalloc

import pytest

import corpora
from corpora import limits
from corpora.errors import FormatError
from corpora.formats import bioc_json, plain, pubtator, standoff_files

FORMATS = {
    "jsonl": "in.jsonl",
    "pubtator": "in.pubtator",
    "bioc-xml": "in.xml",
    "bioc-json": "in.json",
    "turku": "in.xml",
    "brat": "in",
    "bionlp": "in",
}


def packed_zeros(path, megabytes, before=b"", after=b"\n"):
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(before)
        for _ in range(megabytes):
            stream.write(b"x" * 2**20)
        stream.write(after)
    return path


@pytest.mark.parametrize("format", ["jsonl", "pubtator", "text", "text-lines", "conllu", "bioc-json"])
def test_an_endless_line_is_refused_at_the_limit(tmp_path, format):
    path = packed_zeros(tmp_path / "in.gz", 200, before=b"short\n" if format.startswith("text") else b"")
    assert path.stat().st_size < 2**21
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"in.gz:\d: expected lines of at most 67,108,864 bytes"):
            corpora.load(path, format)
        assert tracemalloc.get_traced_memory()[1] < 2.5 * limits.MAX_LINE_BYTES
    finally:
        tracemalloc.stop()


def test_a_line_of_just_the_limit_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("corpora.source.MAX_LINE_BYTES", 10)
    path = tmp_path / "in.txt"
    path.write_text("123456789\n1234567890")
    assert [document.sentences[0].text for document in corpora.read(path, "text-lines")] == ["123456789", "1234567890"]
    path.write_text("1234567890\n")
    with pytest.raises(FormatError, match=r"in.txt:1: expected lines of at most 10 bytes"):
        corpora.load(path, "text-lines")


@pytest.mark.parametrize(
    ("module", "name", "format", "write"),
    [
        (plain, "MAX_RECORD_BYTES", "text", lambda folder: [(folder / "in.txt", "one line\n" * 20)]),
        (bioc_json, "MAX_VALUE_BYTES", "bioc-json", lambda folder: [(folder / "in.txt", "{\n" + "\n" * 200)]),
        (
            standoff_files,
            "MAX_RECORD_BYTES",
            "brat",
            lambda folder: [(folder / "a.ann", "T1\tGene 0 3\tone"), (folder / "a.txt", "one line\n" * 20)],
        ),
    ],
)
def test_texts_and_values_of_many_lines_are_bounded(tmp_path, monkeypatch, module, name, format, write):
    monkeypatch.setattr(module, name, 100)
    files = write(tmp_path)
    for path, content in files:
        path.write_text(content)
    with pytest.raises(FormatError, match=r"expected .* of at most 100 bytes, got a longer one; split it"):
        corpora.load(files[0][0] if len(files) == 1 else tmp_path, format)


def document(count):
    text = "a" * count
    entities = tuple(corpora.Entity(f"T{n + 1}", "a", ((n, n + 1),), "Gene") for n in range(count))
    infons = (("type", "title"),)
    return corpora.Document(f"d{count}", (corpora.Sentence(f"d{count}.s0", text, entities, infons=infons),))


@pytest.mark.parametrize(("format", "name"), FORMATS.items())
@pytest.mark.filterwarnings("ignore::corpora.loss.LossWarning")
def test_documents_of_too_many_annotations_are_refused_and_others_read(tmp_path, monkeypatch, format, name):
    for module in (limits, pubtator):
        monkeypatch.setattr(module, "MAX_ANNOTATIONS", 20)
    path = tmp_path / name
    corpora.write([document(3), document(15), document(30), document(2)], path, format)
    with pytest.raises(FormatError, match="expected at most 20 annotations in a document, got") as refused:
        corpora.load(path, format)
    assert refused.value.problems[0].path is not None
    problems = []
    read = list(corpora.read(path, format, problems=problems))
    assert {each.id for each in read} == {"d3", "d15", "d2"}
    assert len(problems) == 1


def test_no_object_is_made_of_a_line_with_too_many(tmp_path, monkeypatch):
    path = tmp_path / "in.jsonl"
    corpora.write([document(50)], path)
    monkeypatch.setattr(limits, "MAX_ANNOTATIONS", 20)
    monkeypatch.setattr(corpora.Document, "from_json", lambda value: pytest.fail("made"))
    with pytest.raises(FormatError, match="got 51"):
        corpora.load(path)
