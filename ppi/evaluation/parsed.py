"""Corpora with the parse that somebody asks for: one from the file, or a fresh one by a parser."""

from __future__ import annotations

import corpora
from corpora.types import Document


def load_parsed(path_or_name: str, parser: str | None) -> list[Document]:
    """Load a corpus with one parse: that of the name ``parser`` or, where it has none of that name, a fresh one.

    A fresh parse has collapsed dependencies; passages are split, and what has a parse stays one sentence.
    None leaves the corpus as it is.
    """
    return with_parse(corpora.load(path_or_name), parser)


def with_parse(documents: list[Document], parser: str | None) -> list[Document]:
    """The documents with one parse, as :func:`load_parsed` gives it."""
    if parser is None:
        return documents
    if any(parser in sentence.parsers for document in documents for sentence in document.sentences):
        return [document.with_parses([parser]) for document in documents]
    from ppi.parsing import parse_documents

    return list(parse_documents(documents, parser, dependencies="collapsed", keep_parses=False))
