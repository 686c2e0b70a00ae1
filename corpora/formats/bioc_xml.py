"""BioC XML; see :mod:`corpora.formats.bioc_model` for what its elements become."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any

from lxml import etree

from corpora.errors import CorpusError, FormatError
from corpora.formats import bioc_model as bioc
from corpora.formats.bioc_reader import read_documents
from corpora.formats.bioc_writer import to_bioc
from corpora.formats.common import peek_corpus
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Document
from corpora.xml import iter_elements, line_of, make_other_counter, unwritable_error

_ELEMENTS = ("id", "infon", "passage", "offset", "text", "sentence", "annotation", "location", "relation", "node")
_count_unknown = make_other_counter(*_ELEMENTS, axis="descendant")


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Documents of a BioC XML file, streamed."""
    return read_documents(_parse_documents(source, losses), source, losses)


def write(documents: Iterable[Document], output: IO[bytes], losses: ConversionLosses) -> None:
    """Write one collection to a binary file, a document at a time in memory."""
    corpus, documents = peek_corpus(documents)
    with etree.xmlfile(output, encoding="utf-8") as file:
        file.write_declaration(standalone=None)
        file.write_doctype('<!DOCTYPE collection SYSTEM "BioC.dtd">')
        with file.element("collection"):
            try:
                for tag, text in (("source", corpus or ""), ("date", ""), ("key", "")):
                    file.write("\n  ", _leaf(tag, text))
            except ValueError as error:
                raise unwritable_error(error, None) from None
            for document in documents:
                file.write("\n  ", _document_element(to_bioc(document, corpus, losses)), with_tail=False)
            file.write("\n")
    output.write(b"\n")


def _parse_documents(source: Source, losses: ConversionLosses) -> Iterator[bioc.BioCDocument]:
    corpus: str | None = None
    first = True
    for element in iter_elements(source, "document", root="collection"):
        try:
            if first:  # the collection's own children are gone once the first document is read
                corpus, first = _source(element, losses), False
            losses.drop("elements that BioC does not have", int(_count_unknown(element)))
            yield _document(element, corpus)
        except CorpusError as error:
            source.reject(error, line_of(element))


def _source(document: etree._Element, losses: ConversionLosses) -> str | None:
    collection = document.getparent()
    if collection is None:
        return None
    losses.drop("remarks of the collection", len(collection.findall("infon")))
    return _optional_text(collection, "source")


def _document(element: etree._Element, corpus: str | None) -> bioc.BioCDocument:
    id = _optional_text(element, "id")
    if id is None:
        raise FormatError("expected an <id> in <document>, got none", line=line_of(element))
    return bioc.BioCDocument(
        id,
        [_passage(child) for child in element.iterchildren("passage")],
        _annotations(element),
        _relations(element),
        _infons(element),
        corpus,
        line_of(element),
    )


def _passage(element: etree._Element) -> bioc.BioCPassage:
    passage = bioc.BioCPassage(*_part(element))
    passage.sentences = [bioc.BioCSentence(*_part(child)) for child in element.iterchildren("sentence")]
    return passage


def _part(element: etree._Element) -> tuple[Any, ...]:
    """What passages and sentences have in common, as their first arguments."""
    offset = _optional_text(element, "offset")
    if offset is None:
        raise FormatError(f"expected an <offset> in <{element.tag}>, got none", line=line_of(element))
    return (
        _number(offset, "an <offset>", element),
        _optional_text(element, "text"),
        _annotations(element),
        _relations(element),
        _infons(element),
        line_of(element),
    )


def _annotations(element: etree._Element) -> list[bioc.BioCAnnotation]:
    return [
        bioc.BioCAnnotation(
            child.get("id"),
            _optional_text(child, "text"),
            [
                (_attribute(location, "offset", child), _attribute(location, "length", child))
                for location in child.iterchildren("location")
            ],
            _infons(child),
            line_of(child),
        )
        for child in element.iterchildren("annotation")
    ]


def _relations(element: etree._Element) -> list[bioc.BioCRelation]:
    return [
        bioc.BioCRelation(
            child.get("id"),
            [(node.get("refid", ""), node.get("role", "")) for node in child.iterchildren("node")],
            _infons(child),
            line_of(child),
        )
        for child in element.iterchildren("relation")
    ]


def _infons(element: etree._Element) -> bioc.InfonList:
    return [(child.get("key", ""), _text(child)) for child in element.iterchildren("infon")]


def _optional_text(element: etree._Element, tag: str) -> str | None:
    child = next(element.iterchildren(tag), None)
    return None if child is None else _text(child)


def _text(element: etree._Element) -> str:
    if len(element):  # an element, or a reference to an entity that is declared elsewhere
        raise FormatError(
            f"expected only text in <{element.tag}>, got {etree.tostring(element[0], with_tail=False)[:40]!r}",
            line=line_of(element),
        )
    return element.text or ""


def _attribute(element: etree._Element, name: str, annotation: etree._Element) -> int:
    return _number(element.get(name), f"{name}= of a <location>", annotation)


def _number(written: str | None, what: str, element: etree._Element) -> int:
    if written is None or not bioc.NUMBER.fullmatch(written.strip()):
        raise FormatError(f"expected a number as {what}, got {written!r}", id=element.get("id"), line=line_of(element))
    return int(written)


def _document_element(document: bioc.BioCDocument) -> etree._Element:
    try:
        element = etree.Element("document")
        element.append(_leaf("id", document.id))
        element.extend(_infon_elements(document.infons))
        element.extend(_part_element("passage", passage) for passage in document.passages)
        element.extend(_relation_elements(document.relations))
    except ValueError as error:
        raise unwritable_error(error, document.id) from None
    etree.indent(element, level=1)
    return element


def _part_element(tag: str, part: bioc.BioCSentence) -> etree._Element:
    element = etree.Element(tag)
    element.extend(_infon_elements(part.infons))
    element.append(_leaf("offset", str(part.offset)))
    if part.text is not None:
        element.append(_leaf("text", part.text))
    if isinstance(part, bioc.BioCPassage):
        element.extend(_part_element("sentence", sentence) for sentence in part.sentences)
    for annotation in part.annotations:
        child = etree.SubElement(element, "annotation", id=annotation.id or "")
        child.extend(_infon_elements(annotation.infons))
        for offset, length in annotation.locations:
            etree.SubElement(child, "location", offset=str(offset), length=str(length))
        child.append(_leaf("text", annotation.text or ""))
    element.extend(_relation_elements(part.relations))
    return element


def _relation_elements(relations: list[bioc.BioCRelation]) -> Iterator[etree._Element]:
    for relation in relations:
        element = etree.Element("relation", id=relation.id or "")
        element.extend(_infon_elements(relation.infons))
        for refid, role in relation.nodes:
            etree.SubElement(element, "node", refid=refid, role=role)
        yield element


def _infon_elements(infons: bioc.InfonList) -> Iterator[etree._Element]:
    for name, value in infons:
        element = _leaf("infon", value)
        element.set("key", name)
        yield element


def _leaf(tag: str, text: str) -> etree._Element:
    element = etree.Element(tag)
    element.text = text
    return element
