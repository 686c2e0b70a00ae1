"""Documents that corpora share, so that nothing is tested on what it was trained on."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from corpora.types import Document

#: Shorter sentences are headings ("Materials and methods"), which any two articles have in common.
LEAST_WORDS = 8


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
