"""Abbreviations and what they stand for: "endothelial progenitor cells (EPC)" (Schwartz and Hearst, 2003)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

#: An abbreviation has no more words.
_MOST_SHORT = 4
_MOST_CHARACTERS = 12
#: Hyphens and brackets inside a long form, for which there is this much more room.
_PUNCTUATION = 4


class Definition(NamedTuple):
    """Places in words: the long form is ``[start, bracket)``, the abbreviation ``[bracket + 1, end)``."""

    start: int
    bracket: int
    end: int


def definitions(words: Sequence[str]) -> Iterator[Definition]:
    """The abbreviations that a sentence defines in brackets after their long forms; O(words).

    Examples
    --------
    >>> list(definitions("the benzo [ a ] pyrene ( BaP ) was".split()))
    [Definition(start=1, bracket=6, end=8)]
    """
    for bracket, word in enumerate(words):
        if word != "(" or not bracket:
            continue
        for end in range(bracket + 2, min(bracket + 2 + _MOST_SHORT, len(words))):
            if words[end] in (")", ";", ","):
                short = "".join(words[bracket + 1 : end])
                start = _long_form(short, words, bracket)
                if start is not None:
                    yield Definition(start, bracket, end)
                break


def _long_form(short: str, words: Sequence[str], bracket: int) -> int | None:
    """Where the words before the bracket begin that hold the abbreviation's characters in order, the first of them at
    the beginning of a word; None if they do not."""
    letters = [character.lower() for character in short if character.isalnum()]
    if not 2 <= len(letters) <= _MOST_CHARACTERS or not any(map(str.isupper, short)):
        return None
    if letters[-1] == "s" and short[-1] == "s":  # a plural: EPCs
        letters.pop()
    least = max(0, bracket - min(len(letters) + 5, 2 * len(letters)) - _PUNCTUATION)
    place = len(letters) - 1
    for index in range(bracket - 1, least - 1, -1):
        word = words[index].lower()
        for at in range(len(word) - 1, -1, -1):
            if word[at] == letters[place] and (place or at == 0):
                place -= 1
                if place < 0:
                    return index if _is_longer(short, words[index:bracket]) else None
    return None


def _is_longer(short: str, long: Sequence[str]) -> bool:
    return len("".join(long)) > len(short) and short not in long
