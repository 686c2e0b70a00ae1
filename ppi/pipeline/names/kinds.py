"""What a name is the name of: a linear classifier over the encoder's vectors of its words.

A name x is the mean of its words' vectors beside that of its last word, which is most often the head ("IL-2 promoter");
its kind is the one with the largest of ``weights @ x + bias`` (softmax regression, trained with the encoder fixed),
summed over all places where a text has the name: one name has one sense in a text (Gale, Church and Yarowsky, 1992).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ppi.pipeline.kinds import KINDS

ClassifierArray = NDArray[np.float32]


class NameSpan(NamedTuple):
    """Start and end of a name in a text's words, and its kind, one of :data:`~ppi.pipeline.kinds.KINDS`."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, eq=False)
class KindClassifier:
    """Trained weights, a row and a bias for each of :data:`~ppi.pipeline.kinds.KINDS`."""

    weights: ClassifierArray
    bias: ClassifierArray

    def scores(self, vectors: ClassifierArray, spans: Sequence[tuple[int, int]]) -> ClassifierArray:
        """The score of each kind, one row per span of a sentence with these vectors."""
        if not spans:
            return np.empty((0, len(KINDS)), dtype=np.float32)
        return span_features(vectors, spans) @ self.weights.T + self.bias


def span_features(vectors: ClassifierArray, spans: Sequence[tuple[int, int]]) -> ClassifierArray:
    """What :class:`KindClassifier` looks at, one row per span: (spans, 2 * width)."""
    return np.array([np.concatenate([vectors[start:end].mean(axis=0), vectors[end - 1]]) for start, end in spans])
