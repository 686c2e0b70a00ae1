"""Kernels on any graph over any words: finite, positive semidefinite, split exactly, and scored alike both ways."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_twins import make_sentence

from corpora import Document
from kernels import KernelError, candidate_graphs
from ppi.extraction import KERNELS, VARIANTS, make_feature_map

#: Words that look like separators, marks and roles of the features themselves, and what encodings dislike.
ODD = [
    "binds",
    " ",
    "a b",
    ":",
    "->",
    "PROT1",
    "@IP",
    "\x00",
    "\ud800",
    "length:2",
    "<nsubj",
    "text:a",
    "",
    "IP",
    "\u0130",
]
WORDS = st.sampled_from(ODD) | st.text(max_size=4)


@st.composite
def odd_documents(draw):
    words = draw(st.lists(WORDS.filter(bool), min_size=1, max_size=8))
    size = len(words)
    tags = draw(st.lists(st.none() | WORDS, min_size=size, max_size=size))
    lemmas = draw(st.lists(st.none() | WORDS, min_size=size, max_size=size))
    place = st.integers(0, size - 1)
    arcs = draw(st.lists(st.tuples(place, place, WORDS.filter(bool)), max_size=12))
    mentions = draw(st.lists(st.lists(place, min_size=1, max_size=2, unique=True).map(sorted), min_size=2, max_size=4))
    return Document("d", (make_sentence(words, arcs, mentions, pos=tags, lemmas=lemmas),))


@given(
    odd_documents(), odd_documents(), st.sampled_from(KERNELS), st.sampled_from(VARIANTS), st.sampled_from([None, 8])
)
@settings(max_examples=120)
def test_any_graphs(first, second, kernel, variant, n_features):
    graphs = [graph for document in (first, second) for graph in candidate_graphs([document], parser="p")]
    transformer = make_feature_map(kernel, variant=variant, n_features=n_features)
    try:
        X = transformer.fit_transform(graphs)
    except KernelError as error:
        assert "expected" in str(error)
        return
    assert np.isfinite(X.data).all()
    K = (X @ X.T).toarray()
    assert np.linalg.eigvalsh(K).min() >= -1e-9 * max(1.0, np.abs(K).max())
    weights = np.random.default_rng(0).normal(size=X.shape[1])
    scores = X @ weights
    scale = 1e-9 * max(1.0, np.abs(X).sum())
    for graph, score in zip(graphs, scores, strict=True):
        assert abs(sum(part.value for part in transformer.attribute(graph, weights)) - score) <= scale
    np.testing.assert_allclose(transformer.scorer(weights)(graphs), scores, rtol=1e-9, atol=scale)
