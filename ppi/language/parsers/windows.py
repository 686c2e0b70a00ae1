"""Runs the trained components of a spaCy pipeline over long texts in windows of tokens, with the same result.

A whole text at once takes memory in proportion to its length, and time for moving that through the processor's caches.
A window of some thousand tokens does not, and what it gives is the same, since nothing looks far:

* a token's vector depends on the tokens at most a margin away, so that a window brings a margin with it;
* the parser works from left to right, looks at most one token ahead of the one it decides on, and has an empty stack
  at the beginning of each sentence.  What it found in a window is therefore kept up to the beginning of a sentence that
  lies before the margin, and the next window begins there;
* universal tag, features and lemma follow from a word and its tag, and are found once for each pair of them.

A sentence that was cut off by the end of a window may have fallen apart; so the beginning must come after a full stop.
A window without such a place is tried again with twice the length.  Where the beginnings of sentences are given nothing
is left to chance: the segments between them are parsed side by side, each in its own windows.  A segment in which some
beginnings are left to the parser has to be parsed to know its sentences; one that is a single sentence only if its
parse is wanted.

With a reranker each sentence that is kept of a window is parsed once more with a beam, from the vectors that its tokens
have there, and the best of its trees takes the place of the parser's own; where the beginnings of sentences are known
the parser itself has nothing to decide, and does not run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora import Span
from ppi.core import ParseError
from ppi.language.parsers.beam_reranker import Reranker

#: Pairs that are remembered; then the memory is emptied.
MAX_CACHED_PAIRS = 100_000
#: The components whose answer depends on a word and its tag, and on nothing around them.
LEXEME_COMPONENTS = ("attribute_ruler", "lemmatizer")
#: What a pattern of the attribute ruler may ask of a token for that to hold.
_TOKEN_ATTRIBUTES = frozenset(["TAG", "ORTH", "TEXT", "LOWER", "NORM"])
#: Segments that follow each other are parsed as one up to this many tokens, to have few margins.
MAX_JOINED_TOKENS = 400
#: Tokens of a window, margins included.
WINDOW_TOKENS = 2000
#: Tokens of all windows that run together, except a single longer one.
MAX_BATCH_TOKENS = 3000

_STOPS = frozenset(".?!")
_PARSER = "parser"
#: The parser decides on a token knowing the following one.
_LOOKAHEAD_TOKENS = 2


class LexemeAttributes(NamedTuple):
    """What follows from a word and its tag only; None stands for nothing."""

    upos: str | None
    lemma: str | None
    feats: str | None

    @classmethod
    def from_token(cls, token: Any) -> LexemeAttributes:
        """Those of a token of spaCy's."""
        return cls(token.pos_ or None, token.lemma_ or None, str(token.morph) or None)


NO_ATTRIBUTES = LexemeAttributes(None, None, None)


class LexemeAttributeCache:
    """The attribute ruler and the lemmatizer of a spaCy pipeline, asked once for each word and tag.

    A ruler that has patterns of several tokens, or of more than a word and its tag, is refused by a ParseError.
    """

    def __init__(self, nlp: Any) -> None:
        self._vocab = nlp.vocab
        self._components = [nlp.get_pipe(name) for name in LEXEME_COMPONENTS if name in nlp.pipe_names]
        self._cache: dict[tuple[str, str], LexemeAttributes] = {}
        rules = nlp.get_pipe("attribute_ruler").patterns if "attribute_ruler" in nlp.pipe_names else []
        for pattern in (pattern for rule in rules for pattern in rule["patterns"]):
            if len(pattern) != 1 or not _TOKEN_ATTRIBUTES.issuperset(pattern[0]):
                raise ParseError(
                    f"expected an attribute ruler with patterns of one token and its {sorted(_TOKEN_ATTRIBUTES)}, got "
                    f"{pattern!r}; train the pipeline with other patterns"
                )

    def look_up(self, words: Sequence[str], tags: Sequence[str]) -> list[LexemeAttributes]:
        """The attributes of each token."""
        cache = self._cache
        pairs = list(zip(words, tags))
        if missing := [pair for pair in dict.fromkeys(pairs) if pair not in cache]:
            if len(cache) + len(missing) > MAX_CACHED_PAIRS:
                cache.clear()
                missing = list(dict.fromkeys(pairs))
            cache.update(zip(missing, self._compute(missing)))
        return [cache[pair] for pair in pairs]

    def _compute(self, pairs: Sequence[tuple[str, str]]) -> Iterable[LexemeAttributes]:
        from spacy.tokens import Doc

        doc = Doc(self._vocab, words=[word for word, _ in pairs], tags=[tag for _, tag in pairs])
        for component in self._components:
            doc = component(doc)
        return map(LexemeAttributes.from_token, doc)


