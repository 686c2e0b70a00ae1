import json
import shutil
from types import SimpleNamespace

import pytest
from lab.training.extraction import measure
from lab.training.extraction.end_to_end import evaluate_end_to_end

from corpora import Document, Entity, Pair, Sentence
from ppi.annotation import MODEL_FILE, AnnotatedDocument, Interaction, describe_calibration
from ppi.extraction import Extractor

TEXT = "alpha beta gamma delta"


def entity(id, start, end):
    return Entity(id, TEXT[start:end], ((start, end),))


ALPHA, BETA, GAMMA = entity("a", 0, 5), entity("b", 6, 10), entity("c", 11, 16)
GOLD = Document(
    "d",
    (
        Sentence(
            "s",
            TEXT,
            (ALPHA, BETA, GAMMA),
            (
                Pair("1", "a", "b", True),
                Pair("2", "b", "c", True),
                Pair("3", "a", "c", False),
                Pair("4", "a", "a", True),
            ),
        ),
    ),
)


def predicting(*predictions, sentence_id="s", offset=0):
    """An annotator that finds these: (probability, first mention, second mention)."""

    def annotate_documents(documents, min_probability):
        (document,) = documents
        assert not document.sentences[0].entities
        assert not document.sentences[0].pairs
        found = tuple(
            Interaction("d", sentence_id, TEXT[offset:], offset, str(n), (first, second), 0.0, p)
            for n, (p, first, second) in enumerate(predictions)
        )
        mentions = {each.spans: each for _, *pair in predictions for each in pair}
        sentence = Sentence(
            sentence_id,
            TEXT[offset:],
            tuple(Entity(str(n), each.text, each.spans) for n, each in enumerate(mentions.values())),
            offset=offset,
        )
        return [AnnotatedDocument(Document("d", (sentence,)), found)]

    return SimpleNamespace(annotate_documents=annotate_documents)


def test_overlapping_mentions_match_in_either_order():
    found = evaluate_end_to_end([GOLD], predicting((0.9, entity("x", 3, 8), entity("y", 0, 2))))
    assert (found.predicted, found.right, found.annotated_pairs) == (1, 1, 2)
    assert (found.precision, found.recall) == (1.0, 0.5)


def test_a_pair_is_matched_once():
    twice = predicting((0.9, ALPHA, BETA), (0.8, entity("x", 0, 3), BETA), (0.7, ALPHA, GAMMA), (0.2, BETA, GAMMA))
    found = evaluate_end_to_end([GOLD], twice)
    assert (found.predicted, found.right) == (3, 1)
    assert found.precision == pytest.approx(1 / 3)
    assert found.recall_of_all == 1.0
    assert found.curve == ((0.9, 1.0, 0.5), (0.8, 0.5, 0.5), (0.7, 1 / 3, 0.5), (0.2, 0.5, 1.0))
    assert found.average_precision == pytest.approx(0.5 * 1.0 + 0.5 * 0.5)


def test_parts_of_a_sentence_are_found_again():
    moved = [Entity("x", "beta", ((0, 4),)), Entity("y", "gamma", ((5, 10),))]
    found = evaluate_end_to_end([GOLD], predicting((0.6, *moved), sentence_id="s.1", offset=6))
    assert (found.right, found.mentions, found.mentions_found) == (1, 3, 2)


def test_nothing_found():
    found = evaluate_end_to_end([GOLD], predicting())
    assert (found.precision, found.recall, found.f, found.recall_of_all, found.curve) == (0.0, 0.0, 0.0, 0.0, ())


def test_the_script_measures_each_corpus_with_the_model_without_it(tmp_path, monkeypatch, capsys):
    models = []

    def annotator(model):
        models.append(model)
        return predicting((0.9, ALPHA, BETA), (0.35, BETA, GAMMA))

    monkeypatch.setattr(measure, "Annotator", annotator)
    monkeypatch.setattr(measure.corpora, "load", lambda name: [GOLD])
    monkeypatch.setenv("PPI_CORPORA", "")
    assert measure.main([str(tmp_path), "--corpora", str(tmp_path), "one", "two"]) == 0
    assert models == [tmp_path / "without-one.zip", tmp_path / "without-two.zip"]
    said = capsys.readouterr().out
    assert (
        "one: precision 100.0, recall 50.0, F 66.7 at probability 0.5; average precision 100.0; 3 of 3 mentions" in said
    )
    assert "    p >= 0.3: precision 100.0, recall 100.0\n" in said
    assert measure.main([str(tmp_path), "--json", "one"]) == 0
    assert json.loads(capsys.readouterr().out)["one"]["right"] == 1


def test_the_figures_go_into_the_header_of_a_model(tmp_path, monkeypatch, capsys):
    model = tmp_path / "model.zip"
    shutil.copy(MODEL_FILE, model)
    monkeypatch.setattr(measure, "Annotator", lambda model: predicting((0.95, ALPHA, BETA), (0.6, ALPHA, GAMMA)))
    monkeypatch.setattr(measure.corpora, "load", lambda name: [GOLD])
    monkeypatch.setenv("PPI_CORPORA", "")
    assert measure.main([str(tmp_path), "--corpora", str(tmp_path), "--into", str(model), "one"]) == 0
    changed, shipped = Extractor.load(model), Extractor.load(MODEL_FILE)
    assert changed.facts_["held_out"]["found_names"] == {
        "one": {
            "0.5": {"precision": 0.5, "recall": 0.5},
            "0.7": {"precision": 1.0, "recall": 0.5},
            "0.9": {"precision": 1.0, "recall": 0.5},
        }
    }
    assert "at 0.9 or more 100 % in one" in " ".join(describe_calibration(changed.facts_))
    assert (changed.weights_ == shipped.weights_).all()
