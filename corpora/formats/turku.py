"""Turku PPI XML: the unified format of the five interaction corpora, and its later variant.

``corpus > document > sentence`` with ``entity``, ``pair`` and analyses (tokenizations and parses).  The later
variant lists only what interacts, as ``interaction`` elements: there every other pair of entities of a sentence
is a negative, and of two interactions of the same entities the first counts.  What an analysis holds beyond tokens
and dependencies (phrases, bracketings, further attributes) is counted as lost.  Ends of ``charOffset`` are inclusive
in some distributions and exclusive in others, so the convention is decided for each file by looking at the
entities' text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from lxml import etree

from corpora.errors import CorpusError, Problem, ValidationError
from corpora.formats.common import FreeIds
from corpora.limits import check_annotations
from corpora.loss import ConversionLosses
from corpora.source import Source
from corpora.types import Dependency, DependencyGraph, Document, Entity, Infons, Pair, Sentence, Span, Token, text_at
from corpora.xml import iter_elements, line_of, make_other_counter, require_attribute

#: How many entities are looked at to decide whether ends are inclusive.
CONVENTION_SAMPLE = 200

_LABELS = {"True": True, "False": False, None: None}
# attributes that have a field of their own; whatever else an element carries is kept as its infons
_ORIGINAL_IDS = ("origId", "origID")
_KNOWN_ATTRIBUTES = {
    "document": {"id", "source", *_ORIGINAL_IDS},
    "sentence": {"id", "text", "charOffset", *_ORIGINAL_IDS},
    "entity": {"id", "text", "charOffset", "type", "identifiers", *_ORIGINAL_IDS},
    "pair": {"id", "e1", "e2", "interaction", "type"},
    "interaction": {"id", "e1", "e2", "type"},
    "tokenization": {"tokenizer"},
    "token": {"id", "text", "charOffset", "POS", "lemma", "upos", "feats", "misc"},
    "parse": {"parser", "tokenizer", "roots"},
    "dependency": {"id", "t1", "t2", "type"},
}
_ANALYSES = ("sentenceanalyses", "analyses")
_count_elements = etree.XPath("count(descendant::*)")
_count_unknown_of_sentences = make_other_counter("entity", "pair", "interaction", *_ANALYSES, axis="sentence/child")
_count_annotations = etree.XPath("count(sentence/entity) + count(sentence/pair) + count(sentence/interaction)")
_count_unknown_of_document = make_other_counter("sentence")


@dataclass(frozen=True)
class Conventions:
    """What one file means by its offsets and by the pairs it lists."""

    #: 1 where ends are inclusive, 0 where they are exclusive
    end_shift: int
    #: whether pairs are ``interaction`` elements, all of them positive
    only_positives: bool


def read(source: Source, losses: ConversionLosses) -> Iterator[Document]:
    """Documents of a Turku PPI XML file, streamed."""
    conventions = _conventions(source)
    for element in iter_elements(source, "document", root="corpus"):
        corpus = element.get("source") or element.getparent().get("source")
        sentences = []
        try:
            check_annotations(int(_count_annotations(element)), element.get("id"))
        except CorpusError as error:
            source.reject(error, line_of(element))
            continue
        _count_losses(element, losses)
        for part in element.iterchildren("sentence"):
            try:
                sentence = _sentence(part, source, conventions, losses)
                sentences.append(sentence)
                if source.problems is not None and (odd := list(sentence.token_problems())):
                    source.report_problems(_with_lines(ValidationError(odd), part), line_of(part))
            except CorpusError as error:
                source.reject(_with_lines(error, part), line_of(part))
        try:
            id = require_attribute(element, "id", source)
            source.record_line = line_of(element)
            yield Document(id, tuple(sentences), (), corpus, _original_id(element), _infons(element))
        except CorpusError as error:
            source.reject(_with_lines(error, element), line_of(element))


def _count_losses(document: etree._Element, losses: ConversionLosses) -> None:
    """Count what the readers of the parts pass over; once a document, because reading should stay fast."""
    losses.drop("elements of documents other than sentences", int(_count_unknown_of_document(document)))
    losses.drop("elements of sentences other than entities and pairs", int(_count_unknown_of_sentences(document)))
    for kind in ("tokenization", "token", "parse", "dependency"):
        # tools give all elements of one kind the same attributes, so that the first one tells
        first = next(document.iter(kind), None)
        if first is not None and not _KNOWN_ATTRIBUTES[kind].issuperset(first.attrib):
            extra = sum(len(set(child.attrib) - _KNOWN_ATTRIBUTES[kind]) for child in document.iter(kind))
            losses.drop(f"further attributes of <{kind}>", extra)


def _conventions(source: Source) -> Conventions:
    """Look at the first entities' text, and at the kind of the first pair, before reading in earnest."""
    inclusive = exclusive = 0
    kind = None
    for sentence in iter_elements(source, "sentence", root="corpus"):
        text = sentence.get("text", "")
        for entity in sentence.iterchildren("entity"):
            try:
                spans = _spans(entity, 0)
            except CorpusError:
                continue
            inclusive += text_at(text, ((start, end + 1) for start, end in spans)) == entity.get("text")
            exclusive += text_at(text, spans) == entity.get("text")
        first_pair = next(sentence.iterchildren("pair", "interaction"), None)
        kind = first_pair.tag if kind is None and first_pair is not None else kind
        if kind is not None and inclusive + exclusive >= CONVENTION_SAMPLE:
            break
    return Conventions(int(inclusive >= exclusive), kind == "interaction")


