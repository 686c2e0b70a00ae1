"""Writing Turku PPI XML: inclusive ends and explicit negatives, as the five corpora have them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import IO

from lxml import etree

from corpora.formats.common import peek_corpus
from corpora.loss import ConversionLosses
from corpora.types import DependencyGraph, Document, Entity, Infons, Pair, Sentence, Span, Token
from corpora.xml import unwritable_error

_XML_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


def write(documents: Iterable[Document], output: IO[bytes], losses: ConversionLosses) -> None:
    """Write documents to a binary file, one at a time in memory.

    What the format has no place for (document-level relations, events, multiword tokens) is counted in ``losses``.
    """
    corpus, documents = peek_corpus(documents)
    try:
        root = etree.Element("corpus", {} if corpus is None else {"source": corpus})
    except ValueError as error:
        raise unwritable_error(error, None) from None
    with etree.xmlfile(output, encoding="utf-8") as file:
        file.write_declaration()
        with file.element(root.tag, root.attrib):
            for document in documents:
                file.write("\n", _document(document, corpus, losses), with_tail=False)
            file.write("\n")
    output.write(b"\n")


def _document(document: Document, corpus: str | None, losses: ConversionLosses) -> etree._Element:
    losses.drop("document-level relations", len(document.relations) + len(document.concept_relations))
    losses.drop_events(document)
    try:
        element = _element("document", document.infons, losses, id=document.id, origId=document.orig_id)
        if document.corpus != corpus:
            element.set("source", document.corpus or "")
        element.extend(_sentence(sentence, losses) for sentence in document.sentences)
    except ValueError as error:
        raise unwritable_error(error, document.id) from None
    etree.indent(element, level=1)
    return element


def _sentence(sentence: Sentence, losses: ConversionLosses) -> etree._Element:
    element = _element("sentence", sentence.infons, losses, id=sentence.id, origId=sentence.orig_id, text=sentence.text)
    if sentence.offset:
        # never read back as an end: the sentence's own length says where it stops
        element.set("charOffset", _char_offset([(sentence.offset, sentence.offset + max(len(sentence.text), 1))]))
    element.extend(_entity(entity, losses) for entity in sentence.entities)
    element.extend(_pair(pair, losses) for pair in sentence.pairs)
    if sentence.parses:
        element.append(_analyses(sentence.parses, losses))
    return element


def _entity(entity: Entity, losses: ConversionLosses) -> etree._Element:
    usable = [identifier for identifier in entity.identifiers if identifier.split() == [identifier]]
    losses.drop("identifiers with white space", len(entity.identifiers) - len(usable))
    return _element(
        "entity",
        entity.infons,
        losses,
        id=entity.id,
        origId=entity.orig_id,
        charOffset=_char_offset(entity.spans),
        text=entity.text,
        type=entity.type,
        identifiers=" ".join(usable) or None,
    )


def _pair(pair: Pair, losses: ConversionLosses) -> etree._Element:
    label = None if pair.label is None else str(pair.label)
    return _element("pair", pair.infons, losses, id=pair.id, e1=pair.e1, e2=pair.e2, interaction=label, type=pair.type)


def _analyses(graphs: tuple[DependencyGraph, ...], losses: ConversionLosses) -> etree._Element:
    analyses = etree.Element("sentenceanalyses")
    parses = etree.SubElement(analyses, "parses")
    tokenizations = etree.SubElement(analyses, "tokenizations")
    tokens_by_tokenizer: dict[str, tuple[Token, ...]] = {}
    for graph in graphs:
        losses.drop("multiword tokens", len(graph.multiwords))
        if tokens_by_tokenizer.setdefault(graph.tokenizer, graph.tokens) != graph.tokens:
            losses.drop("parses whose tokenization differs from another of the same name")
            continue
        if graph.parser is None:
            continue
        parse = _element(
            "parse",
            (),
            losses,
            parser=graph.parser,
            tokenizer=graph.tokenizer,
            roots=" ".join(graph.roots) or None,
        )
        parses.append(parse)
        for number, arc in enumerate(graph.dependencies, start=1):
            etree.SubElement(
                parse,
                "dependency",
                id=f"{graph.parser}_{number}",
                t1=arc.governor,
                t2=arc.dependent,
                type=arc.type,
            )
    for name, tokens in tokens_by_tokenizer.items():
        tokenization = etree.SubElement(tokenizations, "tokenization", tokenizer=name)
        tokenization.extend(_token(token, losses) for token in tokens)
    return analyses


def _token(token: Token, losses: ConversionLosses) -> etree._Element:
    return _element(
        "token",
        (),
        losses,
        id=token.id,
        charOffset=_char_offset([(token.start, token.end)]),
        text=token.text,
        POS=token.pos,
        lemma=token.lemma,
        upos=token.upos,
        feats=token.feats,
        misc=token.misc,
    )


def _element(tag: str, infons: Infons, losses: ConversionLosses, **attributes: str | None) -> etree._Element:
    present = {name: value for name, value in attributes.items() if value is not None}
    for name, value in infons:
        if name in present or not _XML_NAME.fullmatch(name):
            losses.drop("remarks whose name is taken or no XML name")
        else:
            present[name] = value
    return etree.Element(tag, present)


def _char_offset(spans: Iterable[Span]) -> str:
    return ",".join(f"{start}-{end - 1}" for start, end in spans)
