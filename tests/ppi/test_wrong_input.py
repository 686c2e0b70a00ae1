"""Wrong input from Python is told as on the command line: what was expected, what came, what to try."""

import numpy as np
import pytest
from sklearn.base import clone

import ppi
from corpora import Document, Entity
from ppi.core import MissingExtraError, ModelFileError, UnknownParserError, UsageError

TEXT = "Profilin binds actin."


@pytest.fixture(scope="module")
def annotator():
    return ppi.Annotator()


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (None, "expected a text or several, got None"),
        (b"", "expected a text or several, got b''; decode bytes first"),
        (5, "expected a text or several, got 5"),
        (["A binds B.", None], "expected texts, got None as number 1 of them"),
        ([Document("d")], r"expected texts, got <Document 'd'.*parse_documents"),
    ],
)
def test_parse_takes_texts(texts, message):
    with pytest.raises(UsageError, match=message):
        ppi.parse(texts)


@pytest.mark.parametrize(
    ("entities", "message"),
    [
        ([(0, 8), (0, 8)], r"expected each mention once, got \(0, 8\) 2 times"),
        ([(0, 99)], r"inside the 21 characters of the text, got \(0, 99\)"),
        ([(8, 0)], r"expected mentions as \(start, end\) .*got \(8, 0\)"),
        ([(-2, 4)], r"got \(-2, 4\)"),
        ([(0, 0)], r"got \(0, 0\)"),
        ([(0.0, 8.0)], r"got \(0.0, 8.0\)"),
        (["Profilin"], "got 'Profilin'; offsets are zero-based"),
        ([None], "got None; offsets"),
        ("Profilin", "expected mentions as .*, or entities, got 'Profilin'"),
        (5, "expected mentions as .*, or entities, got 5"),
        ([Entity("e", "Profilin", ((0, 8),)), Entity("e", "actin", ((15, 20),))], "got the id 'e' 2 times"),
        ([Entity("e", "actin", ((0, 5),))], "expected the text 'actin' of entity 'e'"),
    ],
)
def test_entities_are_places_in_the_text_each_once(annotator, entities, message):
    with pytest.raises(UsageError, match=message):
        annotator.annotate(TEXT, entities=entities)


def test_whole_numbers_of_numpy_are_places(annotator):
    (found,) = annotator.annotate(TEXT, entities=[(np.int64(0), np.int64(8)), (np.int32(15), 20)])
    assert found.proteins[0].spans == ((0, 8),)
    assert type(found.proteins[0].spans[0][0]) is int


@pytest.mark.parametrize("text", [None, b"Profilin binds actin.", 5, ["Profilin"]])
def test_what_is_annotated_is_text_or_a_document(annotator, text):
    for annotate in (annotator.annotate, annotator.annotate_document):
        with pytest.raises(UsageError, match="expected text or a Document, got"):
            annotate(text)


@pytest.mark.parametrize("documents", ["Profilin binds actin.", ["Profilin binds actin."], [None], 5])
def test_several_documents_are_documents(annotator, documents):
    with pytest.raises(UsageError, match=r"expected documents, got .*annotat"):
        annotator.annotate_batch(documents)
    with pytest.raises(UsageError, match=r"expected documents, got .*annotat"):
        list(annotator.annotate_documents(documents))


def test_a_text_can_be_a_document_of_its_own(annotator):
    found = annotator.annotate_document(TEXT)
    assert [each.names for each in found.interactions] == [("Profilin", "actin")]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"model": "no-such-file"}, ModelFileError, "no-such-file: expected a readable model file"),
        ({"model": 5}, UsageError, "expected a model as an Extractor or the path of one, got 5"),
        ({"parser": "no_such_parser"}, UnknownParserError, "expected a parser - shipped.*got 'no_such_parser'"),
        ({"parser": "shipped:nobody"}, UsageError, "expected a guideline for names"),
        ({"parser": "conllu:no-such-file"}, UnknownParserError, "with the path of a file, got 'no-such-file'"),
        ({"parser": 5}, UsageError, "expected the name of a parser"),
        ({"kinds": "protein"}, UsageError, "got the text 'protein'; give a list"),
        ({"kinds": ["cell"]}, UsageError, r"among \('protein', 'family'\), got \['cell'\]"),
        ({"kinds": 5}, UsageError, "expected kinds of names to pair"),
        ({"types": "binding"}, UsageError, "got the text 'binding'; give a list"),
        ({"types": 5}, UsageError, "expected types of interaction among"),
        ({"lexicon": 5}, UsageError, "expected a lexicon"),
        ({"prevalence": 3}, UsageError, "from 0 to 1, got 3"),
    ],
)
def test_an_annotator_refuses_what_it_cannot_use_at_once(settings, error, message):
    with pytest.raises(error, match=message):
        ppi.Annotator(**settings)


def test_a_parser_of_an_extra_names_the_extra(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"ppi-miner\[stanza\]"):
        ppi.Annotator(parser="stanza")


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ("LLL", r"expected documents, got 'LLL'; read them first, with corpora.load\('LLL'\)"),
        ({"LLL": "LLL"}, "expected documents, got 'LLL'"),
        (None, "expected a list of documents, got None"),
        ([1], "expected documents, got 1 among them"),
        (Document("d"), "expected a list of documents, got <Document 'd'"),
    ],
)
def test_an_extractor_learns_from_documents(documents, message):
    with pytest.raises(UsageError, match=message):
        ppi.Extractor().fit(documents)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kernel": "all_paths"}, r"expected a kernel, one of \['all-paths'.*got 'all_paths'"),
        ({"learner": "svm"}, "expected a learner, one of .*got 'svm'"),
        ({"kernal": "path"}, "expected settings of an extractor.*got 'kernal'; did you mean 'kernel'"),
        ({"regparam": -1}, "expected a positive regparam, or None to choose it, got -1"),
        ({"n_basis": 0}, "expected n_basis of 1 or more, got 0"),
    ],
)
def test_an_extractor_refuses_settings_at_construction_and_later(settings, message):
    with pytest.raises(UsageError, match=message):
        ppi.Extractor(**settings)
    with pytest.raises(UsageError, match=message):
        ppi.Extractor().set_params(**settings)


def test_an_extractor_is_cloned_as_scikit_learn_does_it():
    extractor = ppi.Extractor(kernel="path", learner="rls", regparam=np.float64(0.5))
    copy = clone(extractor)
    assert copy is not extractor
    assert copy.get_params() == extractor.get_params()
    assert copy.set_params(kernel="context") is copy
    assert (copy.settings.kernel, extractor.settings.kernel) == ("context", "path")
    assert repr(extractor) == "Extractor(kernel='path', learner='rls', regparam=np.float64(0.5))"
    assert repr(clone(ppi.Extractor())) == "Extractor()"


@pytest.mark.parametrize("wrong", ["text", None, 5, ["text"], [None], [("a", "b")]])
def test_a_network_is_of_interactions(wrong):
    with pytest.raises(UsageError, match="expected interactions or annotated documents, got"):
        ppi.build_network(wrong)


def test_a_network_can_be_of_one_document(annotator):
    found = annotator.annotate_document(TEXT)
    assert ppi.build_network(found) == ppi.build_network([found])
    assert len(ppi.build_network(found).edges) == 1
