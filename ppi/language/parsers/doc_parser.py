"""Takes the parses that spaCy Docs already have, so that nothing is parsed a second time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora import Span
from ppi.language.parsers.interface import ParsedSentence, Request, SpanCover
from ppi.language.parsers.spacy_parser import build_sentences
from ppi.language.parsers.windows import NO_ATTRIBUTES, LexemeAttributes, ParseColumns


class DocParser:
    """Gives for each request the sentences of the next Doc, whose text must be the request's.

    Tokens of white space are left out.  Only sentences with two of the names that a request wants pairs of are turned
    into graphs.

    Parameters
    ----------
    docs
        Parsed Docs (of ``spacy.tokens``), in the order of the requests.
    name
        The name their parses get.
    """

    def __init__(self, docs: Iterable[Any], *, name: str) -> None:
        self.name = self.tokenizer = name
        self._docs = iter(docs)

    def parse(self, requests: Iterable[Request]) -> Iterator[list[ParsedSentence]]:
        """For each request its sentences."""
        for request, doc in zip(requests, self._docs):
            words = _read_words(doc)
            if not words.spans:
                yield []
                continue
            is_needed = _mask_needed_tokens(request, words)
            attributes = [
                LexemeAttributes.from_token(doc[index]) if needs_graph else NO_ATTRIBUTES
                for index, needs_graph in zip(words.indices, is_needed.tolist())
            ]
            columns = words.columns._replace(parsed=is_needed)
            yield build_sentences(request.text, words.spans, (columns, attributes, []), doc.vocab.strings)


class _DocWords(NamedTuple):
    """The tokens of a Doc without those of white space: their places in it and in the text, and what was found."""

    indices: list[int]
    spans: list[Span]
    columns: ParseColumns


def _read_words(doc: Any) -> _DocWords:
    """O(tokens times the depth of white space in the tree)."""
    from spacy.attrs import IS_SPACE

    columns = ParseColumns.from_doc(doc)
    spaces = doc.to_array(IS_SPACE).astype(bool)
    indices = np.flatnonzero(~spaces)
    sentence = np.cumsum(columns.begins)
    heads = columns.heads.copy()
    # what hangs on white space hangs on the next word above; the tree is finite, and so is this
    while (above := spaces[heads] & (heads[heads] != heads)).any():
        heads[above] = heads[heads[above]]
    own = np.arange(len(doc))
    # a root, in the end: what hangs on white space that is one, and on another sentence (boundaries set by hand)
    heads = np.where(spaces[heads] | (sentence[heads] != sentence), own, heads)
    word_index = np.cumsum(~spaces) - 1
    begins = np.ones(len(indices), dtype=bool)
    begins[1:] = sentence[indices][1:] != sentence[indices][:-1]
    word_columns = ParseColumns(
        columns.tags[indices],
        word_index[heads[indices]],
        columns.labels[indices],
        begins,
        columns.parsed[indices],
    )
    spans = [(token.idx, token.idx + len(token)) for token in (doc[index] for index in indices.tolist())]
    return _DocWords(indices.tolist(), spans, word_columns)


def _mask_needed_tokens(request: Request, words: _DocWords) -> NDArray[np.bool_]:
    """For each token whether its sentence is to be a graph."""
    all_tokens = np.ones(len(words.spans), dtype=bool)
    if (
        request.pair_filter is None
        or request.pair_filter.name_starts is None
        or _crosses_sentence_boundary(request.unbroken_spans, words)
    ):
        return all_tokens
    sentences = np.cumsum(words.columns.begins) - 1  # the number of each token's sentence
    ends = [end for _, end in words.spans]
    indices = np.minimum(np.searchsorted(ends, request.pair_filter.name_starts, side="right"), len(ends) - 1)
    names_per_sentence: NDArray[np.intp] = np.bincount(sentences[indices], minlength=sentences[-1] + 1)
    is_needed: NDArray[np.bool_] = names_per_sentence[sentences] >= 2
    return is_needed


def _crosses_sentence_boundary(unbroken_spans: Sequence[Span], words: _DocWords) -> bool:
    """Whether something that stays together reaches over the end of a sentence."""
    cover = SpanCover(unbroken_spans)
    begins = words.columns.begins.tolist()
    return bool(cover) and any(
        cover.reaches_over(end, start)
        for (_, end), (start, _), begins_sentence in zip(words.spans, words.spans[1:], begins[1:])
        if begins_sentence
    )
