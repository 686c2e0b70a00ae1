"""Finds parsers by name, and the parses that a file brought along."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from corpora import CorpusError, DependencyGraph, Sentence
from ppi.core import MissingExtraError, ParseError, UnknownParserError, UsageError
from ppi.language.parsers.external import ConlluParser, StanzaParser
from ppi.language.parsers.interface import Parser
from ppi.language.shipped_pipeline import SHIPPED, parse_shipped_options

#: The parser that takes the parses of the file; ``given:NAME`` takes the parse of that name, where there are several.
GIVEN = "given"


def get_given_name(parser: str) -> str | None:
    """Of ``given:NAME`` the name, of ``given`` the empty text; None for other parsers.

    >>> get_given_name("given:split_parse"), get_given_name("given"), get_given_name("shipped")
    ('split_parse', '', None)
    """
    kind, _, name = parser.partition(":")
    return name if kind == GIVEN else None


def get_given_graph(sentence: Sentence, parser: str | None = None) -> DependencyGraph:
    """The one parse of the sentence, or the one named; a ParseError if there is none, or several and none was named."""
    try:
        return sentence.parse(parser)
    except CorpusError as error:
        raise ParseError(f"{error}; or parse the text with another parser, such as 'shipped'") from None


def check_parser(name: str) -> None:
    """Refuse the name of a parser that is not there, without loading any; what :func:`get_parser` raises."""
    if not isinstance(name, str) or not name:
        raise UsageError(f"expected the name of a parser of `ppi parse`, such as 'shipped', got {name!r}")
    kind, _, argument = name.partition(":")
    if name == SHIPPED or get_given_name(name) is not None:
        return
    if kind == SHIPPED:
        parse_shipped_options(argument)
    elif kind == "stanza":
        if importlib.util.find_spec("stanza") is None:
            raise MissingExtraError("stanza", "stanza")
    elif kind == "conllu":
        if not argument:
            raise UnknownParserError("expected conllu:PATH, got no path after 'conllu'")
        if not Path(argument).is_file():
            raise UnknownParserError(f"expected conllu:PATH with the path of a file, got {argument!r}, which is none")
    else:
        from ppi.language.parsers.spacy_parser import check_installed

        check_installed(name)


def get_parser(name: str, *, entities: bool = True) -> Parser:
    """The parser called ``name``.

    Parameters
    ----------
    name
        ``shipped``, or ``shipped:GUIDELINE`` for whose idea of a protein name (``shipped:bc2gm`` genes and their
        products by name, which is the default; ``shipped:jnlpba`` proteins with their families), and ``+rerank``
        behind that, or ``shipped:rerank``, for the best of a beam by a trained ranker; ``stanza`` or
        ``stanza:PACKAGE`` (such as ``stanza:craft``); ``conllu:PATH``; or the name of an installed spaCy pipeline.
    entities
        Whether the parser should look for names, if it can.

    Raises
    ------
    UnknownParserError
        If there is none of that name.
    MissingModelError
        If its model is not there.
    MissingExtraError
        If it needs a package that is not installed.
    """
    kind, _, argument = name.partition(":")
    if kind == SHIPPED:
        from ppi.language.parsers.spacy_parser import load_shipped_parser

        guideline, rerank = parse_shipped_options(argument)
        return load_shipped_parser(guideline, entities=entities, rerank=rerank)
    if kind == "stanza":
        return StanzaParser.load(argument or "craft")
    if kind == "conllu":
        check_parser(name)
        return ConlluParser.read(argument)
    from ppi.language.parsers.spacy_parser import SpacyParser, load_installed_pipeline

    return SpacyParser(load_installed_pipeline(name), name=name, entities=entities)