def find_segments_to_parse(
    starts: NDArray[np.int64], names: Sequence[int] | None = None, *, max_tokens: int = MAX_JOINED_TOKENS
) -> list[Span]:
    """First and last (exclusive) tokens of the segments to be parsed, in text order; O(tokens + names log tokens).

    ``starts`` is 1 for each token where a sentence begins, -1 where none does, 0 where that is open.  ``names`` are
    tokens: a sentence with less than two of them needs no parse (None: all need one).  Neighbouring segments are joined
    up to ``max_tokens``.

    >>> starts = np.array([1, -1, -1, 1, -1, 1, -1, 0, -1])
    >>> find_segments_to_parse(starts, [0, 2, 3], max_tokens=2)
    [(0, 3), (5, 9)]
    >>> find_segments_to_parse(starts, max_tokens=6)
    [(0, 5), (5, 9)]
    """
    if not len(starts):
        return []
    is_certain_start = starts == 1
    is_certain_start[0] = True
    firsts = np.flatnonzero(is_certain_start)
    is_needed = np.ones(len(firsts), dtype=bool)
    if names is not None:
        is_open = starts == 0
        is_open[0] = False  # a text begins with a sentence
        segment_indices = np.searchsorted(firsts, np.asarray(names, dtype=np.int64), side="right") - 1
        has_two_names = np.bincount(segment_indices, minlength=len(firsts)) > 1
        is_needed = np.logical_or.reduceat(is_open, firsts) | has_two_names
    segments: list[Span] = []
    bounds = [*firsts.tolist(), len(starts)]
    for number in np.flatnonzero(is_needed).tolist():
        first, end = bounds[number], bounds[number + 1]
        if segments and segments[-1][1] == first and end - segments[-1][0] <= max_tokens:
            segments[-1] = segments[-1][0], end
        else:
            segments.append((first, end))
    return segments


class TextWords(NamedTuple):
    """The tokens of a text; ``starts`` is 1 where a sentence begins, -1 where none does, 0 where that is open."""

    words: list[str]
    spaces: list[bool]
    starts: NDArray[np.int64]


class ParseColumns(NamedTuple):
    """What was found: tags and arc labels as numbers of the vocabulary, heads as positions; where sentences begin.

    ``parsed`` are the tokens for which the first three hold.
    """

    tags: NDArray[np.uint64]
    heads: NDArray[np.int64]
    labels: NDArray[np.uint64]
    begins: NDArray[np.bool_]
    parsed: NDArray[np.bool_]

    @classmethod
    def empty(cls, text: TextWords) -> ParseColumns:
        """What is known of a text before it is parsed."""
        length = len(text.words)
        begins = text.starts == 1
        begins[:1] = True
        numbers = np.zeros((2, length), dtype=np.uint64)
        return cls(numbers[0], np.arange(length), numbers[1], begins, np.zeros(length, dtype=bool))

    @classmethod
    def from_doc(cls, doc: Any) -> ParseColumns:
        """Those of a parsed Doc."""
        from spacy.attrs import DEP, HEAD, SENT_START, TAG

        tags, heads, labels, starts = np.ascontiguousarray(doc.to_array([TAG, HEAD, DEP, SENT_START]).T)
        begins = starts == 1
        begins[:1] = True
        return cls(tags, np.arange(len(doc)) + heads.view(np.int64), labels, begins, np.ones(len(doc), dtype=bool))


class WindowRunner:
    """The trained components of a pipeline, with windows of ``size`` tokens; other components are the caller's.

    ``reranker`` chooses the trees of sentences, if the parser itself does not.
    """

    def __init__(self, nlp: Any, *, size: int = WINDOW_TOKENS, reranker: Reranker | None = None) -> None:
        from spacy.pipeline import TrainablePipe

        self._vocab = nlp.vocab
        self._components = [component for _, component in nlp.pipeline if isinstance(component, TrainablePipe)]
        self._size = size
        self._reranker = reranker
        self._parser = nlp.get_pipe(_PARSER) if reranker is not None else None
        # how many tokens away something may have an effect on a token's vector: what spaCy pads texts with
        layers = [layer for component in self._components for layer in component.model.walk()]
        self._margin = max((layer.attrs.get("pad", 0) for layer in layers), default=0)

    def parse(self, texts: Sequence[TextWords], segments: Sequence[Sequence[Span]]) -> list[ParseColumns]:
        """The columns of each text, of which only the segments are parsed."""
        columns = [ParseColumns.empty(text) for text in texts]
        pending = [
            _SegmentReader(text, text_columns, first, end, self._size, self._margin)
            for text, text_columns, text_segments in zip(texts, columns, segments, strict=True)
            for first, end in text_segments
        ]
        while pending:
            totals = accumulate(reader.end - reader.first for reader in pending)
            count = max(1, sum(1 for _ in takewhile(lambda total: total <= MAX_BATCH_TOKENS, totals)))
            docs = [reader.make_window(self._vocab) for reader in pending[:count]]
            for component in self._components:
                component_docs = docs
                if component is self._parser:  # with a reranker, it only decides where sentences begin
                    component_docs = [doc for reader, doc in zip(pending, docs) if reader.is_open]
                if component_docs:
                    component.set_annotations(component_docs, component.predict(component_docs))
            accepted = [
                (doc, reader.first, reader.accept(ParseColumns.from_doc(doc))) for reader, doc in zip(pending, docs)
            ]
            if self._reranker is not None:
                self._rerank(self._reranker, pending, accepted)
            pending = [*(reader for reader in pending[:count] if reader.begin < reader.stop), *pending[count:]]
        return columns

    def _rerank(
        self, reranker: Reranker, readers: Sequence[_SegmentReader], accepted: Sequence[tuple[Any, int, Span | None]]
    ) -> None:
        """Give the sentences that were kept of windows (Doc, its first token, span) the best trees of their beams."""
        sentences = [
            (reader.columns, first, _extract_sentence(doc, first - start, end - start))
            for reader, (doc, start, span) in zip(readers, accepted)
            if span is not None
            for first, end in _sentence_spans(reader.columns.begins, span)
        ]
        best_trees = reranker.rerank_docs(self._parser, [doc for _, _, doc in sentences])
        for (columns, first, doc), (trees, best) in zip(sentences, best_trees, strict=True):
            part = slice(first, first + len(doc))
            heads = trees.heads[best].astype(np.int64)
            columns.heads[part] = first + np.where(heads < 0, np.arange(len(doc)), heads)
            names = np.array([self._vocab.strings[name] for name in trees.names], dtype=np.uint64)
            columns.labels[part] = names[trees.labels[best]]


