"""Several names written as one: "ERK1/2", "Smad1/5/8", "synapsins I and II", "S100A8/A9", "CD25(+)FOXP3(+)".

What comes after the first name is short and has the form of the end of the first: digits, a Roman numeral, a Greek
letter, a capital, or some of these in a row.  The ends are exchanged.
"""

from __future__ import annotations

import re

_CONJUNCTION = re.compile(r"\s*(?:,\s*(?:and|or)\s|,|/|\band\b|\bor\b|\bto\b|&|\+)\s*")
_GREEK = "alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma|omega|[α-ω]"
_SUFFIX_PIECE = re.compile(
    rf"(?P<greek>{_GREEK})|(?P<digits>[0-9]+)|(?P<roman>[IVX]+)(?![A-Za-z])|(?P<upper>[A-Z])|(?P<lower>[a-z])"
)
_SUFFIX_PATTERNS = {"greek": f"(?:{_GREEK})", "digits": "[0-9]+", "roman": "[IVX]+", "upper": "[A-Z]", "lower": "[a-z]"}
#: Ends of names have no more letters and digits, apart from Greek letters by name.
_MAX_SUFFIX_CHARACTERS = 4
#: "Mcm2-7" and "freac-1 to freac-7" have no more members.
_MAX_MEMBERS = 8
#: A longer mention is no name.
_MAX_MENTION_CHARACTERS = 100
_RANGE = re.compile(r"(.*[A-Za-z]-?)([0-9]{1,2})-([0-9]{1,2})$")


_MARKER = re.compile(
    r"([A-Za-z][A-Za-z0-9-]*[A-Za-z0-9])(?:\s?\([+-][^)]{0,5}\)|\+|\((?:hi|lo|high|low|int|bright|dim)\)|(?:hi|lo)(?=CD|$)|-positive|-negative)"
)


def find_cell_markers(text: str) -> list[str]:
    """The proteins by which a kind of cells is told.

    Examples
    --------
    >>> find_cell_markers("CD4(+)CD25(+)FOXP3(-) T cells"), find_cell_markers("CD34+ cells"), find_cell_markers("T cells")
    (['CD4', 'CD25', 'FOXP3'], ['CD34'], [])
    """
    return _MARKER.findall(text[:_MAX_MENTION_CHARACTERS])


def split_coordination(text: str) -> list[str]:
    """The names that a mention is made of; none if it is one name.

    Examples
    --------
    >>> split_coordination("Smad1/5/8"), split_coordination("synapsins I and II"), split_coordination("S100A8/A9")
    (['Smad1', 'Smad5', 'Smad8'], ['synapsin I', 'synapsin II'], ['S100A8', 'S100A9'])
    >>> split_coordination("TGF-beta1 and -beta2"), split_coordination("MMP-2/9"), split_coordination("CD25/FOXP3"), split_coordination("Mcm2-4")
    (['TGF-beta1', 'TGF-beta2'], ['MMP-2', 'MMP-9'], ['CD25', 'FOXP3'], ['Mcm2', 'Mcm3', 'Mcm4'])
    >>> split_coordination("human immunodeficiency virus"), split_coordination("NF-kappaB")
    ([], [])
    """
    if len(text) > _MAX_MENTION_CHARACTERS:
        return []
    if (match := _RANGE.match(text)) and 0 < int(match[3]) - int(match[2]) < _MAX_MEMBERS:
        return [f"{match[1]}{number}" for number in range(int(match[2]), int(match[3]) + 1)]
    first, *others = _CONJUNCTION.split(text)
    if not others or len(others) >= _MAX_MEMBERS or not first:
        return []
    names = [first]
    for other in others:
        other = other.lstrip("-").strip()
        if not other:
            return []
        if (pattern := _suffix_pattern(other)) is not None:
            suffix = re.search(rf"{pattern}$", first)
            if suffix is None or suffix.start() == 0:
                return []
            names.append(first[: suffix.start()] + other)
        elif _is_symbol(first) and _is_symbol(other):
            names.append(other)
        else:
            return []
    return [re.sub(r"([a-z]{3})s (?=\S+$)", r"\1 ", name) for name in names]


def _suffix_pattern(text: str) -> str | None:
    """The form of an end, as an expression; None if the text is too long for one."""
    offset, patterns, n_characters = 0, [], 0
    while offset < len(text):
        piece = _SUFFIX_PIECE.match(text, offset)
        if piece is None or piece.lastgroup is None:
            return None
        patterns.append(_SUFFIX_PATTERNS[piece.lastgroup])
        n_characters += 1 if piece.lastgroup == "greek" else len(piece[0])
        offset = piece.end()
    return "".join(patterns) if n_characters <= _MAX_SUFFIX_CHARACTERS - 1 else None


def _is_symbol(text: str) -> bool:
    return len(text) > 2 and " " not in text and any(map(str.isupper, text)) and any(map(str.isalpha, text))
