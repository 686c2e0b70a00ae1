"""The interface every parser stands behind: requests go in, parsed sentences come out, in order.

Offsets here are characters of the request's text; :mod:`ppi.parsing.documents` makes them relative to sentences.
No object of the parser's library leaves its module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from corpora.types import Dependency, Span, Token


@dataclass(frozen=True)
class PairFilter:
    """That only sentences with two names need a parse.

    Parameters
    ----------
    kinds
        Whether names of a type count.
    given
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
    cuts
        Offsets at which a token must begin or end (the boundaries of given entities).
    together
        Spans inside which no sentence may begin.
    id
        What an error calls the text.
    pairs
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

    A sentence that needed no parse has no tokens; ``unparsed`` says where it is.
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
