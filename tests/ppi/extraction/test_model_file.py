"""Which feature maps a model file can hold."""

import numpy as np
import pytest

import corpora
from kernels import CombinedFeatures, PathFeatures, candidate_graphs
from ppi.core import UsageError
from ppi.extraction.extractor import Extractor
from ppi.extraction.feature_maps import make_feature_map
from ppi.extraction.settings import KERNELS

GRAPHS = candidate_graphs(corpora.load("sample"))


def extractor_of(features, kernel, n_features=None):
    weights = np.random.default_rng(0).normal(size=features.fit_transform(GRAPHS).shape[1])
    extractor = Extractor(kernel=kernel, n_features=n_features)
    extractor._map, extractor.weights_ = features, weights
    extractor.outputs_, extractor.intercepts_, extractor.calibrations_ = ("interaction",), np.array([0.5]), {}
    extractor.threshold_, extractor.regparam_, extractor.facts_ = 0.0, 1.0, {"pairs": len(GRAPHS)}
    return extractor


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_features", [None, 1024])
def test_every_kernel_survives(kernel, n_features, tmp_path):
    extractor = extractor_of(make_feature_map(kernel, n_features=n_features), kernel, n_features)
    extractor.save(tmp_path / "model.zip")
    again = Extractor.load(tmp_path / "model.zip")
    assert np.array_equal(again.score_graphs(GRAPHS), extractor.score_graphs(GRAPHS))


def test_a_restricted_map_survives(tmp_path):
    whole = extractor_of(make_feature_map("composite"), "composite")
    smaller, columns = whole._map.restrict(whole.weights_ > 0)
    extractor = extractor_of(make_feature_map("composite"), "composite")
    extractor._map, extractor.weights_ = smaller, whole.weights_[columns]
    extractor.save(tmp_path / "model.zip")
    again = Extractor.load(tmp_path / "model.zip")
    assert np.array_equal(again.score_graphs(GRAPHS), extractor.score_graphs(GRAPHS))


@pytest.mark.parametrize(
    "features", [PathFeatures(), CombinedFeatures([("path", PathFeatures(orders=(1, 2)))])], ids=["alone", "orders"]
)
def test_a_map_that_the_kernel_does_not_name_is_refused(features, tmp_path):
    with pytest.raises(UsageError, match=r"expected a model with the features of 'path' .*keep the state\(\)"):
        extractor_of(features, "path").save(tmp_path / "model.zip")
    assert not (tmp_path / "model.zip").exists()
