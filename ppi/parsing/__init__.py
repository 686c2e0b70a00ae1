"""From text to dependency graphs: parsers behind one interface, and collapsed dependencies."""

from ppi.parsing.collapse import collapse, detect_scheme
from ppi.parsing.documents import parse, parse_documents
from ppi.parsing.parser import ParsedSentence, Parser, Request
from ppi.parsing.registry import get_parser

__all__ = [
    "ParsedSentence",
    "Parser",
    "Request",
    "collapse",
    "detect_scheme",
    "get_parser",
    "parse",
    "parse_documents",
]
