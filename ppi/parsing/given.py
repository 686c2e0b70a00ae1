"""Parses that the file brought along."""

from __future__ import annotations

from corpora.errors import CorpusError
from corpora.types import DependencyGraph, Sentence
from ppi.errors import ParseError

#: The name of this backend.
GIVEN = "given"


def given_graph(sentence: Sentence, parser: str | None = None) -> DependencyGraph:
    """The one parse of the sentence, or the one named.

    Raises
    ------
    ParseError
        If there is no such parse, or there are several and none was named.
    """
    try:
        return sentence.parse(parser)
    except CorpusError as error:
        raise ParseError(f"{error}; or parse the text with another backend, such as 'shipped'") from None
