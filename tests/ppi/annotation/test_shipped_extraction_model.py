import json
import zipfile

import numpy as np
import pytest
from lab.training.extraction.train import EVENTS, PAIRS

import corpora
from ppi.annotation.annotator import Annotator
from ppi.annotation.settings import MODEL_FILE
from ppi.extraction import Extractor


@pytest.fixture(scope="module")
def model():
    return Extractor.load(MODEL_FILE)


def test_it_is_small_plain_and_complete():
    assert MODEL_FILE.stat().st_size <= 15_000_000
    with zipfile.ZipFile(MODEL_FILE) as archive:
        assert {name for name in archive.namelist() if not name.endswith(".npy")} == {"model.json"}
        facts = json.loads(archive.read("model.json"))["facts"]
    assert set(facts["corpora"]) == {*EVENTS, *PAIRS}
    assert facts["parser"] == "shipped"
    assert set(facts["held_out"]) == {"average_precision", "accuracy", "calibration_error", "found_names"}


def test_its_figures_on_corpora_left_out_clear_the_bar(model):
    figures = model.facts_["held_out"]
    for output, bars in {"binding": (0.53, 0.41, 0.43)}.items():
        for corpus, bar in zip(EVENTS, bars):
            assert figures["average_precision"][output][corpus] >= bar
    for output, bars in {"direction": (0.90, 0.91, 0.85), "sign": (0.79, 0.80, 0.79)}.items():
        for corpus, bar in zip(EVENTS, bars):
            assert figures["accuracy"][output][corpus] >= bar
    assert all(errors["pooled"] <= 0.05 for errors in figures["calibration_error"].values())


def test_weights_are_small_and_have_names(model):
    assert model.weights_.dtype == np.float32
    assert np.isfinite(model.weights_).all()
    assert len(model._map.get_feature_names_out()) == len(model.weights_)


def test_saying_so_is_more_probable_than_not(model):
    annotator = Annotator(min_probability=0.0)

    def probability(text):
        spans = [(text.index(name), text.index(name) + 5) for name in ("RAD51", "BRCA2")]
        return annotator.annotate(text, entities=spans, explain=False)[0].probability

    assert probability("RAD51 binds BRCA2.") > 0.5
    assert probability("RAD51 binds BRCA2.") > probability("RAD51 and BRCA2 were measured in all patients.")


def told(text, *names):
    """What is said of the first two names, with all names of the text given."""
    spans = [(text.index(name), text.index(name) + len(name)) for name in names]
    annotator = Annotator(min_probability=0.0, include_negated=True, include_hedged=True)
    (one,) = [each for each in annotator.annotate(text, entities=spans) if set(each.names) == set(names[:2])]
    return one


@pytest.mark.parametrize(
    ("affirmed", "denied"),
    [
        ("Ste11 interacts with Fus3.", "Ste11 does not interact with Fus3."),
        ("Ste11 binds Fus3.", "Ste11 cannot bind Fus3."),
        ("Ste11 bound Fus3.", "Ste11 never bound Fus3."),
        ("Ste11 bound Fus3.", "Ste11 failed to bind Fus3."),
        ("Ste11 was able to bind Fus3.", "Ste11 was unable to bind Fus3."),
        ("An interaction between Ste11 and Fus3 was seen.", "No interaction between Ste11 and Fus3 was seen."),
        ("Binding of Ste11 to Fus3 was observed.", "Binding of Ste11 to Fus3 was not observed."),
        ("Binding of Ste11 to Fus3 was confirmed.", "The absence of binding of Ste11 to Fus3 was confirmed."),
    ],
)
def test_what_is_denied_is_less_probable_than_not(affirmed, denied):
    stated, negated = told(affirmed, "Ste11", "Fus3"), told(denied, "Ste11", "Fus3")
    assert stated.probability > 0.8
    assert not stated.negated
    assert negated.probability < 0.5
    assert negated.negated


@pytest.mark.parametrize(
    ("text", "affirmed", "denied"),
    [
        ("Ste11 but not Ste7 binds Fus3.", "Ste11", "Ste7"),
        ("Fus3 does not bind Ste11 but binds Ste7.", "Ste7", "Ste11"),
        ("Ste11 and Kss1 bind Fus3, whereas neither Ste7 nor Ste5 does.", "Ste11", "Ste7"),
    ],
)
def test_one_is_denied_and_the_other_is_not(text, affirmed, denied):
    names = [name for name in ("Ste11", "Ste7", "Kss1", "Ste5") if name in text]
    found = {
        name: told(text, name, "Fus3", *(other for other in names if other != name)).probability
        for name in (affirmed, denied)
    }
    assert found[affirmed] > 0.7
    assert found[denied] < found[affirmed]


def test_not_only_denies_nothing():
    text = "Not only Ste11 but also Ste7 binds Fus3."
    assert not told(text, "Ste11", "Fus3", "Ste7").negated
    assert told(text, "Ste7", "Fus3", "Ste11").probability > 0.8


@pytest.mark.parametrize(
    ("text", "type", "agent", "sign", "kind"),
    [
        ("Ste11 phosphorylates Fus3.", "modification", "Ste11", None, "phosphorylation"),
        ("Ste11 is phosphorylated by Fus3.", "modification", "Fus3", None, "phosphorylation"),
        ("Ste11 inhibits Fus3.", "regulation", "Ste11", "negative", None),
        ("Ste11 is inhibited by Fus3.", "regulation", "Fus3", "negative", None),
        ("Ste11 activates the expression of Fus3.", "regulation", "Ste11", "positive", None),
        ("Ste11 forms a complex with Fus3.", "binding", None, None, None),
    ],
)
def test_types_directions_signs_and_kinds(text, type, agent, sign, kind):
    found = told(text, "Ste11", "Fus3")
    acting = {entity.id: entity.text for entity in found.proteins}.get(found.agent)
    assert (found.type, acting, found.sign, found.kind) == (type, agent, sign, kind)
    assert found.probability > 0.5
    assert found.types[type] == max(found.types.values())


@pytest.mark.parametrize("text", ["Ste11 may interact with Fus3.", "We asked whether Ste11 binds Fus3."])
def test_what_is_only_supposed_is_marked_and_not_reported(text):
    assert told(text, "Ste11", "Fus3").hedged
    spans = [(text.index(name), text.index(name) + len(name)) for name in ("Ste11", "Fus3")]
    assert Annotator(min_probability=0.0).annotate(text, entities=spans) == []


def test_the_evidence_points_at_the_word_that_denies():
    text = "Ste11 does not interact with Fus3."
    found = told(text, "Ste11", "Fus3")
    assert found.evidence.negation_cues == ("not",)
    assert any("denied by negation" in one.name for one in found.evidence.explanation.features)


def test_the_abstracts_have_interactions_with_names():
    found = [one for each in Annotator().annotate_documents(corpora.load("abstracts")) for one in each.interactions]
    assert len(found) >= 10
    assert all(0.5 <= one.probability < 1 for one in found)
