"""The fast scores against their definition: the feature matrix times the weights."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corpora
from corpora.types import Dependency, DependencyGraph, Document, Entity, Pair, Sentence, Token
from kernels import candidate_graphs
from ppi.extraction import scoring
from ppi.extraction.feature_maps import feature_map
from ppi.extraction.scoring import FoldedScorer
from ppi.extraction.settings import KERNELS

SAMPLE = candidate_graphs(corpora.load("sample"))


def some_weights(transformer, n=None):
    width = transformer.fit_transform(SAMPLE).shape[1] if n is None else n
    return np.random.default_rng(0).normal(size=width)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("variant", ["max", "sum"])
def test_scores_are_features_times_weights(kernel, variant):
    transformer = feature_map(kernel, variant=variant)
    width = transformer.fit_transform(SAMPLE[::2]).shape[1]  # half of them have features that the map does not know
    weights = np.random.default_rng(0).normal(size=width)
    assert FoldedScorer(transformer, weights)(SAMPLE) == pytest.approx(transformer.transform(SAMPLE) @ weights)


def test_portions_do_not_matter(monkeypatch):
    transformer = feature_map("composite")
    scorer = FoldedScorer(transformer, some_weights(transformer))
    whole = scorer(SAMPLE)
    monkeypatch.setattr(scoring, "_MOST_CELLS", 2000)
    assert len(scoring._portions(SAMPLE)) > 10
    assert scorer(SAMPLE) == pytest.approx(whole)


def test_no_candidates():
    transformer = feature_map("composite")
    assert FoldedScorer(transformer, some_weights(transformer))([]).shape == (0,)


WORDS = st.sampled_from(["binds", "and", "of", "not", "fails", "A", "B", "x", "the", "two words", ""])


@st.composite
def sentences(draw, words=WORDS):
    """Any graph over a few words: cycles, loops, parallel arcs, several paths, entities anywhere."""
    chosen = [draw(words) or "e" for _ in range(draw(st.integers(1, 7)))]
    tokens, at = [], 0
    for number, word in enumerate(chosen):
        pos = draw(st.sampled_from([None, "NN", "VB"]))
        tokens.append(Token(str(number), at, at + len(word), word, pos, draw(st.sampled_from([None, "lemma", "x"]))))
        at += len(word) + 1
    ids = st.integers(0, len(tokens) - 1).map(str)
    arcs = draw(st.lists(st.builds(Dependency, ids, ids, st.sampled_from(["nsubj", "dobj", "prep_of"])), max_size=10))
    text = " ".join(chosen)
    entities = []
    for number in range(draw(st.integers(2, 4))):
        first = draw(st.integers(0, len(tokens) - 1))
        last = draw(st.integers(first, min(first + 1, len(tokens) - 1)))
        span = tokens[first].start, tokens[last].end
        entities.append(Entity(f"e{number}", text[slice(*span)], (span,)))
    pairs = [Pair(f"p{a}{b}", f"e{a}", f"e{b}") for a in range(len(entities)) for b in range(a + 1, len(entities))]
    graph = DependencyGraph("p", "t", tuple(tokens), tuple(arcs))
    return Sentence("s", text, tuple(entities), tuple(pairs), (graph,))


@settings(max_examples=60, deadline=None)
@given(st.lists(sentences(), min_size=1, max_size=3), st.integers(0, 100))
def test_any_graph_scores_as_defined(found, seed):
    documents = [Document("d", tuple(replace(one, id=str(n)) for n, one in enumerate(_distinct(found))))]
    graphs = candidate_graphs(documents)
    transformer = feature_map("composite")
    width = transformer.fit_transform(graphs[: len(graphs) // 2 + 1]).shape[1]
    weights = np.random.default_rng(seed).normal(size=width)
    expected = transformer.transform(graphs) @ weights
    assert FoldedScorer(transformer, weights)(graphs) == pytest.approx(expected, abs=1e-9)


def _distinct(found):
    """The same sentences with ids that are unique over the document."""
    for n, one in enumerate(found):
        entities = tuple(replace(each, id=f"{n}{each.id}") for each in one.entities)
        pairs = tuple(Pair(f"{n}{p.id}", f"{n}{p.e1}", f"{n}{p.e2}") for p in one.pairs)
        yield replace(one, entities=entities, pairs=pairs)
