"""Names of genes and proteins without the accidents of spelling.

In this order: compatibility characters become plain ones (NFKC), Greek letters their names, Roman numerals that stand
apart (``kinase II``, ``profilin-I``) Arabic ones, capitals small ones, and everything that is no letter or digit is
left out.  So ``TNF-α``, ``TNF alpha`` and ``TNFalpha`` are one, and so are ``NF-κB`` and ``NFkappaB``.  Nothing else is
touched: no words are left out, no plural is undone, letters are not exchanged for Greek ones.
"""

from __future__ import annotations

import re
import unicodedata

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


def normalize_name(name: str) -> str:
    """The name without the accidents of spelling; empty if it has neither letter nor digit.

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
