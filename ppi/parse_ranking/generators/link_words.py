"""Where the words that ``link-parser`` prints stand in the sentence.

It prints ``protein.n`` for "protein", ``p53[?].a`` for an unknown word taken as an adjective, ``MDM2[!]`` for one
recognized by its shape, ``[the]`` for a word it skipped, and small letters for a capital at the beginning.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_GUESS = re.compile(r"\[([?!~&])\]$")
_SKIPPED = re.compile(r"\[(.+)\]$", re.DOTALL)
#: Unicode categories that a line cannot hold or that separate words.
_BLANK_CATEGORIES = frozenset(["Cc", "Cs", "Zs", "Zl", "Zp"])
#: How a reading is remarked on, in CoNLL-U's way.
_MISC_BY_MARK = {"?": "Known=No", "!": "Known=Shape", "~": "Known=Guess", "&": "Known=Split"}


class LocatedWord(NamedTuple):
    """A word of the sentence: its place, the grammar's subscript (``n``, ``v-d``) and a remark, if any."""

    start: int
    end: int
    subscript: str | None
    misc: str | None


class _WordReading(NamedTuple):
    text: str
    subscript: str | None
    misc: str | None


class ParserInput(NamedTuple):
    """A text as it can be sent, and for each of its characters the offset in the original."""

    text: str
    offsets: list[int]

    def restore_offsets(self, word: LocatedWord) -> LocatedWord:
        """The word with its place in the original text."""
        return word._replace(start=self.offsets[word.start], end=self.offsets[word.end - 1] + 1)


def make_parser_input(text: str) -> ParserInput:
    """The text on one line.

    Control characters, halves of surrogate pairs and any white space become spaces; characters without a shape (soft
    hyphens, zero-width spaces) are left out; so that no word holds ``)(``, the two are set apart.
    """
    characters: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        category = unicodedata.category(char)
        if category == "Cf":
            continue
        if char == "(" and characters and characters[-1] == ")":
            characters.append(" ")
            offsets.append(offset)
        characters.append(" " if category in _BLANK_CATEGORIES else char)
        offsets.append(offset)
    return ParserInput("".join(characters), offsets)


def locate_words(words: Sequence[str], text: str) -> list[LocatedWord] | None:
    """A place in ``text`` for each printed word, or None if they do not spell the text.

    Words follow each other with nothing but spaces between.  Where a word can be read in several ways (is
    ``e.g.`` a word, or ``e.g`` with a subscript?) the longest reading that lets the rest fit is taken.
    O(words x readings x places they can end at).
    """
    readings = [_list_readings(word) for word in words]
    located: list[LocatedWord] = []
    dead_ends: set[tuple[int, int]] = set()  # (words read, characters used) from which the rest does not fit
    while True:
        end = located[-1].end if located else 0
        if len(located) == len(words) and not text[end:].strip():
            return located
        fitting_words = _find_fitting_words(readings[len(located)], text, end) if len(located) < len(words) else []
        word = next((word for word in fitting_words if (len(located) + 1, word.end) not in dead_ends), None)
        if word is not None:
            located.append(word)
        elif located:  # go back and read the word before in another way
            dead_ends.add((len(located), end))
            located.pop()
        else:
            return None


def _find_fitting_words(readings: Sequence[_WordReading], text: str, position: int) -> list[LocatedWord]:
    """The readings that stand in the text at the next character that is no space."""
    while position < len(text) and text[position].isspace():
        position += 1
    return [
        LocatedWord(position, position + len(text_read), subscript, misc)
        for text_read, subscript, misc in readings
        if _equal_ignoring_case(text[position : position + len(text_read)], text_read)
    ]


def _equal_ignoring_case(first: str, second: str) -> bool:
    """Equal but for capitals; one character stays one, also where its small letter is two (İ)."""
    if first == second:
        return True
    if len(first) != len(second):
        return False
    return all(
        first_character == second_character or first_character.lower()[0] == second_character.lower()[0]
        for first_character, second_character in zip(first, second, strict=True)
    )


@lru_cache(maxsize=2**14)  # the linkages of a sentence print nearly the same words
def _list_readings(printed: str) -> tuple[_WordReading, ...]:
    """What a printed word can stand for, longest first; each reading is at least one character."""
    readings = [_WordReading(printed, None, None)]
    if skipped := _SKIPPED.match(printed):
        readings.append(_WordReading(skipped[1], None, "Skipped=Yes"))
    for dot in (match.start() for match in re.finditer(r"\.", printed)):
        readings.append(_WordReading(printed[:dot], printed[dot + 1 :] or None, None))
    for reading in list(readings):
        if guess := _GUESS.search(reading.text):
            readings.append(_WordReading(reading.text[: guess.start()], reading.subscript, _MISC_BY_MARK[guess[1]]))
    return tuple(sorted((reading for reading in readings if reading.text), key=lambda reading: -len(reading.text)))
