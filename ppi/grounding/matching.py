"""When two spellings are one name, from certain to likely.

========== ======================================================================================================
level      two spellings match if they are equal
========== ======================================================================================================
exact      as they are
normalized without the accidents of spelling (:mod:`ppi.grounding.normalization`): IL-2 and IL2, TNF-α and TNF alpha
plural     also without the s of the plural: caspases, MAPKs
stripped   also without a last word that says what kind of thing is named: p53 protein, BRCA1 gene, IL-2 mRNA
letters    also with Greek letters as Latin ones: TNF-alpha and TNFA, IL-1 beta and IL1B
========== ======================================================================================================

A last word is taken off a name asked for whatever it is; off a name of a list only if one word is left, since ``heat
shock`` is not short for ``heat shock protein``.  Below ``exact``, names of fewer than three letters and digits, or of
digits alone, match nothing: ``P-1`` is not P1.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from zlib import crc32

from ppi.grounding.candidate import EXACT, LETTERS, NORMALIZED, PLURAL, STRIPPED
from ppi.grounding.normalization import normalize_name

#: Normalized names shorter than this match only as they are written.
MIN_NORMALIZED_LENGTH = 3
_MIN_PLURAL_LENGTH = 5  # KRAS and cFos are no plurals
#: What lists add to a name, and what texts do.
_LEXICON_WORDS = r"gene[\s\-]+products?|proteins?|genes?|polypeptides?|precursors?"
_QUERY_WORDS = (
    r"mrnas?|cdnas?|transcripts?|promoters?|peptides?|isoforms?|molecules?|enzymes?|homologu?e?s?|orthologu?e?s?"
)
_LEXICON_SUFFIX = re.compile(rf"[\s\-]+(?:{_LEXICON_WORDS})$", re.IGNORECASE)
_QUERY_SUFFIX = re.compile(rf"[\s\-]+(?:{_LEXICON_WORDS}|{_QUERY_WORDS})$", re.IGNORECASE)
_GREEK_WORDS = re.compile("alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma|omega")
_SPACE = re.compile(r"\s")


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
        own_forms, other_forms = {self.singular, self.stripped}, {other.singular, other.stripped}
        if own_forms & other_forms:
            return STRIPPED
        own_forms, other_forms = {self.letters, self.stripped_letters}, {other.letters, other.stripped_letters}
        return LETTERS if own_forms & other_forms else None


def make_spelling(name: str, *, is_query: bool = False) -> Spelling:
    """The forms of a name of a list, or of one that is asked for.

    >>> make_spelling("TNF-α proteins", asked=True)[1:]
    ('tnfalphaproteins', 'tnfalphaprotein', 'tnfalpha', 'tnfaprotein', 'tnfa')
    >>> make_spelling("TNF").match_level(make_spelling("Tnf protein", asked=True))
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
    return key if len(key) >= MIN_NORMALIZED_LENGTH and not key.isdigit() else ""


def _singularize(key: str) -> str:
    return key[:-1] if len(key) >= _MIN_PLURAL_LENGTH and key[-1] == "s" and key[-2] != "s" else key


def _latinize(key: str) -> str:
    return _GREEK_WORDS.sub(lambda match: match[0][0], key)
