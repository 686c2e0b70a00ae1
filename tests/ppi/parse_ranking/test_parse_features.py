from dataclasses import replace

import numpy as np
import pytest
from parse_sets import made_sets

from corpora import Dependency, DependencyGraph, Token
from kernels import ParameterError
from ppi.core import UsageError
from ppi.parse_ranking.candidate_parses import CandidateParse, CandidateSet
from ppi.parse_ranking.parse_features import LABELS, ParseFeatures, TaggedText, tag_texts

TOKENS = (Token("1", 0, 8, "Profilin", "n"), Token("2", 9, 14, "binds", "v"), Token("3", 15, 20, "actin", "n"))
TEXT = "Profilin binds actin"


def parsed(*arcs, tokens=TOKENS):
    return DependencyGraph("made", "made", tokens, tuple(Dependency(*arc) for arc in arcs))


def one_set(*graphs, costs=None):
    costs = costs or [None] * len(graphs)
    return CandidateSet(
        "s", TEXT, tuple(CandidateParse(g, n, c) for n, (g, c) in enumerate(zip(graphs, costs, strict=True)))
    )


def walk_kernel_from_definition(first, second, *, max_length, decay):
    """sum_ij G_ij G'_ij with G = sum_i decay^(i-1) L A^i L^T, written with dictionaries."""

    def label_pairs(graph):
        place = {token.id: n for n, token in enumerate(graph.tokens)}
        labels = [[f"w:{token.text.lower()}", f"p:{token.pos}"] for token in graph.tokens]
        A = np.zeros((len(labels) + len(graph.dependencies),) * 2)
        for arc in graph.dependencies:
            A[place[arc.governor], len(labels)] = A[len(labels), place[arc.dependent]] = 1.0
            labels.append([f"l:{arc.type}", f"L:{arc.type.rstrip('abcdefghijklmnopqrstuvwxyz') or arc.type}"])
        W = sum(decay ** (i - 1) * np.linalg.matrix_power(A, i) for i in range(1, max_length + 1))
        found = {}
        for k, j in zip(*np.nonzero(W), strict=True):
            for a in labels[k]:
                for b in labels[j]:
                    found[a, b] = found.get((a, b), 0.0) + W[k, j]
        return found

    left, right = label_pairs(first), label_pairs(second)
    return sum(value * right.get(pair, 0.0) for pair, value in left.items())


@pytest.mark.parametrize("max_length", [1, 2, 4])
def test_walks_equal_the_definition(max_length):
    graphs = [one.graph for one in made_sets(1, 5, seed=3)[0].candidates]
    features = ParseFeatures(max_length=max_length, decay=0.5, links=0.0, normalize=False, n_features=2**24)
    K = (lambda X: (X @ X.T).toarray())(features.transform([one_set(*graphs)]))
    wanted = [[walk_kernel_from_definition(a, b, max_length=max_length, decay=0.5) for b in graphs] for a in graphs]
    np.testing.assert_allclose(K, wanted, rtol=1e-12)


def test_normalized_groups_have_the_given_weights():
    X = ParseFeatures(links=0.25, n_features=2**12).transform([one_set(parsed(("1", "2", "Ss"), ("2", "3", "Os")))])
    np.testing.assert_allclose((X @ X.T).toarray(), [[1.25]])


def test_the_order_of_tokens_ids_changes_nothing():
    graph = parsed(("1", "2", "Ss"), ("2", "3", "Os"))
    names = {"1": "x", "2": "y", "3": "z"}
    renamed = parsed(
        ("x", "y", "Ss"), ("y", "z", "Os"), tokens=tuple(replace(token, id=names[token.id]) for token in TOKENS)
    )
    X = ParseFeatures(n_features=2**12).transform([one_set(graph, renamed)])
    assert abs(X[0] - X[1]).max() == 0.0


