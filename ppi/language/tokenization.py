"""Text cut where it has too long a stretch without white space, so that tokenizing takes time in proportion to it.

spaCy's tokenizer takes punctuation off both ends of such a stretch one character at a time and looks at all that is
left each time: nested brackets would cost the square of their length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corpora import Span

if TYPE_CHECKING:
    from spacy.tokens import Doc


#: Characters without white space that are tokenized as one; longer stretches (hostile text, sequences of bases) are cut
#: behind the last punctuation mark before that, or else there.
MAX_RUN_CHARACTERS = 400
_TOO_LONG_RUN = re.compile(rf"\S{{{MAX_RUN_CHARACTERS + 1},}}")
_PIECE = re.compile(rf"\S{{1,{MAX_RUN_CHARACTERS - 1}}}[,;/|)\]}}]|\S{{1,{MAX_RUN_CHARACTERS}}}")


def find_token_spans(tokenizer: Callable[[str], Iterable[Any]], text: str) -> Iterator[Span]:
    """Extents of the tokens of ``text``, white space aside; O(characters).

    Parameters
    ----------
    tokenizer
        A tokenizer of spaCy.
    """
    start = 0
    for end in _find_piece_ends(text):
        for token in tokenizer(text[start:end]):
            if not token.is_space:
                first = start + token.idx
                yield first, first + len(token)
        start = end


def _find_piece_ends(text: str) -> Iterator[int]:
    """Where the pieces end that are tokenized by themselves; nearly always there is one piece."""
    for run in _TOO_LONG_RUN.finditer(text):
        for piece in _PIECE.finditer(text, *run.span()):
            yield piece.end()
    yield len(text)


# Tokens of a text by a spaCy tokenizer, each distinct word cut once.
#
# A rule tokenizer cuts at white space first and then looks at each word alone, so that equal words are cut alike.  spaCy
# remembers them, but not inside a memory zone (:mod:`ppi.annotation.process_resources`), where every word would be cut anew.

#: Words that are remembered; then the memory is emptied.
MAX_CACHED_WORDS = 50_000
#: Longer ones are met once and not remembered.
MAX_CACHED_WORD_CHARACTERS = 60

_WORDS = re.compile(r"\S+")


class CachedTokenizer:
    """The tokens of words.

    Parameters
    ----------
    tokenizer
        spaCy's own, whose tokens never cross white space.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._cache: dict[str, tuple[Span, ...]] = {}

    def spans(self, text: str) -> Iterator[Span]:
        """Start and end of each token, without those of white space."""
        cache = self._cache
        for match in _WORDS.finditer(text):
            word, offset = match.group(), match.start()
            pieces = cache.get(word) or self._tokenize_word(word)
            for start, end in pieces:
                yield offset + start, offset + end

    def _tokenize_word(self, word: str) -> tuple[Span, ...]:
        pieces = tuple(find_token_spans(self._tokenizer, word))
        if len(word) <= MAX_CACHED_WORD_CHARACTERS:
            if len(self._cache) >= MAX_CACHED_WORDS:
                self._cache.clear()
            self._cache[word] = pieces
        return pieces


# Cutting a document's tokens into stretches for the recurrent encoder, without asking the parser.
#
# Names never cross a sentence boundary, and the encoder learned from single sentences.  A rule is enough for that, and
# names are then the same whether the parser runs or not.

#: No stretch is longer, so that the cost of hostile text stays linear with a small constant.
MAX_SEGMENT_TOKENS = 200

#: Key of ``Doc.user_data`` for the words of a document and the white space after each.
TOKENIZED_KEY = "ppi_tokenized"

_ENDS = frozenset(".?!")


class TokenizedText(NamedTuple):
    """The words of a text, without tokens of white space, and the white space after each."""

    words: Sequence[str]
    gaps: Sequence[str]


def read_tokens(doc: Doc) -> tuple[TokenizedText, list[int]]:
    """What the name finder sees of a document, and the place of each of its words among the document's tokens.

    Whoever makes a document without its white space can give both in ``doc.user_data[TOKENIZED_KEY]``.
    """
    if TOKENIZED_KEY in doc.user_data:
        return doc.user_data[TOKENIZED_KEY], list(range(len(doc)))
    gaps: list[str] = []
    places: list[int] = []
    for token in doc:
        if not token.is_space:
            gaps.append(token.whitespace_)
            places.append(token.i)
        elif gaps:
            gaps[-1] += token.text_with_ws
    return TokenizedText([doc[place].text for place in places], gaps), places


def split_segments(text: TokenizedText) -> list[tuple[int, int]]:
    """Start and end of each stretch of words; together they cover the text.

    Examples
    --------
    >>> split_segments(TokenizedText(["Ras", "binds", ".", "MEK", "not", "."], [" ", "", " ", " ", "", ""]))
    [(0, 3), (3, 6)]
    """
    bounds: list[tuple[int, int]] = []
    start = 0
    last = len(text.words) - 1
    for index, (word, gap) in enumerate(zip(text.words, text.gaps)):
        if index == last or index - start + 1 == MAX_SEGMENT_TOKENS or _is_end(word, gap, text.words[index + 1]):
            bounds.append((start, index + 1))
            start = index + 1
    return bounds


def _is_end(word: str, gap: str, following: str) -> bool:
    """A stop before something that is not in lower case, or an empty line; lines may be wrapped anywhere."""
    return (word in _ENDS and gap != "" and not following[0].islower()) or is_empty_line(gap)


def is_empty_line(gap: str) -> bool:
    """Whether white space holds one."""
    return gap.count("\n") > 1
