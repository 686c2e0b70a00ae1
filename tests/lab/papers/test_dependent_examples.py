"""What splitting dependent examples does: the folds, a made-up case, and a tiny run."""

from types import SimpleNamespace

import numpy as np
from lab.frame.experiment import RunSettings, perform
from lab.frame.page import section
from lab.papers import dependent_examples
from lab.papers.dependent_examples import EXPERIMENT, pair_estimates, parse_estimates, random_folds

import corpora
from ppi.extraction import Settings, prepare_corpora


def test_folds_are_of_whole_groups():
    groups = np.repeat(np.arange(14), 3)
    folds = random_folds(groups, seed=1)
    assert len(np.unique(folds)) == 10
    assert all(len(np.unique(folds[groups == group])) == 1 for group in range(14))
    np.testing.assert_array_equal(folds, random_folds(groups, seed=1))
    assert len(np.unique(random_folds(groups[:6], seed=1))) == 2


def test_parses_whose_features_tell_their_sentence_look_easier_when_split():
    """Four of each kind in a sentence, with equal features and equal goodness, which the features say nothing of."""
    rng = np.random.default_rng(0)
    X, y = np.repeat(rng.normal(size=(60, 200)), 4, axis=0), np.repeat(rng.normal(size=60), 4)
    qid = np.repeat(np.arange(12), 20)
    found = parse_estimates(X @ X.T, y, qid, draws=1, seed=0)
    assert found["n_sentences"] == 12
    for ranker in ("RLS", "RankRLS"):
        assert found[f"{ranker}, parses"]["tau"] > found[f"{ranker}, sentences"]["tau"] + 0.2
        assert found[f"{ranker}, parses"]["error"] < found[f"{ranker}, sentences"]["error"]


def test_pairs_of_documents_that_are_never_split_are_the_usual_evaluation():
    settings = Settings(kernel="path", learner="rls")
    found = pair_estimates(
        "sample", prepare_corpora({"sample": corpora.load("sample")}, settings), settings, draws=1, seed=0
    )
    assert {"n_pairs", "pairs", "sentences", "documents"} == set(found)
    assert all(0.0 < found[level]["auc"] <= 1.0 for level in ("pairs", "sentences", "documents"))


def test_a_tiny_run(corpora_folder, monkeypatch):
    made = {"n_parses": 1, "n_sentences": 1}
    for ranker in ("RLS", "RankRLS"):
        made |= {f"{ranker}, {level}": {"tau": 0.5, "error": 0.2} for level in ("parses", "sentences")}
    monkeypatch.setattr(dependent_examples, "_link_grammar_parses", lambda *_: made)  # needs the program link-parser
    monkeypatch.setattr(dependent_examples, "candidate_part", lambda *_: SimpleNamespace(digest=""))
    result = perform(EXPERIMENT, RunSettings(corpora_folder, tiny=True))
    assert [len(table.rows) for table in result.tables] == [4, 1]
    assert "A tiny run" in section(EXPERIMENT, result)
