"""Compares spellings of names at levels from certain to likely, and defines candidates and lexicon entries.

========== ======================================================================================================
level      two spellings match if they are equal
========== ======================================================================================================
exact      as they are
normalized without the accidents of spelling (:func:`normalize_name`): IL-2 and IL2, TNF-α and TNF alpha
plural     also without the s of the plural: caspases, MAPKs
stripped   also without a last word for the kind of thing that is named: p53 protein, BRCA1 gene, IL-2 mRNA
letters    also with Greek letters as Latin ones: TNF-alpha and TNFA, IL-1 beta and IL1B
========== ======================================================================================================

A last word is taken off any name that is looked up; off a name of a list only if one word is left, since ``heat shock``
is not short for ``heat shock protein``.  Below ``exact``, names of fewer than three letters and digits, or of digits
only, match nothing: ``P-1`` is not P1.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple
from zlib import crc32

#: What kinds of things have names: a gene with its products, a family of genes, a complex.
GENE, FAMILY, COMPLEX = ENTRY_KINDS = ("gene", "family", "complex")
#: Those that are not a single gene.
GROUP_KINDS = (FAMILY, COMPLEX)

#: How the spelling matched, best first; see the table above.
EXACT, NORMALIZED, PLURAL, STRIPPED, LETTERS = LEVELS = ("exact", "normalized", "plural", "stripped", "letters")
#: Which name of the thing it was, best first: the official symbol, another short name, a name in words.
SYMBOL, SYNONYM, NAME = FIELDS = ("symbol", "synonym", "name")
#: All values of :attr:`GroundingCandidate.match_type`, best first: spelling counts more than which name it is.
MATCH_TYPES = tuple(f"{level} {field}" for level in LEVELS for field in FIELDS)
EXACT_SYMBOL, NORMALIZED_SYMBOL = f"{EXACT} {SYMBOL}", f"{NORMALIZED} {SYMBOL}"

_RANK_BY_MATCH_TYPE = {match_type: rank for rank, match_type in enumerate(MATCH_TYPES)}


class GroundingCandidate(NamedTuple):
    """One thing that a name may stand for.

    Parameters
    ----------
    identifier
        A CURIE with the prefix as Bioregistry writes it: ``ncbigene:5216``, ``fplx:AKT``.
    symbol
        What it is officially called, in the case of its species: human ``IL2``, mouse ``Il2``.
    taxid
        NCBI's number of its species; None if it is of no one species.
    kind
        ``gene``, ``family`` or ``complex``.
    match_type
        One of :data:`MATCH_TYPES`: ``exact symbol``, ``normalized synonym`` and so on.
    uniprot
        UniProt's accession, where the source has it.
    """

    identifier: str
    symbol: str
    taxid: str | None
    kind: str
    match_type: str
    uniprot: str | None = None

    @property
    def rank(self) -> int:
        """The place of :attr:`match_type` in :data:`MATCH_TYPES`; 0 is the best."""
        return _RANK_BY_MATCH_TYPE[self.match_type]

    @property
    def is_symbol(self) -> bool:
        """Whether the name is the official symbol, as written or normalized."""
        return self.match_type in (EXACT_SYMBOL, NORMALIZED_SYMBOL)


class LexiconEntry(NamedTuple):
    """A gene, family or complex with all its names, as a source lists it."""

    identifier: str
    symbol: str
    synonyms: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    taxid: str | None = None
    kind: str = GENE
    uniprot: str | None = None


_GREEK_NAMES = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
    *("nu", "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
)  # sigma twice: the first is the one at the end of a word
_GREEK = {ord(first) + index: name for first in "αΑ" for index, name in enumerate(_GREEK_NAMES)}
_NUMERALS = (
    *("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
    *("XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII", "XIX", "XX"),
)
_ROMAN = {numeral: str(number) for number, numeral in enumerate(_NUMERALS, start=1)}
# after a separator: at the beginning of a name, I and V are letters
_ROMAN_PART = re.compile(r"(?<=[\s\-_/,(])([IVX]{1,5})(?![A-Za-z0-9])")
_ROMAN_HINT = re.compile(r"[\s\-_/,(][IVX]")
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")

#: Normalized names shorter than this match only as they are written.
_MIN_NORMALIZED_LENGTH = 3
_MIN_PLURAL_LENGTH = 5  # KRAS and cFos are not plurals
#: What lists add to a name, and what texts do.
_LEXICON_WORDS = r"gene[\s\-]+products?|proteins?|genes?|polypeptides?|precursors?"
_QUERY_WORDS = (
    r"mrnas?|cdnas?|transcripts?|promoters?|peptides?|isoforms?|molecules?|enzymes?|homologu?e?s?|orthologu?e?s?"
)
_LEXICON_SUFFIX = re.compile(rf"[\s\-]+(?:{_LEXICON_WORDS})$", re.IGNORECASE)
_QUERY_SUFFIX = re.compile(rf"[\s\-]+(?:{_LEXICON_WORDS}|{_QUERY_WORDS})$", re.IGNORECASE)
#: Names of Greek letters that names of proteins have, as an expression.
GREEK_WORDS = "alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma|omega"
_GREEK_WORD = re.compile(GREEK_WORDS)
_SPACE = re.compile(r"\s")


def normalize_name(name: str) -> str:
    """The name without the accidents of spelling; empty if it has neither letter nor digit.

    In this order: compatibility characters become plain ones (NFKC), Greek letters their names, Roman numerals that
    stand apart (``kinase II``, ``profilin-I``) Arabic ones, capitals small ones, and everything except letters and
    digits is removed.  Nothing else is changed: no word is removed, no plural is undone, no letter becomes Greek.

    >>> normalize_name("TNF-α"), normalize_name("TNF alpha"), normalize_name("protein kinase C, type II")
    ('tnfalpha', 'tnfalpha', 'proteinkinasectype2')
    >>> normalize_name("CD4(+)"), normalize_name("Factor VIII"), normalize_name("IX")
    ('cd4', 'factor8', 'ix')
    """
    if not name.isascii():
        name = unicodedata.normalize("NFKC", name).translate(_GREEK)
    if _ROMAN_HINT.search(name):
        name = _ROMAN_PART.sub(lambda match: _ROMAN.get(match[1], match[1]), name)
    return _NOT_ALPHANUMERIC.sub("", name.lower())


class Spelling(NamedTuple):
    """The forms of a name that are compared, each with fewer accidents than the one before; empty ones never match."""

    text: str
    normalized: str
    singular: str
    #: of what is left without the last word; the singular form itself if nothing was taken off
    stripped: str
    #: with Greek letters as Latin ones, whole and stripped: what names are looked up by
    letters: str
    stripped_letters: str

    def hashes(self) -> tuple[int, ...]:
        """The hashes that the name is kept under, or looked up by; names that match at any level share one."""
        if not self.letters:
            return (crc32(self.text.encode("utf-8", "surrogatepass")),)
        first = crc32(self.letters.encode())
        return (first,) if self.stripped_letters == self.letters else (first, crc32(self.stripped_letters.encode()))

    def match_level(self, other: Spelling) -> str | None:
        """The best level at which the two match; None if they do not."""
        if self.text == other.text:
            return EXACT
        if not self.normalized or not other.normalized:
            return None
        if self.normalized == other.normalized:
            return NORMALIZED
        if self.singular == other.singular:
            return PLURAL
        if {self.singular, self.stripped} & {other.singular, other.stripped}:
            return STRIPPED
        has_same_letters = {self.letters, self.stripped_letters} & {other.letters, other.stripped_letters}
        return LETTERS if has_same_letters else None


def make_spelling(name: str, *, is_query: bool = False) -> Spelling:
    """The forms of a name of a list, or of one that is looked up.

    >>> make_spelling("TNF-α proteins", is_query=True)[1:]
    ('tnfalphaproteins', 'tnfalphaprotein', 'tnfalpha', 'tnfaprotein', 'tnfa')
    >>> make_spelling("TNF").match_level(make_spelling("Tnf protein", is_query=True))
    'stripped'
    """
    key = _discard_short_key(normalize_name(name))
    singular = _singularize(key)
    shorter_name = (_QUERY_SUFFIX if is_query else _LEXICON_SUFFIX).sub("", name)
    if shorter_name == name or (not is_query and _SPACE.search(shorter_name)):
        stripped = singular
    else:
        stripped = _singularize(_discard_short_key(normalize_name(shorter_name))) or singular
    letters = _latinize(singular)
    return Spelling(name, key, singular, stripped, letters, letters if stripped == singular else _latinize(stripped))


def _discard_short_key(key: str) -> str:
    return key if len(key) >= _MIN_NORMALIZED_LENGTH and not key.isdigit() else ""


def _singularize(key: str) -> str:
    return key[:-1] if len(key) >= _MIN_PLURAL_LENGTH and key[-1] == "s" and key[-2] != "s" else key


def _latinize(key: str) -> str:
    return _GREEK_WORD.sub(lambda match: match[0][0], key)
