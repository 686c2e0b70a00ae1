"""Cutting a document's tokens into stretches for the recurrent encoder, without asking the parser.

Names never cross a sentence boundary, and the encoder learned from single sentences.  A rule is enough for that, and
names are then the same whether the parser runs or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spacy.tokens import Doc

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
