"""What cannot be the name of a protein, whatever the network says: addresses, primers, genotypes, point mutations.

Brackets in a name are balanced: one that was never opened or closed inside it is left outside, or the name is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ppi.pipeline.names.segments import TokenizedText

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
_MAX_GENOTYPE_CHARACTERS = 14


def drop_implausible(text: TokenizedText, names: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The names that may be some, in their order, with balanced brackets; O(words of the names).

    Parameters
    ----------
    found
        First word of each name, the word behind its last, and whatever else is known of it, which is kept.

    Examples
    --------
    >>> text = TokenizedText(["(", "Ras", "of", "p53", "-", "/", "-", "mice"], ["", " ", " ", "", "", "", " ", ""])
    >>> drop_implausible(text, [(0, 2), (3, 4)])
    [(1, 2)]
    """
    words, gaps = text
    plausible_names = []
    for start, end, *extra in names:
        start, end = _trim_brackets(words, start, end)
        if start < end and not _cannot_be_name(words, gaps, start, end):
            plausible_names.append((start, end, *extra))
    return plausible_names


def _trim_brackets(words: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """The span without the brackets that have no partner, and without what one of them parts from the name.

    Of "kinase (Ras" the name is what stands before the bracket, of "kinase) Ras" what stands behind it.
    """
    unmatched = _find_unmatched_brackets(words, start, end)
    closing = [place for place in unmatched if words[place] in _CLOSING]
    start = closing[-1] + 1 if closing and closing[-1] < end - 1 else start
    opening = [place for place in unmatched if words[place] in _OPENING and place >= start]
    while opening and opening[0] == start:
        start = opening.pop(0) + 1
    if opening:
        end = opening[0]
    while start < end and words[end - 1] in _CLOSING and end - 1 in closing:
        end -= 1
    return (start, end) if not _find_unmatched_brackets(words, start, end) else (start, start)


def _find_unmatched_brackets(words: Sequence[str], start: int, end: int) -> list[int]:
    open_brackets: list[int] = []
    unmatched: list[int] = []
    for place in range(start, end):
        if words[place] in _OPENING:
            open_brackets.append(place)
        elif words[place] in _CLOSING:
            partner = open_brackets and _OPENING.index(words[open_brackets[-1]]) == _CLOSING.index(words[place])
            if partner:
                open_brackets.pop()
            else:
                unmatched.append(place)
    return sorted([*unmatched, *open_brackets])


def _cannot_be_name(words: Sequence[str], gaps: Sequence[str], start: int, end: int) -> bool:
    name = _join_words(words, gaps, start, end)
    if _NO_NAME.fullmatch(name):
        return True
    behind = _join_words(words, gaps, end, min(end + _MAX_GENOTYPE_CHARACTERS, len(words)))[:_MAX_GENOTYPE_CHARACTERS]
    genotype = _GENOTYPE.match(behind) if end < len(words) and not gaps[end - 1] else None
    return genotype is not None or any(_ends_name(match, name) for match in _GENOTYPE.finditer(name))


def _ends_name(match: re.Match[str], name: str) -> bool:
    return match.end() == len(name) and match.start() > 0


def _join_words(words: Sequence[str], gaps: Sequence[str], start: int, end: int) -> str:
    pieces = [word + gap for word, gap in zip(words[start:end], gaps[start:end])]
    return "".join(pieces)[: -len(gaps[end - 1]) or None] if end > start else ""
