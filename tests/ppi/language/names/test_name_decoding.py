"""The best path of labels is that of trying all paths, and it never breaks a name."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab.training.pipeline.name_labels import illegal_steps, labels_of

from ppi.language.names.neural_network import Decoder, find_best_path

LABELS = labels_of(["protein", "DNA"])


def total(path, scores, steps):
    around = [-1, *path, -1]
    return sum(steps[one, two] for one, two in pairwise(around)) + sum(
        scores[index, label] for index, label in enumerate(path)
    )


@given(st.integers(1, 4), st.integers(0, 10_000))
def test_best_path_is_that_of_trying_all(length, seed):
    state = np.random.default_rng(seed)
    scores = state.normal(size=(length, len(LABELS))).astype(np.float32)
    steps = illegal_steps(LABELS) + state.normal(size=(len(LABELS) + 1,) * 2).astype(np.float32)
    best = max(product(range(len(LABELS)), repeat=length), key=lambda path: total(path, scores, steps))
    assert total(find_best_path(scores, steps), scores, steps) == pytest.approx(total(best, scores, steps), abs=1e-4)


@given(st.integers(1, 40), st.integers(0, 10_000))
def test_names_are_never_broken(length, seed):
    scores = 10 * np.random.default_rng(seed).normal(size=(length, len(LABELS))).astype(np.float32)
    open_type = None
    for number in find_best_path(scores, illegal_steps(LABELS)):
        prefix, _, kind = LABELS[number].partition("-")
        assert (prefix in "IL") == (open_type is not None)
        assert open_type is None or kind == open_type
        open_type = kind if prefix in "BI" else None
    assert open_type is None


def test_names_are_given_with_their_types():
    path = ["O", "B-protein", "I-protein", "L-protein", "U-DNA", "U-protein", "B-DNA", "L-DNA"]
    vectors = np.array([[10.0 * (label == wanted) for label in LABELS] for wanted in path], dtype=np.float32)
    n = len(LABELS)
    decoder = Decoder(("protein", "DNA"), np.eye(n, dtype=np.float32), np.zeros(n, np.float32), illegal_steps(LABELS))
    assert decoder.names(decoder.scores(vectors)) == [(1, 4, 0), (4, 5, 1), (5, 6, 0), (6, 8, 1)]


def test_an_empty_sentence_has_an_empty_path():
    assert find_best_path(np.empty((0, len(LABELS)), dtype=np.float32), illegal_steps(LABELS)) == []
