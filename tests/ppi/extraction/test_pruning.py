import numpy as np
import pytest

import corpora
from kernels import candidate_graphs
from ppi.extraction.feature_maps import feature_map
from ppi.extraction.pruning import restricted
from ppi.extraction.settings import KERNELS

GRAPHS = candidate_graphs(corpora.load("sample"))


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_columns_that_stay_have_the_same_values_and_names(kernel):
    whole = feature_map(kernel)
    X = whole.fit_transform(GRAPHS)
    keep = np.random.default_rng(0).random(X.shape[1]) < 0.3
    smaller, columns = restricted(whole, keep)
    assert sorted(columns) == np.flatnonzero(keep).tolist()
    difference = smaller.transform(GRAPHS) - X[:, columns]
    assert abs(difference).max() < 1e-12
    assert list(smaller.get_feature_names_out()) == list(whole.get_feature_names_out()[columns])


def test_no_column_may_stay():
    whole = feature_map("composite")
    X = whole.fit_transform(GRAPHS)
    smaller, columns = restricted(whole, np.zeros(X.shape[1], dtype=bool))
    assert smaller.transform(GRAPHS).shape == (len(GRAPHS), 0)
    assert len(columns) == 0
