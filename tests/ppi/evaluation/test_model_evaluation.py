"""A trained model on a corpus: figures counted by hand for a model that only looks for one word."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import relation_files
from word_model import WordModel

import corpora
from ppi.core import ModelFileError, TrainingError, UsageError
from ppi.evaluation.corpus_evaluation import ModelTask, evaluate_trained_model, load_gold
from ppi.evaluation.cross_validation.comparison import compare_reports
from ppi.evaluation.error_analysis import measure_outputs, measure_types
from ppi.evaluation.model_metrics import measure_model
from ppi.evaluation.trained_models.model_evaluation import evaluate_model, resolve_parser
from ppi.evaluation.trained_models.training_overlap import TrainingOverlap
from ppi.extraction import OUTPUTS, Calibration, Examples, Extractor, collect_examples

SAMPLE = corpora.load("sample")


@pytest.fixture(scope="module")
def genes(tmp_path_factory):
    return load_gold(relation_files.pubtator(tmp_path_factory.mktemp("genes")))


@pytest.fixture(scope="module")
def judged(genes):
    return evaluate_model("genes", genes, WordModel(), model="words", parser="shipped")


def test_figures_at_the_threshold_and_at_probabilities(judged):
    # binds: the title of document 1 (right) and both pairs of the second sentence of document 2 (right): 3 of 5
    own, half, more, most = judged.metrics.thresholds
    assert (own.at, own.called, own.right) == ("threshold", 3, 3)
    assert (own.precision, own.recall, own.f) == (1.0, 3 / 5, 3 / 4)
    assert (half.at, half.called) == ("0.5", 3)
    assert (more.at, more.called, more.recall) == ("0.7", 3, 3 / 5)
    assert (most.at, most.called, most.precision, most.f) == ("0.9", 0, None, 0.0)


def test_order_and_calibration(judged):
    figures = judged.metrics
    # 3 positives above everything; 2 positives and 2 negatives tie: (3 * 2 + 2 * 2 * 1/2) / 10
    assert figures.auc == pytest.approx(8 / 10)
    # three at precision 1, the tie of four ends with precision 5/7
    assert figures.average_precision == pytest.approx((3 * 1 + 2 * 5 / 7) / 5)
    (low, low_share, low_count), (high, high_share, high_count) = figures.calibration.bins
    assert (low_share, low_count, high_share, high_count) == (1 / 2, 4, 1.0, 3)
    assert (low, high) == pytest.approx((0.1192, 0.8808), abs=1e-4)
    assert figures.calibration.ece == pytest.approx((4 * (0.5 - low) + 3 * (1 - high)) / 7)


def test_by_type_by_document_and_mistakes(judged):
    rows = {row.type: (row.positive, row.found, row.recall) for row in judged.types}
    assert rows == {"Association": (3, 2, 2 / 3), "Bind": (2, 1, 1 / 2)}
    by = judged.documents
    assert (by.pairs, by.positive, by.apart, by.called) == (5, 3, 1, 2)
    assert (by.precision, by.recall, by.f) == (1.0, 2 / 3, 4 / 5)
    assert [(each.label, each.text) for each in judged.mistakes] == [
        (True, "Profilin and actin form a complex."),
        (True, "Emerin and lamin."),
    ]


def test_the_json_has_the_shape_of_a_cross_validation(judged):
    summary = json.loads(json.dumps(judged.summary()))
    assert {"corpus", "kernel", "variant", "learner", "folds", "mean", "std", "pooled", "seconds"} <= summary.keys()
    assert summary["folds"] == []
    assert summary["mean"] == {"precision": 1.0, "recall": 0.6, "f": 0.75, "auc": pytest.approx(0.8)}
    assert summary["std"] == {"precision": None, "recall": None, "f": None, "auc": None}
    assert summary["model"]["corpora"] == ["X"]
    assert summary["baseline"]["f"] == pytest.approx(2 * 5 / 12)
    assert len(summary["mistakes"]) == 2
    whole = json.loads(json.dumps(judged.to_dict()))
    assert len(whole["pairs"]) == 7
    f, _ = compare_reports(whole, whole)
    assert (f.difference, f.p_wilcoxon) == (0, None)


def test_documents_that_were_seen_are_left_out_of_a_second_set_of_figures(genes):
    seen = TrainingOverlap(frozenset(["2"]), {"X": 1})
    judged = evaluate_model("genes", genes, WordModel(), training_overlap=seen)
    assert (judged.metrics.pairs, judged.unseen.pairs, judged.unseen.positive) == (7, 4, 2)
    assert judged.unseen.own_threshold.recall == 1 / 2
    assert judged.warnings[0].startswith("1 of 3 documents are in corpora that the model was trained on: X (1)")
    everything = TrainingOverlap(frozenset("123"), {"X": 3}, whole=True)
    assert evaluate_model("genes", genes, WordModel(), training_overlap=everything).unseen is None


def test_outputs_of_types_are_judged_where_events_tell_them():
    targets = np.full((6, len(OUTPUTS)), np.nan)
    targets[:, OUTPUTS.index("binding")] = [1, 1, -1, -1, -1, -1]
    targets[:4, OUTPUTS.index("direction")] = [1, -1, 1, -1]
    scores = np.zeros((6, len(OUTPUTS)))
    scores[:, OUTPUTS.index("binding")] = [2, -1, 1, -2, -2, -2]
    scores[:4, OUTPUTS.index("direction")] = [1, 1, 1, -1]
    examples = Examples([None] * 6, targets[:, 1], np.arange(6), targets, typed=True)
    model = SimpleNamespace(
        outputs_=OUTPUTS,
        score_outputs=lambda graphs: scores,
        has_learned=lambda output: True,
        calibrations_={"binding": Calibration("platt", (), (1.0, 0.0))},
    )
    binding, direction = measure_outputs(model, examples)
    assert (binding.output, binding.pairs, binding.positive) == ("binding", 6, 2)
    assert binding.average_precision == pytest.approx((1 + 2 / 3) / 2)
    assert (binding.at_half.called, binding.at_half.right) == (2, 1)
    assert (direction.output, direction.pairs, direction.accuracy) == ("direction", 4, 3 / 4)
    without = Examples([None] * 6, targets[:, 1], np.arange(6), targets, types=((),) * 6)
    assert measure_outputs(model, without) == []


def test_outputs_of_types_are_judged_where_relations_are_kinds_of_them():
    types = (("Complex_formation",), ("Association",), ("Phosphorylation", "Bind"), (), ("Phosphorylation",))
    examples = Examples([None] * 5, np.array([1, 1, 1, -1, 1.0]), np.arange(5), np.empty((5, 0)), types=types)
    scores = np.zeros((5, len(OUTPUTS)))
    scores[:, OUTPUTS.index("binding")] = [3, 9, -1, -2, 1]
    model = SimpleNamespace(
        outputs_=OUTPUTS,
        score_outputs=lambda graphs: scores,
        has_learned=lambda output: True,
        calibrations_={"binding": Calibration("platt", (), (1.0, 0.0))},
    )
    (binding,) = measure_outputs(model, examples)
    # 3 (right), 1 (a modification alone), -1 (right), -2 (none); the association counts neither way
    assert (binding.output, binding.pairs, binding.positive) == ("binding", 4, 2)
    assert binding.average_precision == pytest.approx((1 + 2 / 3) / 2)
    assert (binding.at_half.called, binding.at_half.right) == (2, 1)


def test_a_model_file_is_judged_with_the_parses_of_its_training(tmp_path):
    Extractor(kernel="path", learner="rls").fit({"half": SAMPLE[:10]}).save(tmp_path / "m.zip")
    corpora.write(SAMPLE[10:], tmp_path / "rest.jsonl")
    judged = evaluate_trained_model(ModelTask(str(tmp_path / "rest.jsonl"), str(tmp_path / "m.zip"), "m.zip"))
    assert (judged.corpus, judged.model, judged.parser) == ("rest", "m.zip", "gold")
    assert judged.trained_on == ("half",)
    scored = Extractor.load(tmp_path / "m.zip").score(SAMPLE[10:])
    assert [pair["score"] for pair in judged.pairs] == [each.score for each in scored if each.label is not None]
    assert [pair["interacts"] for pair in judged.pairs] == [each.interacts for each in scored if each.label is not None]
    corpora.write(SAMPLE, tmp_path / "half.jsonl")
    again = evaluate_trained_model(ModelTask(str(tmp_path / "half.jsonl"), str(tmp_path / "m.zip"), "m.zip"))
    assert again.training_overlap.whole


def test_what_cannot_be_judged_is_refused(tmp_path, genes):
    model = WordModel()
    model.calibrations_ = {}
    with pytest.raises(TrainingError, match="expected a calibrated extractor"):
        evaluate_model("genes", genes, model)
    model.facts_ = {}
    with pytest.raises(UsageError, match="expected a model that records whose parses it was trained on"):
        resolve_parser(model, None)
    assert resolve_parser(model, "shipped") == "shipped"
    (tmp_path / "no.zip").write_text("no model")
    with pytest.raises(ModelFileError, match=r"no\.zip"):
        evaluate_trained_model(ModelTask("sample", str(tmp_path / "no.zip"), "no.zip"))


def test_types_rank_against_negatives_alone():
    examples = Examples(
        [], np.array([1, 1, -1, 1.0]), np.arange(4), np.empty((4, 0)), types=(("a",), ("b",), (), ("a", "b"))
    )
    a, b = measure_types(examples, np.array([3.0, -2.0, -1.0, 1.0]))
    assert (a.type, a.positive, a.found, a.average_precision) == ("a", 2, 2, 1.0)
    # b: at 1 (right), -1 (no), -2 (right); what is a alone is not there
    assert (b.type, b.positive, b.found, b.average_precision) == ("b", 2, 1, pytest.approx((1 + 2 / 3) / 2))


def test_intervals_hold_their_figures():
    rng = np.random.default_rng(0)
    labels = np.where(rng.random(200) < 0.4, 1.0, -1.0)
    margins = labels + rng.normal(size=200)
    figures = measure_model(labels, margins, 1 / (1 + np.exp(-margins)), rng.integers(20, size=200))
    assert figures.f_interval[0] < figures.own_threshold.f < figures.f_interval[1]
    assert figures.auc_interval[0] < figures.auc < figures.auc_interval[1]


def test_a_corpus_of_events_is_judged_by_type(tmp_path):
    found = load_gold(relation_files.events(tmp_path))
    judged = evaluate_model("events", found, WordModel())
    assert {row.type: (row.positive, row.found) for row in judged.types} == {"binding": (1, 1), "regulation": (1, 0)}
    assert [pair["label"] for pair in judged.pairs] == [True, True, False, False]
    assert len(collect_examples(found.documents)) == 4
