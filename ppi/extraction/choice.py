"""Choosing among predictions on examples held out: by AUC, and a threshold by F."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.metrics import auc, best_threshold


def select_by_auc(labels: np.ndarray, predictions: Sequence[np.ndarray] | np.ndarray) -> tuple[int, float, float]:
    """The predictions with the greatest AUC, the threshold with the greatest F on them, and that AUC."""
    aucs = [auc(labels, scores) for scores in predictions]
    best = int(np.argmax(aucs))
    return best, best_threshold(labels, predictions[best]).threshold, float(aucs[best])
