"""Features that are stacked, multiplied and normalized have the kernels they promise."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import corpora
from kernels.all_paths import AllPathsFeatures
from kernels.candidates import candidate_graphs
from kernels.combined import CombinedFeatures, multiply_features, normalize_features, stack_features
from kernels.errors import ParameterError, ShapeError
from kernels.gram import linear_gram
from kernels.negation import denials
from kernels.ngram_features import ContextFeatures, PathFeatures
from kernels.vector import normalize_gram


@pytest.fixture
def pair_of_matrices():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5)) * (rng.random((7, 5)) < 0.5)
    X[2] = 0
    return sp.csr_matrix(X), sp.csr_matrix(rng.normal(size=(7, 3)))


def test_stacking_adds_weighted_kernels(pair_of_matrices):
    X, Z = pair_of_matrices
    stacked = stack_features([X, Z], weights=[2.0, 0.5])
    np.testing.assert_allclose(linear_gram(stacked), 2 * linear_gram(X) + 0.5 * linear_gram(Z))


def test_multiplying_multiplies_kernels(pair_of_matrices):
    X, Z = pair_of_matrices
    np.testing.assert_allclose(linear_gram(multiply_features(X, Z)), linear_gram(X) * linear_gram(Z), atol=1e-12)
    assert multiply_features(X[:0], Z[:0]).shape == (0, 15)


def test_normalizing_gives_cosines_and_zero_rows_stay_zero(pair_of_matrices):
    X, _ = pair_of_matrices
    K = linear_gram(normalize_features(X))
    np.testing.assert_allclose(K, normalize_gram(linear_gram(X)), atol=1e-12)
    np.testing.assert_allclose(np.diagonal(K)[[0, 1, 3, 4, 5, 6]], 1.0)
    assert not K[2].any()
    assert np.isfinite(K).all()


def test_combined_features_add_the_kernels_of_their_parts(lll):
    parts = [("all", AllPathsFeatures()), ("context", ContextFeatures()), ("path", PathFeatures())]
    combined = CombinedFeatures(parts, weights=[1.0, 0.5, 0.25])
    X = combined.fit_transform(lll)
    expected = sum(
        weight * normalize_gram(linear_gram(part.fit_transform(lll)))
        for weight, (_, part) in zip([1.0, 0.5, 0.25], parts)
    )
    np.testing.assert_allclose(linear_gram(X), expected, atol=1e-10)
    assert abs(X - combined.transform(lll)).max() == 0
    names = combined.get_feature_names_out()
    assert len(names) == X.shape[1]
    assert names[0].startswith("all: ")
    assert names[-1].startswith("path: ")
    assert clone(combined).get_params()["weights"] == [1.0, 0.5, 0.25]


def test_a_part_of_affirmed_and_one_of_denied_candidates_have_nothing_in_common():
    graphs = candidate_graphs(corpora.load("sample"))
    denied = np.array([bool(denials(graph)) for graph in graphs])
    assert 0 < denied.sum() < len(graphs)
    path = PathFeatures()
    parts = [("path", path), ("denied", clone(path)), ("context", ContextFeatures())]
    combined = CombinedFeatures(parts, polarity=["affirmed", "denied", "any"])
    X = combined.fit_transform(graphs)
    expected = normalize_gram(linear_gram(path.fit_transform(graphs))) * (denied[:, None] == denied)
    expected += normalize_gram(linear_gram(ContextFeatures().fit_transform(graphs)))
    np.testing.assert_allclose(linear_gram(X), expected, atol=1e-10)
    assert abs(X - combined.transform(graphs)).max() == pytest.approx(0, abs=1e-15)
    weights = np.random.default_rng(0).normal(size=X.shape[1])
    for at in (int(np.flatnonzero(denied)[0]), int(np.flatnonzero(~denied)[0])):
        contributions = combined.attribute(graphs[at], weights)
        assert sum(one.value for one in contributions) == pytest.approx((X[[at]] @ weights)[0])


def test_nobody_is_denied_where_the_map_is_fitted():
    graphs = candidate_graphs(corpora.load("sample"))
    affirmed = [graph for graph in graphs if not denials(graph)]
    parts = [("path", PathFeatures()), ("denied", AllPathsFeatures())]
    combined = CombinedFeatures(parts, polarity=["affirmed", "denied"]).fit(affirmed)
    assert combined.widths_[1] == 0
    assert combined.transform(graphs).shape[0] == len(graphs)


def test_errors(pair_of_matrices):
    X, Z = pair_of_matrices
    with pytest.raises(ShapeError, match="equal numbers of rows"):
        stack_features([X, Z[:3]])
    with pytest.raises(ShapeError, match="equal numbers of rows"):
        multiply_features(X, Z[:3])
    with pytest.raises(ParameterError, match="expected weights to be a finite number"):
        stack_features([X], weights=[-1])
    with pytest.raises(ParameterError, match="one weight for each of 1 parts"):
        CombinedFeatures([("c", ContextFeatures())], weights=[1, 2]).fit([])
    with pytest.raises(ParameterError, match="a name of its own for each part, got \\['c', 'c'\\]"):
        CombinedFeatures([("c", ContextFeatures()), ("c", PathFeatures())]).fit([])
    with pytest.raises(ParameterError, match="'affirmed', 'denied'] for each of 1 parts, got \\['maybe'\\]"):
        CombinedFeatures([("c", ContextFeatures())], polarity=["maybe"]).fit([])


def test_the_kernel_with_a_new_candidate_does_not_depend_on_what_was_fitted():
    """Features outside the vocabulary are left out of the row but count in its length."""
    graphs = candidate_graphs(corpora.load("sample"))
    old, new = graphs[:20], graphs[20:30]
    parts = [("paths", AllPathsFeatures()), ("context", ContextFeatures())]
    fitted = CombinedFeatures(parts)
    rows = fitted.fit_transform(old)
    whole = CombinedFeatures(parts).fit_transform([*old, *new])
    expected = (whole[:20] @ whole[20:].T).toarray()
    np.testing.assert_allclose((rows @ fitted.transform(new).T).toarray(), expected, atol=1e-12)
    weights = np.random.default_rng(0).normal(size=rows.shape[1])
    contributions = fitted.attribute(new[0], weights)
    assert sum(one.value for one in contributions) == pytest.approx((fitted.transform(new[:1]) @ weights)[0])
