"""The name finder in a spaCy pipeline: what is there stays, guidelines, saving, messy text."""

import shutil

import numpy as np
import pytest
import spacy
import srsly
from lab.training.pipeline.mentions import TYPES
from name_models import random_name_model
from spacy.tokens import Span
from spacy.training import Example

from ppi.core import MissingModelError, UsageError
from ppi.language.entity_kinds import CHEMICAL, KINDS, OTHER, PROTEIN
from ppi.language.names.finder import KindVotes, NameModel
from ppi.language.names.neural_network import NameSpan
from ppi.language.shipped_pipeline import GUIDELINES, MODEL_DIRECTORY, load_shipped_pipeline
from ppi.language.tokenization import TokenizedText


@pytest.fixture
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("protein_names", name="ner").model = random_name_model(seed=3)
    return nlp


TEXT = "Raf binds p53 . p53 binds Raf and raf . Raf Raf binds"


def spans(doc):
    return [(ent.start, ent.end, ent.label_) for ent in doc.ents]


def test_names_are_marked(nlp):
    assert spans(nlp(TEXT))
    assert {label for *_, label in spans(nlp(TEXT))} <= set(KINDS) == set(nlp.get_pipe("ner").labels)


def test_names_that_are_there_stay(nlp):
    start, end, _ = spans(nlp(TEXT))[0]
    doc = nlp.make_doc(TEXT)
    doc.ents = [Span(doc, start, end, label="GIVEN")]
    assert spans(nlp.get_pipe("ner")(doc))[0] == (start, end, "GIVEN")
    assert spans(doc)[1:] == spans(nlp(TEXT))[1:]


def test_a_name_that_overlaps_one_that_is_there_is_left_out(nlp):
    start, end, _ = spans(nlp(TEXT))[0]
    doc = nlp.make_doc(TEXT)
    doc.ents = [Span(doc, start, end + 1, label="GIVEN")]
    found = spans(nlp.get_pipe("ner")(doc))
    assert (start, end + 1, "GIVEN") in found
    assert not any(label in KINDS and first < end + 1 and start < last for first, last, label in found)


def test_white_space_between_words_changes_nothing(nlp):
    names = [ent.text for ent in nlp(TEXT).ents]
    for space in ("  \t", "\n"):
        wrapped = "  " + TEXT.replace(" ", space) + "\n"
        assert [ent.text for ent in nlp(wrapped).ents] == [name.replace(" ", space) for name in names]


def test_a_stream_gets_what_single_texts_get(nlp):
    texts = [TEXT, "", "p53", " ", "Raf " * 500, TEXT[:20]]
    assert [spans(doc) for doc in nlp.pipe(texts, batch_size=4)] == [spans(nlp(text)) for text in texts]


def test_saved_and_read_again_it_finds_the_same(nlp, tmp_path):
    nlp.to_disk(tmp_path / "saved")
    assert spans(spacy.load(tmp_path / "saved")(TEXT)) == spans(nlp(TEXT))
    again = nlp.get_pipe("ner").from_bytes(nlp.get_pipe("ner").to_bytes())
    assert again.to_bytes() == nlp.get_pipe("ner").to_bytes()


def test_the_first_guideline_is_the_default():
    text = [TokenizedText(TEXT.split(), [" "] * len(TEXT.split()))]
    model = random_name_model(seed=3)
    assert model.find(text) == model.find(text, guideline="bc2gm") != model.find(text, guideline="jnlpba")


def test_the_classifier_tells_the_kinds_of_proteins_and_the_decoder_those_of_others():
    words = ["Raf", "binds", "p53"]  # each name once
    text = [TokenizedText(words, [" "] * 3)]
    model = random_name_model(seed=5)
    (names,) = model.find(text)
    seen = 0
    for sentence in model.decode(text):
        for start, end, kind in sentence.names:
            if kind == PROTEIN:
                vectors = sentence.vectors[start:end]
                x = np.concatenate([vectors.mean(axis=0), vectors[-1]])
                kind = KINDS[int(np.argmax(model.classifier.weights @ x + model.classifier.bias))]
            assert (sentence.start + start, sentence.start + end, kind) in names
            seen += 1
    assert seen == len(names) > 0


