"""Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation definitions", as it was published."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ppi.language import Definition

_BRACKET = re.compile(r"\(([^()]*)\)")
_WORD = re.compile(r"\S+")


def definitions(text: str) -> Iterator[Definition]:
    """The definitions in round brackets, short form inside or before them."""
    for bracket in _BRACKET.finditer(text):
        inside = re.split(r"[,;]", bracket[1], maxsplit=1)[0].strip()
        start = bracket.start(1) + bracket[1].find(inside)
        if _is_short(inside):
            long = best_long_form(inside, text[_window(text, bracket.start(), inside) : bracket.start()].rstrip())
            end = len(text[: bracket.start()].rstrip())
            if long is not None:
                yield Definition((start, start + len(inside)), (end - len(long), end))
        elif (words := list(_WORD.finditer(text, max(0, bracket.start() - 50), bracket.start()))) and inside:
            short = words[-1].group()
            if _is_short(short) and best_long_form(short, inside) == inside:
                yield Definition(words[-1].span(), (start, start + len(inside)))


def _is_short(text: str) -> bool:
    """2 to 10 characters in at most two words, a letter among them, the first a letter or digit."""
    return 2 <= len(text) <= 10 and len(text.split()) <= 2 and any(map(str.isalpha, text)) and text[:1].isalnum()


def _window(text: str, end: int, short: str) -> int:
    """Where the words begin that may be the long form: min(|A| + 5, 2 |A|) of them, in the same sentence."""
    start = max(text.rfind(". ", 0, end) + 2, text.rfind("\n", 0, end) + 1, end - 500, 0)
    words = list(_WORD.finditer(text, start, end))
    return words[-min(len(short) + 5, 2 * len(short)) :][0].start() if words else end


def best_long_form(short: str, long: str) -> str | None:
    """findBestLongForm of the paper: characters of the short form from right to left."""
    at = len(long) - 1
    for index in range(len(short) - 1, -1, -1):
        character = short[index].lower()
        if not character.isalnum():
            continue
        while at >= 0 and (long[at].lower() != character or (index == 0 and at > 0 and long[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return None
        at -= 1
    found = long[long.rfind(" ", 0, at + 1) + 1 :]
    return found if len(found) > len(short) and short not in found.split() else None
