"""JATS (PubMed Central and most publishers): title, abstract, sections and captions of each article as passages.

Every paragraph is a passage, whose remarks say where it stands:

================  ==================================================================================================
``type``          ``title``, ``abstract``, ``heading``, ``paragraph``, ``caption`` (of a figure or table)
``section``       headings of the sections around it, ``Results > Binding of actin``
``section_type``  what the section is for, where its name says so: ``INTRO``, ``METHODS``, ``RESULTS``, ``DISCUSS`` ...
``label``         of a caption: ``Figure 1``
================  ==================================================================================================

Left out are the contents of tables, references, everything else behind the body (acknowledgements, funding,
abbreviations), displayed formulae, footnotes, supplements, reviews and translations that come with an article.  How the
running text is made is described in :mod:`corpora.formats.jats_text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from corpora.errors import CorpusError, FormatError
from corpora.formats.common import make_passages
from corpora.formats.jats_text import local_name, running_text
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document, Infons
from corpora.xml import iter_elements, line_of

ROOTS = ("article", "pmc-articleset", "OAI-PMH")
_SECTION_TYPES = (
    ("INTRO", re.compile(r"introduction|background|intro", re.IGNORECASE)),
    ("METHODS", re.compile(r"method|material|experimental proc|procedure", re.IGNORECASE)),
    ("RESULTS", re.compile(r"result|finding", re.IGNORECASE)),
    ("DISCUSS", re.compile(r"discussion", re.IGNORECASE)),
    ("CONCL", re.compile(r"conclusion|concluding|summary", re.IGNORECASE)),
    ("CASE", re.compile(r"case report|case presentation", re.IGNORECASE)),
    ("SUPPL", re.compile(r"supplement|supporting", re.IGNORECASE)),
)
#: Abstracts that are pictures, or repeat the others in fewer words.
_OTHER_ABSTRACTS = frozenset({"graphical", "toc", "teaser", "key-points", "web-summary", "video"})
_SKIPPED_ELEMENTS = frozenset(
    {
        *(
            "table",
            "ref-list",
            "ref",
            "disp-formula",
            "disp-formula-group",
            "fn",
            "fn-group",
            "table-wrap-foot",
            "code",
        ),
        *("supplementary-material", "preformat", "media", "graphic", "alternatives", "sub-article", "response", "ack"),
        *("glossary", "code", "def-list", "object-id", "permissions", "attrib", "alt-text", "long-desc", "verse-group"),
    }
)
_CAPTION_PARENTS = ("fig", "table-wrap")
_DOI_PREFIX = re.compile(r"https?://(?:dx\.)?doi\.org/", re.IGNORECASE)

_Texts = Iterator[tuple[str, Infons]]


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """One document per article, in bounded memory; its id is that of PubMed Central, or else PubMed's, or the DOI."""
    n_unnamed = 0
    for article in iter_elements(source, "{*}article", root=ROOTS):
        source.record_line = line_of(article)
        try:
            document = _document(article, source.stem if not n_unnamed else f"{source.stem}-{n_unnamed + 1}")
            n_unnamed += document.id.startswith(source.stem)
            yield document
        except CorpusError as error:
            source.reject(error, line_of(article))


def _document(article: etree._Element, default_id: str) -> Document:
    ids = _ids(article)
    pmc = ids.get("pmcid") or ids.get("pmc")
    pmc_id = pmc and f"PMC{pmc.upper().removeprefix('PMC')}"
    id = pmc_id or ids.get("pmid") or ids.get("doi") or default_id
    passages = make_passages(id, _texts(article))
    if not passages:
        raise FormatError("expected an article with a title, abstract or body, got none of them", id=id)
    orig_id = f"PMID:{ids['pmid']}" if "pmid" in ids else None
    return Document(id, passages, orig_id=orig_id, infons=_article_infons(article, ids))