def _sentence(element: etree._Element, source: Source, conventions: Conventions, losses: ConversionLosses) -> Sentence:
    id = require_attribute(element, "id", source)
    shift = conventions.end_shift
    entities = tuple(_entity(child, source, shift) for child in element.iterchildren("entity"))
    if conventions.only_positives:
        pairs = _pairs_from_positives(element, source, id, entities, losses)
    else:
        pairs = tuple(_pair(child, source) for child in element.iterchildren("pair"))
    other = "pair" if conventions.only_positives else "interaction"
    losses.drop(f"<{other}> elements in a file of the other kind", sum(1 for _ in element.iterchildren(other)))
    return Sentence(
        id,
        require_attribute(element, "text", source),
        entities,
        pairs,
        _parses(element, source, shift, losses),
        _spans(element, shift)[0][0] if element.get("charOffset") else 0,
        _original_id(element),
        _infons(element),
    )


def _entity(element: etree._Element, source: Source, shift: int) -> Entity:
    require_attribute(element, "charOffset", source)
    return Entity(
        require_attribute(element, "id", source),
        require_attribute(element, "text", source),
        _spans(element, shift),
        element.get("type"),
        tuple(element.get("identifiers", "").split()),
        _original_id(element),
        _infons(element),
    )


def _pair(element: etree._Element, source: Source) -> Pair:
    written = element.get("interaction")
    if written not in _LABELS:
        raise source.format_error(
            f"expected interaction='True' or 'False' or none at all, got {written!r}",
            line_of(element),
            element.get("id"),
        )
    return Pair(
        require_attribute(element, "id", source),
        require_attribute(element, "e1", source),
        require_attribute(element, "e2", source),
        _LABELS[written],
        element.get("type"),
        _infons(element),
    )


def _pairs_from_positives(
    element: etree._Element, source: Source, sentence_id: str, entities: tuple[Entity, ...], losses: ConversionLosses
) -> tuple[Pair, ...]:
    """The listed interactions, then every pair that is not listed, as a negative."""
    positives: dict[frozenset[str], Pair] = {}
    for child in element.iterchildren("interaction"):
        pair = Pair(
            require_attribute(child, "id", source),
            require_attribute(child, "e1", source),
            require_attribute(child, "e2", source),
            True,
            child.get("type"),
            _infons(child),
        )
        first = positives.setdefault(frozenset((pair.e1, pair.e2)), pair)
        losses.drop("further interactions of the same entities", first is not pair)
    free_ids = FreeIds(pair.id for pair in positives.values())
    ids = dict.fromkeys(entity.id for entity in entities)
    unlisted = (ends for ends in combinations(ids, 2) if frozenset(ends) not in positives)
    return (
        *positives.values(),
        *(Pair(free_ids.new(f"{sentence_id}.p", start=0), e1, e2, False) for e1, e2 in unlisted),
    )


