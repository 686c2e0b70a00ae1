"""Documents that corpora share, so that nothing is tested on what it was trained on."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from corpora.types import Document

#: Shorter sentences are headings ("Materials and methods"), which any two articles have in common.
MIN_SHARED_WORDS = 8
_WORD = re.compile(r"[^\W_]+")


def drop_shared_documents(extra: Iterable[Document], documents: Sequence[Document]) -> tuple[list[Document], int]:
    """The extra documents that have neither an id nor text in common with ``documents``, and how many have.

    Text in common is a sentence of at least :data:`MIN_SHARED_WORDS` words, or all sentences of the extra document, however
    short.  The interaction corpora overlap: AImed shares documents with BioInfer and with HPRD50.
    """
    ids = set().union(*map(_pubmed_ids, documents))
    texts = {_normalize_text(sentence.text) for document in documents for sentence in document.sentences}
    kept, shared = [], 0
    for document in extra:
        if _pubmed_ids(document) & ids or _shares_text(document, texts):
            shared += 1
        else:
            kept.append(document)
    return kept, shared


def find_shared_documents(documents: Sequence[Document], others: Iterable[Document]) -> set[str]:
    """Ids of the documents that have an id, or a sentence, in common with others, however those are split.

    A sentence of at least :data:`MIN_SHARED_WORDS` words is in common if each stretch of so many of its words (letters and
    digits; tokenizers disagree on the rest) is somewhere in the others.  What is held grows with ``documents`` alone.
    """
    sentences = [
        (document.id, set(_word_ngrams(sentence.text))) for document in documents for sentence in document.sentences
    ]
    own_ngrams = set().union(*(ngrams for _, ngrams in sentences))
    other_ids: set[str] = set()
    matched_ngrams: set[tuple[str, ...]] = set()
    for other in others:
        other_ids |= _pubmed_ids(other)
        for sentence in other.sentences:
            matched_ngrams.update(ngram for ngram in _word_ngrams(sentence.text) if ngram in own_ngrams)
    by_text = {id for id, ngrams in sentences if ngrams and ngrams <= matched_ngrams}
    return by_text | {document.id for document in documents if _pubmed_ids(document) & other_ids}


def _word_ngrams(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return (tuple(words[start : start + MIN_SHARED_WORDS]) for start in range(len(words) - MIN_SHARED_WORDS + 1))


def _shares_text(document: Document, texts: Container[str]) -> bool:
    sentence_texts = [_normalize_text(sentence.text) for sentence in document.sentences]
    common = [text for text in sentence_texts if text in texts]
    return any(text.count(" ") + 1 >= MIN_SHARED_WORDS for text in common) or (len(common) == len(sentence_texts) > 0)


def _pubmed_ids(document: Document) -> set[str]:
    """Whatever may be the document's PubMed id: some corpora put it in origId, some in an attribute."""
    possible_ids = [document.orig_id, *(value for key, value in document.infons if key.lower() == "pmid")]
    return {value for value in possible_ids if value}


def _normalize_text(text: str) -> str:
    return " ".join(text.lower().split())
