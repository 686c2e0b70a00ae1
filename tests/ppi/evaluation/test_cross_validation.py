import json
from dataclasses import replace

import numpy as np
import pytest
from event_documents import event_corpus

import corpora
from corpora import FoldError, make_folds
from ppi.core import ReportError, TrainingError
from ppi.evaluation.cross_validation.comparison import compare_reports
from ppi.evaluation.cross_validation.cross_corpus import (
    cross_corpus,
    ranks,
    render_markdown_tables,
    write_cross_corpus_report,
)
from ppi.evaluation.cross_validation.learning_curve import learning_curve
from ppi.evaluation.cross_validation.nested_cross_validation import (
    evaluate,
    evaluate_repeatedly,
    mean_and_std,
    score_fold,
)
from ppi.evaluation.reports.report import metrics_table, read_report, write_report
from ppi.extraction import Settings, collect_examples

SAMPLE = corpora.load("sample")
QUICK = Settings(kernel="path", learner="rls")


@pytest.fixture(scope="module")
def result():
    return evaluate("sample", SAMPLE, QUICK, n=4)


def test_every_pair_is_tested_once_by_a_model_that_did_not_see_its_document(result):
    assert len({pair["pair"] for pair in result.pairs}) == len(result.pairs) == 71
    for pair in result.pairs:
        assert result.fold_of[pair["document"]] == pair["fold"]


def test_scores_do_not_depend_on_the_labels_of_the_test_fold():
    """Turn every label of one fold around: that fold's own scores and threshold must not move."""
    folds = {document.id: number % 4 for number, document in enumerate(SAMPLE)}
    turned = [
        replace(
            document,
            sentences=tuple(
                replace(
                    sentence,
                    pairs=tuple(
                        pair if pair.label is None else replace(pair, label=not pair.label) for pair in sentence.pairs
                    ),
                )
                for sentence in document.sentences
            ),
        )
        if folds[document.id] == 0
        else document
        for document in SAMPLE
    ]
    for settings in (QUICK, replace(QUICK, kernel="composite")):
        before = evaluate("sample", SAMPLE, settings, folds=folds)
        after = evaluate("sample", turned, settings, folds=folds)
        pairs = zip(before.pairs, after.pairs, strict=True)
        tested = [(one["score"], two["score"]) for one, two in pairs if one["fold"] == 0]
        np.testing.assert_allclose(*np.array(tested).T, atol=1e-8)
        assert before.folds[0].threshold == pytest.approx(after.folds[0].threshold, abs=1e-8)
        assert before.folds[1].threshold != after.folds[1].threshold


def test_summary_has_the_documented_shape(result):
    summary = json.loads(json.dumps(result.summary()))
    assert {"corpus", "kernel", "variant", "learner", "folds", "mean", "std", "pooled", "seconds"} <= summary.keys()
    assert set(summary["mean"]) == {"precision", "recall", "f", "auc"}
    assert 0 <= summary["mean"]["auc"] <= 1
    assert summary["pooled"]["auc_interval"][0] <= summary["pooled"]["auc"] <= summary["pooled"]["auc_interval"][1]
    assert summary["baseline"]["recall"] == 1


def test_score_fold_by_hand():
    labels = np.array([1.0, 1.0, -1.0, -1.0])
    fold = score_fold(0, labels, np.array([0.9, 0.2, 0.5, 0.1]), documents=2, regparam=1.0, threshold=0.5)
    assert (fold.precision, fold.recall, fold.f, fold.auc) == (0.5, 0.5, 0.5, 0.75)
    assert (fold.baseline_precision, fold.baseline_f) == (0.5, pytest.approx(2 / 3))


def test_folds_without_a_class_are_left_out_of_the_means():
    full = score_fold(0, np.array([1.0, -1.0]), np.array([1.0, 0.0]), documents=1, regparam=1.0, threshold=0.5)
    none = score_fold(1, np.array([-1.0]), np.array([1.0]), documents=1, regparam=1.0, threshold=0.5)
    assert (none.f, none.auc) == (None, None)
    assert mean_and_std([full, none])[0] == {"precision": 1.0, "recall": 1.0, "f": 1.0, "auc": 1.0}


def test_report_is_written_whole_and_read_back(result, tmp_path):
    write_report([result], tmp_path / "report")
    names = {path.name for path in (tmp_path / "report").iterdir()}
    pages = {"report.md", "report.html", "errors.md", "errors.html"}
    assert names == {"report.json", *pages, "sample-roc.png", "sample-pr.png", "sample-scores.png"}
    (again,) = read_report(tmp_path / "report")
    assert again["pairs"] == result.pairs
    with pytest.raises(corpora.CorpusError, match="does not exist yet"):
        write_report([result], tmp_path / "report")


