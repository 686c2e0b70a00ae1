"""What to ask a lexicon for a mention: its text, then without what texts put before names, then the names inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ppi.grounding.species import find_species
from ppi.grounding.species_words import BUDDING_YEAST, FLY, HUMAN, MOUSE, RAT, ZEBRAFISH

#: How a name was taken from a mention.
WHOLE, BARE, PREFIXED, PART, MEMBER = QUERY_FORMS = ("whole", "bare", "prefixed", "part", "member")

#: What stands before a name without being of it.
_MODIFIER = re.compile(
    r"(?:recombinant|wild[- ]?type|mutant|mutated|endogenous|exogenous|native|soluble|full[- ]length|phosphorylated"
    r"|phospho|unphosphorylated|dephosphorylated|activated|active|inactive|constitutively active|dominant[- ]negative"
    r"|nuclear|cytoplasmic|cytosolic|mitochondrial|membrane|secreted|circulating|serum|plasma|total|cleaved|purified"
    r"|truncated|transgenic|tagged|the|novel|putative|anti|pro|pre|mature|normal|cellular|intracellular"
    r"|extracellular|mammalian|vertebrate|eukaryotic|adult|fetal|embryonic|gene|protein|rh|p)[\s-]+",
    re.IGNORECASE,
)
#: hMLH1, mCD4, rIL-2, dTRAF2, zWnt: a small letter before a symbol.
_SYMBOL_PREFIX = re.compile(r"(rh|rm|h|m|r|d|z|zf|y|Hs|Mm|Dm|Sc|p|c|Ad|si|sh|s)[-.]?(?=[A-Z])")
_TAXID_OF_PREFIX = {
    **{"h": HUMAN, "rh": HUMAN, "Hs": HUMAN, "m": MOUSE, "rm": MOUSE, "Mm": MOUSE, "r": RAT, "d": FLY, "Dm": FLY},
    **{"z": ZEBRAFISH, "zf": ZEBRAFISH, "y": BUDDING_YEAST, "Sc": BUDDING_YEAST},
}
_WORD = re.compile(r"[^\s/,;:+()\[\]]+")
#: Pieces longer than this, in words, are not looked for, nor mentions of more words looked into.
_MAX_PART_WORDS, _MAX_MENTION_WORDS = 4, 8


#: What the first member of a family has at the end of its name.
_FIRST_MEMBER_SUFFIXES, _FIRST_MEMBER_SUFFIXES_AFTER_DIGIT = ("1", " alpha", " alpha 1"), ("A", " alpha")


class NameQuery(NamedTuple):
    """A name to ask for; ``taxid`` if its spelling tells the species."""

    text: str
    form: str
    taxid: str | None = None


def generate_queries(text: str) -> Iterator[NameQuery]:
    """What to ask for a mention, best first; the first that is known counts.

    Examples
    --------
    >>> [query.text for query in generate_queries("human wild-type p53")]
    ['human wild-type p53', 'p53']
    >>> list(generate_queries("hMLH1"))[1]
    Query(text='MLH1', form='prefixed', taxid='9606')
    """
    yield NameQuery(text, WHOLE)
    stripped = strip_modifiers(text)
    if stripped != text:
        yield NameQuery(stripped, BARE)
    if (prefix := _SYMBOL_PREFIX.match(stripped)) and len(stripped) - prefix.end() >= 2:
        yield NameQuery(stripped[prefix.end() :], PREFIXED, _TAXID_OF_PREFIX.get(prefix[1]))
    yield from _generate_parts(stripped)
    if len(stripped) > 3 and stripped[-1].isalnum():
        # the first of a family often goes without its number: perilipin, Rab5, MOB1
        yield from (
            NameQuery(f"{stripped}{end}", MEMBER)
            for end in (_FIRST_MEMBER_SUFFIXES_AFTER_DIGIT if stripped[-1].isdigit() else _FIRST_MEMBER_SUFFIXES)
        )


@lru_cache(maxsize=8192)
def strip_modifiers(text: str) -> str:
    """The text without organisms and adjectives at its beginning, the whole text if nothing would be left."""
    rest = text
    while True:
        organisms = find_species(rest)
        end = organisms[0].end if organisms and organisms[0].start == 0 else 0
        if end and end < len(rest) and rest[end] in " -":
            end += 1
        elif before := _MODIFIER.match(rest):
            end = before.end()
        else:
            return rest
        if not any(character.isalnum() for character in rest[end:]):
            return rest
        rest = rest[end:]


def _generate_parts(text: str) -> Iterator[NameQuery]:
    """Runs of words of the text, longest first and then the last; single words only if they look like a symbol."""
    words = list(_WORD.finditer(text))
    if not 1 < len(words) <= _MAX_MENTION_WORDS:
        return
    for size in range(min(_MAX_PART_WORDS, len(words) - 1), 0, -1):
        for first in range(len(words) - size, -1, -1):
            part = text[words[first].start() : words[first + size - 1].end()]
            if size > 1 or looks_like_symbol(part):
                yield NameQuery(part, PART)


def looks_like_symbol(word: str) -> bool:
    """Whether a word has the looks of a symbol: a digit or a second capital, and two letters or more.

    >>> [looks_like_symbol(word) for word in ("SOX10", "p53", "Factor", "II", "c-Myc", "2")]
    [True, True, False, False, True, False]
    """
    letters = [character for character in word if character.isalpha()]
    if len(word) < 3 or len(letters) < 1:
        return False
    return any(map(str.isdigit, word)) or any(character.isupper() for character in word[1:])
