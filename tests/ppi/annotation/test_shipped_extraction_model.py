import json
import zipfile

import numpy as np
import pytest

import corpora
from ppi import Annotator, Extractor
from ppi.annotation import MODEL_FILE


@pytest.fixture(scope="module")
def model():
    return Extractor.load(MODEL_FILE)


def test_it_is_small_plain_and_complete():
    assert MODEL_FILE.stat().st_size <= 10_000_000
    with zipfile.ZipFile(MODEL_FILE) as archive:
        assert {name for name in archive.namelist() if not name.endswith(".npy")} == {"model.json"}
        facts = json.loads(archive.read("model.json"))["facts"]
    assert set(facts["corpora"]) == {"AImed", "BioInfer", "HPRD50", "IEPA", "LLL"}
    for kind in ("all_features", "shipped"):
        assert set(facts["leave_corpus_out_auc"][kind]) == set(facts["corpora"])
    assert facts["calibrated"] in facts["calibration"]


def test_what_was_dropped_costs_little(model):
    aucs = model.facts_["leave_corpus_out_auc"]
    for name, value in aucs["all_features"].items():
        assert aucs["shipped"][name] > value - 0.01


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


def test_the_abstracts_have_interactions_with_names():
    found = [one for each in Annotator().annotate_documents(corpora.load("abstracts")) for one in each.interactions]
    assert len(found) >= 10
    assert all(0.5 <= one.probability < 1 for one in found)
