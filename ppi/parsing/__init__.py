"""From text to dependency graphs: parsers behind one interface, and collapsed dependencies."""

from ppi.parsing.backend import Backend, ParsedSentence, Request
from ppi.parsing.collapse import collapse, detect_scheme
from ppi.parsing.documents import parse, parse_documents
from ppi.parsing.registry import get_backend

__all__ = [
    "Backend",
    "ParsedSentence",
    "Request",
    "collapse",
    "detect_scheme",
    "get_backend",
    "parse",
    "parse_documents",
]
