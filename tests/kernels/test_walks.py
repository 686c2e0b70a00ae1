"""The finite-walk features against powers of A."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_twins import rows_as_dicts
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from kernels.all_paths import AllPathsFeatures
from kernels.errors import GraphError, ParameterError, ShapeError
from kernels.labelled import LabelledGraph
from kernels.views import labelled_graph
from kernels.walks import WalkFeatures


@st.composite
def labelled_graphs(draw):
    """Small graphs with cycles, self-loops, parallel edges and vertices without labels."""
    n = draw(st.integers(0, 5))
    labels = draw(st.lists(st.lists(st.sampled_from("abc"), max_size=3), min_size=n, max_size=n))
    vertex = st.integers(0, max(n - 1, 0))
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=8)) if n else []
    weights = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=len(edges), max_size=len(edges)))
    return LabelledGraph(labels, edges, weights=weights)


def naive_walks(graph, factors):
    A = graph.adjacency()
    G, power = {}, np.eye(len(A))
    for factor in factors:
        power = power @ A
        for k in range(len(A)):
            for j in range(len(A)):
                for a in graph.labels[k]:
                    for b in graph.labels[j]:
                        G[f"{a} -> {b}"] = G.get(f"{a} -> {b}", 0.0) + factor * power[k, j]
    return {name: value for name, value in G.items() if value}


@given(st.lists(labelled_graphs(), max_size=3), st.sampled_from([(1.0,), (1.0, 0.5, 0.25), (0.0, 2.0)]))
def test_features_equal_powers_of_the_adjacency_matrix(graphs, factors):
    features = WalkFeatures(max_length=len(factors), length_weights=factors)
    X = features.fit_transform(graphs)
    for graph, row in zip(graphs, rows_as_dicts(features, X)):
        assert {name: value for name, value in row.items() if value} == pytest.approx(naive_walks(graph, factors))
    assert abs(X - features.transform(graphs)).sum() == 0


def test_long_walks_become_the_sum_variant_of_all_paths(lll):
    chosen = lll[::60]
    paths, walks = AllPathsFeatures(variant="sum"), WalkFeatures(max_length=400)
    expected = rows_as_dicts(paths, paths.fit_transform(chosen))
    found = rows_as_dicts(walks, walks.fit_transform([labelled_graph(graph) for graph in chosen]))
    for row, whole in zip(found, expected):
        assert row == pytest.approx(whole, rel=1e-9)


def test_unknown_labels_are_left_out():
    features = WalkFeatures().fit([LabelledGraph([["a"], ["b"]], [(0, 1)])])
    X = features.transform([LabelledGraph([["a"], ["b"], ["new"]], [(0, 1), (1, 2)])])
    assert X.toarray().tolist() == [[1.0]]
    assert features.feature_labels(0) == ("a", "b")
    with pytest.raises(ShapeError, match="expected a column from 0 to 0, got 1"):
        features.feature_labels(1)
    arrow = WalkFeatures().fit([LabelledGraph([["a -> b"], ["c"]], [(0, 1)])])
    assert arrow.feature_labels(0) == ("a -> b", "c")


def test_hashed_features_need_no_fitting():
    graph = LabelledGraph([["a"], ["b", "c"]], [(0, 1), (1, 0)])
    X = WalkFeatures().fit_transform([graph])
    H = WalkFeatures(n_features=2**16).transform([graph])
    assert (H @ H.T)[0, 0] == pytest.approx((X @ X.T)[0, 0])


def test_from_networkx():
    view = nx.DiGraph()
    view.add_node("x", labels=("a",))
    view.add_node("y", labels=("b",))
    view.add_edge("x", "y", weight=0.5)
    graph = LabelledGraph.from_networkx(view)
    assert graph.labels == (("a",), ("b",))
    assert graph.adjacency().tolist() == [[0.0, 0.5], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_length": 0}, "expected max_length"),
        ({"max_length": 2, "length_weights": [1.0]}, "expected 2 finite length_weights"),
        ({"max_length": 1, "length_weights": [float("nan")]}, "expected 1 finite length_weights"),
        ({"n_features": 5}, "power of 2"),
    ],
)
def test_bad_parameters_are_errors(options, message):
    with pytest.raises(ParameterError, match=message):
        WalkFeatures(**options).fit([])


def test_bad_graphs_are_errors():
    with pytest.raises(GraphError, match="edges between vertices 0 to 0, got 0 to 1"):
        LabelledGraph([["a"]], [(0, 1)])
    with pytest.raises(GraphError, match="one finite weight"):
        LabelledGraph([["a"]], [(0, 0)], weights=[float("inf")])
    with pytest.raises(GraphError, match="got str at place 0"):
        WalkFeatures().fit(["graph"])
    with pytest.raises(GraphError, match="overflow"):
        WalkFeatures(max_length=3).fit([LabelledGraph([["a"]], [(0, 0)], weights=[1e200])])
    with pytest.raises(NotFittedError):
        WalkFeatures().transform([])
    assert clone(WalkFeatures(max_length=7)).max_length == 7
