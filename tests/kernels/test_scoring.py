"""The fast scores against their definition: the feature matrix times the weights."""

from dataclasses import replace

import numpy as np
import pytest
from code_forms import FORMS, running
from feature_maps import NAMES, make_map
from hypothesis import given, settings
from hypothesis import strategies as st

import corpora
from corpora import Dependency, DependencyGraph, Document, Entity, Pair, Sentence, Token
from kernels import scoring
from kernels.candidates import candidate_graphs
from kernels.combined import CombinedFeatures
from kernels.errors import ShapeError
from kernels.views import labelled_graph
from kernels.walks import WalkFeatures

SAMPLE = candidate_graphs(corpora.load("sample"))


def half_fitted(name, **options):
    """A map that does not know all features of the sample, and how wide it is."""
    features = make_map(name, **options)
    return features, features.fit_transform(SAMPLE[::2]).shape[1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("variant", ["max", "sum"])
def test_scores_are_features_times_weights(name, variant):
    features, width = half_fitted(name, variant=variant)
    weights = np.random.default_rng(0).normal(size=width)
    assert features.scorer(weights)(SAMPLE) == pytest.approx(features.transform(SAMPLE) @ weights)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_features", [None, 256])
def test_several_outputs_are_each_column_by_itself(name, n_features):
    features, width = half_fitted(name, n_features=n_features)
    weights = np.random.default_rng(0).normal(size=(width, 3))
    scores = features.scorer(weights)(SAMPLE)
    assert scores.shape == (len(SAMPLE), 3)
    np.testing.assert_allclose(scores, features.transform(SAMPLE) @ weights, rtol=1e-9, atol=1e-12)
    for output in range(3):
        alone = features.scorer(np.ascontiguousarray(weights[:, output]))(SAMPLE)
        assert alone.shape == (len(SAMPLE),)
        assert alone.tobytes() == np.ascontiguousarray(scores[:, output]).tobytes()
    assert np.array_equal(features.scorer(np.asfortranarray(weights))(SAMPLE), scores)
    assert np.array_equal(features.scorer(weights[:, 1:2])(SAMPLE), scores[:, 1:2])
    assert features.scorer(weights[:, :0])(SAMPLE).shape == (len(SAMPLE), 0)


@pytest.mark.parametrize("normalize", [True, False])
def test_combinations_of_combinations(normalize):
    parts = [("inner", make_map("composite")), ("hashed", make_map("path", n_features=64)), ("pair", make_map("pair"))]
    features = CombinedFeatures(parts, weights=[2.0, 1.0, 0.5], normalize=normalize)
    width = features.fit_transform(SAMPLE[::2]).shape[1]
    weights = np.random.default_rng(0).normal(size=(width, 2))
    expected = features.transform(SAMPLE) @ weights
    np.testing.assert_allclose(features.scorer(weights)(SAMPLE), expected, rtol=1e-9, atol=1e-12)
    outer = CombinedFeatures([("all", features)])
    outer.fit(SAMPLE[::2])
    expected = outer.transform(SAMPLE) @ weights
    np.testing.assert_allclose(outer.scorer(weights)(SAMPLE), expected, rtol=1e-9, atol=1e-12)


def test_labelled_graphs():
    graphs = [labelled_graph(graph) for graph in SAMPLE[:30]]
    features = WalkFeatures()
    X = features.fit_transform(graphs)
    weights = np.random.default_rng(0).normal(size=(X.shape[1], 2))
    assert np.array_equal(features.scorer(weights)(graphs), X @ weights)


def test_weights_that_are_read_only():
    features, width = half_fitted("composite")
    weights = np.random.default_rng(0).normal(size=width)
    scores = features.scorer(weights)(SAMPLE)
    weights.setflags(write=False)
    assert np.array_equal(features.scorer(weights)(SAMPLE), scores)


@pytest.mark.parametrize("name", NAMES)
def test_weights_that_do_not_fit(name):
    features, width = half_fitted(name)
    with pytest.raises(ShapeError, match=f"one weight for each of the {width} features, got {width + 1}"):
        features.scorer(np.ones(width + 1))
    with pytest.raises(ShapeError, match=r"got shape \(2, 1, 1\)"):
        features.scorer(np.ones((2, 1, 1)))


def test_portions_do_not_matter(monkeypatch):
    features, width = half_fitted("composite")
    scorer = features.scorer(np.random.default_rng(0).normal(size=width))
    whole = scorer(SAMPLE)
    monkeypatch.setattr(scoring, "_MAX_BATCH_CELLS", 2000)
    assert len(scoring.batch_ranges(SAMPLE)) > 10
    assert np.array_equal(scorer(SAMPLE), whole)


def test_no_candidates():
    features, width = half_fitted("composite")
    assert features.scorer(np.ones(width))([]).shape == (0,)
    assert features.scorer(np.ones((width, 2)))([]).shape == (0, 2)


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
    scores = []
    for compiled in FORMS:
        with running(compiled=compiled):
            graphs = candidate_graphs(documents)
            features = make_map("composite")
            width = features.fit_transform(graphs[: len(graphs) // 2 + 1]).shape[1]
            weights = np.random.default_rng(seed).normal(size=width)
            expected = features.transform(graphs) @ weights
            scores.append(features.scorer(weights)(graphs))
            assert scores[-1] == pytest.approx(expected, abs=1e-9)
    assert scores[0].tobytes() == scores[1].tobytes()


def _distinct(found):
    """The same sentences with ids that are unique over the document."""
    for n, one in enumerate(found):
        entities = tuple(replace(each, id=f"{n}{each.id}") for each in one.entities)
        pairs = tuple(Pair(f"{n}{p.id}", f"{n}{p.e1}", f"{n}{p.e2}") for p in one.pairs)
        yield replace(one, entities=entities, pairs=pairs)
