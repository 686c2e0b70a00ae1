"""The stretches of a text that are to be parsed, between places where a sentence surely begins.

They can be parsed one without the other.  A stretch in which some beginnings are left to the parser has to be parsed
to know its sentences; one that is a single sentence only if its parse is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpora.types import Span

#: Stretches that follow each other are parsed as one up to this many tokens, to have few margins.
LONGEST_JOINED = 400


def stretches(
    starts: NDArray[np.int64], names: Sequence[int] | None = None, *, longest: int = LONGEST_JOINED
) -> list[Span]:
    """First and last (exclusive) tokens of the stretches to be parsed, in text order; O(tokens + names log tokens).

    Parameters
    ----------
    starts
        For each token 1 if a sentence begins there, -1 if none does, 0 if that is open.
    names
        Tokens that are names; a sentence with less than two of them needs no parse.  None if all sentences do.
    longest
        Up to how many tokens neighbouring stretches are joined.

    Examples
    --------
    >>> starts = np.array([1, -1, -1, 1, -1, 1, -1, 0, -1])
    >>> stretches(starts, [0, 2, 3], longest=2)
    [(0, 3), (5, 9)]
    >>> stretches(starts, longest=6)
    [(0, 5), (5, 9)]
    """
    if not len(starts):
        return []
    sure = starts == 1
    sure[0] = True
    firsts = np.flatnonzero(sure)
    needed = np.ones(len(firsts), dtype=bool)
    if names is not None:
        is_open = starts == 0
        is_open[0] = False  # a text begins with a sentence
        homes = np.searchsorted(firsts, np.asarray(names, dtype=np.int64), side="right") - 1
        several = np.bincount(homes, minlength=len(firsts)) > 1
        needed = np.logical_or.reduceat(is_open, firsts) | several
    found: list[Span] = []
    bounds = [*firsts.tolist(), len(starts)]
    for number in np.flatnonzero(needed).tolist():
        first, end = bounds[number], bounds[number + 1]
        if found and found[-1][1] == first and end - found[-1][0] <= longest:
            found[-1] = found[-1][0], end
        else:
            found.append((first, end))
    return found
