"""Parts of trees: the compiled ones equal those of the table of templates, rows are differences, scores are sums."""

import numpy as np
import pytest
from code_forms import FORMS, running
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_tree_parts import column_counts

from kernels.errors import ParameterError
from kernels.tree_parts import TreeParts, Trees

WORDS = ["Ras", "binds", "p53", "(", ")", ",", "and", "of", "GTP", "in", "activated", "the"]
TAGS = ["NN", "VBZ", "NN", "-LRB-", "-RRB-", ",", "CC", "IN", "NN", "IN", "VBN", "DT"]
NAMES = ["ROOT", "nsubj", "prep", "pobj", "conj", "punct", "dobj"]


@st.composite
def sentences(draw) -> Trees:
    """Some trees over the same tokens, projective or not."""
    n = draw(st.integers(1, 14))
    chosen = draw(st.lists(st.integers(0, len(WORDS) - 1), min_size=n, max_size=n))
    k = draw(st.integers(1, 4))
    heads, labels = np.empty((k, n), np.int16), np.empty((k, n), np.int64)
    for tree in range(k):
        order = draw(st.permutations(range(n)))
        above = [-1, *(order[draw(st.integers(0, place - 1))] for place in range(1, n))]
        for place, token in enumerate(order):
            heads[tree, token] = above[place]
            labels[tree, token] = 0 if above[place] < 0 else draw(st.integers(1, len(NAMES) - 1))
    words = [WORDS[place] for place in chosen]
    return Trees(words, [TAGS[place] for place in chosen], [w.lower()[:2] for w in words], heads, labels, NAMES)


@given(sentences())
@settings(max_examples=60, deadline=None)
def test_rows_are_the_differences_of_the_templates_counts(trees):
    n_columns = 2**14
    rows = TreeParts(n_features=n_columns).rows([trees])
    counts = [column_counts(trees, row, n_columns) for row in range(len(trees.heads))]
    for row, own in enumerate(counts):
        wanted = {c: own[c] - counts[0][c] for c in set(own) | set(counts[0]) if own[c] != counts[0][c]}
        found = dict(zip(rows[row].indices.tolist(), rows[row].data.tolist()))
        assert found == wanted


@given(sentences(), st.integers(0, 5))
@settings(max_examples=30, deadline=None)
def test_scores_differ_as_rows_times_weights(trees, seed):
    parts = TreeParts(n_features=2**12)
    weights = np.random.default_rng(seed).normal(size=2**12).astype(np.float32)
    scores = parts.scores(trees, weights)
    np.testing.assert_allclose(parts.rows([trees]) @ weights, scores - scores[0], atol=1e-3)


def test_rows_of_several_sentences_stand_in_order_and_the_first_of_each_is_empty():
    def trees(words, *heads):
        return Trees(words, ["NN"] * len(words), words, np.array(heads, np.int16), np.ones((len(heads), 3), int), NAMES)

    one, two = trees(["a", "b", "c"], [-1, 0, 0], [-1, 0, 1]), trees(["x", "y", "z"], [1, -1, 1])
    parts = TreeParts(n_features=2**10)
    rows = parts.rows([one, two])
    assert rows.shape == (3, 2**10)
    assert [rows[row].nnz > 0 for row in range(3)] == [False, True, False]
    assert (rows != parts.rows([one, two])).nnz == 0
    assert parts.rows([]).shape == (0, 2**10)


@given(sentences())
@settings(max_examples=10, deadline=None)
def test_python_and_compiled_code_give_the_same(trees):
    weights = np.random.default_rng(0).normal(size=2**10).astype(np.float32)
    found = []
    for form in FORMS:
        with running(compiled=form):
            parts = TreeParts(n_features=2**10)
            found.append((parts.rows([trees]), parts.scores(trees, weights)))
    (rows, scores), (other_rows, other_scores) = found
    assert (rows != other_rows).nnz == 0
    np.testing.assert_array_equal(scores, other_scores)


def test_what_is_no_power_of_two_and_weights_of_another_number_are_refused():
    with pytest.raises(ParameterError, match="expected n_features to be a power of 2, got 1000"):
        TreeParts(n_features=1000)
    trees = Trees(["a"], ["NN"], ["a"], np.array([[-1]], np.int16), np.array([[0]]), NAMES)
    with pytest.raises(ParameterError, match="expected 16 weights, got an array of shape"):
        TreeParts(n_features=16).scores(trees, np.zeros(8, np.float32))