def _parses(
    element: etree._Element, source: Source, shift: int, losses: ConversionLosses
) -> tuple[DependencyGraph, ...]:
    tokenizations = {
        require_attribute(child, "tokenizer", source): tuple(
            _token(token, source, shift) for token in child.iterchildren("token")
        )
        for child in element.iter("tokenization")
    }
    parses, used = [], set()
    for child in element.iter("parse"):
        tokenizer = require_attribute(child, "tokenizer", source)
        if tokenizer not in tokenizations:
            raise ValidationError(
                f"expected one of the tokenizations {list(tokenizations)}, got {tokenizer!r}",
                id=child.get("parser"),
                line=line_of(child),
            )
        used.add(tokenizer)
        arcs = tuple(
            Dependency(
                require_attribute(arc, "t1", source),
                require_attribute(arc, "t2", source),
                require_attribute(arc, "type", source),
            )
            for arc in child.iterchildren("dependency")
        )
        roots = tuple(child.get("roots", "").split())
        parses.append(
            DependencyGraph(
                require_attribute(child, "parser", source), tokenizer, tokenizations[tokenizer], arcs, roots
            )
        )
    parses.extend(DependencyGraph(None, name, tokens) for name, tokens in tokenizations.items() if name not in used)
    n_kept = sum(len(tokens) + 1 for tokens in tokenizations.values())
    n_kept += sum(len(graph.dependencies) + (graph.parser is not None) for graph in parses)
    _count_analysis_losses(element, n_kept, losses)
    return tuple(parses)


def _count_analysis_losses(element: etree._Element, n_kept: int, losses: ConversionLosses) -> None:
    n_elements = 0
    for part in element.iterchildren(*_ANALYSES):
        n_elements += int(_count_elements(part)) - sum(1 for _ in part.iterchildren("parses", "tokenizations"))
    losses.drop("phrases, bracketings and other elements of analyses", max(n_elements - n_kept, 0))


def _token(element: etree._Element, source: Source, shift: int) -> Token:
    get = element.get
    id, text, char_offset = get("id"), get("text"), get("charOffset")
    if id is None or text is None or char_offset is None:
        missing = "id" if id is None else "text" if text is None else "charOffset"
        require_attribute(element, missing, source)
    start, end = _span(char_offset, shift, element)
    return Token(id, start, end, text, get("POS"), get("lemma"), get("upos"), get("feats"), get("misc"))


def _spans(element: etree._Element, shift: int) -> tuple[Span, ...]:
    return tuple(_span(char_offset, shift, element) for char_offset in element.get("charOffset", "").split(","))


def _span(char_offset: str, shift: int, element: etree._Element) -> Span:
    start, _, end = char_offset.partition("-")
    try:
        return int(start), int(end) + shift
    except ValueError:
        raise ValidationError(
            f"expected charOffset='start-end', got {char_offset!r}", id=element.get("id"), line=line_of(element)
        ) from None


def _original_id(element: etree._Element) -> str | None:
    original_id: str | None = element.get("origId") or element.get("origID")
    return original_id


def _infons(element: etree._Element) -> Infons:
    known_attributes = _KNOWN_ATTRIBUTES[element.tag]
    if len(element.attrib) <= len(known_attributes) and known_attributes.issuperset(element.attrib):
        return ()
    return tuple((name, value) for name, value in element.attrib.items() if name not in known_attributes)


def _with_lines(error: CorpusError, element: etree._Element) -> CorpusError:
    """Give each problem the line of the element whose id it names, or which refers to what is missing."""
    lines: dict[str | None, int | None] = {}
    for arc in element.iter("dependency"):
        lines.update({f"token {arc.get(end)!r}": line_of(arc) for end in ("t1", "t2")})
    for part in element.iter("*"):
        if part.get("id"):
            lines[part.get("id")] = line_of(part)
    lines.update({f"token {token.get('id')!r}": line_of(token) for token in element.iter("token")})
    return type(error)(
        [
            Problem(problem.message, problem.id, problem.line or lines.get(problem.id), problem.path)
            for problem in error.problems
        ]
    )
