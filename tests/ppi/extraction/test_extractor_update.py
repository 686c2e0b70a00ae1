"""Extractors with feedback: what changes, what stays, and that a file keeps it."""

import json
import zipfile

import numpy as np
import pytest
from event_documents import event_corpus, pair_corpus

from ppi.annotation import Annotator
from ppi.core import UsageError
from ppi.extraction.examples import collect_examples
from ppi.extraction.extractor import Extractor
from ppi.extraction.feedback import linear_scores, predict_claims
from ppi.extraction.judgements import PairJudgement
from ppi.extraction.outputs import OUTPUTS
from ppi.extraction.pair_predictions import PairPredictions

CORPORA = {"one": event_corpus("a", 8), "two": event_corpus("b", 8), "AImed": pair_corpus("p", 8)}
UNSEEN = collect_examples(event_corpus("c", 5)).graphs


@pytest.fixture(scope="module")
def trained():
    return Extractor(kernel="path", learner="ridge").fit(CORPORA)


@pytest.fixture(scope="module")
def untyped():
    return Extractor(kernel="path", learner="rls").fit(CORPORA["AImed"])


def column(extractor, name, graphs):
    return extractor.score_outputs(graphs)[:, OUTPUTS.index(name)]


def test_the_update_is_the_closed_form(trained):
    """Written out from the formula for each output, with dense matrices."""
    labels = [
        PairJudgement("wrong", "binding") if number % 3 else PairJudgement("right", "binding")
        for number in range(len(UNSEEN))
    ]
    changed = trained.update(UNSEEN, labels, regparam=0.5)
    X, y = (
        trained.feature_matrix(UNSEEN).toarray(),
        np.array([-1.0 if number % 3 else 1.0 for number in range(len(UNSEEN))]),
    )
    unit = np.mean(np.sum(X**2, axis=1))
    for output in OUTPUTS:
        at = OUTPUTS.index(output)
        w0, b0 = trained.weights_[:, at].astype(float), trained.intercepts_[at]
        if output in ("interaction", "binding"):
            a = np.linalg.inv(X @ X.T + unit + 0.5 * unit * np.eye(len(X))) @ (y - X @ w0 - b0)
            w0, b0 = w0 + X.T @ a, b0 + unit * a.sum()
        # weights are kept in single precision
        np.testing.assert_allclose(changed.weights_[:, at], w0, atol=1e-6)
        assert changed.intercepts_[at] == pytest.approx(b0, abs=1e-8)


def test_the_extractor_itself_stays_as_it_was(trained):
    before = trained.weights_.copy(), trained.intercepts_.copy(), dict(trained.facts_)
    changed = trained.update(UNSEEN, [False] * len(UNSEEN))
    assert changed is not trained
    assert np.array_equal(trained.weights_, before[0])
    assert np.array_equal(trained.intercepts_, before[1])
    assert trained.facts_ == before[2]
    assert not hasattr(trained, "feedback_")


def test_wrong_makes_a_pair_less_probable_and_right_more(trained):
    for label, sign in ((True, 1), (False, -1)):
        changed = trained.update(UNSEEN, [label] * len(UNSEEN))
        difference = column(changed, "interaction", UNSEEN) - column(trained, "interaction", UNSEEN)
        assert (sign * difference.mean()) > 0


def test_a_wrong_direction_turns_it_round(trained):
    claims = predict_claims(trained, UNSEEN)
    directed = [graph for graph, (_, first_acts) in zip(UNSEEN, claims) if first_acts is not None]
    assert directed
    changed = trained.update(directed, ["wrong direction"] * len(directed), regparam=0.01)
    before, after = column(trained, "direction", directed), column(changed, "direction", directed)
    assert (np.sign(before) != np.sign(after)).all()
    assert (column(changed, "sign", UNSEEN) == column(trained, "sign", UNSEEN)).all()


def test_a_wrong_type_is_replaced_by_the_right_one(trained):
    binding = [graph for graph, (kind, _) in zip(UNSEEN, predict_claims(trained, UNSEEN)) if kind == "binding"]
    changed = trained.update(binding, ["wrong type: regulation"] * len(binding), regparam=0.01)
    assert {kind for kind, _ in predict_claims(changed, binding)} == {"regulation"}


def test_claims_are_what_readings_say(trained):
    readings = PairPredictions(trained, UNSEEN)
    for place, (kind, first_acts) in enumerate(predict_claims(trained, UNSEEN)):
        reading = readings[place]
        assert kind == reading.type
        assert first_acts == (None if reading.agent is None else reading.agent == UNSEEN[place].prot1)
    assert predict_claims(trained, []) == []


def test_what_no_protein_is_teaches_nothing(trained):
    changed = trained.update(UNSEEN, ["not a protein"] * len(UNSEEN))
    assert np.array_equal(changed.weights_, trained.weights_)
    assert changed.feedback_.verdicts == {"not a protein": len(UNSEEN)}
    assert changed.feedback_.estimates == ()


def test_several_curators(trained):
    twice = [UNSEEN[0], UNSEEN[0], UNSEEN[1]]
    agreed = trained.update(twice, [True, True, False])
    once = trained.update(twice[1:], [True, False])
    assert np.array_equal(agreed.weights_, once.weights_)
    assert (agreed.feedback_.judgements, agreed.feedback_.pairs) == (3, 2)
    disputed = trained.update(twice, [True, False, False])
    alone = trained.update([UNSEEN[0], UNSEEN[1]], ["not a protein", False])
    assert disputed.feedback_.disagreeing == 1
    np.testing.assert_allclose(disputed.weights_, alone.weights_, atol=1e-7)
    with pytest.raises(UsageError, match="got different ones of pair"):
        trained.update(twice, [True, False, False], conflicts="refuse")


