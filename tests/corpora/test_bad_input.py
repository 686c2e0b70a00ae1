"""Bad input gives one error that names the file and the line, and leaves nothing behind."""

import gzip

import pytest

import corpora
from corpora.errors import CorpusNotFoundError, UnknownFormatError

SENTENCE = '<corpus source="c">\n<document id="d">\n<sentence id="s" text="ab cd">\n{}\n</sentence></document></corpus>'
ENTITY = '<entity id="e1" charOffset="0-1" text="ab"/>'
TOKENS = (
    '<tokenization tokenizer="t"><token id="1" charOffset="0-1" text="ab"/></tokenization>'
    '\n<parse parser="p" tokenizer="t"><dependency t1="1" t2="2" type="dep"/></parse>'
)
LAUGHS = (
    '<!DOCTYPE c [<!ENTITY a "ha"><!ENTITY b "' + "&a;" * 10 + '">]>'
    '<corpus><document id="d"><sentence id="s" text="&b;"/></document></corpus>'
)
EXTERNAL = '<!DOCTYPE c [<!ENTITY a SYSTEM "file:///etc/hostname">]><corpus><document id="d">&a;</document></corpus>'

XML_CASES = {
    "broken XML": ("<corpus>\n<document>", r":2: expected well-formed XML"),
    "another root": ("<html/>", r":1: expected <corpus> as the outermost element, got <html>"),
    "entity outside its sentence": (
        SENTENCE.format(ENTITY + '\n<entity id="e2" charOffset="3-9" text="cd"/>'),
        r":5: e2: expected spans inside the 5 characters",
    ),
    "text that does not match": (
        SENTENCE.format(ENTITY + '\n<entity id="e2" charOffset="3-4" text="xx"/>'),
        r":5: e2: expected the text 'xx' at \(\(3, 5\),\), got 'cd'",
    ),
    "duplicate ids": (SENTENCE.format(ENTITY + "\n" + ENTITY), r":5: e1: expected unique entity ids"),
    "a pair to a missing entity": (
        SENTENCE.format(ENTITY + '\n<pair id="p" e1="e1" e2="e9" interaction="True"/>'),
        r":5: p: expected an entity of sentence 's', got 'e9'",
    ),
    "a dependency to a missing token": (
        SENTENCE.format(TOKENS),
        r":5: token '2': dependency 'dep' from '1' to '2'",
    ),
    "an offset that is no span": (
        SENTENCE.format('<entity id="e1" charOffset="zero" text="ab"/>'),
        r":4: e1: expected charOffset='start-end', got 'zero'",
    ),
    "a missing attribute": (
        SENTENCE.format('<entity id="e1" text="ab"/>'),
        r":4: e1: expected the attribute 'charOffset'",
    ),
    "an external entity": (EXTERNAL, r":1: expected XML without entity declarations"),
    "a billion laughs": (LAUGHS, r":1: expected XML without entity declarations"),
    "nesting 100,000 deep": (
        "<corpus>" + '<document id="d">' * 100_000 + "</document>" * 100_000 + "</corpus>",
        r":1: expected well-formed XML, got: Excessive depth",
    ),
}


def check(tmp_path, path, match, error=corpora.CorpusError):
    """Reading fails with that message, and so does converting, which writes nothing."""
    with pytest.raises(error, match=match):
        corpora.load(path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(error, match=match):
        corpora.write(corpora.read(path), tmp_path / "out.jsonl")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("case", XML_CASES)
def test_xml(tmp_path, case):
    text, match = XML_CASES[case]
    path = tmp_path / "bad.xml"
    path.write_text(text, encoding="utf-8")
    if "outermost" in match:
        with pytest.raises(corpora.FormatError, match=match):
            corpora.load(path, "turku")
    else:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(corpora.CorpusError, match="bad.xml" + match):
            corpora.load(path, "turku")
        check(tmp_path, path, match)


def test_truncated_gzip(tmp_path):
    path = tmp_path / "cut.xml.gz"
    whole = gzip.compress(SENTENCE.format(ENTITY * 1).encode() + b" " * 10_000)
    path.write_bytes(whole[:-20])
    check(tmp_path, path, r"cut.xml.gz: expected complete gzip data")


def test_wrong_encoding(tmp_path):
    path = tmp_path / "latin.jsonl"
    path.write_bytes('{"id":"a"}\n{"id":"é"}\n'.encode("latin-1"))
    check(tmp_path, path, r"latin.jsonl:2: expected UTF-8, got byte b'\\xe9' at column 8")


def test_wrong_encoding_in_xml(tmp_path):
    path = tmp_path / "latin.xml"
    path.write_bytes(SENTENCE.format("é").encode("latin-1"))
    check(tmp_path, path, r"latin.xml:4: expected well-formed XML")


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("{", r":2: expected JSON"),
        ("[" * 100_000, r":2: expected JSON of ordinary depth|:2: expected JSON"),
        ('{"id": ' + "9" * 5000 + "}", r":2: expected"),
        (
            '{"id":"d","sentences":[{"id":"s","text":"ab","entities":[{"id":"e","text":"b","spans":[[0,1]]}]}]}',
            ":2: e: expected the text 'b'",
        ),
        ('{"id":"a"}', ":2: a: expected unique document ids"),
    ],
)
def test_json_lines(tmp_path, line, match):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id":"a"}\n' + line + "\n")
    check(tmp_path, path, match)


