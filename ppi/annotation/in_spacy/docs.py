"""Converts spaCy Docs to documents and back, and stores ``doc._.interactions``.

A Doc holds its interactions as the text of a JSON list, which travels with it between processes and into files (spaCy
turns lists into tuples on some of these ways); the objects are made of it whenever they are asked for.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import filter_spans

from corpora import Document, Entity, Sentence
from ppi.annotation.json_values import from_json, to_json
from ppi.annotation.results import AnnotatedDocument, Interaction
from ppi.core import UsageError
from ppi.language import (
    DEFAULT_GUIDELINE,
    MODEL_DIRECTORY,
    NAME_FINDER_FACTORY,
    DocParser,
    load_shipped_pipeline,
    load_shipped_uncached,
    offsets_inside,
    parse_documents,
)

#: The id of the document that a Doc becomes.
DOC_ID = "doc"
#: What general pipelines find (labels of OntoNotes and CoNLL-2003): no names of proteins.
GENERAL_LABELS = frozenset(
    (
        *("CARDINAL", "DATE", "EVENT", "FAC", "GPE", "LANGUAGE", "LAW", "LOC", "MISC", "MONEY", "NORP", "ORDINAL"),
        *("ORG", "PER", "PERCENT", "PERSON", "PRODUCT", "QUANTITY", "TIME", "WORK_OF_ART"),
    )
)
_PARSER_PIPES = ("parser", "experimental_biaffine_parser")
#: The name of the extension.
ATTRIBUTE = "interactions"
#: The key of ``Doc.user_data`` under which the text is.
USER_DATA_KEY = "ppi_interactions"
#: A wider gap between sentences is more than omitted white space.
_MAX_GAP_CHARS = 10_000


class NameSpan(NamedTuple):
    """A name in a text, from ``start`` to before ``end`` in characters."""

    start: int
    end: int
    label: str


class TextNameFinder:
    """The shipped name finder for any texts, with the tokenizer it was trained with."""

    def __init__(self, guideline: str) -> None:
        self._nlp = load_shipped_uncached(guideline=guideline, only_names=True)
        self._lock = threading.Lock()

    def find_names(self, texts: Sequence[str]) -> list[list[NameSpan]]:
        """The names of each text; words are forgotten again, so that memory does not grow."""
        with self._lock, self._nlp.memory_zone():
            return [
                [NameSpan(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents]
                for doc in self._nlp.pipe(texts)
            ]


@lru_cache(maxsize=2)
def get_name_finder(guideline: str = DEFAULT_GUIDELINE) -> TextNameFinder:
    """The name finder of this process."""
    return TextNameFinder(guideline)


def has_name_finder(nlp: Language) -> bool:
    """Whether a pipeline has our name finder."""
    return any(nlp.get_pipe_meta(name).factory == NAME_FINDER_FACTORY for name in nlp.pipe_names)


def parse_source(nlp: Language) -> str:
    """Whose parses a pipeline gives: ``shipped`` if it has the parser that ships, else what it is called itself."""
    for name in _PARSER_PIPES:
        with suppress(KeyError, AttributeError, OSError):
            if nlp.get_pipe(name).model.to_bytes() == (MODEL_DIRECTORY / "parser" / "model").read_bytes():  # type: ignore[attr-defined]
                return "shipped"
    return f"{nlp.meta['lang']}_{nlp.meta['name']}"


def entity_names(doc: Doc, labels: Collection[str] | None) -> list[NameSpan]:
    """The entities of a Doc that are names: those of the labels, or all but what general pipelines find."""
    return [
        NameSpan(ent.start_char, ent.end_char, ent.label_)
        for ent in doc.ents
        if (ent.label_ not in GENERAL_LABELS if labels is None else ent.label_ in labels) and ent.text.strip()
    ]


def build_documents(
    docs_with_names: Sequence[tuple[Doc, Sequence[NameSpan]]], *, parser: str, pairs_of: Callable[[Entity], bool]
) -> Iterator[Document]:
    """Docs with their names as documents, with their own parses where there is a pair of names.

    Parameters
    ----------
    parser
        What the parses are called.
    pairs_of
        Whether an entity can be one of a pair.
    """
    documents = [
        Document(DOC_ID, (Sentence(DOC_ID, doc.text, _entities(doc.text, names)),)) for doc, names in docs_with_names
    ]
    doc_parser = DocParser((doc for doc, _ in docs_with_names), name=parser)
    return parse_documents(documents, doc_parser, split=True, dependencies="basic", pairs_of=pairs_of)


def _entities(text: str, names: Sequence[NameSpan]) -> tuple[Entity, ...]:
    entities = []
    for number, (start, end, label) in enumerate(names):
        name = text[start:end]
        start += len(name) - len(name.lstrip())  # tokens of white space at the ends of an entity
        entities.append(
            Entity(f"{DOC_ID}.e{number}", name.strip(), ((start, start + len(name.strip())),), label or None)
        )
    return tuple(entities)


def store_interactions(doc: Doc, interactions: Iterable[Interaction]) -> None:
    """Give a Doc its interactions, whose offsets are those of the Doc's text."""
    doc.user_data[USER_DATA_KEY] = json.dumps(
        [to_json(interaction, explain=True) for interaction in interactions], allow_nan=False
    )


def interactions_of(doc: Doc) -> list[Interaction]:
    """The interactions of a Doc, in text order; none if they were not searched for."""
    return [from_json(value)[0] for value in json.loads(doc.user_data.get(USER_DATA_KEY, "[]"))]