def test_interrupted_report_leaves_nothing(result, tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ppi.evaluation.reports.plots.plot_evaluation", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_report([result], tmp_path / "report")
    assert list(tmp_path.iterdir()) == []


def test_table_names_the_corpus(result):
    assert metrics_table([result]).splitlines()[1].startswith("sample")


def test_damaged_reports_are_refused(tmp_path):
    (tmp_path / "report.json").write_text("{")
    with pytest.raises(ReportError, match="expected an evaluation report"):
        read_report(tmp_path)
    (tmp_path / "report.json").write_text("{}")
    with pytest.raises(ReportError, match="expected a list of evaluations"):
        read_report(tmp_path)


def test_comparison_with_itself_and_with_another(result):
    same = compare_reports(result.to_dict(), result.to_dict())
    assert [(row.difference, row.p_wilcoxon, row.low, row.high) for row in same] == [(0.0, None, 0.0, 0.0)] * 2
    other = evaluate("sample", SAMPLE, replace(QUICK, kernel="context"), n=4)
    for row in compare_reports(result.to_dict(), other.to_dict()):
        assert row.difference == pytest.approx(row.first - row.second)
        assert row.low <= row.pooled_difference <= row.high
    moved = evaluate("sample", SAMPLE, QUICK, n=4, seed=1)
    with pytest.raises(ReportError, match="on other folds"):
        compare_reports(result.to_dict(), moved.to_dict())


@pytest.mark.parametrize("missing", ["corpus", "fold_of", "pairs", "folds", "mean"])
def test_comparison_of_a_report_with_something_missing_is_an_error(result, missing):
    damaged = {key: value for key, value in result.to_dict().items() if key != missing}
    with pytest.raises(ReportError, match="damaged one"):
        compare_reports(damaged, damaged)


def test_cross_corpus_cells(tmp_path):
    parts = {"a": SAMPLE[:7], "b": SAMPLE[7:14], "c": SAMPLE[14:]}
    cells = cross_corpus(parts, QUICK)
    assert len(cells) == 6 + 3
    assert all(cell.f_best_threshold >= max(cell.f_training_threshold, cell.f_class_share) for cell in cells)
    assert sorted(rank for (_, test), rank in ranks(cells).items() if test == "a") == [1.0, 2.0]
    assert "all but a" in render_markdown_tables(cells)
    write_cross_corpus_report(cells, tmp_path / "cross")
    assert (tmp_path / "cross" / "auc.png").exists()


def test_cross_corpus_leaves_shared_documents_out_of_training():
    cells = cross_corpus({"a": SAMPLE[:12], "b": SAMPLE[8:]}, QUICK)
    assert [cell.shared_documents_left_out for cell in cells] == [4, 4]


def test_learning_curve_grows_to_the_whole_training_half():
    points = learning_curve("sample", SAMPLE, QUICK, n=4, repeats=2)
    assert [point.documents for point in points] == sorted(point.documents for point in points)
    assert points[-1].repeats == 1


def test_repeating_with_other_folds_equals_separate_evaluations():
    folds = [make_folds(SAMPLE, 4, seed=seed) for seed in (0, 1)]
    repeated = evaluate_repeatedly("sample", SAMPLE, QUICK, folds=folds)
    for each, found in zip(folds, repeated, strict=True):
        alone = evaluate("sample", SAMPLE, QUICK, folds=each)
        assert found.fold_of == alone.fold_of
        assert [pair["score"] for pair in found.pairs] == pytest.approx([pair["score"] for pair in alone.pairs])


def test_bad_corpora_are_refused():
    with pytest.raises(FoldError, match="between 2 folds and one a document"):
        evaluate("sample", SAMPLE, QUICK, n=40)
    with pytest.raises(FoldError, match="between 2 folds"):
        evaluate("sample", SAMPLE[:1], QUICK, n=2)
    with pytest.raises(TrainingError, match="expected positive pairs in none, got none"):
        evaluate("none", [SAMPLE[9], SAMPLE[16]], QUICK, n=2)
    with pytest.raises(TrainingError, match="training part of fold"):
        evaluate("few", SAMPLE[:2], QUICK, n=2)


def test_a_parse_is_taken_from_the_file_or_made_now(tmp_path):
    from ppi.evaluation.corpus_evaluation import load_parsed

    def parsers(documents):
        return {name for document in documents for sentence in document.sentences for name in sentence.parsers}

    assert parsers(load_parsed("sample", None)) == {"gold"}
    assert parsers(load_parsed("sample", "gold")) == {"gold"}
    fresh = load_parsed("sample", "shipped")
    assert parsers(fresh) == {"shipped-enhanced"}
    assert [len(document.sentences) for document in fresh] == [len(document.sentences) for document in SAMPLE]
    assert evaluate("sample", fresh, QUICK, n=4).parser == "shipped-enhanced"


def test_pairs_of_events_have_the_labels_that_the_events_give():
    documents = event_corpus("a", 8)
    found = evaluate("events", documents, Settings(kernel="path", learner="rls"), n=4)
    examples = collect_examples(documents)
    assert [pair["label"] for pair in found.pairs] == [bool(label > 0) for label in examples.labels]
    assert sum(pair["label"] for pair in found.pairs) == sum(fold.positive for fold in found.folds) > 0
    assert {row.type for row in found.types} == {type for types in examples.types for type in types}
    assert all(mistake.label in (True, False) for mistake in found.mistakes)