@pytest.mark.parametrize(
    ("row", "match"),
    [
        ("1\tab", ":1: expected 10 columns separated by tabs, got 2"),
        ("1\tab\t_\t_\t_\t_\tx\tdep\t_\t_", ":1: expected a token id, 0 or _ as HEAD, got 'x'"),
        ("1\tab\t_\t_\t_\t_\t5\tdep\t_\t_", ":1: token '5': dependency 'dep' from '5' to '1'"),
        ("one\tab\t_\t_\t_\t_\t0\troot\t_\t_", ":1: expected a token id, got 'one'"),
        (
            "# text = xy\n1\tab\t_\t_\t_\t_\t0\troot\t_\t_",
            ":2: expected the form 'ab' next in the sentence's text",
        ),
        ("1\tab\t_\t_\t_\t_\t0\troot\tnonsense\t_", ":1: expected head:relation in DEPS"),
        ("1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_", ":1: 2: .*token that is missing"),
    ],
)
def test_conllu(tmp_path, row, match):
    path = tmp_path / "bad.conllu"
    path.write_text(row + "\n\n")
    check(tmp_path, path, match)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(CorpusNotFoundError, match=r"got: No such file or directory"):
        list(corpora.read(tmp_path / "none.xml"))
    with pytest.raises(CorpusNotFoundError, match=r"expected a folder that can be written to"):
        corpora.write([], tmp_path / "none" / "out.jsonl")


def test_unknown_name(monkeypatch, tmp_path):
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    with pytest.raises(CorpusNotFoundError, match=r"got 'Nope', which is no file nor a corpus in PPI_CORPORA="):
        corpora.load("Nope")
    monkeypatch.delenv("PPI_CORPORA")
    with pytest.raises(CorpusNotFoundError, match=r"set PPI_CORPORA to the folder"):
        corpora.load("Nope")


def test_unknown_format(tmp_path):
    path = tmp_path / "odd.xyz"
    path.write_text("hello")
    assert corpora.load(path)[0].sentences[0].text == "hello"
    with pytest.raises(UnknownFormatError, match=r"expected a format, one of .*, got 'word'"):
        corpora.load(path, "word")
    with pytest.raises(UnknownFormatError, match=r"expected a format that can be written"):
        corpora.write([], tmp_path / "a.txt", "text")
    with pytest.raises(UnknownFormatError, match=r"which could be \['turku', 'bioc-xml'\]; name the format"):
        corpora.write([], tmp_path / "a.xml")


def test_reading_on_past_problems_collects_them_all(tmp_path):
    good = '{"id":"good"}'
    bad = '{"id":"bad","sentences":[{"id":"s","text":"ab","offset":-1}]}'
    path = tmp_path / "mixed.jsonl"
    path.write_text("\n".join([bad, good, bad]))
    problems = []
    assert [document.id for document in corpora.read(path, problems=problems)] == ["good"]
    assert [(problem.line, problem.id) for problem in problems] == [(1, "s"), (3, "s")]


def test_failing_while_writing_keeps_the_older_file(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("old")

    def documents():
        yield corpora.Document("a")
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        corpora.write(documents(), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("format", ["turku", "bioc-xml"])
def test_control_characters_are_no_xml(tmp_path, format):
    for document in (corpora.Document("d", corpus="a\x01"), corpora.Document("d\x01")):
        with pytest.raises(corpora.CorpusError, match=r"expected text that XML can hold, got: .*; remove"):
            corpora.write([document], tmp_path / "out", format)
    assert list(tmp_path.iterdir()) == []
