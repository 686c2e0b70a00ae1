"""The paper that a document is, by its PubMed id."""

from __future__ import annotations

import re

from corpora.types import Document

# a bare number is taken for a PubMed id only where it is too long for the number of a line or file
_PUBMED = re.compile(r"(?:PMID|pubmed)[:\s]*([1-9][0-9]{0,7})|([1-9][0-9]{4,7})", re.IGNORECASE)


def pubmed_id(document: Document) -> str | None:
    """The PubMed id of a document: its id, or that in its corpus, if it is one.

    Numbers of fewer than five digits need ``PMID`` before them: files and lines are numbered, too.

    >>> pubmed_id(Document("10022882")), pubmed_id(Document("AImed.d0", orig_id="PMID: 817")), pubmed_id(Document("12"))
    ('10022882', '817', None)
    """
    for written in (document.id, document.orig_id):
        if written is not None and (found := _PUBMED.fullmatch(written.strip())):
            return found[1] or found[2]
    return None
