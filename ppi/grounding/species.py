"""Cell lines and the organisms they come from: "PANC-1 cells" are human.

Names with letters and digits, from Cellosaurus (CC BY 4.0), as hashes: what no gene is called.  They count only where a
sentence speaks of cells, those of three characters only before that word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from corpora import Document
from ppi.grounding.organisms import (
    ANIMAL_CUES,
    HUMAN,
    LEXICON_SPECIES,
    MAX_NAME_WORDS,
    MICROBE_ENDINGS,
    MOUSE,
    ORGANISM_HINTS,
    PEOPLE_CUES,
    RAT,
    TAXIDS_BY_FIRST_WORD,
)

CELL_LINES_FORMAT = "ppi-miner cell lines"
CELL_LINES_VERSION = 1
CELL_LINES_FILE = "cell_lines.zip"
#: Organisms whose lines are kept, by the names of their arrays.
CELL_LINE_TAXIDS = {"human": HUMAN, "mouse": MOUSE, "rat": RAT}

_CELL_LINE_NAME = re.compile(r"[a-z0-9]+(?:[-/][a-z0-9]+)*")
_CELL_WORD = re.compile(r"\bcells?\b")
_MIN_CELL_LINE_LENGTH, _MAX_CELL_LINE_LENGTH = 3, 8


def find_cell_lines(lower: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and organism of the cell lines that a sentence, in small letters, names; O(characters)."""
    if _CELL_WORD.search(lower) is None:
        return
    taxid_by_hash = _load_cell_lines()
    for match in _CELL_LINE_NAME.finditer(lower):
        key = match[0].replace("-", "").replace("/", "")
        if not is_distinctive_name(key) or (
            len(key) == _MIN_CELL_LINE_LENGTH and not lower.startswith(" cell", match.end())
        ):
            continue
        if (taxid := taxid_by_hash.get(hash_name(key))) is not None:
            yield match.start(), match.end(), taxid


def is_distinctive_name(key: str) -> bool:
    """Whether a name, letters and digits alone, can be told from a word: it has both, and neither few nor many.

    >>> [is_distinctive_name(key) for key in ("panc1", "hela", "lx2", "t2", "1234", "gm00001234")]
    [True, False, True, False, False, False]
    """
    return _MIN_CELL_LINE_LENGTH <= len(key) <= _MAX_CELL_LINE_LENGTH and not key.isdigit() and not key.isalpha()


def hash_name(key: str) -> int:
    """What a name is kept by."""
    return crc32(key.encode())


@cache
def _load_cell_lines() -> dict[int, str]:
    from ppi.core import read_archive

    _, arrays = read_archive(
        Path(str(files("ppi.grounding") / CELL_LINES_FILE)), format=CELL_LINES_FORMAT, versions=(CELL_LINES_VERSION,)
    )
    return {number: taxid for name, taxid in CELL_LINE_TAXIDS.items() for number in arrays[name].tolist()}


# The organisms that a text speaks of, and where: what decides whose gene a name is.
#
# A linear scan: words are looked up in a small table (:mod:`ppi.grounding.organisms`), the longest name at a place
# counts.

_WORD = re.compile(r"[a-z0-9]+")
#: Each word with one of the endings has one of these.
_ENDING_HINTS = ("vir", "cocc", "bact", "bacil")


class SpeciesMention(NamedTuple):
    """The name of an organism, at characters of a text."""

    start: int
    end: int
    taxid: str


def find_species(text: str) -> list[SpeciesMention]:
    """The organisms that a text names, in its order; O(characters).

    Examples
    --------
    >>> [(word.taxid, word.start) for word in find_species("murine and S. pombe cells, not yeast two-hybrid")]
    [('10090', 0), ('4896', 11)]
    """
    lower = _lowercase(text)
    return _scan_species(lower, _WORD.findall(lower))


