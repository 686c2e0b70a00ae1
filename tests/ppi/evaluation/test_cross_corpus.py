"""Across corpora against a plain loop: train on one, score the other; and the tables of it."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from event_documents import event_corpus

import corpora
from learners import auc, precision_recall_f
from ppi.core import TrainingError
from ppi.evaluation.cross_validation.cross_corpus import (
    MEASURE_TITLES,
    CrossCorpusCell,
    corpus_names,
    cross_corpus,
    ranks,
    render_markdown_tables,
    write_cross_corpus_report,
)
from ppi.evaluation.trained_models.holdout import train_with_holdout
from ppi.extraction import Extractor, Settings

SAMPLE = corpora.load("sample")
PARTS = {"a": SAMPLE[:7], "b": SAMPLE[7:14], "c": SAMPLE[14:]}
QUICK = Settings(kernel="path", learner="rls")


def cell(train, test, auc=0.5, **values):
    figures = (
        dict.fromkeys(("f_training_threshold", "f_best_threshold", "f_class_share", "f_zero_threshold"), 0.25) | values
    )
    return CrossCorpusCell(train, test, 10, 0, 1.0, auc, **figures)


def f_at(labels, scores, threshold):
    predicted = scores >= threshold
    return precision_recall_f(int(np.sum(predicted & labels)), int(predicted.sum()), int(labels.sum()))[2]


def scored(extractor, documents):
    found = [pair for pair in extractor.score(documents) if pair.label is not None]
    return np.array([pair.label for pair in found]), np.array([pair.score for pair in found])


@pytest.fixture(scope="module")
def cells():
    return cross_corpus(PARTS, QUICK, workers=1)


def test_every_cell_is_an_extractor_trained_on_one_and_tested_on_the_other(cells):
    by_name = {(found.train, found.test): found for found in cells}
    for train, test in product(PARTS, PARTS):
        if train == test:
            assert (train, test) not in by_name
            continue
        extractor = Extractor(kernel="path", learner="rls").fit(PARTS[train])
        labels, scores = scored(extractor, PARTS[test])
        found = by_name[train, test]
        assert found.auc == pytest.approx(auc(labels, scores))
        assert found.f_training_threshold == pytest.approx(f_at(labels, scores, extractor.threshold_))
        assert found.f_best_threshold == pytest.approx(max(f_at(labels, scores, score) for score in scores))
        share = sorted(scores, reverse=True)[labels.sum() - 1]
        assert found.f_class_share == pytest.approx(f_at(labels, scores, share))
        assert found.f_zero_threshold == pytest.approx(f_at(labels, scores, 0.0))
        assert found.training_pairs == extractor.facts_["pairs"]
        assert found.regparam == pytest.approx(extractor.regparam_)
        assert found.shared_documents_left_out == 0


def test_all_but_one_is_trained_on_the_others_together(cells):
    found = {found.test: found for found in cells if found.train.startswith("all but ")}
    assert {test: each.train for test, each in found.items()} == {test: f"all but {test}" for test in PARTS}
    for test, each in found.items():
        others = [document for name in PARTS if name != test for document in PARTS[name]]
        labels, scores = scored(Extractor(kernel="path", learner="rls").fit(others), PARTS[test])
        assert each.auc == pytest.approx(auc(labels, scores))


def test_two_corpora_or_not_asked_for_have_no_row_of_all_but_one():
    two = cross_corpus({"a": PARTS["a"], "b": PARTS["b"]}, QUICK, workers=1)
    assert [(found.train, found.test) for found in two] == [("a", "b"), ("b", "a")]
    three = cross_corpus(PARTS, QUICK, all_but_one=False, workers=1)
    assert len(three) == 6


def test_shared_documents_are_left_out_of_training_and_of_nothing_else():
    overlapping = {"a": SAMPLE[:10], "b": SAMPLE[8:16], "c": SAMPLE[14:]}
    found = {(each.train, each.test): each for each in cross_corpus(overlapping, QUICK, workers=1)}
    for train, test, kept in [("a", "b", SAMPLE[:8]), ("b", "a", SAMPLE[10:16]), ("b", "c", SAMPLE[8:14])]:
        extractor = Extractor(kernel="path", learner="rls").fit(kept)
        assert found[train, test].auc == pytest.approx(auc(*scored(extractor, overlapping[test])))
        assert found[train, test].training_pairs == extractor.facts_["pairs"]
        assert found[train, test].shared_documents_left_out == 2
    assert found["a", "c"].shared_documents_left_out == 0
    assert found["all but b", "b"].shared_documents_left_out == 4


def turned_around(document):
    """Every annotated pair with the other label."""
    sentences = tuple(
        replace(
            sentence,
            pairs=tuple(replace(pair, label=None if pair.label is None else not pair.label) for pair in sentence.pairs),
        )
        for sentence in document.sentences
    )
    return replace(document, sentences=sentences)


def test_labels_of_the_test_corpus_change_no_model():
    turned = [turned_around(document) for document in PARTS["b"]]
    (before, _), (after, _) = (
        cross_corpus({"a": PARTS["a"], "b": documents}, QUICK, workers=1) for documents in (PARTS["b"], turned)
    )
    assert after.auc == pytest.approx(1 - before.auc)
    assert after.regparam == before.regparam


def test_ranks_by_hand():
    made = [
        *(cell(train, "x", auc=value) for train, value in [("y", 0.7), ("z", 0.9), ("w", 0.7)]),
        cell("all but x", "x", auc=1.0),
        cell("x", "y", auc=0.5),
    ]
    assert ranks(made) == {("y", "x"): 2.5, ("z", "x"): 1.0, ("w", "x"): 2.5, ("x", "y"): 1.0}
    assert corpus_names(made) == ["y", "z", "w", "x"]


def test_tables_by_hand():
    made = [cell("a", "b", auc=0.75), cell("b", "a", auc=0.5), cell("all but a", "a", auc=0.625)]
    first, *others = render_markdown_tables(made).split("\n\n**")
    assert first.splitlines() == [
        "**AUC**",
        "",
        "| trained on | a | b | mean rank |",
        "|---|---|---|---|",
        "| a | - | 75.0 (1) | 1.00 |",
        "| b | 50.0 (1) | - | 1.00 |",
        "| all but a | 62.5 | - | - |",
    ]
    assert len(others) == len(MEASURE_TITLES) - 1
    for table in others:
        assert table.splitlines()[-3:] == ["| a | - | 25.0 |", "| b | 25.0 | - |", "| all but a | 25.0 | - |"]


def test_a_report_holds_every_cell_and_a_figure_for_each_measure(cells, tmp_path):
    write_cross_corpus_report(cells, tmp_path / "report")
    written = json.loads((tmp_path / "report" / "cross-corpus.json").read_text())
    assert [CrossCorpusCell(**each) for each in written] == cells
    page = (tmp_path / "report" / "cross-corpus.md").read_text()
    assert render_markdown_tables(cells) in page
    for measure, title in MEASURE_TITLES.items():
        assert f"![{title}]({measure}.png)" in page
        assert (tmp_path / "report" / f"{measure}.png").read_bytes().startswith(b"\x89PNG")


def test_a_report_that_is_there_is_not_written_over(cells, tmp_path):
    (tmp_path / "report").mkdir()
    with pytest.raises(corpora.CorpusError, match="does not exist yet"):
        write_cross_corpus_report(cells, tmp_path / "report")
    assert list((tmp_path / "report").iterdir()) == []


@pytest.mark.parametrize("learner", ["rls", "ridge"])
def test_a_corpus_that_the_test_corpus_holds_completely_is_refused_by_name(learner):
    settings = Settings(kernel="path", learner=learner)
    message = (
        "expected pairs of both kinds, of at least 2 documents, in b to test on a, got 0 pairs: 7 documents are also"
    )
    with pytest.raises(TrainingError, match=message):
        cross_corpus({"a": SAMPLE[:14], "b": SAMPLE[:7], "c": SAMPLE[14:]}, settings, workers=1)


def test_a_corpus_of_types_that_leaves_nothing_when_it_is_left_out():
    some = event_corpus("a", 8)
    settings = Settings(kernel="path", learner="ridge")
    with pytest.raises(TrainingError, match="expected pairs to learn from when 'one' is left out, got none"):
        train_with_holdout({"one": some, "two": some}, settings)
    Extractor(kernel="path", learner="ridge").fit({"one": some, "two": event_corpus("b", 8)})


def test_one_kind_of_learner_of_pairs_that_leaves_nothing_when_a_corpus_is_left_out():
    with pytest.raises(TrainingError, match="expected pairs to learn from when 'x' is left out, got none"):
        Extractor(kernel="path", learner="ridge").fit({"x": SAMPLE, "y": SAMPLE[:12]})
