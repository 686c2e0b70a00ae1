import gzip

import numpy as np
import pytest
from lab.papers import transformer_folds
from lab.papers.__main__ import main
from lab.papers.transformer_folds import FOLDS, even_score, fold_figures, pair_folds

import corpora
from ppi.errors import TrainingError
from ppi.extraction.outcomes import FoldOutcome
from ppi.extraction.settings import Settings


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The sample as LLL, with folds that split its documents."""
    documents = corpora.load("sample")
    corpora.write(documents, tmp_path / "LLL.jsonl")
    pairs = [pair.id for document in documents for sentence in document.sentences for pair in sentence.pairs]
    lines = ["corpus\tpair\tfold", "AImed\telsewhere\t9"]
    lines += [f"LLL\t{id}\t{number % 3}" for number, id in enumerate(pairs)]
    with gzip.open(tmp_path / FOLDS, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    monkeypatch.setenv("PPI_CORPORA", str(tmp_path))
    return tmp_path


def test_a_tiny_run_makes_the_page(folder, capsys):
    assert main(["transformer-folds", "--tiny", "--set", 'corpora=["LLL"]']) == 0
    page = capsys.readouterr().out
    assert "| their folds |" in page
    assert "[89.4]" in page
    assert "| its document is in training |" in page
    assert "A tiny run" in page


def test_pairs_without_a_fold_are_refused(folder):
    kept = gzip.decompress((folder / FOLDS).read_bytes()).decode().splitlines()[:-1]
    (folder / FOLDS).write_bytes(gzip.compress("\n".join(kept).encode()))
    with pytest.raises(TrainingError, match=r"expected a fold for every pair of LLL in .*, got none for 1, such as"):
        transformer_folds.measured("LLL", folder / FOLDS, Settings(kernel="path", learner="rls"), [0])


def test_folds_are_read_by_corpus(folder):
    assert pair_folds(folder / FOLDS, "AImed") == {"elsewhere": 9}


def test_figures_of_a_fold_by_hand():
    labels = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    outcome = FoldOutcome(
        test=np.array([0, 1, 2, 3]),
        scores=np.array([3.0, -3.0, 0.5, 1.0]),
        regparam=1.0,
        threshold=0.75,
        training=np.array([4, 5, 6, 7]),
        held_out=np.array([1.0, -1.0, -0.5, 0.5]),
    )
    # symmetric scores held out: one half at 0, so 3.0, 0.5 and 1.0 are called positive
    assert even_score(labels[4:], outcome.held_out) == pytest.approx(0.0, abs=1e-6)
    assert fold_figures(labels, outcome) == {
        "accuracy": pytest.approx(0.75),
        "F": pytest.approx(0.5),  # at 0.75: one right of two found, of two
        "AUC": pytest.approx(0.75),
    }
