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
from ppi.pipeline.loading import GUIDELINE, MODEL_DIRECTORY, NAME_FACTORY, load_plain

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
_PARSERS = ("parser", "experimental_biaffine_parser")


class Name(NamedTuple):
    """A name in a text, from ``start`` to before ``end`` in characters."""

    start: int
    end: int
    label: str


class NameFinding:
    """The shipped name finder for any texts, with the tokenizer it was trained with."""

    def __init__(self, guideline: str) -> None:
        self._nlp = load_plain(guideline=guideline, only_names=True)
        self._lock = threading.Lock()

    def names(self, texts: Sequence[str]) -> list[list[Name]]:
        """The names of each text; words are forgotten again, so that memory does not grow."""
        with self._lock, self._nlp.memory_zone():
            return [
                [Name(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents] for doc in self._nlp.pipe(texts)
            ]


@lru_cache(maxsize=2)
def name_finding(guideline: str = GUIDELINE) -> NameFinding:
    """The name finder of this process."""
    return NameFinding(guideline)


def finds_names(nlp: Language) -> bool:
    """Whether a pipeline has our name finder."""
    return any(nlp.get_pipe_meta(name).factory == NAME_FACTORY for name in nlp.pipe_names)


def parses_of(nlp: Language) -> str:
    """Whose parses a pipeline gives: ``shipped`` if it has the parser that ships, else what it is called itself."""
    for name in _PARSERS:
        with suppress(KeyError, AttributeError, OSError):
            if nlp.get_pipe(name).model.to_bytes() == (MODEL_DIRECTORY / "parser" / "model").read_bytes():  # type: ignore[attr-defined]
                return "shipped"
    return f"{nlp.meta['lang']}_{nlp.meta['name']}"


def given_names(doc: Doc, labels: Collection[str] | None) -> list[Name]:
    """The entities of a Doc that are names: those of the labels, or all but what general pipelines find."""
    return [
        Name(ent.start_char, ent.end_char, ent.label_)
        for ent in doc.ents
        if (ent.label_ not in GENERAL_LABELS if labels is None else ent.label_ in labels) and ent.text.strip()
    ]


def documents_of(
    named: Sequence[tuple[Doc, Sequence[Name]]], *, parser: str, pairs_of: Callable[[Entity], bool]
) -> Iterator[Document]:
    """Docs with their names as documents, with their own parses where there is a pair of names.

    Parameters
    ----------
    parser
        What the parses are called.
    pairs_of
        Whether an entity can be one of a pair.
    """
    whole = [Document(DOC_ID, (Sentence(DOC_ID, doc.text, _entities(doc.text, names)),)) for doc, names in named]
    docs = DocParser((doc for doc, _ in named), name=parser)
    return parse_documents(whole, docs, split=True, dependencies="basic", pairs_of=pairs_of)


def _entities(text: str, names: Sequence[Name]) -> tuple[Entity, ...]:
    found = []
    for number, (start, end, label) in enumerate(names):
        name = text[start:end]
        start += len(name) - len(name.lstrip())  # tokens of white space at the ends of an entity
        found.append(Entity(f"{DOC_ID}.e{number}", name.strip(), ((start, start + len(name.strip())),), label or None))
    return tuple(found)
