"""What a spaCy pipeline has found, in our terms: whose parses these are, which entities are names, Docs as texts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from corpora.types import Document, Entity, Sentence
from ppi.parsing.doc_parser import DocParser
from ppi.parsing.documents import parse_documents
from ppi.pipeline.loading import DEFAULT_GUIDELINE, MODEL_DIRECTORY, NAME_FINDER_FACTORY, load_unoptimized

#: The id of the document that a Doc becomes.
DOC_ID = "doc"
#: What general pipelines find (labels of OntoNotes and CoNLL-2003): no names of proteins.
GENERAL_LABELS = frozenset(
    [
        "CARDINAL",
        "DATE",
        "EVENT",
        "FAC",
        "GPE",
        "LANGUAGE",
        "LAW",
        "LOC",
        "MISC",
        "MONEY",
        "NORP",
        "ORDINAL",
        "ORG",
        "PER",
        "PERCENT",
        "PERSON",
        "PRODUCT",
        "QUANTITY",
        "TIME",
        "WORK_OF_ART",
    ]
)
_PARSER_PIPES = ("parser", "experimental_biaffine_parser")


class NameSpan(NamedTuple):
    """A name in a text, from ``start`` to before ``end`` in characters."""

    start: int
    end: int
    label: str


class TextNameFinder:
    """The shipped name finder for any texts, with the tokenizer it was trained with."""

    def __init__(self, guideline: str) -> None:
        self._nlp = load_unoptimized(guideline=guideline, only_names=True)
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
