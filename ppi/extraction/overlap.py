"""Documents that corpora share, so that nothing is tested on what it was trained on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corpora.types import Document


def without_shared(extra: Iterable[Document], documents: Sequence[Document]) -> tuple[list[Document], int]:
    """The extra documents that have neither an id nor a sentence in common with ``documents``, and how many have.

    The interaction corpora overlap: AImed shares documents with BioInfer and with HPRD50.
    """
    ids = set().union(*map(_ids, documents))
    texts = {_words(sentence.text) for document in documents for sentence in document.sentences}
    kept, shared = [], 0
    for document in extra:
        if _ids(document) & ids or any(_words(sentence.text) in texts for sentence in document.sentences):
            shared += 1
        else:
            kept.append(document)
    return kept, shared


def _ids(document: Document) -> set[str]:
    """Whatever may be the document's PubMed id: some corpora put it in origId, some in an attribute."""
    named = [document.orig_id, *(value for key, value in document.infons if key.lower() == "pmid")]
    return {value for value in named if value}


def _words(text: str) -> str:
    return " ".join(text.lower().split())
