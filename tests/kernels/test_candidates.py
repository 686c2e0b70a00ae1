"""Candidate graphs against the definition, and one behaviour for each odd case."""

import numpy as np
import pytest
from hypothesis import given
from kernel_twins import make_sentence, naive_candidate, sentences

from corpora import Document, Pair, Sentence
from kernels.candidates import candidate_graph, candidate_graphs
from kernels.errors import GraphError
from kernels.sentence_graphs import sentence_graph

_NAMES = {0: set(), 1: {"PROT1"}, 2: {"PROT2"}, 3: {"PROT1", "PROT2"}, 4: {"PROT"}}


def test_hand_worked_candidate(binding):
    graph = candidate_graph(binding, binding.pairs[0])
    assert graph.roles.tolist() == [1, 0, 2, 0, 4]
    assert graph.places.tolist() == [1, 1, 1, 2, 2]
    assert graph.token_on_path.tolist() == [True, True, True, False, False]
    assert graph.arc_on_path.tolist() == [True, True, False]
    assert graph.path_length == 2
    assert graph.label is True


@given(sentences())
def test_candidates_equal_the_definition(sentence):
    graphs = candidate_graphs([Document("d", (sentence,))])
    assert [graph.pair for graph in graphs] == list(sentence.pairs)
    for graph in graphs:
        roles, places, on_path, length = naive_candidate(sentence, graph.pair)
        assert [_NAMES[role] for role in graph.roles.tolist()] == roles
        assert ["BMA"[place] for place in graph.places] == places
        assert {t for t, on in enumerate(graph.token_on_path) if on} == {v for v in on_path if isinstance(v, int)}
        assert {a for a, on in enumerate(graph.arc_on_path) if on} == {v[1] for v in on_path if not isinstance(v, int)}
        assert graph.path_length == length
        alone = candidate_graph(sentence, graph.pair, document_id="d")
        for name in ("roles", "places", "token_on_path", "arc_on_path"):
            np.testing.assert_array_equal(getattr(alone, name), getattr(graph, name))


def test_prot1_is_first_in_the_text_whatever_the_pair_calls_e1(binding):
    swapped = Pair("x", "e1", "e0")
    graph = candidate_graph(binding, swapped)
    assert (graph.prot1, graph.prot2) == ("e0", "e1")
    np.testing.assert_array_equal(graph.roles, candidate_graph(binding, binding.pairs[0]).roles)


def test_entities_with_the_same_offsets_follow_the_order_of_the_sentence():
    sentence = make_sentence(["x", "y"], [(0, 1, "d")], [[1], [1]])
    graph = candidate_graph(sentence, Pair("p", "e1", "e0"))
    assert (graph.prot1, graph.prot2) == ("e0", "e1")
    assert graph.roles.tolist() == [0, 3]
    assert graph.path_length == 0
    assert graph.token_on_path.tolist() == [False, True]
    assert not graph.arc_on_path.any()


def test_entity_that_covers_no_token_gives_no_role_and_no_path():
    sentence = make_sentence(["x", "y"], [(0, 1, "d")], [[(1, 2)], [1]])  # the first is the space
    graph = candidate_graph(sentence, sentence.pairs[0])
    assert graph.roles.tolist() == [0, 2]
    assert graph.path_length == -1
    assert not graph.token_on_path.any()


def test_entity_that_begins_inside_a_token_covers_it():
    sentence = make_sentence(["anti-IL2", "binds", "B"], [(1, 0, "s"), (1, 2, "o")], [[(5, 8)], [2]])
    assert candidate_graph(sentence, sentence.pairs[0]).roles.tolist() == [1, 0, 2]


def test_pairs_own_entities_hide_the_others():
    sentence = make_sentence(["x", "y"], [(0, 1, "d")], [[0], [1], [0, 1]])
    assert candidate_graph(sentence, sentence.pairs[0]).roles.tolist() == [1, 2]


def test_self_pair_is_a_graph(binding):
    graph = candidate_graph(binding, Pair("p", "e0", "e0"))
    assert graph.roles.tolist() == [3, 0, 4, 0, 4]
    assert graph.path_length == 0


def test_sentence_without_a_parse_keeps_its_tokens():
    sentence = make_sentence(["x", "y", "z"], (), [[0], [2]], parser=None)
    graph = candidate_graph(sentence, sentence.pairs[0])
    assert graph.base.n_tokens == 3
    assert graph.base.n_arcs == 0
    assert graph.path_length == -1


def test_sentence_without_tokens_is_split_into_words():
    sentence = make_sentence(["p53", "binds", "x"], (), [[0], [2]])
    bare = Sentence("s", sentence.text, sentence.entities, sentence.pairs)
    assert [token.text for token in sentence_graph(bare).tokens] == ["p53", "binds", "x"]
    assert candidate_graph(bare, bare.pairs[0]).roles.tolist() == [1, 0, 2]


def test_unknown_parser_is_an_error(binding):
    with pytest.raises(GraphError, match=r"a parse named 'wrong' in sentence 's', got \['p'\]"):
        candidate_graph(binding, binding.pairs[0], parser="wrong")


def test_unknown_entity_is_an_error(binding):
    with pytest.raises(GraphError, match="got 'nobody'"):
        candidate_graph(binding, Pair("p", "e0", "nobody"))


def test_arrays_are_read_only(binding):
    graph = candidate_graph(binding, binding.pairs[0])
    for array in (graph.roles, graph.places, graph.token_on_path, graph.arc_on_path, graph.base.governors):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_lll_has_its_pairs(lll):
    assert len(lll) == 330
    assert sum(graph.label is True for graph in lll) == 164
    assert len({graph.document_id for graph in lll}) <= 45
