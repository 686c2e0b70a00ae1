"""The best projective tree by scores of single arcs [Eisner1996].

.. [Eisner1996] J. Eisner. Three new probabilistic models for dependency parsing: an exploration. COLING 1996.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

_RIGHTWARD, _LEFTWARD = 0, 1


def best_projective_heads(scores: NDArray[np.floating]) -> NDArray[np.int64]:
    """The heads of the projective tree with one root whose arcs have the largest sum of scores; O(tokens^3).

    Parameters
    ----------
    scores : ndarray of shape (n_tokens, 1 + n_tokens)
        Of each token below each head; the first column is the root.

    Returns
    -------
    heads : ndarray of shape (n_tokens,)
        Counted from 1; 0 is the root.

    Examples
    --------
    >>> best_projective_heads(np.array([[0.0, -9.0, 2.0], [1.0, 3.0, -9.0]])).tolist()
    [0, 1]
    """
    heads: NDArray[np.int64] = _eisner(np.ascontiguousarray(scores, dtype=np.float64))
    return heads


@numba.njit(cache=True)
def _eisner(scores: NDArray[np.float64]) -> NDArray[np.int64]:  # noqa: C901 - Eisner's algorithm, as published
    n = scores.shape[0]
    # spans i..j: open ones are an arc between i and j with all between; closed ones are headed at one end
    open_, closed = np.zeros((2, n, n)), np.zeros((2, n, n))
    cut_open, cut_closed = np.zeros((2, n, n), np.int64), np.zeros((2, n, n), np.int64)
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            best, at = -np.inf, i
            for k in range(i, j):
                value = closed[_RIGHTWARD, i, k] + closed[_LEFTWARD, k + 1, j]
                if value > best:
                    best, at = value, k
            open_[_RIGHTWARD, i, j] = best + scores[j, 1 + i]
            open_[_LEFTWARD, i, j] = best + scores[i, 1 + j]
            cut_open[_RIGHTWARD, i, j] = cut_open[_LEFTWARD, i, j] = at
            best, at = -np.inf, j
            for k in range(i + 1, j + 1):
                value = open_[_RIGHTWARD, i, k] + closed[_RIGHTWARD, k, j]
                if value > best:
                    best, at = value, k
            closed[_RIGHTWARD, i, j], cut_closed[_RIGHTWARD, i, j] = best, at
            best, at = -np.inf, i
            for k in range(i, j):
                value = closed[_LEFTWARD, i, k] + open_[_LEFTWARD, k, j]
                if value > best:
                    best, at = value, k
            closed[_LEFTWARD, i, j], cut_closed[_LEFTWARD, i, j] = best, at
    root, best = 0, -np.inf
    for i in range(n):
        value = closed[_LEFTWARD, 0, i] + closed[_RIGHTWARD, i, n - 1] + scores[i, 0]
        if value > best:
            root, best = i, value
    heads = np.zeros(n, np.int64)
    # spans that are still to be taken apart: whether closed, way, i, j
    stack = [(True, _LEFTWARD, 0, root), (True, _RIGHTWARD, root, n - 1)]
    while len(stack):
        is_closed, way, i, j = stack.pop()
        if i == j:
            continue
        if is_closed:
            k = cut_closed[way, i, j]
            if way == _RIGHTWARD:
                stack.append((False, way, i, k))
                stack.append((True, way, k, j))
            else:
                stack.append((True, way, i, k))
                stack.append((False, way, k, j))
        else:
            heads[j if way == _RIGHTWARD else i] = 1 + (i if way == _RIGHTWARD else j)
            k = cut_open[way, i, j]
            stack.append((True, _RIGHTWARD, i, k))
            stack.append((True, _LEFTWARD, k + 1, j))
    return heads
