"""Which bracket closes which, in one pass over a text."""

from __future__ import annotations

import re
from typing import NamedTuple

_BRACKET = re.compile(r"[()\[\]]")
_OPENING = {")": "(", "]": "["}


class Bracketed(NamedTuple):
    """Places of an opening bracket and of the one that closes it."""

    opening: int
    closing: int


def bracketed(text: str) -> list[Bracketed]:
    """All pairs of brackets, nested ones too, in the order of their beginnings; those without a partner are left out.

    >>> bracketed("a (b [c]) d)")
    [Bracketed(opening=2, closing=8), Bracketed(opening=5, closing=7)]
    """
    opened: list[int] = []
    pairs: list[Bracketed] = []
    for match in _BRACKET.finditer(text):
        if match.group() in "([":
            opened.append(match.start())
        elif opened and text[opened[-1]] == _OPENING[match.group()]:
            pairs.append(Bracketed(opened.pop(), match.start()))
    return sorted(pairs)