def _ids(article: etree._Element) -> dict[str, str]:
    elements = article.iterfind("{*}front/{*}article-meta/{*}article-id")
    typed_ids = ((element.get("pub-id-type", ""), (element.text or "").strip()) for element in elements)
    return {kind: _DOI_PREFIX.sub("", value) for kind, value in typed_ids if value}


def _article_infons(article: etree._Element, ids: dict[str, str]) -> Infons:
    journal = article.find("{*}front/{*}journal-meta//{*}journal-title")
    year = article.find("{*}front/{*}article-meta/{*}pub-date/{*}year")
    values = {
        "journal": None if journal is None else running_text(journal),
        "year": None if year is None else running_text(year),
        "doi": ids.get("doi"),
    }
    return tuple((name, value) for name, value in values.items() if value)


def _texts(article: etree._Element) -> _Texts:
    meta = article.find("{*}front/{*}article-meta")
    if meta is not None:
        title = meta.find("{*}title-group/{*}article-title")
        if title is not None:
            yield running_text(title), (("type", "title"), ("section_type", "TITLE"))
        for abstract in meta.iterfind("{*}abstract"):
            if abstract.get("abstract-type") not in _OTHER_ABSTRACTS:
                yield from _abstract(abstract)
    for name in ("body", "floats-group"):
        for part in article.iterfind(f"{{*}}{name}"):
            yield from _blocks(part, (), None)


def _abstract(abstract: etree._Element) -> _Texts:
    for text, infons in _blocks(abstract, (), "ABSTRACT"):
        kept = tuple((name, value) for name, value in infons if name != "type")
        if dict(infons)["type"] == "paragraph":
            yield text, (("type", "abstract"), *kept)


def _blocks(parent: etree._Element, headings: tuple[str, ...], section_type: str | None) -> _Texts:
    """Paragraphs, headings and captions below an element, in order."""
    for element in parent:
        name = local_name(element)
        if name in _SKIPPED_ELEMENTS:
            continue
        if name == "sec":
            yield from _section(element, headings, section_type)
        elif name == "p":
            yield from _paragraph(element, headings, section_type)
        elif name in _CAPTION_PARENTS:
            yield from _caption(element, headings, section_type)
        elif name not in ("title", "label"):  # lists, quotations, boxes, groups of figures
            yield from _blocks(element, headings, section_type)


def _section(section: etree._Element, headings: tuple[str, ...], section_type: str | None) -> _Texts:
    title = next((child for child in section if local_name(child) == "title"), None)
    heading = "" if title is None else running_text(title)
    kind = section_type or _section_type(section.get("sec-type") or "") or _section_type(heading)
    inner = (*headings, heading) if heading else headings
    if heading:
        yield heading, _passage_infons("heading", headings, kind)
    yield from _blocks(section, inner, kind)


def _paragraph(paragraph: etree._Element, headings: tuple[str, ...], section_type: str | None) -> _Texts:
    """Its text, then what stands inside it but is not part of it: figures, tables, lists."""
    yield running_text(paragraph), _passage_infons("paragraph", headings, section_type)
    yield from _blocks(paragraph, headings, section_type)


def _caption(element: etree._Element, headings: tuple[str, ...], section_type: str | None) -> _Texts:
    label = next((running_text(child) for child in element if local_name(child) == "label"), "")
    infons = (*_passage_infons("caption", headings, section_type), *((("label", label),) if label else ()))
    for caption in element.iterfind("{*}caption"):
        for part in caption:
            if local_name(part) in ("title", "p"):
                yield running_text(part), infons


def _passage_infons(type: str, headings: tuple[str, ...], section_type: str | None) -> Infons:
    values = {"type": type, "section": " > ".join(headings), "section_type": section_type}
    return tuple((name, value) for name, value in values.items() if value)


def _section_type(name: str) -> str | None:
    return next((kind for kind, pattern in _SECTION_TYPES if pattern.search(name)), None)
