"""What learners give: a model, and the outcome of one outer fold."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from ppi.extraction.support import QuadraticModel


@dataclass(frozen=True)
class TrainedModel:
    """A function over the design's features, what was chosen for it, and how it did without each document.

    ``held_out`` are the scores of the training examples by models that did not see their documents; ``support`` is
    what a squared kernel keeps of them.
    """

    weights: np.ndarray
    intercept: float
    regparam: float
    threshold: float
    training_auc: float
    held_out: np.ndarray
    quadratic: QuadraticModel | None = None

    def scores(self, X: sp.csr_matrix) -> np.ndarray:
        """What it says of each row."""
        linear = np.asarray(X @ self.weights).ravel() + self.intercept
        return linear if self.quadratic is None else linear + self.quadratic.scores(X)


@dataclass(frozen=True)
class FoldOutcome:
    """What one outer fold chose on its training part, and its scores of the test part.

    ``training`` and ``held_out`` are the rows of the training part and their scores by models without their group, for
    whoever wants another threshold; empty where a learner does not tell.
    """

    test: np.ndarray
    scores: np.ndarray
    regparam: float
    threshold: float
    training: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    held_out: np.ndarray = field(default_factory=lambda: np.zeros(0))