def interactions_within(span: Span) -> list[Interaction]:
    """The interactions of a sentence, or of any other part of a Doc that has both mentions."""
    first, last = span.start_char, span.end_char
    return [
        interaction
        for interaction in interactions_of(span.doc)
        if all(
            first <= interaction.offset + entity.start and interaction.offset + entity.end <= last
            for entity in interaction.proteins
        )
    ]


def register_extensions() -> None:
    """Register the extensions with spaCy; repeating it has no effect.

    Raises
    ------
    UsageError
        If another package has registered an extension of this name.
    """
    getters: tuple[tuple[Any, Any], ...] = ((Doc, interactions_of), (Span, interactions_within))
    for cls, getter in getters:
        if not cls.has_extension(ATTRIBUTE):
            cls.set_extension(ATTRIBUTE, getter=getter)
        elif cls.get_extension(ATTRIBUTE)[2] is not getter:
            raise UsageError(
                f"expected the extension {cls.__name__}._.{ATTRIBUTE} to be free, got one of somebody else's; "
                f"remove it with {cls.__name__}.remove_extension({ATTRIBUTE!r})"
            )


def to_doc(document: Document | AnnotatedDocument, nlp: Language | None = None) -> Doc:
    """A document as a Doc, with its names as ``doc.ents`` and, of an annotated one, ``doc._.interactions``.

    Tokens, tags and dependencies are those of a pipeline, which runs now: the graphs of a document need not be trees,
    as a Doc's must be.  Tokens are cut at the boundaries of names.  Sentences of an annotated document stay what they
    are.  Of names that overlap only the longest is an entity.

    Parameters
    ----------
    nlp
        The pipeline; by default the one that ships.  Its components that find entities are not run.

    Examples
    --------
    >>> from ppi import Annotator
    >>> doc = to_doc(Annotator().annotate_document("It was known before. Profilin binds actin."))
    >>> [(ent.text, ent.label_) for ent in doc.ents], [sent.root.text for sent in doc.sents]
    ([('Profilin', 'PROTEIN'), ('actin', 'PROTEIN')], ['known', 'binds'])
    >>> doc._.interactions
    [<Interaction: Profilin -- actin, binding, 1.00>]
    """
    annotated = document if isinstance(document, AnnotatedDocument) else None
    if annotated is not None:
        document = annotated.document
    if not isinstance(document, Document):
        raise UsageError(f"expected a Document or an AnnotatedDocument, got {type(document).__name__}")
    register_extensions()
    nlp = load_shipped_pipeline() if nlp is None else nlp
    text = _join_sentences(document)
    doc = _cut_tokens(nlp, text)
    _set_sentences(doc, text, document, split=annotated is not None)
    doc = nlp(doc, disable=[name for name in nlp.pipe_names if "doc.ents" in nlp.get_pipe_meta(name).assigns])
    spans = [doc.char_span(entity.start, entity.end, label=entity.type or "PROTEIN") for entity in text.entities]
    doc.set_ents(filter_spans([span for span in spans if span is not None]))
    if annotated is not None:
        starts = dict(zip((sentence.id for sentence in document.sentences), text.starts))
        store_interactions(
            doc,
            [replace(interaction, offset=starts[interaction.sentence_id]) for interaction in annotated.interactions],
        )
    return doc


class _DocText(NamedTuple):
    """The text of a document, where its sentences begin in it, and its entities there."""

    text: str
    starts: list[int]
    entities: list[Entity]


def _join_sentences(document: Document) -> _DocText:
    """Gaps between sentences become spaces; sentences whose offsets do not fit are one space apart."""
    offsets = [(sentence.offset, sentence.offset + len(sentence.text)) for sentence in document.sentences]
    fit = all(0 <= start - end <= _MAX_GAP_CHARS for (_, end), (start, _) in pairwise([(0, 0), *offsets]))
    parts: list[str] = []
    starts: list[int] = []
    entities: list[Entity] = []
    length = 0
    for sentence in document.sentences:
        gap = sentence.offset - length if fit else int(length > 0)
        starts.append(length + gap)
        parts += [" " * gap, sentence.text]
        length += gap + len(sentence.text)
        for entity in sentence.entities:
            spans = tuple((starts[-1] + start, starts[-1] + end) for start, end in entity.spans)
            entities.append(replace(entity, spans=spans))
    return _DocText("".join(parts), starts, entities)


def _cut_tokens(nlp: Language, text: _DocText) -> Doc:
    """The tokens of the pipeline, cut where names and sentences begin and end."""
    cuts = sorted({*text.starts, *(bound for entity in text.entities for span in entity.spans for bound in span)})
    words: list[str] = []
    spaces: list[bool] = []
    for token in nlp.make_doc(text.text):
        end = token.idx + len(token)
        for first, last in pairwise([token.idx, *offsets_inside(cuts, token.idx, end), end]):
            words.append(text.text[first:last])
            spaces.append(last == end and bool(token.whitespace_))
    return Doc(nlp.vocab, words=words, spaces=spaces)


def _set_sentences(doc: Doc, text: _DocText, document: Document, *, split: bool) -> None:
    """A sentence begins where ours do; inside, none does if they are known to be sentences and no passages."""
    inside = [split or bool(sentence.parses) for sentence in document.sentences]
    starts = dict(zip(text.starts, inside))
    is_one_sentence = False
    for token in doc:
        if token.idx in starts:
            is_one_sentence = starts[token.idx]
            token.is_sent_start = True
        elif is_one_sentence:
            token.is_sent_start = False
