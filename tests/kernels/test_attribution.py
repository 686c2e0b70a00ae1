"""Contributions sum to the score and name the right vertices."""

import numpy as np
import pytest
from hypothesis import given
from kernel_twins import make_sentence, sentences
from operation_count import growth

from corpora import Document
from kernels.all_paths import AllPathsFeatures
from kernels.attribution import Vertex, vertex_labels, walk_weights
from kernels.candidates import candidate_graph, candidate_graphs
from kernels.combined import CombinedFeatures
from kernels.errors import ShapeError
from kernels.ngram_features import ContextFeatures, PathFeatures


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


def attributed_by_definition(features, graph, weights):
    """(value, name, vertices) of every two labels of every two vertices that a walk joins, one pair after the other."""
    vertices, labels = vertex_labels(graph, features)
    W = walk_weights(graph, features)
    cells = {}
    for k, j in np.argwhere(W > 0.0).tolist():
        for first in labels[k]:
            for second in labels[j]:
                cell = cells.setdefault((first, second), [])
                if features.variant == "sum" or not cell:
                    cell.append((W[k, j], k, j))
                elif W[k, j] > cell[0][0]:
                    cell[0] = (W[k, j], k, j)
    names = list(features.get_feature_names_out())
    found = []
    for (first, second), places in cells.items():
        if (name := f"{first} -> {second}") in names:
            weight = weights[names.index(name)]
            found += [(weight * value, name, (vertices[k], vertices[j])) for value, k, j in places if weight]
    return sorted(found)


@pytest.mark.parametrize("variant", ["max", "sum"])
@given(sentence=sentences(max_words=6, max_arcs=7))
def test_contributions_are_those_of_the_definition(variant, sentence):
    graphs = candidate_graphs([Document("d", (sentence,))])
    features = AllPathsFeatures(variant=variant, on_divergence="scale")
    width = features.fit_transform(graphs[:1]).shape[1]  # pairs of labels that only others have are unknown
    weights = np.random.default_rng(3).integers(-2, 3, size=width).astype(float)  # some of them 0
    for graph in graphs:
        found = sorted((one.value, one.name, one.vertices) for one in features.attribute(graph, weights))
        assert found == attributed_by_definition(features, graph, weights)


@pytest.mark.parametrize("features", [AllPathsFeatures(), ContextFeatures(), PathFeatures()], ids=str)
def test_the_work_grows_with_the_features_that_have_a_weight(features):
    """A long chain of words that the model does not know, but for a few."""
    known = chain(8)
    width = features.fit_transform([known]).shape[1]

    def work(n):
        graph = chain(n)
        return lambda: features.attribute(graph, np.ones(width))

    assert growth(work, (50, 400)) < 1.2


def chain(n):
    """n words, each governing the next, between two entities."""
    words = [f"w{i}" for i in range(n)]
    arcs = [(i, i + 1, "dep") for i in range(n - 1)]
    sentence = make_sentence(words, arcs, [[0], [n - 1]], pos=["NN"] * n)
    return candidate_graph(sentence, sentence.pairs[0])


def test_no_work_of_a_combination_grows_with_the_model(binding):
    """What scales the weights of a part scales only those that the candidate has."""
    graph = candidate_graph(binding, binding.pairs[0])
    features = CombinedFeatures([("context", ContextFeatures())])
    features.fit([graph])

    class Weights(np.ndarray):
        """Tells when all of it is computed with."""

        def __array_ufunc__(self, function, method, *arguments, **options):
            plain = [each.view(np.ndarray) if isinstance(each, Weights) else each for each in arguments]
            assert max(each.size for each in arguments if isinstance(each, Weights)) < len(weights)
            return getattr(function, method)(*plain, **options)

    weights = np.ones(features.width).view(Weights)
    assert features.attribute(graph, weights)
