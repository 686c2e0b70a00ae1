"""The check of two-class labels and scores that the classification measures share."""

from typing import Any

import numpy as np

from learners.errors import LabelError


def check_binary(y_true: Any, y_score: Any) -> tuple[np.ndarray, np.ndarray]:
    """Positives as a mask and scores as floats; the greater of the two labels is the positive one."""
    labels, scores = np.asarray(y_true), np.asarray(y_score, dtype=np.float64)
    if labels.ndim != 1 or scores.shape != labels.shape:
        raise LabelError(
            f"y_true and y_score must be two vectors of one length, got shapes {labels.shape!r} and "
            f"{scores.shape!r}; evaluate one output and one regparam at a time"
        )
    if not np.all(np.isfinite(scores)):
        raise LabelError(
            f"y_score must be finite, got {int(np.sum(~np.isfinite(scores)))} NaN or infinite scores; leave out "
            "examples that were never predicted"
        )
    classes = np.unique(labels)
    if len(classes) != 2:
        raise LabelError(
            f"y_true must hold exactly two classes, got {classes[:5].tolist()!r} among {len(labels)} examples"
        )
    return labels == classes[1], scores
