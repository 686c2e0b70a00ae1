"""What learners give: a model, and the outcome of one outer fold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Model:
    """A function over the design's features, what was chosen for it, and how it did without each document.

    ``held_out`` are the scores of the training examples by models that did not see their documents.
    """

    weights: np.ndarray
    intercept: float
    regparam: float
    threshold: float
    training_auc: float
    held_out: np.ndarray


@dataclass(frozen=True)
class FoldOutcome:
    """What one outer fold chose on its training part, and its scores of the test part."""

    test: np.ndarray
    scores: np.ndarray
    regparam: float
    threshold: float
