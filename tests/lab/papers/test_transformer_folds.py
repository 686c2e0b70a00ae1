import gzip

import numpy as np
import pytest
from lab.papers import transformer_folds
from lab.papers.__main__ import main
from lab.papers.transformer_folds import FOLDS, chosen_kernel, fold_figures, pair_folds
from lab.papers.transformer_rows import VECTOR_SHARE, between_features, corpus_rows, word_vectors

import corpora
from kernels import candidate_graphs
from ppi.errors import TrainingError
from ppi.extraction.outcomes import FoldOutcome
from ppi.extraction.preparation import prepare
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
        transformer_folds.measured("LLL", folder / FOLDS, [Settings(kernel="path", learner="rls")], [0])


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
    # by sign 3.0, 0.5 and 1.0 are called positive, and held out 1.0 and 0.5
    assert fold_figures(labels, outcome) == {
        "accuracy": pytest.approx(0.75),
        "held out": pytest.approx(0.5),
        "F": pytest.approx(0.5),  # at 0.75: one right of two found, of two
        "AUC": pytest.approx(0.75),
    }


def test_the_kernel_of_a_fold_is_chosen_by_what_its_training_part_held_out():
    labels = np.array([1.0, -1.0, 1.0, -1.0])
    test, training = np.array([0, 1]), np.array([2, 3])
    near = FoldOutcome(test, np.array([-9.0, 9.0]), 1.0, 0.0, training, np.array([0.9, -0.9]))
    far = FoldOutcome(test, np.array([1.0, -1.0]), 1.0, 0.0, training, np.array([0.1, -0.1]))
    assert chosen_kernel(labels, [far, near]) == 1
    assert chosen_kernel(labels, [near, far]) == 0


def test_words_between_are_the_mean_of_their_vectors_in_columns_of_their_own_where_denied():
    graphs = candidate_graphs(corpora.load("sample"))
    X = between_features(graphs).toarray()
    n = X.shape[1] // 2
    lengths = np.linalg.norm(X, axis=1)
    assert set(np.round(lengths, 9)) <= {0.0, 1.0}
    for graph, row in zip(graphs, X, strict=True):
        assert not row[:n].any() if graph.denials else not row[n:].any()
    slow = []
    for graph in graphs:
        spans = {entity.id: entity for entity in graph.sentence.entities}
        start, end = spans[graph.prot1].end, spans[graph.prot2].start
        inside = [token for token, role in zip(graph.tokens, graph.roles, strict=True) if not role]
        inside = [token for token in inside if start <= token.start and token.end <= end]
        known = [word_vectors()[token.text.lower()] for token in inside if token.text.lower() in word_vectors()]
        mean = np.mean(known, axis=0) if known else np.zeros(n)
        slow.append(mean / (np.linalg.norm(mean) or 1.0))
    np.testing.assert_allclose(X[:, :n] + X[:, n:], slow, atol=1e-9)


def test_rows_are_the_mean_of_the_parses_and_the_vectors():
    documents = list(corpora.load("sample"))
    rows, pairs = corpus_rows("sample", documents, Settings(kernel="path", learner="rls"))
    prepared = prepare({"sample": documents}, Settings(kernel="path", learner="rls"))
    X, Z = prepared.features["sample"], between_features(prepared.examples["sample"].graphs)
    expected = (1 - VECTOR_SHARE) * (X @ X.T) + VECTOR_SHARE * (Z @ Z.T)
    np.testing.assert_allclose((rows.X @ rows.X.T).toarray(), expected.toarray(), atol=1e-9)
    assert len(pairs) == len(rows)