def test_groups_are_documents_unless_given(trained):
    labels = [bool(number % 2) for number in range(len(UNSEEN))]
    by_document = trained.update(UNSEEN, labels).feedback_
    assert by_document.groups == len({graph.document_id for graph in UNSEEN})
    together = trained.update(UNSEEN, labels, groups=["all"] * len(UNSEEN)).feedback_
    assert together.groups == 1
    only = together.estimates[0]
    assert only.error_leave_group_out == pytest.approx(only.error_without)  # nothing is left but the start


def test_models_without_types_learn_whether_two_interact(untyped):
    changed = untyped.update(UNSEEN, ["wrong"] * len(UNSEEN))
    assert changed.weights_.shape == untyped.weights_.shape
    assert changed.score_graphs(UNSEEN).mean() < untyped.score_graphs(UNSEEN).mean()
    np.testing.assert_allclose(
        linear_scores(changed, changed.feature_matrix(UNSEEN))[:, 0], changed.score_graphs(UNSEEN), atol=1e-6
    )
    with pytest.raises(UsageError, match="expected a claim with a type"):
        untyped.update(UNSEEN[:1], ["wrong type: binding"])


def test_a_model_that_keeps_training_pairs_is_changed_in_its_weights():
    squared = Extractor(kernel="path", learner="rls", degree=2).fit(CORPORA["AImed"])
    changed = squared.update(UNSEEN, ["wrong"] * len(UNSEEN), regparam=1.0)
    assert changed.support_ is squared.support_
    X, f0 = squared.feature_matrix(UNSEEN).toarray(), squared.score_graphs(UNSEEN)
    unit = np.mean(np.sum(X**2, axis=1))
    K = X @ X.T + unit
    expected = f0 + K @ np.linalg.solve(K + unit * np.eye(len(K)), -1.0 - f0)
    np.testing.assert_allclose(changed.score_graphs(UNSEEN), expected, atol=1e-6)


def test_probabilities_move_with_enough_feedback_and_the_record_says_so(trained):
    many = [graph for seed in "defgh" for graph in collect_examples(event_corpus(seed, 8)).graphs]
    labels = [PairJudgement("right" if number % 3 == 0 else "wrong") for number in range(len(many))]
    changed = trained.update(many, labels)
    assert len(many) >= 100
    assert changed.feedback_.recalibrated == ("interaction",)
    assert changed.calibrations_["interaction"].values[0] == trained.calibrations_["interaction"].values[0]
    assert changed.calibrations_["binding"] == trained.calibrations_["binding"]


@pytest.mark.parametrize("kind", ["trained", "untyped"])
def test_a_file_keeps_the_model_and_what_taught_it(kind, request, tmp_path):
    extractor = request.getfixturevalue(kind)
    changed = extractor.update(UNSEEN, [True, *[False] * (len(UNSEEN) - 1)])
    again = changed.update(UNSEEN[:1], [True])
    changed.save(tmp_path / "model.zip")
    again.save(tmp_path / "again.zip")
    loaded = Extractor.load(tmp_path / "model.zip")
    assert np.array_equal(loaded.score_outputs(UNSEEN), changed.score_outputs(UNSEEN))
    (record,) = loaded.facts_["feedback"]
    assert record == json.loads(json.dumps(changed.feedback_.to_dict()))
    assert (record["judgements"], record["verdicts"]) == (len(UNSEEN), {"right": 1, "wrong": len(UNSEEN) - 1})
    assert len(record["date"]) == len("2000-01-01")
    assert [each["judgements"] for each in Extractor.load(tmp_path / "again.zip").facts_["feedback"]] == [
        len(UNSEEN),
        1,
    ]
    with zipfile.ZipFile(tmp_path / "model.zip") as archive:
        assert json.loads(archive.read("model.json"))["version"] == 5  # as before: older programs read it, too


def test_an_annotator_uses_it(trained, tmp_path):
    changed = trained.update(UNSEEN, [False] * len(UNSEEN))
    changed.save(tmp_path / "model.zip")
    annotator = Annotator(model=tmp_path / "model.zip", parser="given", min_probability=0.0)
    plain = Annotator(model=trained, parser="given", min_probability=0.0)
    documents = event_corpus("c", 5)
    after = [row.probability for each in annotator.annotate_documents(documents) for row in each.interactions]
    before = [row.probability for each in plain.annotate_documents(documents) for row in each.interactions]
    assert len(after) == len(before) > 0
    assert np.mean(after) < np.mean(before)


def test_labels_that_do_not_fit_are_refused(trained):
    with pytest.raises(UsageError, match="expected a judgement for each pair, got 1 of 2 pairs"):
        trained.update(UNSEEN[:2], [True])
    with pytest.raises(UsageError, match="expected a judgement for each pair, got 0 of 0"):
        trained.update([], [])
    with pytest.raises(UsageError, match="expected groups with one label per pair"):
        trained.update(UNSEEN[:2], [True, True], groups=["a"])
    with pytest.raises(UsageError, match="expected a verdict"):
        trained.update(UNSEEN[:1], ["nonsense"])
