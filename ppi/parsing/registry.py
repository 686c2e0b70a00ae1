"""Parsers by name."""

from __future__ import annotations

from ppi.errors import UnknownParserError
from ppi.parsing.conllu_parser import ConlluParser
from ppi.parsing.parser import Parser


def get_parser(name: str, *, entities: bool = True) -> Parser:
    """The parser called ``name``.

    Parameters
    ----------
    name
        ``shipped``, or ``shipped:GUIDELINE`` for whose idea of a protein name (``shipped:bc2gm`` genes and their
        products by name, which is the default; ``shipped:jnlpba`` proteins with their families); ``stanza`` or
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
    if kind == "shipped":
        from ppi.parsing.spacy_parser import shipped_parser
        from ppi.pipeline import GUIDELINE

        return shipped_parser(argument or GUIDELINE, entities=entities)
    if kind == "stanza":
        from ppi.parsing.stanza_parser import StanzaParser

        return StanzaParser.load(argument or "craft")
    if kind == "conllu":
        if not argument:
            raise UnknownParserError("expected conllu:PATH, got no path after 'conllu'")
        return ConlluParser.read(argument)
    from ppi.parsing.spacy_parser import installed_parser

    return installed_parser(name, entities=entities)