class _SegmentReader:
    """How far a segment of a text has been read; what was found up to there goes to the columns."""

    def __init__(self, text: TextWords, columns: ParseColumns, begin: int, stop: int, size: int, margin: int) -> None:
        self.text, self.columns = text, columns
        self.begin, self.stop = begin, stop
        self._size = self._usual_size = size
        self._margin = margin

    @property
    def first(self) -> int:
        """The first token of the next window, before where it begins by the margin."""
        return max(0, self.begin - self._margin)

    @property
    def end(self) -> int:
        """Where the next window ends: behind the segment by the margin, or with its length."""
        if self._is_last:
            return min(len(self.text.words), self.stop + self._margin + _LOOKAHEAD_TOKENS)
        return self.begin + self._size

    @property
    def _is_last(self) -> bool:
        return self.begin + self._size >= self.stop

    @property
    def is_open(self) -> bool:
        """Whether the parser decides where sentences begin in the next window."""
        return bool((self.text.starts[self.begin + 1 : min(self.end, self.stop)] == 0).any())

    def make_window(self, vocab: Any) -> Any:
        """The next window, as a Doc."""
        from spacy.tokens import Doc

        part = slice(self.first, self.end)
        doc = Doc(vocab, words=self.text.words[part], spaces=self.text.spaces[part])
        starts = self.text.starts[part].copy()
        starts[self.begin - self.first] = 1
        starts[0] = 0  # as in a separate text
        set_sentence_starts(doc, starts)
        return doc

    def accept(self, window_columns: ParseColumns) -> Span | None:
        """Keep what is sure of the parsed window; returns where that is, None if nothing is."""
        first, end = self.first, self.end
        accepted_end = self.stop if self._is_last else self._last_sure_start(window_columns, first, end)
        if accepted_end is None:
            self._size *= 2
            return None
        whole, part = slice(self.begin, accepted_end), slice(self.begin - first, accepted_end - first)
        for column, window_column in zip(self.columns, window_columns._replace(heads=window_columns.heads + first)):
            column[whole] = window_column[part]
        begin, self.begin, self._size = self.begin, accepted_end, self._usual_size
        return begin, accepted_end

    def _last_sure_start(self, window_columns: ParseColumns, first: int, end: int) -> int | None:
        words = self.text.words
        for index in reversed((np.flatnonzero(window_columns.begins) + first).tolist()):
            if index <= self.begin:
                return None
            if index <= end - self._margin - _LOOKAHEAD_TOKENS and words[index - 1] in _STOPS:
                return int(index)
        return None


def set_sentence_starts(doc: Any, starts: NDArray[np.int64]) -> None:
    """Tell a Doc where sentences begin, all at once: for each single token it would look at all tokens."""
    from spacy.attrs import SENT_START

    doc.from_array([SENT_START], starts.view(np.uint64)[:, None])


def _sentence_spans(begins: NDArray[np.bool_], span: Span) -> Iterator[Span]:
    """The sentences of a span of tokens."""
    first, end = span
    starts = sorted({first, *(np.flatnonzero(begins[first:end]) + first).tolist()})
    yield from zip(starts, [*starts[1:], end])


def _extract_sentence(doc: Any, first: int, end: int) -> Any:
    """Part of a Doc as a separate Doc of one sentence, with the vectors and tags that its tokens have there."""
    from spacy.tokens import Doc

    tokens = list(doc[first:end])
    words, spaces = [token.text for token in tokens], [bool(token.whitespace_) for token in tokens]
    part = Doc(doc.vocab, words=words, spaces=spaces, tags=[token.tag_ for token in tokens])
    part.tensor = doc.tensor[first:end]
    starts = np.full(len(part), -1, dtype=np.int64)
    starts[:1] = 0
    set_sentence_starts(part, starts)
    return part
