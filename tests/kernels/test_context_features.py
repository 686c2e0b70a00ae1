"""The context features against counting by hand."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from kernel_twins import make_sentence, naive_candidate, rows_as_dicts, sentences
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from corpora import Document
from kernels.candidates import candidate_graph, candidate_graphs
from kernels.errors import ParameterError, ShapeError
from kernels.ngram_features import ContextFeatures


def naive_context(sentence, pair, orders):
    roles, places, _, _ = naive_candidate(sentence, pair)
    counts = Counter()
    for kind in ("text", "lemma"):
        for region, mark in (("before", "B"), ("between", "M"), ("after", "A")):
            words = []
            for token, role, place in zip(sentence.parses[0].tokens, roles, places):
                word = token.text if kind == "text" else token.lemma or token.text.lower()
                if place == mark:
                    words.append("+".join(sorted(role)) if role else word)
            for n in range(orders[0], orders[1] + 1):
                for i in range(len(words) - n + 1):
                    counts[f"{region} {kind}:{' '.join(words[i : i + n])}"] += 1
    return counts


@given(sentences())
def test_features_equal_counting(sentence):
    graphs = candidate_graphs([Document("d", (sentence,))])
    features = ContextFeatures(orders=(1, 2))
    for graph, row in zip(graphs, rows_as_dicts(features, features.fit_transform(graphs))):
        assert row == naive_context(sentence, graph.pair, (1, 2))
        assert Counter(features.names(graph)) == Counter(one.name for one in features.occurrences(graph))


def test_names_by_hand(binding):
    features = ContextFeatures(kinds=("text",), orders=(2, 2))
    features.fit([candidate_graph(binding, binding.pairs[0])])
    assert features.get_feature_names_out().tolist() == [
        "between text:PROT1 binds",
        "between text:binds PROT2",
        "after text:near PROT",
    ]


def test_window_keeps_the_words_next_to_the_pair():
    sentence = make_sentence(["a", "b", "P", "Q", "c", "d"], (), [[2], [3]])
    features = ContextFeatures(kinds=("text",), orders=(1, 1), window=1)
    features.fit([candidate_graph(sentence, sentence.pairs[0])])
    names = set(features.get_feature_names_out())
    assert names == {"before text:b", "between text:PROT1", "between text:PROT2", "after text:c"}


def test_unknown_names_are_left_out_and_state_restores(lll):
    features = ContextFeatures().fit(lll[:20])
    X = features.transform(lll)
    assert X.shape[1] == len(features.vocabulary_)
    assert abs(X - ContextFeatures().restore(features.state()).transform(lll)).max() == 0
    with pytest.raises(ShapeError, match="expected distinct feature names, got 1 repeated"):
        ContextFeatures().restore({"names": ["a", "a"]})


def test_hashed_kernel_values_are_near_the_named_ones(lll):
    X, H = ContextFeatures().fit_transform(lll), ContextFeatures(n_features=2**20).transform(lll)
    K = (X @ X.T).toarray()
    assert np.abs(K - (H @ H.T).toarray()).max() < 0.05 * K.max()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"orders": (2, 1)}, "expected orders as"),
        ({"orders": (0, 1)}, "expected orders as"),
        ({"kinds": ("dependency",)}, "expected kinds to be a sequence"),
        ({"regions": ()}, "expected regions to be a sequence"),
        ({"window": -1}, "expected window to be"),
        ({"n_features": 3}, "power of 2"),
    ],
)
def test_bad_parameters_are_errors(options, message):
    with pytest.raises(ParameterError, match=message):
        ContextFeatures(**options).fit([])


def test_scikit_learn_contract():
    assert clone(ContextFeatures(orders=(1, 2))).get_params()["orders"] == (1, 2)
    with pytest.raises(NotFittedError):
        ContextFeatures().transform([])
