"""A map with some of its columns."""

import numpy as np
import pytest
from feature_maps import NAMES, make_map

import corpora
from kernels.candidates import candidate_graphs
from kernels.combined import CombinedFeatures
from kernels.errors import ParameterError, ShapeError
from kernels.views import labelled_graph
from kernels.walks import WalkFeatures

GRAPHS = candidate_graphs(corpora.load("sample"))


@pytest.mark.parametrize("name", [*NAMES, "walks", "nested"])
def test_the_columns_that_stay_have_the_same_values_and_names(name):
    graphs = GRAPHS
    if name == "walks":
        whole, graphs = WalkFeatures(), [labelled_graph(graph) for graph in GRAPHS[:30]]
    elif name == "nested":
        whole = CombinedFeatures([("inner", make_map("composite")), ("pair", make_map("pair"))])
    else:
        whole = make_map(name)
    X = whole.fit_transform(graphs)
    keep = np.random.default_rng(0).random(X.shape[1]) < 0.3
    smaller, columns = whole.restrict(keep)
    assert sorted(columns) == np.flatnonzero(keep).tolist()
    assert smaller.width == len(columns)
    difference = smaller.transform(graphs) - X[:, columns]
    assert abs(difference).max() < 1e-12
    assert list(smaller.get_feature_names_out()) == list(whole.get_feature_names_out()[columns])


def test_no_column_may_stay():
    whole = make_map("composite")
    X = whole.fit_transform(GRAPHS)
    smaller, columns = whole.restrict(np.zeros(X.shape[1], dtype=bool))
    assert smaller.transform(GRAPHS).shape == (len(GRAPHS), 0)
    assert len(columns) == 0


def test_what_to_keep_is_one_boolean_per_column():
    whole = make_map("pair").fit(GRAPHS)
    with pytest.raises(ShapeError, match="features, got int64 values"):
        whole.restrict(np.arange(whole.width))
    with pytest.raises(ShapeError, match=r"bool values of shape \(3,\)"):
        whole.restrict(np.ones(3, dtype=bool))


@pytest.mark.parametrize("name", NAMES)
def test_hashed_columns_have_no_names_to_keep(name):
    whole = make_map(name, n_features=64).fit(GRAPHS)
    with pytest.raises(ParameterError, match="columns have no names"):
        whole.restrict(np.ones(whole.width, dtype=bool))
