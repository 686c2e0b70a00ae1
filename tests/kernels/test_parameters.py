"""The parameters of feature maps against scikit-learn's own base class."""

import pytest
from feature_maps import NAMES, make_map
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

import corpora
from kernels.all_paths import AllPathsFeatures
from kernels.candidates import candidate_graphs
from kernels.errors import ParameterError
from kernels.feature_map import BaseFeatureMap
from kernels.ngram_features import PathFeatures
from kernels.validation import check_fitted, clone_map
from kernels.walks import WalkFeatures

MAPS = [*(make_map(name, variant="sum", n_features=256) for name in NAMES), WalkFeatures(max_length=2)]


class Wrapped(BaseFeatureMap):
    """A map that has another as a parameter."""

    def __init__(self, inner, factor=1.0):
        self.inner = inner
        self.factor = factor


class Twin(BaseEstimator):
    """The same, by scikit-learn."""

    def __init__(self, inner, factor=1.0):
        self.inner = inner
        self.factor = factor


@pytest.mark.parametrize("features", MAPS, ids=repr)
def test_scikit_learn_clones_it_as_we_do(features):
    ours, theirs = clone_map(features), clone(features)
    assert type(ours) is type(theirs) is type(features)
    assert repr(ours) == repr(theirs) == repr(features)
    assert ours is not features
    assert repr(ours.get_params()) == repr(features.get_params())


@pytest.mark.parametrize("deep", [True, False])
def test_nested_parameters_are_those_of_scikit_learn(deep):
    inner = PathFeatures(orders=(1, 2))
    ours, theirs = Wrapped(inner, factor=2.0), Twin(inner, factor=2.0)
    assert ours.get_params(deep=deep) == theirs.get_params(deep=deep)
    ours.set_params(factor=3.0, inner__orders=(2, 2))
    assert (ours.factor, inner.orders) == (3.0, (2, 2))
    assert clone_map(ours).inner is not inner
    assert clone_map(Twin(inner)).inner is not inner  # an estimator of scikit-learn clones itself


def test_a_parameter_that_is_none():
    with pytest.raises(ParameterError, match=r"expected a parameter of PathFeatures, one of \['kinds', .*got 'kind'"):
        PathFeatures().set_params(kind="text")


def test_repr_says_how_to_make_it():
    assert repr(AllPathsFeatures()) == "AllPathsFeatures()"
    assert repr(AllPathsFeatures(variant="sum", n_features=64)) == "AllPathsFeatures(variant='sum', n_features=64)"
    assert repr(Wrapped(PathFeatures())) == "Wrapped(inner=PathFeatures())"


def test_a_map_that_is_not_fitted():
    features = PathFeatures()
    for check in (check_fitted, check_is_fitted):
        with pytest.raises(NotFittedError):
            check(features)
    features.fit(candidate_graphs(corpora.load("sample"))[:3])
    for check in (check_fitted, check_is_fitted):
        check(features)
    with pytest.raises(NotFittedError, match="expected a fitted PathFeatures, got one that is not; call fit first"):
        check_fitted(features, "other_")


def test_it_is_a_transformer_to_scikit_learn():
    graphs = candidate_graphs(corpora.load("sample"))[:10]
    pipeline = make_pipeline(AllPathsFeatures())
    assert abs(pipeline.fit_transform(graphs) - AllPathsFeatures().fit_transform(graphs)).max() == 0
    assert get_tags(AllPathsFeatures()).transformer_tags is not None
    assert pipeline.get_params()["allpathsfeatures__variant"] == "max"
