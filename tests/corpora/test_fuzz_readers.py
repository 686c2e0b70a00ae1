"""Whatever the bytes, a reader gives documents or one of our errors."""

import warnings

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


@pytest.mark.parametrize("format", [*WRITABLE, "pubmed", "text", "text-lines"])
def test_mutated_files(tmp_path_factory, format):
    folder = tmp_path_factory.mktemp("fuzz")
    seed = (
        seed_bytes(format, folder)
        if format in WRITABLE
        else b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version='1'>1</PMID><Article>"
        b"<ArticleTitle>A</ArticleTitle><Abstract><AbstractText Label='B'>c <i>d</i></AbstractText></Abstract>"
        b"</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
    )

    @given(mutated(seed, NUMBERS))
    @settings(max_examples=150)
    def check(data):
        path = folder / "mutated"
        path.write_bytes(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", corpora.LossWarning)
            try:
                list(corpora.read(path, format))
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
