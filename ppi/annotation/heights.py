"""How high things are piled over a row of cells: asked and raised over stretches of it, in O(log² n) steps each."""

from __future__ import annotations

from collections.abc import Iterator


class Heights:
    """A tree over ``n`` cells, all of height 0 at first.

    A node stands for a stretch of cells.  ``_whole[node]`` is the greatest height that its whole stretch was raised to,
    ``_within[node]`` the greatest of any cell in it, raised together with its whole stretch or not.

    >>> heights = Heights(8)
    >>> heights.raise_to(2, 4, 1)
    >>> heights.greatest(0, 1), heights.greatest(4, 7), heights.greatest(3, 3)
    (0, 1, 1)
    """

    def __init__(self, n: int) -> None:
        self._size = 1 << max(n - 1, 0).bit_length()
        self._whole = [0] * (2 * self._size)
        self._within = [0] * (2 * self._size)

    def greatest(self, first: int, last: int) -> int:
        """The greatest height of the cells from ``first`` to ``last``, both included."""
        maximum = 0
        for node in self._nodes(first, last):
            maximum = max(maximum, self._within[node])
            while node := node // 2:  # what was raised as a whole above
                maximum = max(maximum, self._whole[node])
        return maximum

    def raise_to(self, first: int, last: int, height: int) -> None:
        """Make each of the cells at least so high."""
        for node in self._nodes(first, last):
            self._whole[node] = max(self._whole[node], height)
            while node:
                self._within[node] = max(self._within[node], height)
                node //= 2

    def _nodes(self, first: int, last: int) -> Iterator[int]:
        """The fewest nodes whose stretches are together the cells: at most two on each of the tree's levels."""
        left, right = first + self._size, last + self._size + 1
        while left < right:
            if left & 1:
                yield left
                left += 1
            if right & 1:
                right -= 1
                yield right
            left //= 2
            right //= 2