def _lowercase(text: str) -> str:
    """In small letters, and no longer than it was: some capitals become two characters."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(map(_lowercase_character, text))


def _lowercase_character(character: str) -> str:
    lower = character.lower()
    return lower if len(lower) == 1 else character


def _scan_species(lower: str, words: list[str]) -> list[SpeciesMention]:
    mentions = [SpeciesMention(*line) for line in find_cell_lines(lower)]
    covered_offsets = {place for word in mentions for place in range(word.start, word.end)}
    if ORGANISM_HINTS.isdisjoint(words) and not any(hint in lower for hint in _ENDING_HINTS):
        return mentions  # as most sentences
    places = [word.span() for word in _WORD.finditer(lower)]
    at = 0
    while at < len(words):
        length, taxid = _match_name(words, at)
        if taxid is not None and places[at][0] not in covered_offsets:  # "NIH-3T3" is one line, not also "3T3"
            mentions.append(SpeciesMention(places[at][0], places[at + length - 1][1], taxid))
        at += length
    return sorted(mentions)


def _match_name(words: list[str], at: int) -> tuple[int, str | None]:
    """The longest name at a place, in words, and its organism."""
    names = TAXIDS_BY_FIRST_WORD.get(words[at])
    if names is not None:
        for size in range(min(MAX_NAME_WORDS, len(words) - at), 0, -1):
            name = tuple(words[at : at + size])
            if name in names:
                return size, names[name]
    word = words[at]
    for endings, kingdom in MICROBE_ENDINGS:
        if word.endswith(endings):
            return 1, kingdom
    return 1, None


@dataclass(frozen=True)
class Neighbourhood:
    """The organisms named around a mention: inside it, before and after it in its sentence (None: no word)."""

    inside: str | None
    before: str | None
    after: str | None

    @property
    def nearest(self) -> str | None:
        """The organism inside, else the one before, else the one after."""
        return self.inside or self.before or self.after


class DocumentSpecies:
    """The organisms of a document: where its sentences name them, and how often.

    O(characters) to make; O(log of the words of a sentence) to ask for a mention.
    """

    def __init__(self, document: Document) -> None:
        self._words = []
        #: how many words go with experiments on animals, and with studies of people
        self.animal_cues = self.people_cues = 0
        for sentence in document.sentences:
            lower = _lowercase(sentence.text)
            words = _WORD.findall(lower)
            self._words.append(_scan_species(lower, words))
            self.animal_cues += sum(map(ANIMAL_CUES.__contains__, words))
            self.people_cues += sum(map(PEOPLE_CUES.__contains__, words))
        self._ends = [[word.end for word in words] for words in self._words]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each organism is named."""
        return Counter(word.taxid for words in self._words for word in words)

    @cached_property
    def first(self) -> str | None:
        """The organism named first, usually in the title."""
        return next((word.taxid for words in self._words for word in words), None)

    @cached_property
    def total(self) -> int:
        """How many words name an organism."""
        return self.counts.total()

    @cached_property
    def dominant(self) -> str | None:
        """The organism named most, the earlier one of equals."""
        return max(self.counts, key=self.counts.__getitem__, default=None)

    @cached_property
    def unlisted_proportion(self) -> float:
        """The share of the words that name an organism which is none of :data:`LISTED`."""
        return 1 - sum(self.counts[taxid] for taxid in LEXICON_SPECIES) / self.total if self.total else 0.0

    def neighbourhood(self, sentence: int, start: int, end: int) -> Neighbourhood:
        """What stands around characters ``start`` to ``end`` of a sentence, by its number."""
        words, ends = self._words[sentence], self._ends[sentence]
        inside = bisect_left(ends, start + 1)
        after = inside
        while after < len(words) and words[after].start < end:
            after += 1
        return Neighbourhood(
            words[after - 1].taxid if after > inside else None,
            words[inside - 1].taxid if inside else None,
            words[after].taxid if after < len(words) else None,
        )
