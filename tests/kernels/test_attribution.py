"""Contributions sum to the score and name the right vertices."""

import numpy as np
import pytest
from hypothesis import given
from kernel_twins import make_sentence, sentences

from corpora.types import Document
from kernels import (
    AllPathsFeatures,
    CombinedFeatures,
    ContextFeatures,
    PathFeatures,
    ShapeError,
    Vertex,
    candidate_graph,
    candidate_graphs,
)


def maps():
    return [
        AllPathsFeatures(on_divergence="scale"),
        AllPathsFeatures(variant="sum", on_divergence="scale", min_weight=0.05),
        AllPathsFeatures(n_features=64, on_divergence="scale"),
        ContextFeatures(),
        ContextFeatures(n_features=16),
        PathFeatures(),
        CombinedFeatures(
            [("paths", AllPathsFeatures(on_divergence="scale")), ("context", ContextFeatures())], weights=[2, 0.5]
        ),
    ]


@pytest.mark.parametrize("features", maps(), ids=str)
@given(sentence=sentences(max_words=5, max_arcs=6))
def test_contributions_sum_to_the_score(features, sentence):
    graphs = candidate_graphs([Document("d", (sentence,))])
    X = features.fit_transform(graphs)
    w = np.random.default_rng(0).normal(size=X.shape[1])
    for graph, score in zip(graphs, X @ w):
        assert sum(one.value for one in features.attribute(graph, w)) == pytest.approx(score, abs=1e-9)


def test_contributions_sum_to_the_score_on_lll(lll):
    for features in maps():
        X = features.fit_transform(lll)
        w = np.random.default_rng(0).normal(size=X.shape[1])
        for i in range(0, len(lll), 60):
            total = sum(one.value for one in features.attribute(lll[i], w))
            assert total == pytest.approx((X[i] @ w)[0], abs=1e-9)


def test_unknown_label_pairs_contribute_nothing(lll):
    features = AllPathsFeatures().fit(lll[:10])
    w = np.ones(features.n_features_)
    graph = lll[-1]
    total = sum(one.value for one in features.attribute(graph, w))
    assert total == pytest.approx(features.transform([graph]).sum())


def test_the_maximum_belongs_to_the_first_pair_of_vertices_that_attains_it():
    sentence = make_sentence(["A", "x", "y", "x", "y", "B"], (), [[0], [5]])
    graph = candidate_graph(sentence, sentence.pairs[0])
    features = AllPathsFeatures(labels=("text",))
    features.fit([graph])
    names = features.get_feature_names_out()
    w = (names == "text:x@M -> text:y@M").astype(float)
    (one,) = features.attribute(graph, w)
    assert one.value == pytest.approx(0.9)
    assert one.vertices == (Vertex("linear", "token", 1), Vertex("linear", "token", 2))
    assert names[one.column] == one.name


def test_largest_magnitude_comes_first(lll):
    features = ContextFeatures().fit(lll)
    w = np.random.default_rng(1).normal(size=len(features.get_feature_names_out()))
    values = [abs(one.value) for one in features.attribute(lll[0], w)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("features", maps(), ids=str)
def test_wrong_number_of_weights_is_an_error(features, lll):
    features.fit(lll[:5])
    with pytest.raises(ShapeError, match="expected one weight for each of the"):
        features.attribute(lll[0], [1.0, 2.0, 3.0])
