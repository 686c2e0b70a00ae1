"""Two reports compared, worked by hand; and reports that cannot be compared."""

import json
from dataclasses import fields
from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata

from learners import auc
from ppi.core import ReportError
from ppi.evaluation.cross_validation import comparison
from ppi.evaluation.cross_validation.comparison import Comparison, compare_reports, match_reports
from ppi.evaluation.cross_validation.nested_cross_validation import mean_and_std, score_fold

N_FOLDS, PER_FOLD = 5, 12


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    monkeypatch.setattr(comparison, "RESAMPLES", 100)


def report(scores, labels, *, corpus="Made", threshold=0.0, ids=None):
    """What an evaluation writes, of folds of twelve pairs, two per document."""
    rows = np.arange(len(labels))
    folds = [
        score_fold(
            number,
            labels[rows // PER_FOLD == number],
            scores[rows // PER_FOLD == number],
            documents=PER_FOLD // 2,
            regparam=1.0,
            threshold=threshold,
        )
        for number in range(N_FOLDS)
    ]
    pairs = [
        {
            "document": f"d{row // 2}",
            "pair": ids[row] if ids else f"p{row}",
            "fold": row // PER_FOLD,
            "label": bool(labels[row] > 0),
            "score": float(scores[row]),
            "interacts": bool(scores[row] >= threshold),
        }
        for row in rows.tolist()
    ]
    made = {
        "corpus": corpus,
        "fold_of": {f"d{row // 2}": row // PER_FOLD for row in rows.tolist()},
        "folds": [fold.to_dict() for fold in folds],
        "mean": mean_and_std(folds)[0],
        "pairs": pairs,
    }
    return json.loads(json.dumps(made))


@pytest.fixture
def data():
    rng = np.random.default_rng(2)
    labels = np.where(np.arange(N_FOLDS * PER_FOLD) % 3 == 0, 1.0, -1.0)
    good, bad = labels + rng.normal(size=len(labels)), 0.3 * labels + rng.normal(size=len(labels))
    return labels, good, bad


def f_of(labels, scores):
    hits = np.sum((labels > 0) & (scores >= 0))
    return 2 * hits / (np.sum(labels > 0) + np.sum(scores >= 0))


def signed_rank_p(first, second):
    """How many of all ways to sign the ranks are at least as uneven, by trying each."""
    differences = (np.array(first) - np.array(second)).round(12)
    differences = differences[differences != 0]
    ranks = rankdata(np.abs(differences))
    uneven = abs(ranks @ np.sign(differences))
    ways = [abs(ranks @ signs) >= uneven - 1e-9 for signs in product([-1, 1], repeat=len(ranks))]
    return np.mean(ways)


def test_differences_are_of_means_and_of_all_pairs_together(data):
    labels, good, bad = data
    found = {row.measure: row for row in compare_reports(report(good, labels), report(bad, labels))}
    assert list(found) == ["f", "auc"]
    for measure, statistic in (("f", f_of), ("auc", auc)):
        rows = [np.arange(len(labels)) // PER_FOLD == number for number in range(N_FOLDS)]
        means = [np.mean([statistic(labels[own], scores[own]) for own in rows]) for scores in (good, bad)]
        row = found[measure]
        assert (row.first, row.second) == pytest.approx(means)
        assert row.difference == pytest.approx(means[0] - means[1])
        assert row.pooled_difference == pytest.approx(statistic(labels, good) - statistic(labels, bad))
        values = [[statistic(labels[own], scores[own]) for own in rows] for scores in (good, bad)]
        assert row.p_wilcoxon == pytest.approx(signed_rank_p(*values))
        assert row.corpus == "Made"


def test_the_interval_is_that_of_a_plain_bootstrap_over_documents(data, monkeypatch):
    monkeypatch.setattr(comparison, "RESAMPLES", 1000)
    labels, good, bad = data
    rng = np.random.default_rng(7)
    differences = []
    for _ in range(comparison.RESAMPLES):
        drawn = rng.integers(len(labels) // 2, size=len(labels) // 2)
        rows = np.concatenate([[2 * document, 2 * document + 1] for document in drawn])
        differences.append(auc(labels[rows], good[rows]) - auc(labels[rows], bad[rows]))
    expected = np.quantile(differences, [0.025, 0.975])
    (_, row) = compare_reports(report(good, labels), report(bad, labels), random_state=3)
    # another order of documents draws others: the same interval up to chance
    assert (row.low, row.high) == pytest.approx(expected, abs=0.04)
    assert row.low < row.pooled_difference < row.high


def test_comparisons_are_repeatable(data):
    labels, good, bad = data
    first, second = report(good, labels), report(bad, labels)
    assert compare_reports(first, second) == compare_reports(first, second)
    assert compare_reports(first, second, random_state=1) != compare_reports(first, second, random_state=2)


def test_turned_around_the_difference_has_the_other_sign(data):
    labels, good, bad = data
    first, second = report(good, labels), report(bad, labels)
    for one, other in zip(compare_reports(first, second), compare_reports(second, first), strict=True):
        assert other.difference == -one.difference
        assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
        assert other.p_wilcoxon == one.p_wilcoxon


def test_the_same_twice_has_no_p_value(data):
    labels, good, _ = data
    for row in compare_reports(report(good, labels), report(good, labels)):
        assert (row.difference, row.pooled_difference, row.low, row.high) == (0.0, 0.0, 0.0, 0.0)
        assert row.p_wilcoxon is None


def test_the_order_of_pairs_in_a_report_is_no_matter(data):
    labels, good, bad = data
    first, second = report(good, labels), report(bad, labels)
    shuffled = {**second, "pairs": second["pairs"][::-1]}
    assert compare_reports(first, shuffled) == compare_reports(first, second)


def test_pairs_of_two_documents_may_have_one_id(data):
    """An id of a pair names it in its document alone."""
    labels, good, bad = data
    ids = [f"R{row % 2}" for row in range(len(labels))]
    again = compare_reports(report(good, labels, ids=ids), report(bad, labels, ids=ids))
    assert again == compare_reports(report(good, labels), report(bad, labels))


def test_folds_without_the_measure_take_no_part_in_the_test(data):
    labels, good, bad = data
    labels = labels.copy()
    labels[:PER_FOLD] = -1.0
    first, second = report(good, labels), report(bad, labels)
    assert first["folds"][0]["f"] is None
    rows = [np.arange(len(labels)) // PER_FOLD == number for number in range(1, N_FOLDS)]
    values = [[auc(labels[own], scores[own]) for own in rows] for scores in (good, bad)]
    assert compare_reports(first, second)[1].p_wilcoxon == pytest.approx(signed_rank_p(*values))


def test_other_corpora_folds_or_pairs_are_refused(data):
    labels, good, bad = data
    first = report(good, labels)
    fewer = {document: fold for document, fold in first["fold_of"].items() if document != "d0"}
    with pytest.raises(ReportError, match=r"got Made and Other, which have other documents$"):
        compare_reports(first, {**report(bad, labels, corpus="Other"), "fold_of": fewer})
    moved = {**first, "fold_of": {**first["fold_of"], "d0": 3}}
    with pytest.raises(ReportError, match="got Made and Made on other folds"):
        compare_reports(first, moved)
    with pytest.raises(ReportError, match="expected the same pairs in both reports, got 3 in only one"):
        compare_reports(first, {**first, "pairs": first["pairs"][3:]})


def test_one_corpus_under_two_names_is_matched_by_its_pairs_and_folds(data):
    labels, good, bad = data
    first = [{**report(good, labels, corpus=name), "seed": seed} for name, seed in (("A", 0), ("B", 0), ("A", 1))]
    copy = {**report(bad, labels, corpus="a-copy"), "seed": 1}
    other = {**report(bad, -labels, corpus="C"), "seed": 1}
    named = {**report(bad, labels, corpus="B"), "seed": 0}
    found = match_reports(first, [other, copy, named])
    assert [(one["corpus"], one["seed"], two["corpus"]) for one, two in found] == [("B", 0, "B"), ("A", 1, "a-copy")]
    row = compare_reports(*found[1])[0]
    assert (row.corpus, row.second_corpus) == ("A", "a-copy")
    with pytest.raises(ReportError, match=r"by name or by its pairs and folds, got \[\('A', 0\)\] and \[\('C', 1\)\]"):
        match_reports(first[:1], [other])
    with pytest.raises(ReportError, match="got a damaged one"):
        match_reports(first[:1], [{"corpus": "A", "pairs": []}])


@pytest.mark.parametrize(
    "damage",
    [
        lambda report: report["pairs"][0].pop("score"),
        lambda report: report["pairs"][0].pop("label"),
        lambda report: report["pairs"][0].update(score="high"),
        lambda report: report["pairs"].append(7),
        lambda report: report.update(pairs=None),
        lambda report: report["folds"].pop(),
        lambda report: report["folds"][0].pop("f"),
        lambda report: report["mean"].update(f=None),
        lambda report: report["mean"].update(f="0.5"),
        lambda report: report.update(fold_of=None) or report.update(folds=3),
    ],
)
def test_a_damaged_report_is_one_error_that_says_so(data, damage):
    labels, good, bad = data
    first, second = report(good, labels), report(bad, labels)
    damage(first)
    second["fold_of"] = first["fold_of"]
    with pytest.raises(ReportError, match="got a damaged one"):
        compare_reports(first, second)


def test_a_comparison_is_plain_values(data):
    labels, good, bad = data
    found = compare_reports(report(good, labels), report(bad, labels))[0].to_dict()
    assert list(found) == [field.name for field in fields(Comparison)]
    assert json.loads(json.dumps(found)) == found
