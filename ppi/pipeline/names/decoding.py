"""The best legal sequence of labels: a linear-chain conditional random field (Lafferty, McCallum and Pereira, 2001)
and its Viterbi path.

Labels are O and, for each type of name, B, I, L (begin, inside, last) and U (a name of one token).  The score of a
sequence is the sum of each token's score for its label and of each step's transition score; steps that break a name are
not allowed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

#: Order of the labels of a type.
_BEGIN, _INSIDE, _LAST, _WHOLE = range(4)


@dataclass(frozen=True, eq=False)
class Decoder:
    """One guideline's labels with their trained scores.

    Parameters
    ----------
    types
        Types of names, the wanted one first.
    weights, bias
        A token's scores are ``weights @ vector + bias``.
    steps
        Transition scores, with start and end as last row and column, legality included.
    """

    types: tuple[str, ...]
    weights: Array
    bias: Array
    steps: Array

    def scores(self, vectors: Array) -> Array:
        """Each token's score for each label."""
        return vectors @ self.weights.T + self.bias

    def names(self, scores: Array) -> list[tuple[int, int, int]]:
        """Start and end, in tokens, and type of the names in one sentence; O(tokens * labels^2)."""
        path = best_path(scores, self.steps)
        found = []
        start = 0
        for index, label in enumerate(path):
            place = (label - 1) % 4 if label else None
            if place in (_BEGIN, _WHOLE):
                start = index
            if place in (_LAST, _WHOLE):
                found.append((start, index + 1, (label - 1) // 4))
        return found


def best_path(scores: Array, steps: Array) -> list[int]:
    """The labels of highest total score for one sentence.

    Parameters
    ----------
    scores
        One row per token, one column per label.
    steps
        As in :class:`Decoder`.
    """
    if not len(scores):
        return []
    between = steps[:-1, :-1]
    total = steps[-1, :-1] + scores[0]
    came_from = np.empty(scores.shape, dtype=np.intp)
    reached = np.empty_like(between, dtype=total.dtype)
    for own, origins in zip(scores[1:], came_from[1:]):
        np.add(total[:, None], between, out=reached)
        reached.argmax(axis=0, out=origins)
        total = reached.max(axis=0) + own
    path = [int((total + steps[:-1, -1]).argmax())]
    for origins in came_from[:0:-1].tolist():
        path.append(origins[path[-1]])
    return path[::-1]
