"""The parses that spaCy's Docs bring along, behind the interface: nothing is parsed a second time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora.types import Span
from ppi.parsing.intervals import Cover
from ppi.parsing.parser import ParsedSentence, Request
from ppi.parsing.spacy_pipelines import parsed_text
from ppi.parsing.spacy_sentences import sentences_of
from ppi.parsing.windows import Columns
from ppi.parsing.word_facts import NO_FACTS, Facts


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
        self.name = name
        self.tokenizer = name
        self._docs = iter(docs)

    def parse(self, requests: Iterable[Request]) -> Iterator[list[ParsedSentence]]:
        """For each request its sentences."""
        for request, doc in zip(requests, self._docs):
            yield _sentences(request, doc)


def _sentences(request: Request, doc: Any) -> list[ParsedSentence]:
    words = _words(doc)
    if not words.spans:
        return []
    wanted = _wanted(request, words)
    columns = words.columns._replace(parsed=wanted)
    facts = [_facts(doc[place]) if asked else NO_FACTS for place, asked in zip(words.places, wanted.tolist())]
    return sentences_of(request.text, words.spans, parsed_text(columns, facts, [], doc.vocab.strings))


def _facts(token: Any) -> Facts:
    return Facts(token.pos_ or None, token.lemma_ or None, str(token.morph) or None)


class _Words(NamedTuple):
    """The tokens of a Doc without those of white space: their places in it and in the text, and what was found."""

    places: list[int]
    spans: list[Span]
    columns: Columns

    @property
    def sentences(self) -> NDArray[np.int64]:
        """The number of each token's sentence."""
        return np.cumsum(self.columns.begins) - 1


def _words(doc: Any) -> _Words:
    """O(tokens times the depth of white space in the tree)."""
    from spacy.attrs import IS_SPACE

    columns = Columns.of(doc)
    spaces = doc.to_array(IS_SPACE).astype(bool)
    places = np.flatnonzero(~spaces)
    sentence = np.cumsum(columns.begins)
    heads = columns.heads.copy()
    # what hangs on white space hangs on the next word above; the tree is finite, and so is this
    while (above := spaces[heads] & (heads[heads] != heads)).any():
        heads[above] = heads[heads[above]]
    own = np.arange(len(doc))
    # a root, in the end: what hangs on white space that is one, and on another sentence (boundaries set by hand)
    heads = np.where(spaces[heads] | (sentence[heads] != sentence), own, heads)
    number = np.cumsum(~spaces) - 1
    begins = np.ones(len(places), dtype=bool)
    begins[1:] = sentence[places][1:] != sentence[places][:-1]
    kept = Columns(columns.tags[places], number[heads[places]], columns.labels[places], begins, columns.parsed[places])
    spans = [(token.idx, token.idx + len(token)) for token in (doc[place] for place in places.tolist())]
    return _Words(places.tolist(), spans, kept)


def _wanted(request: Request, words: _Words) -> NDArray[np.bool_]:
    """For each token whether its sentence is to be a graph."""
    all_of_them = np.ones(len(words.spans), dtype=bool)
    if request.pairs is None or request.pairs.given is None or _are_joined(request.together, words):
        return all_of_them
    sentences = words.sentences
    ends = [end for _, end in words.spans]
    homes = np.minimum(np.searchsorted(ends, request.pairs.given, side="right"), len(ends) - 1)
    names = np.bincount(sentences[homes], minlength=sentences[-1] + 1)
    return names[sentences] >= 2


def _are_joined(together: Sequence[Span], words: _Words) -> bool:
    """Whether something that stays together reaches over the end of a sentence."""
    cover = Cover(together)
    begins = words.columns.begins.tolist()
    return bool(cover) and any(
        cover.reaches_over(end, start)
        for (_, end), (start, _), new in zip(words.spans, words.spans[1:], begins[1:])
        if new
    )
