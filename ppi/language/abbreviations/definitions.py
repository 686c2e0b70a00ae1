"""Finds the definitions of abbreviations in a text, and looks up what an abbreviation means at a place.

* In brackets, round or square: "retinal ganglion cells (RGCs)", "angiopoietin-1 (Angpt1, also known as Ang1)".
* The other way round: "RDS (retinal degeneration slow)".
* Both inside: "(systematic evolution of ligands by exponential enrichment; SELEX)".
* In a list: "Abbreviations: NET, neutrophil extracellular trap; GI, gastrointestinal", "CI = confidence interval.".
* Between commas, if all its letters are initials: "the origin recognition complex, ORC, binds".

The first two are those of Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation definitions in
biomedical text"; :mod:`~ppi.language.abbreviations.long_forms` has their test of whether a short form stands for some
words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING, Generic, TypeVar

from ppi.language.abbreviations.long_forms import (
    MAX_LONG_FORM_CHARACTERS,
    Definition,
    find_initials_before,
    find_long_form,
    is_short_form,
    stands_for,
    text_at,
)

if TYPE_CHECKING:
    from corpora import Span

_BRACKET = re.compile(r"[()\[\]]")
_OPENING = {")": "(", "]": "["}


_SEPARATOR = re.compile(r"[;,]\s+")
_ALSO = re.compile(
    r"(?:also |hereafter |henceforth |herein |here |previously |formerly |collectively )*"
    r"(?:known as|called|termed|named|designated|denoted|abbreviated(?: as| to)?|referred to as|hereafter|henceforth"
    r"|or)(?: as)? "
)
#: The word before a bracket, which may be joined to others: "pro-RDS (".
_WORD_BEFORE = re.compile(r"(?<![^\s(\[/-])[^\W_][\w/.+-]{1,15}\s$")
#: The beginning of a word: "recombinant (rec)".
_CLIPPED = re.compile(r"[a-z]{3,5}")
_SMALL_WORD = re.compile(r"(?<!\S)[a-z]{6,50}\s$")
#: An entry of a list: after a stop, to the next one.
_ENTRY = re.compile(
    r"(?:^|(?<=[;:.(]\s)|(?<=\())([^\W_][\w/+-]{1,15})(?:, |: | ?= ?)([^\W_][^;.,:=()\n]{2,99}?)(?=\s?[;.)]|\s*$)",
    re.MULTILINE,
)
#: A word between commas, or before a relative clause.
_BETWEEN_COMMAS = re.compile(r",\s([^\W_][\w/+-]{2,15})(?=[,.;)]|\s(?:which|that|is|was|are|were)\b)")

Meaning = TypeVar("Meaning")
#: Where something stands: the number of a sentence, and of a character or word in it.
Place = tuple[int, int]

_NON_ALPHANUMERIC = re.compile(r"[\W_]+")
_PLURAL = re.compile(r"(?<=[A-Z0-9])s$")


def find_bracket_pairs(text: str) -> list[tuple[int, int]]:
    """All pairs of brackets, nested ones too, in the order of their beginnings; those without a partner are left out.

    >>> find_bracket_pairs("a (b [c]) d)")
    [(2, 8), (5, 7)]
    """
    open_brackets: list[int] = []
    pairs: list[tuple[int, int]] = []
    for match in _BRACKET.finditer(text):
        if match.group() in "([":
            open_brackets.append(match.start())
        elif open_brackets and text[open_brackets[-1]] == _OPENING[match.group()]:
            pairs.append((open_brackets.pop(), match.start()))
    return sorted(pairs)


def find_definitions(text: str) -> list[Definition]:
    """The definitions of a text, in its order; O(characters).

    >>> text = "endothelial progenitor cells (EPCs) and RDS (retinal degeneration slow)"
    >>> [(text_at(text, definition.short), text_at(text, definition.long)) for definition in find_definitions(text)]
    [('EPCs', 'endothelial progenitor cells'), ('RDS', 'retinal degeneration slow')]
    """
    definitions: set[Definition] = set()
    last: Definition | None = None
    for opening, closing in find_bracket_pairs(text):
        for definition in _find_in_bracket(text, opening, closing, last):
            definitions.add(definition)
            last = definition
    for entry in _ENTRY.finditer(text):
        if is_short_form(entry[1]) and stands_for(entry[1], entry[2]):
            definitions.add(Definition(entry.span(1), entry.span(2)))
    for comma in _BETWEEN_COMMAS.finditer(text):
        short = comma[1]
        if is_short_form(short) and (long := find_initials_before(text, comma.start(), short)) is not None:
            definitions.add(Definition(comma.span(1), long))
    return sorted(definitions)


def _find_in_bracket(text: str, opening: int, end: int, last: Definition | None) -> Iterator[Definition]:
    start = opening + 1
    if not start < end <= start + MAX_LONG_FORM_CHARACTERS or (opening and not text[opening - 1].isspace()):
        return
    items = list(_split_items(text, start, end))
    behind = [
        Definition(short, long)
        for number, (short, is_another) in enumerate(items)
        if (number == 0 or is_another) and is_short_form(text_at(text, short))
        if (long := find_long_form(text, opening, text_at(text, short), last)) is not None
    ]
    yield from behind or _find_inside(text, opening, [span for span, _ in items])
    if _CLIPPED.fullmatch(text, start, end):  # a word's beginning in small letters, behind that word
        word = _SMALL_WORD.search(text, max(0, opening - MAX_LONG_FORM_CHARACTERS), opening)
        if word and word.group().startswith(text[start:end]):
            yield Definition((start, end), (word.start(), word.end() - 1))


def _split_items(text: str, start: int, end: int) -> Iterator[tuple[Span, bool]]:
    """What commas and semicolons part in a bracket, and whether words such as "also known as" stood before it."""
    while start < end:
        separator = _SEPARATOR.search(text, start, end)
        stop = separator.start() if separator else end
        also = _ALSO.match(text, start, stop)
        first = also.end() if also else start
        item = text[first:stop]
        yield (first + len(item) - len(item.lstrip()), stop - len(item) + len(item.rstrip())), also is not None
        start = separator.end() if separator else end


def _find_inside(text: str, opening: int, items: list[Span]) -> Iterator[Definition]:
    """Definitions whose long form is the first thing in a bracket."""
    before = text[max(0, opening - 20) : opening]
    shorts = [items[1]] if len(items) > 1 else []
    if word := _WORD_BEFORE.search(before):
        shorts.append((opening - len(before) + word.start(), opening - 1))
    for short in shorts:
        if is_short_form(text_at(text, short)) and stands_for(text_at(text, short), text_at(text, items[0])):
            yield Definition(short, items[0])


class Meanings(Generic[Meaning]):
    """Meanings of abbreviations: that of the last definition before a place, or of the first one after it."""

    def __init__(self) -> None:
        self._definitions: dict[str, list[tuple[Place, Meaning]]] = {}

    def add(self, short: str, place: Place, meaning: Meaning) -> None:
        """Another definition; they come in the order of their places."""
        self._definitions.setdefault(normalize_abbreviation(short), []).append((place, meaning))

    def look_up(self, short: str, place: Place) -> Meaning | None:
        """What an abbreviation means in a place; None if the text does not define it."""
        definitions = self._definitions.get(normalize_abbreviation(short))
        if definitions is None:
            return None
        return definitions[max(bisect_right(definitions, place, key=itemgetter(0)) - 1, 0)][1]

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._definitions)


def normalize_abbreviation(short: str) -> str:
    """An abbreviation as small letters and digits, without the s of a plural: spellings that are one.

    >>> normalize_abbreviation("EPCs"), normalize_abbreviation("IL-2"), normalize_abbreviation("ras")
    ('epc', 'il2', 'ras')
    """
    return _NON_ALPHANUMERIC.sub("", _PLURAL.sub("", short)).lower()
