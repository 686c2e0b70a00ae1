"""The set of arcs that collapsing rewrites."""

import pytest

from corpora import Dependency, DependencyGraph, Token
from ppi.language.dependencies import Arc, Arcs


@pytest.fixture
def arcs():
    tokens = tuple(Token(id, 3 * place, 3 * place + 2, id * 2, None) for place, id in enumerate("abcd"))
    given = [("b", "a", "nsubj"), ("b", "c", "dobj"), ("c", "d", "amod"), ("b", "d", "dep")]
    return Arcs(DependencyGraph("p", "t", tokens, tuple(Dependency(*each) for each in given)))


def test_arcs_are_found_from_both_ends_and_by_type(arcs):
    assert arcs.below(1) == [Arc(1, 0, "nsubj"), Arc(1, 2, "dobj"), Arc(1, 3, "dep")]
    assert arcs.below(1, "dobj", "amod") == [Arc(1, 2, "dobj")]
    assert set(arcs.above(3)) == {Arc(2, 3, "amod"), Arc(1, 3, "dep")}
    assert arcs.above(0, "dobj") == []


def test_no_arc_is_there_twice(arcs):
    arcs.add(1, 0, "nsubj")
    assert len(list(arcs)) == 4
    arcs.add(1, 0, "agent")
    assert len(list(arcs)) == 5


def test_what_is_removed_is_gone_from_both_ends(arcs):
    arcs.remove(Arc(1, 0, "nsubj"))
    arcs.remove(Arc(1, 0, "nsubj"))
    assert arcs.above(0) == arcs.below(1, "nsubj") == []


def test_dependencies_are_ordered_by_dependent_and_then_governor(arcs):
    found = [(arc.dependent, arc.governor) for arc in arcs.dependencies()]
    assert found == sorted(found) == [("a", "b"), ("c", "b"), ("d", "b"), ("d", "c")]


def test_words_are_in_lower_case_without_spaces_and_tags_are_texts():
    tokens = (Token("1", 0, 7, "Due \t To", "IN"), Token("2", 8, 9, "X"))
    arcs = Arcs(DependencyGraph("p", "t", tokens))
    assert (arcs.word(0), arcs.tag(0), arcs.tag(1)) == ("due_to", "IN", "")