def test_a_name_has_one_kind_in_a_text():
    votes = KindVotes()
    scores = np.zeros(len(KINDS), dtype=np.float32)
    for kind, score in ((OTHER, 1.0), (PROTEIN, 3.0), (OTHER, 1.0)):
        votes.add(["EMT"], scores + score * np.eye(len(KINDS), dtype=np.float32)[KINDS.index(kind)])
    words = ["EMT", "EMT", "EMT", "BaP", "BaP", "BaP"]
    names = [NameSpan(place, place + 1, PROTEIN) for place in range(4)]
    names += [NameSpan(place, place + 1, CHEMICAL) for place in (4, 5)]
    assert [name.kind for name in votes.assign_kinds(words, names)] == [PROTEIN] * 3 + [CHEMICAL] * 3
    assert [name.kind for name in votes.assign_kinds(words, names[:5])] == [PROTEIN] * 4 + [CHEMICAL]


def test_an_unknown_guideline_is_refused(nlp):
    with pytest.raises(UsageError, match=r"one of \['bc2gm', 'jnlpba'\], got 'x'"):
        nlp.add_pipe("protein_names", name="other", config={"guideline": "x"})


def test_an_untrained_finder_says_so():
    nlp = spacy.blank("en")
    nlp.add_pipe("protein_names")
    with pytest.raises(ValueError, match="expected a name finder with a trained model"):
        nlp("p53")


@pytest.mark.parametrize("keep", [0, 1, 1000, -1])
def test_a_damaged_file_is_refused(tmp_path, keep):
    shutil.copytree(MODEL_DIRECTORY, tmp_path / "damaged")
    file = tmp_path / "damaged" / "ner" / "model"
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(MissingModelError, match=r"expected a readable pipeline in .*damaged"):
        load_shipped_pipeline(tmp_path / "damaged")


@pytest.mark.parametrize(
    "change", [{"weights": {}}, {"decoders": []}, {"words": 3}, {"known_names": "p53"}, {"word_vectors": {}}]
)
def test_parts_that_do_not_fit_are_refused(change):
    content = srsly.msgpack_loads(random_name_model().to_bytes()) | change
    with pytest.raises(ValueError, match="expected a whole name model, got a damaged one"):
        NameModel.from_bytes(srsly.msgpack_dumps(content))


def test_weights_that_half_precision_cannot_hold_are_not_saved():
    model = random_name_model()
    model.weights["mix"][0, 0] = 1e6
    with pytest.raises(ValueError, match="expected weights that half precision can hold"):
        model.to_bytes()


def test_exact_names_are_scored(nlp):
    predicted = nlp(TEXT)
    reference = nlp.make_doc(TEXT)
    reference.ents = list(predicted.ents)[:1]
    scores = nlp.get_pipe("ner").score([Example(predicted, reference)])
    assert (scores["ents_r"], scores["ents_p"]) == (1.0, 1 / len(predicted.ents))


def test_guidelines_have_types():
    assert tuple(TYPES) == GUIDELINES


def test_something_else_is_not_read_as_a_model():
    with pytest.raises(ValueError, match="expected a name model of format 2"):
        NameModel.from_bytes(b"\x80")


MESSY = ["", " \n ", "x" * 100_000, "p53 " * 2_000, "\x00\x07", "\U0001f600 p53", "البروتين p53", "-" * 2_000]


@pytest.mark.parametrize("text", MESSY, ids=range(len(MESSY)))
def test_messy_text_gets_an_answer(nlp, text):
    for ent in nlp(text).ents:
        assert ent.text == ent.text.strip() != ""
        assert ent.label_ in KINDS
