"""The protocol of feature maps: what every map does, and what a map of one's own is told that it lacks."""

from multiprocessing.reduction import ForkingPickler  # what processes send each other, in memory

import numpy as np
import pytest
import scipy.sparse as sp
from feature_maps import NAMES, make_map
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError

import corpora
from kernels.candidates import candidate_graphs
from kernels.combined import CombinedFeatures
from kernels.errors import FeatureMapError, KernelError, StateError
from kernels.feature_map import BaseFeatureMap
from kernels.ngram_features import PathFeatures
from kernels.views import labelled_graph
from kernels.walks import WalkFeatures

GRAPHS = candidate_graphs(corpora.load("sample"))
ROLES = [["role", "PROT1"], ["role", "PROT2"], ["role", "PROT"]]
LABELLED = [labelled_graph(graph) for graph in GRAPHS[:20]]


def fitted(name, **options):
    """A map of that name, fitted, and graphs for it."""
    if name == "walks":
        return WalkFeatures(**options).fit(LABELLED), LABELLED
    return make_map(name, **options).fit(GRAPHS[::2]), GRAPHS


@pytest.mark.parametrize("name", [*NAMES, "walks"])
def test_a_state_restored_is_the_same_map(name):
    features, graphs = fitted(name)
    again = clone(features).restore(features.state())
    assert again.width == features.width == features.transform(graphs).shape[1]
    assert abs(again.transform(graphs) - features.transform(graphs)).max() == 0
    assert list(again.get_feature_names_out()) == list(features.get_feature_names_out())


@pytest.mark.parametrize("name", [*NAMES, "walks"])
def test_lengths_are_those_of_all_features(name):
    features, graphs = fitted(name)
    X = clone(features).fit_transform(graphs)
    np.testing.assert_allclose(features.squared_lengths(graphs), np.asarray(X.multiply(X).sum(axis=1)).ravel())


@pytest.mark.parametrize("name", [*NAMES, "walks"])
@pytest.mark.parametrize("n_features", [None, 64])
def test_contributions_sum_to_the_score(name, n_features):
    features, graphs = fitted(name, n_features=n_features)
    weights = np.random.default_rng(0).normal(size=features.width)
    for graph in graphs[:5]:
        contributions = features.attribute(graph, weights)
        assert sum(one.value for one in contributions) == pytest.approx((features.transform([graph]) @ weights)[0])


@pytest.mark.parametrize("name", [*NAMES, "walks"])
def test_maps_that_are_not_fitted_say_so(name):
    features = WalkFeatures() if name == "walks" else make_map(name)
    for ask in (lambda: features.width, features.state, lambda: features.scorer([1.0])):
        with pytest.raises(NotFittedError):
            ask()


@pytest.mark.parametrize(
    ("name", "state", "message"),
    [
        ("path", {}, "got none called 'names'"),
        ("path", [], "expected state to be an object"),
        ("path", {"names": [1]}, "expected names to be a list of texts"),
        ("path", {"names": ["a", "a"]}, "expected distinct feature names"),
        ("all-paths", {"bases": [["text", "a"]]}, "got none called 'keys'"),
        ("all-paths", {"bases": [["text"]], "keys": np.empty(0, np.uint64)}, "bases to be a list of pairs"),
        ("all-paths", {"bases": [], "keys": np.zeros(1)}, "keys to be 64-bit whole numbers, got float64"),
        ("all-paths", {"bases": [], "keys": np.zeros((1, 1), np.uint64)}, r"of shape \(1, 1\)"),
        ("all-paths", {"bases": ROLES, "keys": np.array([18], np.uint64)}, "label numbers below 18 .* got 18"),
        ("all-paths", {"bases": [], "keys": np.array([1], np.uint64)}, "bases to be the roles .* first"),
        ("walks", {"labels": ["a", "a"], "keys": np.zeros(0, np.uint64)}, "expected distinct labels"),
        ("walks", {"labels": ["a"], "keys": np.array([1], np.uint64)}, "label numbers below 1 .* got 1"),
        ("walks", {"keys": np.array([1], np.uint64)}, "got none called 'labels'"),
        ("composite", {}, "got none called 'all-paths'"),
        ("composite", {"all-paths": 3}, "expected all-paths.state to be an object, got 3"),
        ("composite", {"all-paths": {"bases": 3}}, "expected all-paths.bases to be a list of pairs, got 3"),
    ],
)
def test_states_that_no_map_gave(name, state, message):
    features = WalkFeatures() if name == "walks" else make_map(name)
    with pytest.raises(KernelError, match=message):
        features.restore(state)
    with pytest.raises(NotFittedError):
        features.transform(GRAPHS[:1])


def test_errors_about_states_travel_between_processes():
    error = ForkingPickler.loads(ForkingPickler.dumps(StateError("names", "a list", "3").within("path")))
    assert str(error) == "expected path.names to be a list, got 3"


def test_parts_count_the_graphs_that_they_scaled():
    features = make_map("composite")
    with pytest.raises(NotFittedError):
        _ = features.n_scaled_
    assert features.fit(GRAPHS).n_scaled_ == sum(part.n_scaled_ for _, part in features.maps_) == 0


class PathLength(BaseFeatureMap):
    """As little as a map of one's own needs to be."""

    width = 1

    def fit_transform(self, graphs, y=None):
        return self.transform(graphs)

    def transform(self, graphs):
        return sp.csr_matrix([[max(graph.path_length, 0.0)] for graph in graphs])


def test_a_map_of_ones_own_scores_and_explains():
    features = CombinedFeatures([("path", PathFeatures()), ("own", PathLength())], weights=[1.0, 4.0])
    X = features.fit_transform(GRAPHS)
    weights = np.random.default_rng(0).normal(size=(X.shape[1], 2))
    np.testing.assert_allclose(features.scorer(weights)(GRAPHS), X @ weights, rtol=1e-9, atol=1e-12)
    contributions = features.attribute(GRAPHS[0], weights[:, 0])
    assert sum(one.value for one in contributions) == pytest.approx((X[[0]] @ weights[:, 0])[0])
    assert [one.vertices for one in contributions if one.name.startswith("own: ")] == [()]
    assert features.get_feature_names_out()[-1] == "own: 0"


def test_a_map_of_ones_own_says_what_it_lacks():
    features = CombinedFeatures([("path", PathFeatures()), ("own", PathLength())]).fit(GRAPHS)
    with pytest.raises(FeatureMapError, match="expected PathLength to have restrict, got none"):
        features.restrict(np.ones(features.width, dtype=bool))
    with pytest.raises(FeatureMapError, match="expected PathLength to have state, got none"):
        features.state()
    with pytest.raises(FeatureMapError, match="expected PathLength to have restore, got none"):
        features.restore({"path": {"names": []}, "own": {}})


def test_a_map_without_a_width():
    class Nothing(BaseFeatureMap):
        pass

    with pytest.raises(FeatureMapError, match="expected Nothing to have width, got none"):
        Nothing().scorer([1.0])


class Stranger(BaseEstimator):
    def transform(self, graphs):
        return sp.csr_matrix((len(graphs), 1))


def test_a_part_that_is_no_feature_map_is_refused():
    with pytest.raises(FeatureMapError, match="as 'own', got Stranger without width, n_scaled_, fit_transform, get"):
        CombinedFeatures([("own", Stranger())]).fit(GRAPHS)
