"""What the abbreviations of a text mean in each of its places."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Generic, TypeVar

Meaning = TypeVar("Meaning")
#: Where something stands: the number of a sentence, and of a character or word in it.
Place = tuple[int, int]

_NON_ALPHANUMERIC = re.compile(r"[\W_]+")
_PLURAL = re.compile(r"(?<=[A-Z0-9])s$")


class Meanings(Generic[Meaning]):
    """Meanings of abbreviations: that of the last definition before a place, or of the first one behind it."""

    def __init__(self) -> None:
        self._places: dict[str, list[Place]] = {}
        self._meanings: dict[str, list[Meaning]] = {}

    def add(self, short: str, place: Place, meaning: Meaning) -> None:
        """Another definition; they come in the order of their places."""
        key = normalize_abbreviation(short)
        self._places.setdefault(key, []).append(place)
        self._meanings.setdefault(key, []).append(meaning)

    def look_up(self, short: str, place: Place) -> Meaning | None:
        """What an abbreviation means in a place; None if the text does not say."""
        key = normalize_abbreviation(short)
        if key not in self._places:
            return None
        return self._meanings[key][max(bisect_right(self._places[key], place) - 1, 0)]

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._places)


def normalize_abbreviation(short: str) -> str:
    """An abbreviation as small letters and digits, without the s of a plural: spellings that are one.

    >>> normalize_abbreviation("EPCs"), normalize_abbreviation("IL-2"), normalize_abbreviation("ras")
    ('epc', 'il2', 'ras')
    """
    return _NON_ALPHANUMERIC.sub("", _PLURAL.sub("", short)).lower()
