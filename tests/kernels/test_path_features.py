"""The shortest-path features against networkx's paths."""

from collections import Counter
from itertools import product

import networkx as nx
import pytest
from hypothesis import given
from kernel_twins import make_sentence, naive_candidate, rows_as_dicts, sentences

from corpora import Document
from kernels.candidates import candidate_graph, candidate_graphs
from kernels.errors import ParameterError
from kernels.ngram_features import PathFeatures


def naive_paths(sentence, pair, longest):  # noqa: C901 - the definition, written out
    """Every distinct stretch of every shortest path between the two sets of tokens, each way to see it counted."""
    roles, _, _, length = naive_candidate(sentence, pair)
    graph = sentence.parses[0]
    number = {token.id: t for t, token in enumerate(graph.tokens)}
    undirected = nx.Graph()
    undirected.add_nodes_from(range(len(graph.tokens)))
    for a, arc in enumerate(graph.dependencies):
        undirected.add_edge(number[arc.governor], ("arc", a))
        undirected.add_edge(("arc", a), number[arc.dependent])
    stretches = set()
    for u in range(len(graph.tokens)):
        for v in range(len(graph.tokens)):
            if "PROT1" in roles[u] and "PROT2" in roles[v] and nx.has_path(undirected, u, v):
                for path in nx.all_shortest_paths(undirected, u, v):
                    if len(path) == 2 * length + 1:
                        for i in range(len(path)):
                            for j in range(i + 1, min(i + longest, len(path)) + 1):
                                stretches.add(tuple(_step(graph, number, path, n) for n in range(i, j)))
    counts = Counter()
    for stretch in stretches:
        views = []
        for kind, at in stretch:
            if kind in "<>":
                name = graph.dependencies[at].type
                views.append([f"{name}>" if kind == ">" else f"<{name}"])
            else:
                token = graph.tokens[at]
                word = "+".join(sorted(roles[at])) if roles[at] else token.text
                views.append([f"text:{word}", f"pos:{token.pos or '?'}"])
        for chosen in product(*views):
            counts[" ".join(chosen)] += 1
    counts[f"length:{length if length >= 0 else 'none'}"] += 1
    return counts


def _step(graph, number, path, n):
    if isinstance(path[n], int):
        return "token", path[n]
    arc = path[n][1]
    return ">" if number[graph.dependencies[arc].governor] == path[n - 1] else "<", arc


@given(sentences())
def test_features_equal_the_paths_of_networkx(sentence):
    graphs = candidate_graphs([Document("d", (sentence,))])
    features = PathFeatures(orders=(1, 4))
    for graph, row in zip(graphs, rows_as_dicts(features, features.fit_transform(graphs))):
        assert row == naive_paths(sentence, graph.pair, 4)


def test_names_by_hand(binding):
    features = PathFeatures(kinds=("text", "dependency"), orders=(5, 5))
    features.fit([candidate_graph(binding, binding.pairs[0])])
    assert set(features.get_feature_names_out()) == {"text:PROT1 <nsubj text:binds dobj> text:PROT2", "length:2"}


def test_kinds_can_be_left_out(binding):
    graph = candidate_graph(binding, binding.pairs[0])
    assert "* <nsubj *" in PathFeatures(kinds=("dependency",)).fit([graph]).vocabulary_
    assert "text:PROT1 < text:binds" in PathFeatures(kinds=("text",)).fit([graph]).vocabulary_


def test_a_pair_without_a_path_says_so():
    sentence = make_sentence(["x", "y"], (), [[0], [1]])
    features = PathFeatures().fit([candidate_graph(sentence, sentence.pairs[0])])
    assert list(features.vocabulary_) == ["length:none"]


def test_bad_kinds_are_an_error():
    with pytest.raises(ParameterError, match="expected kinds to be a sequence"):
        PathFeatures(kinds=("shape",)).fit([])
