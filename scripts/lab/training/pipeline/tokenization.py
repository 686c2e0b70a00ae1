"""The shipped tokenizer: spaCy's rule tokenizer with rules for biomedical names.

It cuts as CRAFT does - at hyphens, slashes, primes, brackets and operators; not inside numbers, decimals,
Greek letters or ``Ca2+`` - except that ``anti-`` is always cut off, so that in ``anti-CD3`` the protein is a
token.  The rules are regular expressions and a list of exceptions: data in the pipeline's directory, no code.
"""

from __future__ import annotations

import re

from spacy.attrs import NORM, ORTH
from spacy.tokenizer import Tokenizer
from spacy.vocab import Vocab

#: Prefixes that keep their hyphen in CRAFT: non-functional, co-transfected.
_BOUND_PREFIXES = """
    non Non co Co pre Pre post sub auto inter mid multi over semi pseudo hetero micro intra extra re
"""

_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2212"
_PRIMES = "'\u2018\u2019\u2032\u2033`"
_QUOTES = '"\u201c\u201d\u00ab\u00bb'
_BRACKETS = r"()\[\]{}"
_OPERATORS = "=<>\u2264\u2265\u00b1\u00d7~\u223c\u2192\u2190\u2194\u00b7\u22c5|^\u2022\u00a4\u2021#&%"
_DEGREES = "\u00b0[CF]"
_ALWAYS_CUT = f"{_QUOTES}{_BRACKETS}{_OPERATORS};/?!\u2026"

_ABBREVIATIONS = """
    al. Fig. Figs. fig. figs. Eq. Ref. Refs. ref. Dr. Drs. Prof. Mr. Mrs. Ms. St. Inc. Corp. Co. Ltd. No. e.g.
    i.e. vs. cf. approx. ca. etc. s.c. i.p. i.v. i.m. chr. sp. spp. var. Jr. Sr. U.S. U.S.A. U.K. Ph.D. M.D.
"""
#: Initials of species (E. coli); not the letters that more often end a name and a sentence (protein kinase C.).
_INITIALS = "E. H. K. L. P. R. S. T. U."

#: A plus is cut off (CD4+, +/-) unless it is the charge of one of these.
_IONS = "Ca2+ K+ Na+ H+ Mg2+ Zn2+ Cu+ Cu2+ Fe2+ Fe3+ Mn2+ Co2+ Ni2+ NAD+ NADP+ Li+"

#: What takes "n't", which is the word "not" for all that follows.
_NEGATED = "are ca could did do does had has have is should was were wo would"

#: Addresses and DOIs stay whole.
_ADDRESS = r"(?i)^(?:(?:https?|ftp)://\S*[^\s.,;)\]]|www\.\S*[^\s.,;)\]]|(?:doi:)?10\.\d{4,}/\S*[^\s.,;)\]])$"


def build_tokenizer(vocab: Vocab) -> Tokenizer:
    """The tokenizer of the shipped pipeline over ``vocab``.

    O(characters), except for brackets and quotes nested without white space, O(squared characters) of such a stretch:
    :mod:`ppi.language.tokenization` cuts those.
    """
    prefix = rf"^(?:\.\.+|[{_DASHES}{_PRIMES}{_ALWAYS_CUT},.:+$]|\*+)"
    suffixes = [
        r"(?<=[^\W\d_])['\u2019]s",
        rf"(?<=[\d)]){_DEGREES}",
        rf"[{_DASHES}{_PRIMES}{_ALWAYS_CUT},:]",
        r"\*+|\++|(?<!\.)\.|\.\.+",
    ]
    bound = "".join(rf"(?<!\b{prefix})" for prefix in _BOUND_PREFIXES.split())
    infix = "|".join(
        [
            r"\.\.+",
            rf"[{_ALWAYS_CUT}]",
            rf"{bound}-|-$",
            rf"[{_DASHES.replace('-', '')}]",
            r"(?<!\d),|,(?!\d{3}(?!\d))",
            r":",
            rf"(?<=[\d\w])[{_PRIMES}](?![A-Z]|s$)",
            r"(?<=[^\w+])\+|\+(?=[\w/])",
        ]
    )
    return Tokenizer(
        vocab,
        rules=_exceptions(),
        prefix_search=re.compile(prefix).search,
        suffix_search=re.compile(f"(?:{'|'.join(suffixes)})$").search,
        infix_finditer=re.compile(infix).finditer,
        url_match=re.compile(_ADDRESS).match,
    )


def _exceptions() -> dict[str, list[dict[int, str]]]:
    whole = (*_ABBREVIATIONS.split(), *_IONS.split(), *_INITIALS.split())
    rules: dict[str, list[dict[int, str]]] = {text: [{ORTH: text}] for text in whole}
    for stem in ("can", "Can"):
        rules[f"{stem}not"] = [{ORTH: stem}, {ORTH: "not"}]
    for stem in _NEGATED.split():
        for prime in "'\u2019":
            for start in (stem, stem.capitalize()):
                rules[f"{start}n{prime}t"] = [{ORTH: start}, {ORTH: f"n{prime}t", NORM: "not"}]
    return rules
