"""What a model has seen of a corpus, by the names in its file and the texts that are found."""

from dataclasses import replace

import corpora
from corpora import Document, Sentence
from ppi.evaluation.trained_models.training_overlap import TrainingOverlap, find_training_overlap, training_corpora

SAMPLE = corpora.load("sample")
LONG = "The quick brown fox binds the lazy dog very tightly."


def test_the_names_of_a_file_are_those_learned_from_and_started_from():
    assert training_corpora({"corpora": {"A": {}, "B": {}}, "extra": {"C": 3, "A": 1}}) == ["A", "B", "C"]
    assert training_corpora({}) == []
    assert training_corpora({"corpora": ["A"], "extra": None}) == []


def test_a_corpus_of_the_name_of_a_training_corpus_is_seen_whole():
    seen = find_training_overlap({"corpora": {"sample": {}}}, "sample", SAMPLE)
    assert seen.whole
    assert len(seen.documents) == 20
    assert seen.warnings(20) == [
        "the model was trained on a corpus of this name: figures say what it remembers, not what it can do"
    ]


def test_shared_documents_are_found_in_the_training_corpora_that_are_there(tmp_path, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    # the same words in one passage, tokenized otherwise
    text = "Title here. " + LONG.replace("binds", "BINDS ").replace(".", " .") + " And more."
    corpora.write([Document("x", (Sentence("x.s", text),))], tmp_path / "Mine.jsonl")
    documents = [Document("d", (Sentence("d.s", LONG),)), Document("e", (Sentence("e.s", "Title here."),))]
    seen = find_training_overlap({"corpora": {"Mine": {}, "Gone": {}}}, "other", documents)
    assert seen.documents == {"d"}
    assert seen.to_dict() == {"documents": 1, "shared": {"Mine": 1}, "unknown": ["Gone"], "whole": False}
    first, second = seen.warnings(2)
    assert first.startswith("1 of 2 documents are in corpora that the model was trained on: Mine (1); ")
    assert second.startswith("the model was trained on Gone, not found here: ")


def test_the_same_id_is_the_same_document(tmp_path, monkeypatch):
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    corpora.write([replace(Document("x", (Sentence("x.s", "Other."),)), orig_id="123")], tmp_path / "Mine.jsonl")
    documents = [Document("d", (Sentence("d.s", LONG),), orig_id="123")]
    assert find_training_overlap({"corpora": {"Mine": {}}}, "other", documents).documents == {"d"}


def test_nothing_shared_is_nothing_to_warn_of():
    assert TrainingOverlap().warnings(3) == []
