"""Which bracket closes which, in one pass over a text."""

from __future__ import annotations

import re
from typing import NamedTuple

_BRACKET = re.compile(r"[()\[\]]")
_OPENING = {")": "(", "]": "["}


class BracketPair(NamedTuple):
    """Places of an opening bracket and of the one that closes it."""

    opening: int
    closing: int


def find_bracket_pairs(text: str) -> list[BracketPair]:
    """All pairs of brackets, nested ones too, in the order of their beginnings; those without a partner are left out.

    >>> find_bracket_pairs("a (b [c]) d)")
    [Bracketed(opening=2, closing=8), Bracketed(opening=5, closing=7)]
    """
    open_brackets: list[int] = []
    pairs: list[BracketPair] = []
    for match in _BRACKET.finditer(text):
        if match.group() in "([":
            open_brackets.append(match.start())
        elif open_brackets and text[open_brackets[-1]] == _OPENING[match.group()]:
            pairs.append(BracketPair(open_brackets.pop(), match.start()))
    return sorted(pairs)
