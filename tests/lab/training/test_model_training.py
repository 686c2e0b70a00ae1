from dataclasses import replace

import numpy as np
import pytest
from lab.training.extraction.left_out import SHIPPED, LeftOut
from lab.training.extraction.reliability import (
    METHODS,
    judge_calibrations,
    nested_probabilities,
    plot_reliability,
    reliability,
)
from sklearn.linear_model import Ridge

import corpora
from kernels import denials
from learners.metrics import auc
from ppi import Annotator, Extractor
from ppi.errors import TrainingError
from ppi.extraction import Settings, preparation
from ppi.extraction.preparation import prepare
from ppi.extraction.ridge import REGPARAM

SAMPLE = corpora.load("sample")
CORPORA = {"one": SAMPLE[:7], "two": SAMPLE[7:14], "three": SAMPLE[14:]}


@pytest.fixture(scope="module")
def models():
    return LeftOut.train(CORPORA, replace(SHIPPED, min_documents=2))


def test_scores_left_out_are_those_of_a_model_trained_without(models):
    prepared = prepare(CORPORA, Settings(kernel="composite"))
    sets, X = prepared.examples, {name: each.toarray() for name, each in prepared.features.items()}
    kept = ("one", "three")
    centered = np.vstack([X[name] - X[name].mean(axis=0) for name in kept])
    target = np.concatenate([sets[name].labels - sets[name].labels.mean() for name in kept])
    unit = np.mean(np.concatenate([np.sum(X[name] ** 2, axis=1) for name in kept]))
    weights = Ridge(alpha=REGPARAM * unit, fit_intercept=False, tol=1e-8).fit(centered, target).coef_
    intercept = np.mean([np.mean(sets[name].labels - X[name] @ weights) for name in kept])
    found = models.scores("two", without=["two"], min_documents=1)
    assert found == pytest.approx(X["two"] @ weights + intercept, abs=2e-3)
    assert models.aucs(min_documents=1)["two"] == pytest.approx(auc(sets["two"].labels > 0, found))


def test_features_are_counted_in_training_documents_only(models):
    alone = models.models[frozenset(["one", "two"])]
    assert alone.frequencies.max() <= len(CORPORA["three"])
    assert not alone.weights[alone.frequencies == 0].any()
    pruned = alone.pruned(2)
    assert (pruned[alone.frequencies < 2] == 0).all()
    assert (pruned[alone.frequencies >= 2] == alone.weights[alone.frequencies >= 2]).all()


def test_the_saved_extractor_scores_as_its_training_set_does(models, tmp_path):
    extractor = models.extractor()
    assert extractor.weights_.dtype == np.float32
    extractor.save(tmp_path / "model.zip")
    again = Extractor.load(tmp_path / "model.zip")
    documents = CORPORA["two"]
    expected = models.scores("two", without=[])
    found = [each.score for each in again.score(documents) if each.label is not None]
    assert found == pytest.approx(expected.tolist(), abs=1e-5)
    assert set(again.facts_["corpora"]) == set(CORPORA)
    assert Annotator(model=again, parser="given", min_probability=0).annotate_document(documents[0]).interactions


def test_the_verb_makes_the_same_model(models):
    trained = Extractor(kernel="composite", learner="ridge", min_documents=2).fit(CORPORA)
    ours = models.extractor()
    assert trained.weights_ == pytest.approx(ours.weights_, abs=2e-4)
    assert trained.threshold_ == pytest.approx(ours.threshold_, abs=1e-3)
    assert trained.calibration_.values == pytest.approx(ours.calibration_.values, rel=1e-2)
    assert trained.facts_.keys() == ours.facts_.keys()


def test_a_corpus_left_out_is_left_out_of_calibration_too(models):
    scores = models.held_out(without="one")
    assert set(scores) == {"two", "three"}
    assert (scores["two"] == models.scores("two", without=["one", "two"])).all()
    assert set(models.extractor(without="one").facts_["corpora"]) == {"two", "three"}


def test_documents_that_corpora_share_are_left_out():
    doubled = {**CORPORA, "three": [*CORPORA["three"], *CORPORA["one"][:3]]}
    alone, doubled_set = LeftOut.train(CORPORA), LeftOut.train(doubled)
    expected = alone.scores("one", without=["one"], min_documents=1)
    assert doubled_set.scores("one", without=["one"], min_documents=1) == pytest.approx(expected, abs=1e-3)


def test_a_corpus_that_annotates_denied_relations_does_not_teach_denials(monkeypatch):
    plain = LeftOut.train(CORPORA)
    denied = {
        name: np.array([bool(denials(graph)) for graph in plain.prepared.examples[name].graphs]) for name in CORPORA
    }
    name = max(denied, key=lambda each: denied[each].sum())
    assert 0 < denied[name].sum() < len(denied[name])
    monkeypatch.setattr(preparation, "DENIED_ANNOTATED", frozenset([name]))
    models = LeftOut.train(CORPORA)
    facts = models.extractor().facts_["denied_left_out"]
    assert facts == {each: int(denied[name].sum()) if each == name else 0 for each in CORPORA}
    others = frozenset(CORPORA) - {name}
    has = np.asarray((models.prepared.features[name] != 0).todense())
    of_denied = ~has[~denied[name]].any(axis=0) & has[denied[name]].any(axis=0)
    assert of_denied.any()
    assert not models.models[others].weights[of_denied].any()
    assert plain.models[others].weights[of_denied].all()


def test_the_calibration_of_least_log_loss_is_chosen(models):
    method, measured = judge_calibrations(models)
    means = {each: np.mean([measured[each][name].log_loss for name in CORPORA]) for each in METHODS}
    assert method == min(means, key=means.get)
    assert measured[method]["pooled"].pairs == len(models.rows)
    p = nested_probabilities(models, method)["one"]
    assert measured[method]["one"] == reliability(p, models.labels("one"))


def test_fewer_than_three_corpora():
    with pytest.raises(TrainingError, match="expected at least 3 corpora"):
        LeftOut.train({"one": SAMPLE[:7], "two": SAMPLE[7:]})


def test_reliability_by_hand():
    measured = reliability([0.05, 0.05, 0.95, 0.85], [-1, 1, 1, -1])
    assert measured.bins == ((0.05, 0.5, 2), (0.85, 0.0, 1), (0.95, 1.0, 1))
    assert measured.ece == pytest.approx((2 * 0.45 + 0.85 + 0.05) / 4)
    assert measured.brier == pytest.approx((0.05**2 + 0.95**2 + 0.05**2 + 0.85**2) / 4)
    assert measured.log_loss == pytest.approx(-np.mean(np.log([0.95, 0.05, 0.95, 0.15])))


def test_the_diagram_is_the_same_twice(models, tmp_path):
    _, measured = judge_calibrations(models)
    for name in ("a.svg", "b.svg"):
        plot_reliability(measured["platt by pairs"], tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert b"<svg" in (tmp_path / "a.svg").read_bytes()
