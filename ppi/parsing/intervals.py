"""Questions about many spans and offsets of a text, each answered in O(log n)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from corpora.types import Span


class SpanCover:
    """Whether some span of many reaches over a place.

    >>> cover = SpanCover([(0, 4), (2, 9)])
    >>> cover.reaches_over(4, 5), cover.reaches_over(9, 9)
    (True, False)
    """

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        #: at each place the furthest end of the spans up to there
        self._furthest_ends = list(accumulate((end for _, end in ordered), max))

    def __bool__(self) -> bool:
        """Whether there is any span."""
        return bool(self._starts)

    def reaches_over(self, first: int, last: int) -> bool:
        """Whether a span begins before ``first`` and ends behind ``last``."""
        before = bisect_left(self._starts, first)
        return before > 0 and self._furthest_ends[before - 1] > last


def offsets_inside(offsets: Sequence[int], start: int, end: int) -> Sequence[int]:
    """Of sorted offsets those inside the span, its ends left out.

    >>> offsets_inside([1, 3, 5, 7], 1, 7)
    [3, 5]
    """
    return offsets[bisect_right(offsets, start) : bisect_left(offsets, end)]
