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
MAX_JOINED_TOKENS = 400


def find_segments_to_parse(
    starts: NDArray[np.int64], names: Sequence[int] | None = None, *, max_tokens: int = MAX_JOINED_TOKENS
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
    >>> find_segments_to_parse(starts, [0, 2, 3], longest=2)
    [(0, 3), (5, 9)]
    >>> find_segments_to_parse(starts, longest=6)
    [(0, 5), (5, 9)]
    """
    if not len(starts):
        return []
    is_certain_start = starts == 1
    is_certain_start[0] = True
    firsts = np.flatnonzero(is_certain_start)
    is_needed = np.ones(len(firsts), dtype=bool)
    if names is not None:
        is_open = starts == 0
        is_open[0] = False  # a text begins with a sentence
        segment_indices = np.searchsorted(firsts, np.asarray(names, dtype=np.int64), side="right") - 1
        has_two_names = np.bincount(segment_indices, minlength=len(firsts)) > 1
        is_needed = np.logical_or.reduceat(is_open, firsts) | has_two_names
    segments: list[Span] = []
    bounds = [*firsts.tolist(), len(starts)]
    for number in np.flatnonzero(is_needed).tolist():
        first, end = bounds[number], bounds[number + 1]
        if segments and segments[-1][1] == first and end - segments[-1][0] <= max_tokens:
            segments[-1] = segments[-1][0], end
        else:
            segments.append((first, end))
    return segments
