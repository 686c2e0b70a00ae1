import gzip
from itertools import pairwise

import numpy as np
import pytest
from lab.papers import transformer_folds
from lab.papers.__main__ import main
from lab.papers.mention_features import MentionFeatures, mention_names
from lab.papers.transformer_folds import FOLDS, chosen_kernel, fold_figures, pair_folds
from lab.papers.transformer_rows import (
    VECTOR_SHARE,
    between_features,
    corpus_rows,
    kernel_map,
    parser_names,
    with_added_parse,
    word_vectors,
)

import corpora
from corpora import DependencyGraph, Document, Entity, Pair, Sentence, Token
from kernels import CombinedFeatures, PairFeatures, candidate_graphs
from ppi.core import TrainingError, UsageError
from ppi.extraction import FoldOutcome, Settings, prepare_corpora


def parsed_sample():
    """The documents of the sample that bring a parse, as those of the five corpora do."""
    return [each for each in corpora.load("sample") if all(sentence.parses for sentence in each.sentences)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The sample as LLL, with folds that split its documents."""
    documents = parsed_sample()
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
        transformer_folds.measured("LLL", folder / FOLDS, ["path"], [0])


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
    rows, pairs = corpus_rows("sample", documents, "path")
    prepared = prepare_corpora({"sample": documents}, Settings(kernel="path", learner="rls"))
    X, Z = prepared.features["sample"], between_features(prepared.examples["sample"].graphs)
    expected = (1 - VECTOR_SHARE) * (X @ X.T) + VECTOR_SHARE * (Z @ Z.T)
    np.testing.assert_allclose((rows.X @ rows.X.T).toarray(), expected.toarray(), atol=1e-9)
    assert len(pairs) == len(rows)


def test_an_added_parse_is_one_more_with_its_share_and_the_preferred_one_comes_first():
    documents = with_added_parse(parsed_sample())
    assert parser_names(documents) == ["gold", "shipped-enhanced"]
    rows, _ = corpus_rows("sample", documents, "path", degree=2)
    prepared = [
        prepare_corpora({"sample": documents}, Settings(kernel="path", learner="rls", parser=parser))
        for parser in ("gold", "shipped-enhanced")
    ]
    X, Y = (each.features["sample"] for each in prepared)
    Z = between_features(prepared[0].examples["sample"].graphs)
    expected = (1 - VECTOR_SHARE) / 2 * (X @ X.T + Y @ Y.T) + VECTOR_SHARE * (Z @ Z.T)
    np.testing.assert_allclose((rows.X @ rows.X.T).toarray(), expected.toarray(), atol=1e-9)
    assert rows.degree == 2
    sentence = Sentence("s", "A", parses=tuple(DependencyGraph(name, "t", ()) for name in ("early", "split_parse")))
    assert parser_names([Document("d", (sentence,))]) == ["split_parse", "early"]


def sentence_graphs(text, mentions, pairs):
    """Candidate graphs of a sentence without a parse; a mention is its text and where it starts."""
    entities = tuple(
        Entity(f"e{number}", name, ((start, start + len(name)),), "protein")
        for number, (name, start) in enumerate(mentions)
    )
    bounds = sorted({0, len(text), *(bound for entity in entities for span in entity.spans for bound in span)})
    tokens = tuple(
        Token(f"t{start}", start, end, text[start:end], "NN")
        for start, end in pairwise(bounds)
        if text[start:end].strip()
    )
    parse = DependencyGraph("none", "by hand", tokens)
    candidates = tuple(Pair(f"p{a}{b}", f"e{a}", f"e{b}", True) for a, b in pairs)
    return candidate_graphs([Document("d", (Sentence("s", text, entities, candidates, (parse,)),))])


def test_mentions_in_a_list_by_hand():
    text = "Both ABC, Def and its kinases bind ABC"
    (graph,) = sentence_graphs(text, [("ABC", 5), ("Def", 10), ("kinases", 22), ("ABC", 35)], [(0, 1)])
    assert list(mention_names(graph)) == [
        "first again:1",
        "second again:0",
        "mentions before:0",
        "mentions after:2",
        "list between",
        "brackets opened:0",
        "commas:1",
        "semicolon:False",
        "others on path:0",
        "first between: |,",
        "first words:1",
        "first case:upper",
        "first plural:False",
        "second between: | ",
        "second words:1",
        "second case:mixed",
        "second plural:False",
    ]


def test_mentions_around_words_brackets_and_inside_each_other_by_hand():
    text = "growth factor X (GFX) binds xs"
    mentions = [("growth factor X", 0), ("factor X", 7), ("GFX", 17), ("xs", 28)]
    bracket, words, nested = sentence_graphs(text, mentions, [(0, 2), (0, 3), (0, 1)])
    assert {"second in brackets", "list between", "brackets opened:1"} <= set(mention_names(bracket))
    found = set(mention_names(words))
    assert {
        "brackets opened:0",
        "first words:3",
        "second case:lower",
        "second plural:True",
        "second between: |",
    } <= found
    assert not {"second in brackets", "list between"} & found
    assert list(mention_names(nested))[-1] == "nested"


def test_the_shape_of_a_kernel_with_mentions_has_both_kinds_of_features():
    graphs = candidate_graphs(corpora.load("sample"))
    for graph in graphs:
        expected = [*PairFeatures().names(graph), *mention_names(graph)]
        assert list(MentionFeatures().names(graph)) == expected
        assert sorted(each.name for each in MentionFeatures().occurrences(graph)) == sorted(expected)
    plain, more = kernel_map("composite"), kernel_map("composite+mentions")
    X, Y = plain.fit_transform(graphs), more.fit_transform(graphs)
    assert isinstance(plain, CombinedFeatures)
    width = plain.widths_[-1]
    np.testing.assert_array_equal(Y[:, : X.shape[1] - width].toarray(), X[:, :-width].toarray())
    np.testing.assert_allclose((Y.multiply(Y)).sum(axis=1), (X.multiply(X)).sum(axis=1))


def test_mentions_need_a_kernel_with_a_shape():
    with pytest.raises(UsageError, match=r"expected a composite kernel before '\+mentions', got 'path\+mentions'"):
        kernel_map("path+mentions")