def test_links_that_differ_give_other_features():
    X = ParseFeatures(n_features=2**12).transform([one_set(parsed(("1", "2", "Ss")), parsed(("1", "2", "AN")))])
    K = (X @ X.T).toarray()
    assert K[0, 1] < 0.9 * K[0, 0]


def test_undirected_walks_go_both_ways():
    one_way, other_way = parsed(("1", "2", "S")), parsed(("2", "1", "S"))
    same = ParseFeatures(directed=False, links=0.0, n_features=2**12).transform([one_set(one_way, other_way)])
    differ = ParseFeatures(directed=True, links=0.0, n_features=2**12).transform([one_set(one_way, other_way)])
    assert abs(same[0] - same[1]).max() < 1e-12
    assert abs(differ[0] - differ[1]).max() > 0.1


@pytest.mark.parametrize("label", LABELS)
def test_each_kind_of_label_can_be_used_alone(label):
    features = ParseFeatures(labels=(label,), tags="shipped", links=0.0, n_features=2**12)
    X = features.transform([one_set(parsed(("1", "2", "Ss"), ("2", "3", "Os")))])
    assert X.nnz > 0


def test_generator_features_are_place_and_extra_cost():
    graph = parsed(("1", "2", "Ss"))
    features = ParseFeatures(links=0.0, generator=4.0, n_features=2**4)
    X = features.transform([one_set(graph, graph, costs=[3.0, 5.5])]).toarray()[:, -5:]
    np.testing.assert_allclose(X[0], [2.0, 0.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(X[1], 2.0 * np.array([0.0, 0.5, np.log(2.0), 2.5, np.log(3.5)]))
    without = features.transform([one_set(graph, graph)]).toarray()[:, -5:]
    np.testing.assert_allclose(without[1], 2.0 * np.array([0.0, 0.5, np.log(2.0), 0.0, 0.0]))


def test_a_parse_without_links_and_a_sentence_without_candidates():
    features = ParseFeatures(n_features=2**12)
    X = features.transform([one_set(parsed()), CandidateSet("t", "", ())])
    assert X.shape == (1, features.width)
    assert X.nnz > 0  # its unlinked tokens
    assert features.transform([]).shape == (0, features.width)


def test_some_rows_are_the_same_as_among_all():
    sets = made_sets(3, 4)
    features = ParseFeatures(generator=1.0, n_features=2**12)
    rows = np.array([1, 6, 11])
    assert abs(features.transform(sets, rows=rows) - features.transform(sets)[rows]).max() == 0.0


def test_shipped_tags_follow_the_characters_whatever_the_tokens_are():
    split = (
        Token("1", 0, 4, "Prof"),
        Token("2", 4, 8, "ilin"),
        Token("3", 9, 14, "binds"),
        Token("4", 15, 20, "actin"),
    )
    tagged = tag_texts([TEXT])[0]
    whole, cut = tagged.tags_of(TOKENS), tagged.tags_of(split)
    assert cut == [whole[0], whole[0], whole[1], whole[2]]
    assert all(whole)


def test_a_span_takes_the_tag_of_its_largest_part():
    text = TaggedText((0, 3, 10), (3, 9, 12), ("A", "B", "C"))
    assert text.tag_at(1, 9) == "B"
    assert text.tag_at(0, 4) == "A"
    assert text.tag_at(9, 10) is None
    assert TaggedText((), (), ()).tag_at(0, 5) is None


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"labels": ("lemma",)}, UsageError, r"expected labels among .* got \('lemma',\)"),
        ({"labels": ()}, UsageError, "at least one"),
        ({"tags": "gold"}, UsageError, "expected tags to be one of"),
        ({"links": -1.0}, UsageError, "expected links to be a finite number of 0 or more, got -1.0"),
        ({"max_length": 0}, ParameterError, "max_length"),
        ({"max_length": "long"}, ParameterError, "max_length"),
        ({"n_features": 1000}, ParameterError, "power of 2"),
    ],
)
def test_wrong_parameters_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        ParseFeatures(**arguments)
