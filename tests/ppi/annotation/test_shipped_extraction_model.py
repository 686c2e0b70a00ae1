import json
import zipfile

import numpy as np
import pytest

import corpora
from ppi import Annotator, Extractor
from ppi.annotation import MODEL_FILE
from ppi.extraction.calibration import METHOD


@pytest.fixture(scope="module")
def model():
    return Extractor.load(MODEL_FILE)


def test_it_is_small_plain_and_complete():
    assert MODEL_FILE.stat().st_size <= 10_000_000
    with zipfile.ZipFile(MODEL_FILE) as archive:
        assert {name for name in archive.namelist() if not name.endswith(".npy")} == {"model.json"}
        facts = json.loads(archive.read("model.json"))["facts"]
    assert set(facts["corpora"]) == {"AImed", "BioInfer", "HPRD50", "IEPA", "LLL"}
    for figures in ("all_features_auc", "leave_corpus_out_auc"):
        assert set(facts[figures]) == set(facts["corpora"])
    assert METHOD in facts["calibration"]
    assert facts["parser"] == "shipped"


def test_what_was_dropped_costs_little(model):
    for name, value in model.facts_["all_features_auc"].items():
        assert model.facts_["leave_corpus_out_auc"][name] > value - 0.01


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


def probability(text, *names):
    """Of the pair of the first two names, with all names of the text given."""
    spans = [(text.index(name), text.index(name) + len(name)) for name in names]
    found = Annotator(min_probability=0.0).annotate(text, entities=spans, explain=False)
    (one,) = [each for each in found if set(each.names) == set(names[:2])]
    return one.probability


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
    names = ("Ste11", "Fus3")
    assert probability(affirmed, *names) > 0.8
    assert probability(denied, *names) < 0.5


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
        name: probability(text, name, "Fus3", *(other for other in names if other != name))
        for name in (affirmed, denied)
    }
    assert found[affirmed] > 0.7
    assert found[denied] < found[affirmed]


def test_not_only_denies_nothing():
    text = "Not only Ste11 but also Ste7 binds Fus3."
    assert probability(text, "Ste11", "Fus3", "Ste7") > 0.8
    assert probability(text, "Ste7", "Fus3", "Ste11") > 0.8


def test_the_evidence_points_at_the_word_that_denies():
    text = "Ste11 does not interact with Fus3."
    (found,) = Annotator(min_probability=0.0).annotate(text, entities=[(0, 5), (29, 33)])
    (word,) = [part for part in found.evidence.explanation.words if part.name == "not"]
    assert word.value < 0
    assert any("denied by negation" in one.name for one in found.evidence.explanation.features)


def test_the_abstracts_have_interactions_with_names():
    found = [one for each in Annotator().annotate_documents(corpora.load("abstracts")) for one in each.interactions]
    assert len(found) >= 10
    assert all(0.5 <= one.probability < 1 for one in found)
