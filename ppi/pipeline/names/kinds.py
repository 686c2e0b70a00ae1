"""What a name is the name of: a linear classifier over the encoder's vectors of its words.

A name x is the mean of its words' vectors beside that of its last word, which is most often the head ("IL-2 promoter");
its kind is the one with the largest of ``weights @ x + bias`` (softmax regression, trained with the encoder fixed).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ppi.pipeline.kinds import KINDS

Array = NDArray[np.float32]


class FoundName(NamedTuple):
    """Start and end of a name in a text's words, and its kind, one of :data:`~ppi.pipeline.kinds.KINDS`."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, eq=False)
class KindClassifier:
    """Trained weights, a row and a bias for each of :data:`~ppi.pipeline.kinds.KINDS`."""

    weights: Array
    bias: Array

    def kinds(self, vectors: Array, spans: Sequence[tuple[int, int]]) -> list[str]:
        """The kind of each span of a sentence with these vectors."""
        if not spans:
            return []
        scores = span_features(vectors, spans) @ self.weights.T + self.bias
        return [KINDS[index] for index in scores.argmax(axis=1)]


def span_features(vectors: Array, spans: Sequence[tuple[int, int]]) -> Array:
    """What :class:`KindClassifier` looks at, one row per span: (spans, 2 * width)."""
    return np.array([np.concatenate([vectors[start:end].mean(axis=0), vectors[end - 1]]) for start, end in spans])
