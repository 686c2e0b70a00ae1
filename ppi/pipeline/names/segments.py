"""Cutting a document's tokens into stretches for the recurrent encoder, without asking the parser.

Names never cross a sentence boundary, and the encoder learned from single sentences.  A rule is enough for that, and
names are then the same whether the parser runs or not.
"""

from __future__ import annotations

from collections.abc import Sequence

#: No stretch is longer, so that the cost of hostile text stays linear with a small constant.
LONGEST = 200

_ENDS = frozenset(".?!")


def segments(words: Sequence[str], spaces: Sequence[bool]) -> list[tuple[int, int]]:
    """Start and end of each stretch of tokens; together they cover the document.

    Parameters
    ----------
    words, spaces
        Each token's text, and whether white space follows it.

    Examples
    --------
    >>> segments(["Ras", "binds", ".", "MEK", "not", "."], [True, False, True, True, False, False])
    [(0, 3), (3, 6)]
    """
    found: list[tuple[int, int]] = []
    start = 0
    last = len(words) - 1
    for index, word in enumerate(words):
        if index == last or index - start + 1 == LONGEST or _is_end(word, spaces[index], words[index + 1]):
            found.append((start, index + 1))
            start = index + 1
    return found


def _is_end(word: str, space: bool, following: str) -> bool:
    if "\n" in word:
        return True
    return word in _ENDS and (space or following.isspace()) and not following[0].islower()
