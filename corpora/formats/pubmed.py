"""PubMed XML (``PubmedArticleSet``), streamed: title and abstract sections of each citation as passages."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from corpora.errors import CorpusError
from corpora.formats.common import make_passages
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document, Infons
from corpora.xml import iter_elements, line_of

_CITATIONS = ("PubmedArticle", "PubmedBookArticle")
_TITLES = ("ArticleTitle", "BookTitle")


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """One document a citation, in bounded memory; its id is the PubMed id, with the version if not the first."""
    for citation in iter_elements(source, *_CITATIONS, root="PubmedArticleSet"):
        source.record_line = line_of(citation)
        try:
            yield _document(citation, source)
        except CorpusError as error:
            source.reject(error, line_of(citation))


def _document(citation: etree._Element, source: Source) -> Document:
    pmid = (citation.findtext(".//PMID") or "").strip()
    if not pmid:
        raise source.format_error(f"expected a PMID in <{citation.tag}>, got none", line_of(citation))
    version = next(citation.iter("PMID")).get("Version", "1")
    id = pmid if version == "1" else f"{pmid}.{version}"
    return Document(id, make_passages(id, _texts(citation)), orig_id=pmid, infons=_citation_infons(citation))


def _texts(citation: etree._Element) -> Iterator[tuple[str, Infons]]:
    title = next(citation.iter(*_TITLES), None)
    if title is not None and (text := _text(title)):
        yield text, (("type", "title"),)
    abstract = next(citation.iter("Abstract"), None)
    if abstract is None:
        return
    for section in abstract.iterchildren("AbstractText"):
        if text := _text(section):
            label = section.get("Label")
            yield text, (("type", "abstract"), *((("label", label),) if label else ()))


def _text(element: etree._Element) -> str:
    """Text without its markup (<i>, <sub>, MathML ...), white space folded."""
    return " ".join("".join(element.itertext()).split())


def _citation_infons(citation: etree._Element) -> Infons:
    values = {
        "journal": citation.findtext(".//Journal/Title"),
        "year": citation.findtext(".//PubDate/Year"),
    }
    return tuple((name, value.strip()) for name, value in values.items() if value and value.strip())
