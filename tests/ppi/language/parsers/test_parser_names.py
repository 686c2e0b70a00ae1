"""Parsers and given parses by name."""

import pytest

from corpora import DependencyGraph, Sentence, Token
from ppi.core import MissingModelError, ParseError, UnknownParserError
from ppi.language.parsers.lookup import get_given_graph, get_given_name, get_parser


def test_given_parses_are_asked_for_by_name():
    assert [get_given_name(name) for name in ("given", "given:", "given:a:b", "givens", "")] == [
        "",
        "",
        "a:b",
        None,
        None,
    ]


def test_a_parse_that_is_not_there_says_what_is():
    tokens = (Token("1", 0, 3, "Abc"),)
    sentence = Sentence("s", "Abc", parses=tuple(DependencyGraph(name, "t", tokens) for name in "ab"))
    assert get_given_graph(sentence, "b").parser == "b"
    with pytest.raises(ParseError, match=r"expected a parse named 'c', got \['a', 'b'\].*another parser"):
        get_given_graph(sentence, "c")
    with pytest.raises(ParseError, match="expected exactly one parse"):
        get_given_graph(sentence)
    with pytest.raises(ParseError, match=r"got \[\]"):
        get_given_graph(Sentence("s", "Abc"))


def test_a_parser_that_nobody_has_is_refused():
    with pytest.raises(UnknownParserError, match="expected conllu:PATH, got no path after 'conllu'"):
        get_parser("conllu:")
    for name in ("nobody", "nobody:model", ""):
        with pytest.raises((UnknownParserError, MissingModelError), match="expected"):
            get_parser(name)
