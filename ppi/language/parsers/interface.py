"""The interface of all parsers: requests go in, parsed sentences come out, in order.

Offsets here are characters of the request's text; :mod:`ppi.language.parsing` makes them relative to sentences.
No object of the parser's library leaves its module.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol, TypeVar

from corpora import Dependency, Document, Span, Token

#: Documents parsed at a time: enough to keep a parser busy, few enough to bound memory.
MAX_BATCH_DOCUMENTS = 64
#: Of the documents parsed at a time, except a single longer one.
MAX_BATCH_CHARACTERS = 400_000

T = TypeVar("T")


@dataclass(frozen=True)
class PairFilter:
    """Restricts parsing to sentences with two names.

    Parameters
    ----------
    counts_type
        Whether names of a type count.
    name_starts
        Where the names begin that count, if they are given; None if they are the parser's to find.
    """

    counts_type: Callable[[str], bool]
    name_starts: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Request:
    """A text to parse.

    Parameters
    ----------
    text
        A sentence or a passage.
    token_boundaries
        Offsets at which a token must begin or end (the boundaries of given entities).
    unbroken_spans
        Spans inside which no sentence may begin.
    id
        What an error calls the text.
    pair_filter
        Which sentences need a parse; None if all do.  A parser that knows a sentence only by its parse may parse all.
    """

    text: str
    token_boundaries: frozenset[int] = frozenset()
    unbroken_spans: tuple[Span, ...] = ()
    id: str = "text"
    pair_filter: PairFilter | None = None


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence of a request; ``mentions`` are names (start, end, type), if the parser finds them.

    A sentence that needed no parse has no tokens; ``unparsed_span`` is its place.
    """

    tokens: tuple[Token, ...]
    dependencies: tuple[Dependency, ...] = ()
    roots: tuple[str, ...] = ()
    mentions: tuple[tuple[int, int, str], ...] = ()
    unparsed_span: Span | None = None

    @property
    def span(self) -> Span | None:
        """From the first to the last token; None if there is none."""
        return (self.tokens[0].start, self.tokens[-1].end) if self.tokens else self.unparsed_span


class Parser(Protocol):
    """A parser.  ``name`` becomes the name of its parses, ``tokenizer`` of its tokenization."""

    name: str
    tokenizer: str

    def parse(self, requests: Iterable[Request]) -> Iterator[list[ParsedSentence]]:
        """For each request its sentences; an empty text has none."""
        ...


class SpanCover:
    """Whether some span of many reaches over a place, in O(log n).

    >>> cover = SpanCover([(0, 4), (2, 9)])
    >>> cover.reaches_over(4, 5), cover.reaches_over(9, 9)
    (True, False)
    """

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        #: at each place the furthest end of the spans up to there
        self._furthest_ends = list(accumulate((end for _, end in ordered), max))

    def __bool__(self) -> bool:
        """Whether there is any span."""
        return bool(self._starts)

    def reaches_over(self, first: int, last: int) -> bool:
        """Whether a span begins before ``first`` and ends behind ``last``."""
        before = bisect_left(self._starts, first)
        return before > 0 and self._furthest_ends[before - 1] > last


def offsets_inside(offsets: Sequence[int], start: int, end: int) -> Sequence[int]:
    """Of sorted offsets those inside the span, its ends left out; O(log n).

    >>> offsets_inside([1, 3, 5, 7], 1, 7)
    [3, 5]
    """
    return offsets[bisect_right(offsets, start) : bisect_left(offsets, end)]


def count_characters(document: Document) -> int:
    """The characters of a document's sentences."""
    return sum(len(sentence.text) for sentence in document.sentences)


def batch_documents(documents: Iterable[Document], size: int = MAX_BATCH_DOCUMENTS) -> Iterator[list[Document]]:
    """Up to ``size`` documents, fewer if they are long; reads no document before it is needed."""
    return batch_by_length(documents, size, count_characters, max_total=MAX_BATCH_CHARACTERS)


def batch_by_length(items: Iterable[T], size: int, length: Callable[[T], int], *, max_total: int) -> Iterator[list[T]]:
    """Up to ``size`` items, fewer as soon as their lengths make ``max_total``; reads no item before it is needed.

    >>> list(batch_by_length(["a", "bb", "ccc", "d", "e", "f"], 3, len, max_total=3))
    [['a', 'bb'], ['ccc'], ['d', 'e', 'f']]
    """
    batch: list[T] = []
    total = 0
    for item in items:
        batch.append(item)
        total += length(item)
        if len(batch) == size or total >= max_total:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
