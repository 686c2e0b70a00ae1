"""Whether the letters of a short form stand in a long form, in their order: Schwartz and Hearst (2003).

The short form is read from right to left, and each of its letters is looked for in the long form, from the place of
the letter before; the first one must begin a word.  Beyond their definition a number is one letter, Greek letters (and
their names in the short form) are the Latin letters that they begin with, Roman numerals and small numbers in words are
digits, and the s of a plural and the 1 at the end of a symbol (TWIST1) need not be there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_GREEK = str.maketrans("αβγδεζηθικλμνξοπρστυφχψωµ", "abgdezhtiklmnxoprstufcpwm")
_GREEK_NAME = re.compile(r"alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|sigma|omega")
_LETTER = re.compile(r"\d+|[^\W\d_]")
_NUMERALS = dict(zip("I II III IV V VI one two three four five six".split(), "123456" * 2))
_NUMERAL = re.compile(rf"(?<![^\W_])(?:{'|'.join(_NUMERALS)})(?![^\W_])")
#: An s behind a capital or a digit is a plural's.
_PLURAL = re.compile(r"(?<=[A-Z0-9])s$")

Letters = list[str]


def folded(text: str) -> str:
    """The text, of the same length, in lower case and with Latin letters for Greek ones."""
    lower = text.lower()
    return (lower if len(lower) == len(text) else text).translate(_GREEK)


def with_digits(text: str) -> str:
    """The text, of the same length, with digits for Roman numerals and for small numbers in words.

    >>> with_digits("type II two-hybrid")
    'type 2  2  -hybrid'
    """
    return _NUMERAL.sub(lambda match: _NUMERALS[match.group()].ljust(len(match.group())), text)


def letters_of(short: str) -> Letters:
    """The letters of a short form, without the s of a plural; a number is one of them.

    >>> letters_of("PSD-95s")
    ['p', 's', 'd', '95']
    """
    return _LETTER.findall(folded(_PLURAL.sub("", short)))


def readings(short: str, long: str) -> Iterator[tuple[Letters, str]]:
    """Letters to be looked for, and what they are looked for in, the plainest first."""
    plain, letters = folded(long), letters_of(short)
    greek = _LETTER.findall(_GREEK_NAME.sub(lambda match: match.group()[0], folded(_PLURAL.sub("", short))))
    ways = [letters] if greek == letters else [letters, greek]
    texts = [plain, folded(with_digits(long))] if any(map(str.isdigit, letters)) else [plain]
    yield from ((way, text) for way in ways for text in texts if len(way) > 1)
    if letters[-1:] == ["1"] and len(letters) > 3:
        yield letters[:-1], plain


def match(letters: Sequence[str], long: str) -> tuple[int, ...] | None:
    """Where the letters stand in a folded long form, each as far to the right as possible; None if they do not."""
    places = []
    at = len(long)
    for number in range(len(letters) - 1, -1, -1):
        at = _before(letters[number], long, at, is_first=number == 0)
        if at < 0:
            return None
        places.append(at)
    return tuple(reversed(places))


def match_whole(letters: Sequence[str], long: str) -> tuple[int, ...] | None:
    """The same with the first letter at the beginning of the long form."""
    if not long.startswith(letters[0]):
        return None
    rest = match(["", *letters[1:]], long[len(letters[0]) :])
    return rest and (0, *(place + len(letters[0]) for place in rest[1:]))


def _before(letter: str, long: str, end: int, *, is_first: bool) -> int:
    """The last place of a letter before another place; -1 if there is none."""
    at = long.rfind(letter, 0, end)
    while at >= 0 and not _fits(letter, long, at, is_first=is_first):
        at = long.rfind(letter, 0, at)
    return at


def _fits(letter: str, long: str, at: int, *, is_first: bool) -> bool:
    if letter.isdigit():  # a whole number, or the end of a year: COVID-19
        behind = long[at + len(letter) : at + len(letter) + 1]
        year = len(letter) == 2 and long[max(at - 2, 0) : at] in ("19", "20")
        return not behind.isdigit() and (year or not long[max(at - 1, 0) : at].isdigit())
    return not is_first or not letter or not long[max(at - 1, 0) : at].isalnum()
