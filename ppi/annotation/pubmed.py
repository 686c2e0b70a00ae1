"""The paper that a document is: its PubMed id and its year."""

from __future__ import annotations

import re

from corpora.types import Document

#: The remark by which the readers of PubMed, MEDLINE and PubMed Central say when a paper was published.
YEAR_INFON = "year"
_YEAR = re.compile(r"[12][0-9]{3}")

# a bare number is taken for a PubMed id only where it is too long for the number of a line or file
_PUBMED = re.compile(r"(?:PMID|pubmed)[:\s]*([1-9][0-9]{0,7})|([1-9][0-9]{4,7})", re.IGNORECASE)


def pubmed_id(document: Document) -> str | None:
    """The PubMed id of a document: its id, or that in its corpus, if it is one.

    Numbers of fewer than five digits need ``PMID`` before them: files and lines are numbered, too.

    >>> pubmed_id(Document("10022882")), pubmed_id(Document("AImed.d0", orig_id="PMID: 817")), pubmed_id(Document("12"))
    ('10022882', '817', None)
    """
    for candidate_id in (document.id, document.orig_id):
        if candidate_id is not None and (match := _PUBMED.fullmatch(candidate_id.strip())):
            return match[1] or match[2]
    return None


def year_of(document: Document) -> int | None:
    """The year in which the document was published, where its file says so.

    >>> year_of(Document("d", infons=(("journal", "J"), ("year", "1999")))), year_of(Document("d"))
    (1999, None)
    """
    year_text = next((value for name, value in document.infons if name == YEAR_INFON), "")
    return int(year_text) if _YEAR.fullmatch(year_text.strip()) else None
