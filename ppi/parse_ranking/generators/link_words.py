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
_BLANK = frozenset(["Cc", "Cs", "Zs", "Zl", "Zp"])
#: How a reading is remarked on, in CoNLL-U's way.
_REMARKS = {"?": "Known=No", "!": "Known=Shape", "~": "Known=Guess", "&": "Known=Split"}


class Word(NamedTuple):
    """A word of the sentence: its place, the grammar's subscript (``n``, ``v-d``) and a remark, if any."""

    start: int
    end: int
    subscript: str | None
    remark: str | None


class _Reading(NamedTuple):
    text: str
    subscript: str | None
    remark: str | None


class Readable(NamedTuple):
    """A text as it can be sent, and for each of its characters the offset in the original."""

    text: str
    offsets: list[int]

    def original(self, word: Word) -> Word:
        """The word with its place in the original text."""
        return word._replace(start=self.offsets[word.start], end=self.offsets[word.end - 1] + 1)


def readable(text: str) -> Readable:
    """The text on one line.

    Control characters, halves of surrogate pairs and any white space become spaces; characters without a shape (soft
    hyphens, zero-width spaces) are left out; so that no word holds ``)(``, the two are set apart.
    """
    kept: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        category = unicodedata.category(char)
        if category == "Cf":
            continue
        if char == "(" and kept and kept[-1] == ")":
            kept.append(" ")
            offsets.append(offset)
        kept.append(" " if category in _BLANK else char)
        offsets.append(offset)
    return Readable("".join(kept), offsets)


def locate(words: Sequence[str], text: str) -> list[Word] | None:
    """A place in ``text`` for each printed word, or None if they do not spell the text.

    Words follow each other with nothing but spaces between.  Where a word can be read in several ways (is
    ``e.g.`` a word, or ``e.g`` with a subscript?) the longest reading that lets the rest fit is taken.
    O(words x readings x places they can end at).
    """
    readings = [_readings(word) for word in words]
    places: list[Word] = []
    dead: set[tuple[int, int]] = set()  # (words read, characters used) from which the rest does not fit
    while True:
        end = places[-1].end if places else 0
        if len(places) == len(words) and not text[end:].strip():
            return places
        fitting = _fitting(readings[len(places)], text, end) if len(places) < len(words) else []
        word = next((word for word in fitting if (len(places) + 1, word.end) not in dead), None)
        if word is not None:
            places.append(word)
        elif places:  # go back and read the word before in another way
            dead.add((len(places), end))
            places.pop()
        else:
            return None


def _fitting(readings: Sequence[_Reading], text: str, position: int) -> list[Word]:
    """The readings that stand in the text at the next character that is no space."""
    while position < len(text) and text[position].isspace():
        position += 1
    return [
        Word(position, position + len(text_read), subscript, remark)
        for text_read, subscript, remark in readings
        if _same(text[position : position + len(text_read)], text_read)
    ]


def _same(first: str, second: str) -> bool:
    """Equal but for capitals; one character stays one, also where its small letter is two (İ)."""
    if first == second:
        return True
    if len(first) != len(second):
        return False
    return all(one == two or one.lower()[0] == two.lower()[0] for one, two in zip(first, second, strict=True))


@lru_cache(maxsize=2**14)  # the linkages of a sentence print nearly the same words
def _readings(printed: str) -> tuple[_Reading, ...]:
    """What a printed word can stand for, longest first; each reading is at least one character."""
    found = [_Reading(printed, None, None)]
    if skipped := _SKIPPED.match(printed):
        found.append(_Reading(skipped[1], None, "Skipped=Yes"))
    for dot in (match.start() for match in re.finditer(r"\.", printed)):
        found.append(_Reading(printed[:dot], printed[dot + 1 :] or None, None))
    for reading in list(found):
        if guess := _GUESS.search(reading.text):
            found.append(_Reading(reading.text[: guess.start()], reading.subscript, _REMARKS[guess[1]]))
    return tuple(sorted((reading for reading in found if reading.text), key=lambda reading: -len(reading.text)))
