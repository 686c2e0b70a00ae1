"""Parses that the file brought along."""

from __future__ import annotations

from corpora.errors import CorpusError
from corpora.types import DependencyGraph, Sentence
from ppi.errors import ParseError

#: The name of this parser; ``given:NAME`` takes the parse of that name, where there are several.
GIVEN = "given"


def get_given_name(parser: str) -> str | None:
    """Of ``given:NAME`` the name, of ``given`` the empty text; None for other parsers.

    >>> get_given_name("given:split_parse"), get_given_name("given"), get_given_name("shipped")
    ('split_parse', '', None)
    """
    kind, _, name = parser.partition(":")
    return name if kind == GIVEN else None


def get_given_graph(sentence: Sentence, parser: str | None = None) -> DependencyGraph:
    """The one parse of the sentence, or the one named.

    Raises
    ------
    ParseError
        If there is no such parse, or there are several and none was named.
    """
    try:
        return sentence.parse(parser)
    except CorpusError as error:
        raise ParseError(f"{error}; or parse the text with another parser, such as 'shipped'") from None
