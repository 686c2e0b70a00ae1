"""Annotation parses what it needs: the interactions are those of parsing everything."""

import pytest

import corpora
from corpora import Document, Sentence
from ppi.annotation.annotator import Annotator
from ppi.annotation.process_resources import ProcessParser
from ppi.language import parse_documents

SENTENCES = ("Profilin binds actin.", "It rains.", "Ras was seen.", "MEK phosphorylates ERK and not Raf.")


@pytest.fixture(scope="module")
def whole():
    """Sentences that came with a parse are sentences already."""
    document = Document("d", tuple(Sentence(f"s{n}", text) for n, text in enumerate(SENTENCES)))
    return next(parse_documents([document], "shipped", split=False, entities=True))


def found(annotator, document):
    annotated = annotator.annotate_document(document, min_probability=0)
    return [(each.pair, round(each.probability, 6)) for each in annotated.interactions]


def test_sentences_without_a_pair_get_no_parse(whole):
    sentences = Annotator(grounding=False).annotate_document(whole).document.sentences
    assert [bool(sentence.parses) for sentence in sentences] == [True, False, False, True]
    assert [sentence.entities for sentence in sentences] == [sentence.entities for sentence in whole.sentences]


def test_interactions_are_those_of_parsing_everything(whole):
    interactions = found(Annotator(include_negated=True), whole)
    assert len(interactions) == 4
    assert interactions == found(Annotator(parser="given", include_negated=True), whole)


def test_a_parser_of_its_own_finds_what_the_shared_one_finds():
    documents = [
        Document(document.id, tuple(Sentence(each.id, each.text) for each in document.sentences))
        for document in corpora.load("abstracts")[:2]
    ]
    shared = list(parse_documents(documents, "shipped", entities=True, keep_parses=False))
    assert ProcessParser("shipped").parse(documents, names=True) == shared
