"""Label numbers, the table of keys and the walk sums of cyclic parses."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels._token_walks import analyse_parse, fill_token_walks
from kernels.labels import Label, LabelIndex, stable_hash
from kernels.vocabulary import PairVocabulary


@given(st.lists(st.integers(0, 50)), st.lists(st.integers(0, 60)))
def test_vocabulary_is_a_dictionary_in_the_order_met(first, second):
    vocabulary, columns = PairVocabulary(), {}
    expected = [columns.setdefault(key, len(columns)) for key in first]
    assert vocabulary.columns(np.array(first, dtype=np.uint64), grow=True).tolist() == expected
    found = vocabulary.columns(np.array(second, dtype=np.uint64), grow=False)
    assert found.tolist() == [columns.get(key, -1) for key in second]
    assert vocabulary.keys.tolist() == list(columns)
    again = PairVocabulary(vocabulary.keys)
    assert again.columns(np.array(second, dtype=np.uint64), grow=False).tolist() == found.tolist()


def test_vocabulary_grows_past_its_first_table():
    keys = np.random.default_rng(0).permutation(50_000).astype(np.uint64) << np.uint64(32)
    vocabulary = PairVocabulary()
    for part in np.array_split(keys, 7):
        vocabulary.columns(part, grow=True)
    np.testing.assert_array_equal(vocabulary.columns(keys, grow=False), np.arange(50_000))


def test_labels_of_different_kinds_and_marks_differ():
    index = LabelIndex()
    word, tag = index.number("text", "NN", grow=True), index.number("pos", "NN", grow=True)
    assert word != tag
    assert index.label(6 * tag + 2) == Label("pos", "NN", "B")
    assert len(set(index.hashes().tolist())) == 6 * len(index)
    assert str(Label("text", "binds", "IP")) == "text:binds@IP"
    assert LabelIndex(index.bases).bases == index.bases


def test_stable_hash_has_not_changed():
    # As computed once; a change means that hashed models on disk no longer fit.
    assert stable_hash(("role", "PROT1"), "IP") == 4104259575076491324


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14), st.integers(0, 100))
def test_walk_sums_equal_the_inverse_or_report_divergence(arcs, seed):
    n = 7
    governors = np.array([g for g, _ in arcs], dtype=np.int32)
    dependents = np.array([d for _, d in arcs], dtype=np.int32)
    weights = np.random.default_rng(seed).uniform(0.1, 0.9, len(arcs))
    B = np.zeros((n, n))
    np.add.at(B, (governors, dependents), weights**2)
    S = np.empty((n, n))
    converges = fill_token_walks(analyse_parse(governors, dependents, n), weights, S)
    radius = np.abs(np.linalg.eigvals(B)).max()
    if abs(radius - 1) > 1e-6:
        assert converges == (radius < 1)
    if converges and radius < 0.999:
        np.testing.assert_allclose(S, np.linalg.inv(np.eye(n) - B), rtol=1e-8, atol=1e-10)
