"""Documents as Docs: text, names, sentences and interactions as they are, tokens and trees of the pipeline."""

import annotated
import pytest
import spacy
from spacy.tokens import Doc

import ppi
from corpora import Document, Entity, Sentence
from ppi.core import UsageError

TEXT = "It was known before.  Profilin binds actin.\n\nSTAT5 is phosphorylated by JAK2."


@pytest.fixture(scope="module")
def found():
    return ppi.Annotator().annotate_document(TEXT)


def test_offsets_names_and_interactions_stay(found):
    doc = found.to_doc()
    assert len(doc.text) == len(TEXT)
    assert doc.text.split() == TEXT.split()
    assert [(ent.text, ent.start_char) for ent in doc.ents] == [
        (name, TEXT.index(name)) for name in ("Profilin", "actin", "STAT5", "JAK2")
    ]
    assert doc._.interactions == list(found.interactions)
    assert [len(sent._.interactions) for sent in doc.sents] == [0, 1, 1]
    assert [sent.root.text for sent in doc.sents] == ["known", "binds", "phosphorylated"]


def test_a_given_pipeline_makes_the_tokens(found):
    nlp = spacy.blank("en")
    doc = ppi.to_doc(found, nlp)
    assert doc.vocab is nlp.vocab
    assert not doc.has_annotation("DEP")
    assert len(list(doc.sents)) == 3
    assert len(doc.ents) == 4


def test_tokens_are_cut_at_names():
    sentence = Sentence("s", "RAD51xBRCA2 binds.", (Entity("a", "RAD51", ((0, 5),)), Entity("b", "BRCA2", ((6, 11),))))
    doc = ppi.to_doc(Document("d", (sentence,)))
    assert [token.text for token in doc] == ["RAD51", "x", "BRCA2", "binds", "."]
    assert [ent.text for ent in doc.ents] == ["RAD51", "BRCA2"]
    assert doc.text == sentence.text
    assert doc._.interactions == []


def test_of_names_that_overlap_the_longest_is_an_entity():
    doc = annotated.discontinuous().to_doc(spacy.blank("en"))
    assert [ent.text for ent in doc.ents] == ["alpha and beta actinin", "titin"]
    assert len(doc._.interactions) == 2


def test_sentences_whose_offsets_do_not_fit_stand_in_a_row():
    sentences = tuple(Sentence(f"s{number}", text) for number, text in enumerate(["A binds B.", "C too."]))
    doc = ppi.to_doc(Document("d", sentences), spacy.blank("en"))
    assert doc.text == "A binds B. C too."


def test_passages_are_split_by_the_pipeline():
    doc = ppi.to_doc(Document("d", (Sentence("p", "Profilin binds actin. XIAP inhibits caspase-9."),)))
    assert len(list(doc.sents)) == 2


@pytest.mark.parametrize("document", [Document("d"), Document("d", (Sentence("s", ""),))])
def test_an_empty_document_is_an_empty_doc(document):
    assert isinstance(ppi.to_doc(document), Doc)
    assert ppi.to_doc(document).text == ""


def test_something_else_is_refused():
    with pytest.raises(UsageError, match="expected a Document or an AnnotatedDocument, got str"):
        ppi.to_doc("Profilin binds actin.")
