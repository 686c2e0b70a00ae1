"""Counting pairs by two keys at once in O(m log m), with whole-array steps only.

The balanced search tree of [Airola2011] answers, one insertion after the other, how many of the elements seen
so far lie below a value.  Here the same counts are read off a wavelet tree: the sequence is partitioned by
one bit of its symbols per level, and all questions descend the log2(m) levels together, so every level is a
handful of vectorised passes instead of m Python steps.

References
----------
.. [Airola2011] A. Airola, T. Pahikkala, T. Salakoski. Training linear ranking SVMs in linearithmic time using
   red-black trees. Pattern Recognition Letters 32(9), 2011.
"""

from __future__ import annotations

import numpy as np

from learners._queries import Queries


def count_below(sequence: np.ndarray, prefixes: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """For each question k the number of t < prefixes[k] with sequence[t] < thresholds[k], in O(m log m).

    Parameters
    ----------
    sequence : a permutation of 0 .. m-1.
    prefixes : how many leading entries of ``sequence`` each question looks at, 0 .. m.
    thresholds : the value each question compares with, 0 .. m.

    Examples
    --------
    >>> count_below(np.array([2, 0, 3, 1]), np.array([2, 4]), np.array([1, 3])).tolist()
    [1, 3]
    """
    tree = _Level(np.array(sequence, dtype=np.int32))
    questions = _PrefixCounts(np.array(prefixes, dtype=np.int32), np.asarray(thresholds, dtype=np.int32))
    for shift in reversed(range(len(sequence).bit_length())):
        tree.count_ones(shift)
        questions.descend(tree.ones_before, shift)
        if shift:
            tree.partition(shift)
    return questions.counts


# Both classes below compute in place: a fresh array of this size at every line would cost more than the line.


class _Level:
    """One level of the tree: the symbols grouped by their bits above ``shift``, in sequence order within.

    The group (node) of prefix b holds the symbols that agree with b above bit ``shift``.  The symbols are a
    permutation, so it starts at b * 2^(shift+1), and exactly half of what lies before it has the bit set.
    """

    def __init__(self, sequence: np.ndarray):
        m = len(sequence)
        self._sequence, self._next = sequence, np.empty_like(sequence)
        self._bits, self._half, self._target = (np.empty(m, dtype=np.int32) for _ in range(3))
        self._places = np.arange(m, dtype=np.int32)
        self.ones_before = np.zeros(m + 1, dtype=np.int32)

    def count_ones(self, shift: int) -> None:
        """How many symbols before each place have the bit set."""
        np.right_shift(self._sequence, shift, out=self._bits)
        self._bits &= 1
        self.ones_before[0] = 0
        np.cumsum(self._bits, out=self.ones_before[1:])

    def partition(self, shift: int) -> None:
        """Split every node stably by the bit, zeros first: the level below.  Uses ``ones_before`` up."""
        half, target, rank = self._half, self._target, self.ones_before[:-1]
        np.right_shift(self._sequence, shift + 1, out=half)
        half <<= shift  # half of the node's start: the ones before it
        rank -= half  # ones of the node before the symbol
        np.subtract(self._places, rank, out=target)  # where a zero goes; a one: start + 2^shift + rank
        half *= 2
        half += 1 << shift
        half += rank
        half -= target
        half *= self._bits
        target += half
        self._next[target] = self._sequence
        self._sequence, self._next = self._next, self._sequence


class _PrefixCounts:
    """How many entries of each question's prefix lie in its node, and how many were found below its threshold."""

    def __init__(self, inside: np.ndarray, thresholds: np.ndarray):
        self._inside, self._thresholds = inside, thresholds
        self.counts = np.zeros(len(inside), dtype=np.int32)
        self._node, self._position, self._ones = (np.empty(len(inside), dtype=np.int32) for _ in range(3))

    def descend(self, ones_before: np.ndarray, shift: int) -> None:
        """Follow the threshold's bit.  If it is set, the entries without it are below the threshold."""
        inside, node, position, ones = self._inside, self._node, self._position, self._ones
        # The node starts at (threshold >> shift + 1) << shift + 1; half of that many ones stand before it.
        np.right_shift(self._thresholds, shift + 1, out=node)
        np.left_shift(node, shift + 1, out=position)
        position += inside
        np.take(ones_before, position, out=ones, mode="clip")
        node <<= shift
        ones -= node
        bit = np.right_shift(self._thresholds, shift, out=node)
        bit &= 1
        inside -= ones  # the zeros: all below the threshold if its bit is set, where the ones then lead on
        np.multiply(inside, bit, out=position)
        self.counts += position
        ones -= inside
        ones *= bit
        inside += ones


def searchsorted_segments(
    values: np.ndarray, starts: np.ndarray, ends: np.ndarray, needles: np.ndarray, *, side: str = "left"
) -> np.ndarray:
    """``np.searchsorted`` of each needle in its own sorted slice ``values[start:end]``, counted from 0."""
    if len(starts) and starts.min() == starts.max() and ends.min() == ends.max():
        low, high = int(starts[0]), int(ends[0])
        positions: np.ndarray = low + np.searchsorted(values[low:high], needles, side=side)  # type: ignore[call-overload]
        return positions
    low_, high_ = starts.copy(), ends.copy()
    last = max(len(values) - 1, 0)
    # bisection of all slices together: values before low are below the needle, values from high on are not
    for _ in range(int((ends - starts).max(initial=0)).bit_length()):
        middle = (low_ + high_) >> 1
        at_middle = values[np.minimum(middle, last)]
        beyond = at_middle < needles if side == "left" else at_middle <= needles
        beyond &= low_ < high_
        low_ = np.where(beyond, middle + 1, low_)
        high_ = np.where(beyond, high_, middle)
    return low_


class PairCounter:
    """Counts, within queries, over the pairs in which one example has the higher score.

    The scores' ranks are sorted once; each call then costs O(m log m) for any number of distinct scores.
    """

    def __init__(self, scores: np.ndarray, queries: Queries):
        self.queries = queries
        m = len(scores)
        by_score = np.lexsort((scores, queries.index))  # by query, then by score
        self._rank = np.empty(m, dtype=np.int32)  # position in (query, score) order, ties broken arbitrarily
        self._rank[by_score] = np.arange(m, dtype=np.int32)
        changes = np.ones(m + 1, dtype=bool)
        changes[1:-1] = (np.diff(scores[by_score]) != 0) | (np.diff(queries.index[by_score]) != 0)
        boundaries = np.flatnonzero(changes)
        tie = np.cumsum(changes[:-1]) - 1
        self._first = np.empty(m, dtype=np.int32)  # rank of the first example tied with this one
        self._beyond = np.empty(m, dtype=np.int32)  # rank just beyond the last one
        self._first[by_score] = boundaries[tie]
        self._beyond[by_score] = boundaries[tie + 1]
        #: one number for all examples of a query that have the same score
        self.tie_group = np.empty(m, dtype=np.intp)
        self.tie_group[by_score] = tie
        self._start = queries.starts[queries.index]
        self._end = self._start + queries.sizes[queries.index]
        #: how many examples of the same query have a lower / higher score
        self.n_lower = self._first - self._start
        self.n_higher = self._end - self._beyond

    @property
    def n_pairs(self) -> int:
        """How many pairs have different scores within their query."""
        return int(self.n_lower.sum())

    def violations(self, predictions: np.ndarray, *, margin: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """How often each example takes part in a pair that violates the margin.

        Returns c and d with c_i = #{j : y_j > y_i, f_j < f_i + margin} and
        d_i = #{j : y_j < y_i, f_i < f_j + margin} [thesis, eqs. 4.10, 4.11].  Both use the same comparison of
        rounded numbers, so each violating pair is counted once in c and once in d.
        """
        return self._counts(predictions, margin=margin, side="left")

    def violations_or_ties(self, predictions: np.ndarray) -> np.ndarray:
        """c as in :meth:`violations` at margin 0, pairs with equal predictions included."""
        return self._counts(predictions, margin=0.0, side="right")[0]

    def _counts(self, predictions: np.ndarray, *, margin: float, side: str) -> tuple[np.ndarray, np.ndarray]:
        order = np.lexsort((predictions, self.queries.index)) if self.queries.n_queries > 1 else None
        order = np.argsort(predictions, kind="stable") if order is None else order
        sorted_predictions = predictions[order]
        start, end = self._start[order], self._end[order]
        raised = sorted_predictions + margin
        # Questions stand in the order of the predictions: the positions they look up then grow, which is kind
        # to the cache.  Everything of earlier queries has a lower rank and a lower position.
        upper = searchsorted_segments(sorted_predictions, start, end, raised, side=side)
        other = "right" if side == "left" else "left"
        lower = searchsorted_segments(raised, start, end, sorted_predictions, side=other)
        first, beyond = self._first[order], self._beyond[order]
        below = count_below(self._rank[order], np.concatenate((upper, lower)), np.concatenate((beyond, first)))
        m = len(order)
        c, d = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
        # Positions < upper have f_j < f_i + margin; of these, ranks < beyond have no higher score, or another query.
        c[order] = upper - below[:m]
        # Of the examples with a lower score, those at positions < lower are not violated.
        d[order] = first - below[m:]
        return c, d
