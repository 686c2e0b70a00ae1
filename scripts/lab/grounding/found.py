"""The texts as the application sees them: its sentences, its names with their long forms, before identifiers."""

from __future__ import annotations

from collections.abc import Sequence

from corpora import Document
from ppi.annotation import get_process_parser, is_protein
from ppi.grounding import expand_abbreviations
from ppi.language import DEFAULT_PARSER


def named(documents: Sequence[Document], *, find: bool = True) -> list[Document]:
    """The documents in sentences, with the names that are found in them or, without ``find``, with those they have."""
    parsed = get_process_parser(DEFAULT_PARSER).parse(documents, names=find, pairs_of=is_protein)
    return [expand_abbreviations(document, from_pipeline=find) for document in parsed]
