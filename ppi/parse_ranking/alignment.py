"""Two tokenizations of one text, brought together by character offsets.

A *unit* is a smallest stretch of the text at whose ends both tokenizations have a boundary: one token on each side
where they agree, several on one side where the other did not cut (``NF-kappaB`` against ``NF``, ``-``, ``kappaB``),
several on both where they cut differently.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpora.types import Token


def align_units(first: Sequence[Token], second: Sequence[Token]) -> tuple[list[int], list[int]]:
    """For each token of either tokenization the number of its unit; O(tokens log tokens).

    Tokens that share a character are in one unit, and so on through their neighbours; a token that shares none has
    a unit of its own.  Units are numbered in text order.

    >>> gold = [Token("1", 0, 2, "NF"), Token("2", 2, 3, "-"), Token("3", 3, 9, "kappaB"), Token("4", 10, 15, "binds")]
    >>> other = [Token("1", 0, 9, "NF-kappaB"), Token("2", 10, 15, "binds")]
    >>> align_units(gold, other)
    ([0, 0, 0, 1], [0, 1])
    """
    spans = sorted(
        [(token.start, token.end, 0, index) for index, token in enumerate(first)]
        + [(token.start, token.end, 1, index) for index, token in enumerate(second)]
    )
    unit_numbers = ([0] * len(first), [0] * len(second))
    unit, unit_end = -1, 0
    for start, end, side, index in spans:
        if unit < 0 or start >= unit_end:
            unit += 1
        unit_end = max(unit_end, end)
        unit_numbers[side][index] = unit
    return unit_numbers
