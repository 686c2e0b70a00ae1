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

DecoderArray = NDArray[np.float32]

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
    weights: DecoderArray
    bias: DecoderArray
    steps: DecoderArray

    def scores(self, vectors: DecoderArray) -> DecoderArray:
        """Each token's score for each label."""
        return vectors @ self.weights.T + self.bias

    def names(self, scores: DecoderArray) -> list[tuple[int, int, int]]:
        """Start and end, in tokens, and type of the names in one sentence; O(tokens * labels^2)."""
        path = find_best_path(scores, self.steps)
        names = []
        start = 0
        for index, label in enumerate(path):
            place = (label - 1) % 4 if label else None
            if place in (_BEGIN, _WHOLE):
                start = index
            if place in (_LAST, _WHOLE):
                names.append((start, index + 1, (label - 1) // 4))
        return names


def find_best_path(scores: DecoderArray, steps: DecoderArray) -> list[int]:
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
    transitions = steps[:-1, :-1]
    total = steps[-1, :-1] + scores[0]
    back_pointers = np.empty(scores.shape, dtype=np.intp)
    path_scores = np.empty_like(transitions, dtype=total.dtype)
    for token_scores, origins in zip(scores[1:], back_pointers[1:]):
        np.add(total[:, None], transitions, out=path_scores)
        path_scores.argmax(axis=0, out=origins)
        total = path_scores.max(axis=0) + token_scores
    path = [int((total + steps[:-1, -1]).argmax())]
    for origins in back_pointers[:0:-1].tolist():
        path.append(origins[path[-1]])
    return path[::-1]
