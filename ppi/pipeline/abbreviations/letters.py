"""What the letters of a short form are, and whether they stand in some words, in their order.

A number is one letter.  Greek letters, and their names in the short form, are the Latin letters that they begin with;
Roman numerals and small numbers in words are digits.  The s of a plural and the 1 at the end of a symbol (TWIST1) need
not be there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_GREEK = str.maketrans("αβγδεζηθικλμνξοπρστυφχψωµ", "abgdezhtiklmnxoprstufcpwm")
_GREEK_NAME = re.compile(r"(?<![a-z])(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|sigma|omega)")
_LETTER_OR_NUMBER = re.compile(r"\d+|[^\W\d_]")
_NUMERALS = {"I": "1", "II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6"} | {
    word: str(number) for number, word in enumerate(("one", "two", "three", "four", "five", "six"), start=1)
}
_NUMERAL = re.compile(rf"(?<![^\W_])(?:{'|'.join(_NUMERALS)})(?![^\W_])")
#: An s behind a capital or a digit is a plural's, and one behind three small letters (Tregs).
_PLURAL = re.compile(r"(?<=[A-Z0-9])s$|(?<=[A-Z][a-z][a-z][a-z])s$")
_SMALL = re.compile(r"[a-z]")


def fold(text: str) -> str:
    """The text, of the same length, in lower case and with Latin letters for Greek ones."""
    lower = text.lower()
    return (lower if len(lower) == len(text) else text).translate(_GREEK)


def replace_numerals(text: str) -> str:
    """The text, of the same length, with digits for Roman numerals and for small numbers in words.

    >>> replace_numerals("type II two-hybrid")
    'type 2  2  -hybrid'
    """
    return _NUMERAL.sub(lambda match: _NUMERALS[match.group()].ljust(len(match.group())), text)


def split_letters(short: str) -> list[str]:
    """The letters of a short form, without the s of a plural; a number is one of them.

    >>> split_letters("PSD-95s")
    ['p', 's', 'd', '95']
    """
    return _LETTER_OR_NUMBER.findall(fold(_PLURAL.sub("", short)))


def letter_variants(short: str, long: str) -> Iterator[tuple[list[str], str]]:
    """Letters to be looked for, and what they are looked for in, the plainest first."""
    plain, letters = fold(long), split_letters(short)
    greek = split_letters(_GREEK_NAME.sub(lambda match: match.group()[0], short))
    letter_lists = [letters] if greek == letters else [letters, greek]
    texts = [plain, fold(replace_numerals(long))] if any(map(str.isdigit, letters)) else [plain]
    yield from ((way, text) for way in letter_lists for text in texts if len(way) > 1)
    if letters[-1:] == ["1"] and len(letters) > 3:
        yield letters[:-1], plain


def rotate_letters(short: str) -> Iterator[list[str]]:
    """Letters in another order: what a short form with small letters ends or begins with may stand first or last in
    the words: "cellular prion protein" is PrP(c), "regulatory T cell" Treg.

    >>> list(rotate_letters("Treg"))
    [['g', 't', 'r', 'e'], ['r', 'e', 'g', 't']]
    """
    letters = split_letters(_GREEK_NAME.sub(lambda match: match.group()[0], short))
    if len(letters) > 3 and _SMALL.search(short):
        yield [letters[-1], *letters[:-1]]
        yield [*letters[1:], letters[0]]


def has_letters_in_order(letters: Sequence[str], long: str) -> bool:
    """Whether the letters stand in a folded text in their order, the first at the beginning of a word.

    That is the test of Schwartz and Hearst (2003): from right to left, each letter as far to the right as possible.
    """
    at = len(long)
    for letter in reversed(letters[1:]):
        at = find_before(letter, long, at)
        if at < 0:
            return False
    at = find_before(letters[0], long, at)
    while at > 0 and long[at - 1].isalnum():
        at = find_before(letters[0], long, at)
    return at >= 0


def find_before(letter: str, long: str, end: int) -> int:
    """The last place of a letter before another place; -1 if there is none."""
    at = long.rfind(letter, 0, end)
    while at >= 0 and letter.isdigit() and not is_number(letter, long, at):
        at = long.rfind(letter, 0, at)
    return at


def find_from(letter: str, long: str, start: int) -> int:
    """The first place of a letter at or behind another place; -1 if there is none."""
    at = long.find(letter, start)
    while at >= 0 and letter.isdigit() and not is_number(letter, long, at):
        at = long.find(letter, at + 1)
    return at


def is_number(digits: str, long: str, at: int) -> bool:
    """Whether digits in a text are a whole number, or the end of a year: COVID-19."""
    behind = long[at + len(digits) : at + len(digits) + 1]
    is_year = len(digits) == 2 and long[max(at - 2, 0) : at] in ("19", "20")
    return not behind.isdigit() and (is_year or not long[max(at - 1, 0) : at].isdigit())
