"""Tokenizes texts with a spaCy tokenizer in linear time, and splits them into segments for the encoder.

Too long a run of characters without white space is cut: spaCy's tokenizer takes punctuation off both ends of such a run
one character at a time and looks at all that is left each time, so that nested brackets would cost the square of their
length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from corpora import Span

#: Characters without white space that are tokenized as one; longer runs (hostile text, sequences of bases) are cut
#: after the last punctuation mark before that, or else there.
MAX_RUN_CHARACTERS = 400
_TOO_LONG_RUN = re.compile(rf"\S{{{MAX_RUN_CHARACTERS + 1},}}")
_PIECE = re.compile(rf"\S{{1,{MAX_RUN_CHARACTERS - 1}}}[,;/|)\]}}]|\S{{1,{MAX_RUN_CHARACTERS}}}")

#: Words that are remembered; then the memory is emptied.
MAX_CACHED_WORDS = 50_000
#: Longer ones are met once and not remembered.
MAX_CACHED_WORD_CHARACTERS = 60
_WORDS = re.compile(r"\S+")

#: No segment is longer, so that the cost of hostile text stays linear with a small constant.
MAX_SEGMENT_TOKENS = 200
#: Key of ``Doc.user_data`` for the words of a document and the white space after each.
TOKENIZED_KEY = "ppi_tokenized"
_ENDS = frozenset(".?!")


def find_token_spans(tokenizer: Callable[[str], Iterable[Any]], text: str) -> Iterator[Span]:
    """Extents of the tokens of ``text`` by a tokenizer of spaCy, white space aside; O(characters)."""
    # where the pieces end that are tokenized by themselves; nearly always there is one piece
    cuts = [piece.end() for run in _TOO_LONG_RUN.finditer(text) for piece in _PIECE.finditer(text, *run.span())]
    start = 0
    for end in [*cuts, len(text)]:
        for token in tokenizer(text[start:end]):
            if not token.is_space:
                first = start + token.idx
                yield first, first + len(token)
        start = end


class CachedTokenizer:
    """The tokens of words, each distinct word tokenized once.

    A rule tokenizer splits at white space first and then looks at each word by itself, so that equal words have equal
    tokens.  spaCy remembers them, but not inside a memory zone (:mod:`ppi.annotation.process_resources`), where every
    word would be tokenized anew.  The tokens of spaCy's own tokenizer never cross white space.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._cache: dict[str, tuple[Span, ...]] = {}

    def spans(self, text: str) -> Iterator[Span]:
        """Start and end of each token, without those of white space."""
        cache = self._cache
        for match in _WORDS.finditer(text):
            word, offset = match.group(), match.start()
            pieces = cache.get(word)
            if pieces is None:
                pieces = tuple(find_token_spans(self._tokenizer, word))
                if len(word) <= MAX_CACHED_WORD_CHARACTERS:
                    if len(cache) >= MAX_CACHED_WORDS:
                        cache.clear()
                    cache[word] = pieces
            for start, end in pieces:
                yield offset + start, offset + end


class TokenizedText(NamedTuple):
    """The words of a text, without tokens of white space, and the white space after each."""

    words: Sequence[str]
    gaps: Sequence[str]

    def join(self, start: int, end: int) -> str:
        """The words from ``start`` to before ``end`` as they are written, white space between them included."""
        if start >= end:
            return ""
        pieces = [word + gap for word, gap in zip(self.words[start : end - 1], self.gaps[start : end - 1])]
        return "".join([*pieces, self.words[end - 1]])


def read_tokens(doc: Doc) -> tuple[TokenizedText, list[int]]:
    """What the name finder sees of a document, and the place of each of its words among the document's tokens.

    Whoever makes a document without its white space can give both in ``doc.user_data[TOKENIZED_KEY]``.
    """
    if TOKENIZED_KEY in doc.user_data:
        return doc.user_data[TOKENIZED_KEY], list(range(len(doc)))
    gaps: list[str] = []
    token_indices: list[int] = []
    for token in doc:
        if not token.is_space:
            gaps.append(token.whitespace_)
            token_indices.append(token.i)
        elif gaps:
            gaps[-1] += token.text_with_ws
    return TokenizedText([doc[index].text for index in token_indices], gaps), token_indices


def split_segments(text: TokenizedText) -> list[tuple[int, int]]:
    """Start and end of each segment of words for the recurrent encoder; together they cover the text.

    Names never cross a sentence boundary, and the encoder learned from single sentences.  A rule is enough for that,
    and names are then the same whether the parser runs or not: a segment ends with a stop before something that is not
    in lower case, or with an empty line; lines may be wrapped anywhere.

    Examples
    --------
    >>> split_segments(TokenizedText(["Ras", "binds", ".", "MEK", "not", "."], [" ", "", " ", " ", "", ""]))
    [(0, 3), (3, 6)]
    """
    words = text.words
    bounds: list[tuple[int, int]] = []
    start = 0
    for end, (word, gap) in enumerate(zip(words, text.gaps), start=1):
        if (
            end == len(words)
            or end - start == MAX_SEGMENT_TOKENS
            or (word in _ENDS and gap != "" and not words[end][0].islower())
            or is_empty_line(gap)
        ):
            bounds.append((start, end))
            start = end
    return bounds


def word_set(words: str) -> frozenset[str]:
    """The words of a list that is written as one text."""
    return frozenset(words.split())


def is_empty_line(gap: str) -> bool:
    """Whether white space holds one."""
    return gap.count("\n") > 1
