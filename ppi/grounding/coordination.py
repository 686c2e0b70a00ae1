"""Several names written as one: "ERK1/2", "Smad1/5/8", "synapsins I and II", "S100A8/A9", "CD25(+)FOXP3(+)".

What comes after the first name is short and has the form of the end of the first: digits, a Roman numeral, a Greek
letter, a capital, or some of these in a row.  The ends are exchanged.
"""

from __future__ import annotations

import re

_JOINT = re.compile(r"\s*(?:,\s*(?:and|or)\s|,|/|\band\b|\bor\b|\bto\b|&|\+)\s*")
_GREEK = "alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma|omega|[α-ω]"
_PIECES = re.compile(
    rf"(?P<greek>{_GREEK})|(?P<digits>[0-9]+)|(?P<roman>[IVX]+)(?![A-Za-z])|(?P<upper>[A-Z])|(?P<lower>[a-z])"
)
_FORMS = {"greek": f"(?:{_GREEK})", "digits": "[0-9]+", "roman": "[IVX]+", "upper": "[A-Z]", "lower": "[a-z]"}
#: Ends of names have no more letters and digits, apart from Greek letters by name.
_LONGEST_END = 4
#: "Mcm2-7" and "freac-1 to freac-7" have no more members.
_MOST_MEMBERS = 8
#: A longer mention is no name.
_LONGEST_TEXT = 100
_RANGE = re.compile(r"(.*[A-Za-z]-?)([0-9]{1,2})-([0-9]{1,2})$")


_MARKER = re.compile(
    r"([A-Za-z][A-Za-z0-9-]*[A-Za-z0-9])(?:\s?\([+-][^)]{0,5}\)|\+|\((?:hi|lo|high|low|int|bright|dim)\)|(?:hi|lo)(?=CD|$)|-positive|-negative)"
)


def markers(text: str) -> list[str]:
    """The proteins by which a kind of cells is told.

    Examples
    --------
    >>> markers("CD4(+)CD25(+)FOXP3(-) T cells"), markers("CD34+ cells"), markers("T cells")
    (['CD4', 'CD25', 'FOXP3'], ['CD34'], [])
    """
    return _MARKER.findall(text[:_LONGEST_TEXT])


def members(text: str) -> list[str]:
    """The names that a mention is made of; none if it is one name.

    Examples
    --------
    >>> members("Smad1/5/8"), members("synapsins I and II"), members("S100A8/A9")
    (['Smad1', 'Smad5', 'Smad8'], ['synapsin I', 'synapsin II'], ['S100A8', 'S100A9'])
    >>> members("TGF-beta1 and -beta2"), members("MMP-2/9"), members("CD25/FOXP3"), members("Mcm2-4")
    (['TGF-beta1', 'TGF-beta2'], ['MMP-2', 'MMP-9'], ['CD25', 'FOXP3'], ['Mcm2', 'Mcm3', 'Mcm4'])
    >>> members("human immunodeficiency virus"), members("NF-kappaB")
    ([], [])
    """
    if len(text) > _LONGEST_TEXT:
        return []
    if (found := _RANGE.match(text)) and 0 < int(found[3]) - int(found[2]) < _MOST_MEMBERS:
        return [f"{found[1]}{number}" for number in range(int(found[2]), int(found[3]) + 1)]
    first, *others = _JOINT.split(text)
    if not others or len(others) >= _MOST_MEMBERS or not first:
        return []
    named = [first]
    for other in others:
        other = other.lstrip("-").strip()
        if not other:
            return []
        if (form := _form(other)) is not None:
            end = re.search(rf"{form}$", first)
            if end is None or end.start() == 0:
                return []
            named.append(first[: end.start()] + other)
        elif _is_symbol(first) and _is_symbol(other):
            named.append(other)
        else:
            return []
    return [re.sub(r"([a-z]{3})s (?=\S+$)", r"\1 ", name) for name in named]


def _form(text: str) -> str | None:
    """The form of an end, as an expression; None if the text is too long for one."""
    at, forms, letters = 0, [], 0
    while at < len(text):
        piece = _PIECES.match(text, at)
        if piece is None or piece.lastgroup is None:
            return None
        forms.append(_FORMS[piece.lastgroup])
        letters += 1 if piece.lastgroup == "greek" else len(piece[0])
        at = piece.end()
    return "".join(forms) if letters <= _LONGEST_END - 1 else None


def _is_symbol(text: str) -> bool:
    return len(text) > 2 and " " not in text and any(map(str.isupper, text)) and any(map(str.isalpha, text))
