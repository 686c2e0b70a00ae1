"""Read, write, read again gives equal documents, for what each format can hold."""

import io
import warnings

import pytest
from document_strategies import ANY, WORDS, XML, documents
from hypothesis import given
from hypothesis import strategies as st

import corpora
from corpora.loss import ConversionLosses

XML_DOCUMENTS = documents(XML, multiwords=False, relations=False)
CONLL_TEXT = st.characters(categories=("L", "N"))


def reread(document, path, format):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing may be dropped
        corpora.write([document], path, format)
        return list(corpora.read(path, format))


@given(documents(ANY, events=True))
def test_json_lines_hold_everything(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("made") / "file.jsonl.gz"
    assert reread(document, path, "jsonl") == [document]


@given(XML_DOCUMENTS)
def test_turku_xml_holds_all_but_relations_and_multiword_tokens(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("made") / "file.xml"
    assert reread(document, path, "turku") == [document]


@st.composite
def treebank_documents(draw):
    """Documents as CoNLL-U has them: only text, tokens, parses and remarks."""
    from dataclasses import replace

    remarks = st.lists(st.tuples(st.sampled_from(["newpar id", "note", ""]), WORDS), max_size=2).map(tuple)
    document = draw(documents(CONLL_TEXT, parsed=True, trees=draw(st.booleans()), relations=False))
    sentences = []
    for sentence in document.sentences:
        graph = sentence.parses[0]
        unrepeated = tuple(dict.fromkeys(graph.dependencies))
        bare = replace(
            sentence,
            entities=(),
            pairs=(),
            offset=0,
            orig_id=None,
            infons=draw(remarks),
            parses=(replace(graph, dependencies=unrepeated),),
        )
        sentences.append(_with_covering_multiword(bare))
    return replace(document, sentences=tuple(sentences), corpus=None, orig_id=None)


def _with_covering_multiword(sentence):
    """Drop the text's second word where a multiword token took its place."""
    from dataclasses import replace

    graph = sentence.parses[0]
    if not graph.multiwords:
        return sentence
    words = sentence.text.split(" ")
    shift = len(words[1]) + 1
    tokens = [
        token if place < 2 else replace(token, start=token.start - shift, end=token.end - shift)
        for place, token in enumerate(graph.tokens)
    ]
    return replace(sentence, text=" ".join([words[0], *words[2:]]), parses=(replace(graph, tokens=tuple(tokens)),))


@given(treebank_documents())
def test_conllu_holds_trees_graphs_multiword_tokens_and_comments(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("made") / "file.conllu"
    expected = [document] if document.sentences else []
    if not document.sentences:
        with pytest.warns(corpora.LossWarning, match="1 documents without a tokenized sentence"):
            corpora.write([document], path)
        assert list(corpora.read(path)) == []
    else:
        assert reread(document, path, "conllu") == expected


@pytest.mark.parametrize("name", ["AImed", "BioInfer", "HPRD50", "IEPA", "LLL"])
def test_the_interaction_corpora_survive_turku_xml_and_json(corpora_folder, tmp_path, name):
    original = corpora.load(name)
    for ending in ("xml", "jsonl"):
        corpora.write(original, tmp_path / f"{name}.{ending}.gz", "turku" if ending == "xml" else None)
        assert corpora.load(tmp_path / f"{name}.{ending}.gz") == original


@pytest.mark.parametrize("name", ["craft-dev.conllu", "genia-dev.conllx"])
def test_the_treebanks_survive_conll(corpora_folder, tmp_path, name):
    original = corpora.load(corpora_folder / "treebanks" / f"{name}.gz")
    corpora.write(original, tmp_path / name)
    assert corpora.load(tmp_path / name) == original


def test_what_a_format_cannot_hold_is_dropped_with_one_warning(tmp_path):
    sample = corpora.load("sample")
    with pytest.warns(
        corpora.LossWarning, match=r"conllu cannot hold: .*, 2 entities, 77 pairs, 1 sentences without"
    ) as caught:
        corpora.write(sample, tmp_path / "sample.conllu")
    assert len(caught) == 1


def test_strict_writing_refuses_a_loss_and_writes_nothing(tmp_path):
    with pytest.raises(corpora.LossError, match="77 pairs"):
        corpora.write(corpora.load("sample"), tmp_path / "sample.conllu", strict=True)
    assert list(tmp_path.iterdir()) == []


def test_losses_are_silent_when_nothing_is_lost():
    losses = ConversionLosses("any", strict=True)
    losses.drop("parses", 0)
    losses.report()
    assert not losses.counts


def test_writers_leave_given_streams_open(tmp_path):
    from corpora.formats import jsonl, turku_writer

    for module in (jsonl, turku_writer):
        output = io.BytesIO()
        module.write(corpora.load("sample"), output, ConversionLosses("any"))
        assert output.getvalue()
