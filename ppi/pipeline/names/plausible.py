"""What cannot be the name of a protein, whatever the network says: addresses, primers, genotypes, point mutations.

Brackets in a name are balanced: one that was never opened or closed inside it is left outside, or the name is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ppi.pipeline.names.segments import Tokenized

#: Whole mentions that are no names.
_NO_NAME = re.compile(
    r"""
      (?:doi:)?10\.\d{4,}/.*                              # a DOI
    | (?:https?|ftp)://.* | www\..*                       # an address
    | (?:[35]['\u2032\u2019]?-?)?[ACGTU]{8,}(?:-?[35]['\u2032\u2019]?)?  # a primer
    | [ACDEFGHIKLMNPQRSTVWY][1-9]\d{1,3}[ACDEFGHIKLMNPQRSTVWY]           # a substitution: S70E (not H2A, S6K)
    | p?\.?(?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val)-?\d+
      (?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val|Ter|\*)?  # Ser70Glu, Ser70
    | [cg]\.[-*]?\d.*                                     # c.76A>T
    | [\d\W_]+                                            # no letter at all
    """,
    re.VERBOSE,
)
#: A genotype, in or right behind the mention: p53-/-, Fgf9+/-, Crx(-/-).  It names animals or cells, not the protein.
_DASH = "[-\u2010\u2011\u2012\u2013\u2014\u2212]"
_GENOTYPE = re.compile(rf"\s?[(\[]?(?:{_DASH}|\+|[A-Za-z\u0394]{{1,5}})\s?/\s?(?:{_DASH}|\+)[)\]]?(?![A-Za-z0-9])")
_OPENING, _CLOSING = "([{", ")]}"
#: Characters of a genotype; no more are looked at.
_BEHIND = 14


def plausible(text: Tokenized, found: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The names that may be some, in their order, with balanced brackets; O(words of the names).

    Parameters
    ----------
    found
        First word of each name, the word behind its last, and whatever else is known of it, which is kept.

    Examples
    --------
    >>> text = Tokenized(["(", "Ras", "of", "p53", "-", "/", "-", "mice"], ["", " ", " ", "", "", "", " ", ""])
    >>> plausible(text, [(0, 2), (3, 4)])
    [(1, 2)]
    """
    words, gaps = text
    kept = []
    for start, end, *known in found:
        start, end = _balanced(words, start, end)
        if start < end and not _is_no_name(words, gaps, start, end):
            kept.append((start, end, *known))
    return kept


def _balanced(words: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """The span without the brackets that have no partner, and without what one of them parts from the name.

    Of "kinase (Ras" the name is what stands before the bracket, of "kinase) Ras" what stands behind it.
    """
    lonely = _lonely_brackets(words, start, end)
    closing = [place for place in lonely if words[place] in _CLOSING]
    start = closing[-1] + 1 if closing and closing[-1] < end - 1 else start
    opening = [place for place in lonely if words[place] in _OPENING and place >= start]
    while opening and opening[0] == start:
        start = opening.pop(0) + 1
    if opening:
        end = opening[0]
    while start < end and words[end - 1] in _CLOSING and end - 1 in closing:
        end -= 1
    return (start, end) if not _lonely_brackets(words, start, end) else (start, start)


def _lonely_brackets(words: Sequence[str], start: int, end: int) -> list[int]:
    opened: list[int] = []
    lonely: list[int] = []
    for place in range(start, end):
        if words[place] in _OPENING:
            opened.append(place)
        elif words[place] in _CLOSING:
            partner = opened and _OPENING.index(words[opened[-1]]) == _CLOSING.index(words[place])
            if partner:
                opened.pop()
            else:
                lonely.append(place)
    return sorted([*lonely, *opened])


def _is_no_name(words: Sequence[str], gaps: Sequence[str], start: int, end: int) -> bool:
    name = _text(words, gaps, start, end)
    if _NO_NAME.fullmatch(name):
        return True
    behind = _text(words, gaps, end, min(end + _BEHIND, len(words)))[:_BEHIND]
    genotype = _GENOTYPE.match(behind) if end < len(words) and not gaps[end - 1] else None
    return genotype is not None or any(_ends_at(match, name) for match in _GENOTYPE.finditer(name))


def _ends_at(match: re.Match[str], name: str) -> bool:
    return match.end() == len(name) and match.start() > 0


def _text(words: Sequence[str], gaps: Sequence[str], start: int, end: int) -> str:
    pieces = [word + gap for word, gap in zip(words[start:end], gaps[start:end])]
    return "".join(pieces)[: -len(gaps[end - 1]) or None] if end > start else ""
