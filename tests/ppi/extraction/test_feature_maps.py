"""The kernels by name, against the maps of which they are made."""

import numpy as np
import pytest

import corpora
from kernels import (
    AllPathsFeatures,
    ClusteredFeatures,
    ContextFeatures,
    PairFeatures,
    PathFeatures,
    candidate_graphs,
    denials,
)
from ppi.extraction.feature_maps import make_feature_map
from ppi.extraction.settings import KERNELS, VARIANTS
from ppi.language import load_word_clusters

GRAPHS = candidate_graphs(corpora.load("sample"))


def cosines(features):
    """The kernel matrix of rows of length 1."""
    K = (X := features.fit_transform(GRAPHS)) @ X.T
    lengths = np.sqrt(K.diagonal())
    return K.toarray() / np.where(lengths > 0, lengths, 1)[:, None] / np.where(lengths > 0, lengths, 1)[None]


def kernel(name, **options):
    X = make_feature_map(name, **options).fit_transform(GRAPHS)
    return (X @ X.T).toarray()


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_paths_is_the_published_kernel_and_not_normalized(variant):
    X = AllPathsFeatures(variant=variant, on_divergence="scale").fit_transform(GRAPHS)
    np.testing.assert_allclose(kernel("all-paths", variant=variant), (X @ X.T).toarray())
    assert not np.allclose(kernel("all-paths", variant=variant).diagonal(), 1)


@pytest.mark.parametrize(("name", "features"), [("context", ContextFeatures), ("path", PathFeatures)])
def test_a_single_kernel_is_a_cosine(name, features):
    np.testing.assert_allclose(kernel(name), cosines(features()), atol=1e-9)


def test_the_composite_is_the_mean_of_four_cosines_and_denied_pairs_share_their_shape_alone():
    parts = [cosines(AllPathsFeatures(on_divergence="scale")), cosines(ContextFeatures()), cosines(PathFeatures())]
    denied = np.array([bool(denials(graph)) for graph in GRAPHS])
    assert denied.any()
    same = denied[:, None] == denied[None]
    expected = (sum(parts) * same + cosines(PairFeatures())) / 4
    np.testing.assert_allclose(kernel("composite"), expected, atol=1e-9)


def test_layers_of_words_clusters_and_bare_dependencies_weigh_the_same_beside_the_shape():
    def mean(*maps):
        return sum(cosines(each) for each in maps) / len(maps)

    def all_paths(**options):
        return AllPathsFeatures(on_divergence="scale", **options)

    clusters = [
        all_paths(labels=("lemma", "dependency")),
        ContextFeatures(kinds=("lemma",)),
        PathFeatures(kinds=("lemma", "dependency")),
    ]
    layers = [
        mean(all_paths(), ContextFeatures(), PathFeatures()),
        mean(*(ClusteredFeatures(part, load_word_clusters()) for part in clusters)),
        mean(all_paths(labels=("dependency",)), PathFeatures(kinds=("dependency",), orders=(1, 9))),
    ]
    denied = np.array([bool(denials(graph)) for graph in GRAPHS])
    same = denied[:, None] == denied[None]
    expected = 2 / 3 * sum(layers) / 3 * same + cosines(PairFeatures()) / 3
    np.testing.assert_allclose(kernel("composite-layers"), expected, atol=1e-9)


@pytest.mark.parametrize("name", KERNELS)
def test_hashing_into_many_columns_keeps_the_kernel_nearly(name):
    exact, hashed = kernel(name), kernel(name, n_features=2**16)
    assert np.abs(exact - hashed).max() < 0.05 * np.abs(exact).max()


@pytest.mark.parametrize("name", KERNELS)
def test_hashed_columns_do_not_depend_on_what_was_fitted(name):
    few, many = (make_feature_map(name, n_features=2**8) for _ in range(2))
    few.fit_transform(GRAPHS[:3])
    many.fit_transform(GRAPHS)
    np.testing.assert_array_equal(few.transform(GRAPHS).toarray(), many.transform(GRAPHS).toarray())
