"""Documents that corpora share, so that nothing is tested on what it was trained on."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from corpora.types import Document

#: Shorter sentences are headings ("Materials and methods"), which any two articles have in common.
LEAST_WORDS = 8
_WORD = re.compile(r"[^\W_]+")


def without_shared(extra: Iterable[Document], documents: Sequence[Document]) -> tuple[list[Document], int]:
    """The extra documents that have neither an id nor text in common with ``documents``, and how many have.

    Text in common is a sentence of at least :data:`LEAST_WORDS` words, or all sentences of the extra document, however
    short.  The interaction corpora overlap: AImed shares documents with BioInfer and with HPRD50.
    """
    ids = set().union(*map(_ids, documents))
    texts = {_words(sentence.text) for document in documents for sentence in document.sentences}
    kept, shared = [], 0
    for document in extra:
        if _ids(document) & ids or _has_text_of(document, texts):
            shared += 1
        else:
            kept.append(document)
    return kept, shared


def shared_with(documents: Sequence[Document], others: Iterable[Document]) -> set[str]:
    """Ids of the documents that have an id, or a sentence, in common with others, however those are split.

    A sentence of at least :data:`LEAST_WORDS` words is in common if each stretch of so many of its words (letters and
    digits; tokenizers disagree on the rest) is somewhere in the others.  What is held grows with ``documents`` alone.
    """
    sentences = [
        (document.id, set(_stretches(sentence.text))) for document in documents for sentence in document.sentences
    ]
    wanted = set().union(*(stretches for _, stretches in sentences))
    ids: set[str] = set()
    met: set[tuple[str, ...]] = set()
    for other in others:
        ids |= _ids(other)
        for sentence in other.sentences:
            met.update(stretch for stretch in _stretches(sentence.text) if stretch in wanted)
    by_text = {id for id, stretches in sentences if stretches and stretches <= met}
    return by_text | {document.id for document in documents if _ids(document) & ids}


def _stretches(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return (tuple(words[start : start + LEAST_WORDS]) for start in range(len(words) - LEAST_WORDS + 1))


def _has_text_of(document: Document, texts: Container[str]) -> bool:
    words = [_words(sentence.text) for sentence in document.sentences]
    common = [text for text in words if text in texts]
    return any(text.count(" ") + 1 >= LEAST_WORDS for text in common) or (len(common) == len(words) > 0)


def _ids(document: Document) -> set[str]:
    """Whatever may be the document's PubMed id: some corpora put it in origId, some in an attribute."""
    named = [document.orig_id, *(value for key, value in document.infons if key.lower() == "pmid")]
    return {value for value in named if value}


def _words(text: str) -> str:
    return " ".join(text.lower().split())
