"""Clusters for words: the same features as of a sentence that says the clusters."""

from dataclasses import replace

import numpy as np
import pytest

import corpora
from kernels.all_paths import AllPathsFeatures
from kernels.candidates import candidate_graphs
from kernels.clustered import ClusteredFeatures, WordClusters
from kernels.combined import CombinedFeatures
from kernels.errors import ParameterError
from kernels.ngram_features import ContextFeatures, PathFeatures

CLUSTERS = WordClusters({"binds": "c1", "interacts": "c1", "with": "c2", "to": "c2", "the": "c3"})
MAPS = {
    "all-paths": AllPathsFeatures(labels=("lemma", "dependency"), on_divergence="scale"),
    "context": ContextFeatures(kinds=("lemma",)),
    "path": PathFeatures(kinds=("lemma", "dependency")),
}


@pytest.fixture(scope="module")
def graphs():
    return candidate_graphs(corpora.load("sample"))


def said(documents):
    """The documents with clusters in place of lemmas, rewritten token by token."""
    for document in documents:
        sentences = [
            replace(
                sentence,
                parses=tuple(
                    replace(parse, tokens=tuple(replace(t, lemma=CLUSTERS.of(t.text)) for t in parse.tokens))
                    for parse in sentence.parses
                ),
            )
            for sentence in document.sentences
        ]
        yield replace(document, sentences=tuple(sentences))


@pytest.mark.parametrize("name", MAPS)
def test_features_are_those_of_rewritten_sentences(name, graphs):
    ours, theirs = ClusteredFeatures(MAPS[name], CLUSTERS), MAPS[name]
    rewritten = candidate_graphs(list(said(corpora.load("sample"))))
    X, Z = ours.fit_transform(graphs), theirs.fit_transform(rewritten)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    np.testing.assert_array_equal(X.toarray(), Z.toarray())
    np.testing.assert_array_equal(ours.transform(graphs).toarray(), Z.toarray())
    np.testing.assert_allclose(ours.squared_lengths(graphs), theirs.squared_lengths(rewritten))


@pytest.mark.parametrize("name", MAPS)
def test_scores_attributions_and_states_agree_with_the_features(name, graphs):
    features = CombinedFeatures([("words", ContextFeatures()), ("clusters", ClusteredFeatures(MAPS[name], CLUSTERS))])
    X = features.fit_transform(graphs[:40])
    weights = np.random.default_rng(0).normal(size=features.width)
    np.testing.assert_allclose(features.scorer(weights)(graphs), features.transform(graphs) @ weights, atol=1e-10)
    parts = features.attribute(graphs[3], weights)
    assert sum(part.value for part in parts) == pytest.approx(float((X[3] @ weights)[0]))
    again = CombinedFeatures(features.parts).restore(features.state())
    np.testing.assert_array_equal(again.transform(graphs).toarray(), features.transform(graphs).toarray())
    keep = np.arange(features.width) % 3 == 0
    smaller, columns = features.restrict(keep)
    np.testing.assert_allclose(smaller.transform(graphs).toarray(), features.transform(graphs).toarray()[:, columns])


def test_candidates_of_a_sentence_still_share_it(graphs):
    from kernels.clustered import apply_clusters

    made = apply_clusters(graphs, CLUSTERS)
    assert len({id(graph.base) for graph in made}) == len({id(graph.base) for graph in graphs})


def test_clusters_are_by_lower_cased_word():
    with pytest.raises(ParameterError, match="expected clusters by lower-cased word"):
        WordClusters({"Binds": "c1"})
    with pytest.raises(ParameterError, match="names without spaces"):
        WordClusters({"binds": "c 1"})
    assert repr(CLUSTERS) == repr(WordClusters(dict(CLUSTERS._clusters)))
    assert CLUSTERS == WordClusters(dict(CLUSTERS._clusters)) != WordClusters({})
