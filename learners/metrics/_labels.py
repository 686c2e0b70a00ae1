"""Checks of labels, scores and options that the measures share."""

from typing import Any

import numpy as np

from learners.errors import LabelError


def check_binary(y_true: Any, y_score: Any) -> tuple[np.ndarray, np.ndarray]:
    """Positives as a mask and scores as floats; the greater of the two labels is the positive one."""
    labels, scores = np.asarray(y_true), np.asarray(y_score, dtype=np.float64)
    if labels.ndim != 1 or scores.shape != labels.shape:
        raise LabelError(
            f"expected y_true and y_score as two vectors of one length, got shapes {labels.shape!r} and "
            f"{scores.shape!r}; evaluate one output and one regparam at a time"
        )
    if not np.all(np.isfinite(scores)):
        raise LabelError(
            f"expected finite y_score, got {int(np.sum(~np.isfinite(scores)))} NaN or infinite scores; leave out "
            "examples that were never predicted"
        )
    return check_two_classes(labels), scores


def check_two_classes(labels: np.ndarray) -> np.ndarray:
    """Which labels are the greater one of the two."""
    classes = np.unique(labels)
    if len(classes) != 2:
        raise LabelError(
            f"expected y_true to hold exactly two classes, got {classes[:5].tolist()!r} among {len(labels)} examples; "
            "evaluate one class against the rest"
        )
    is_positive: np.ndarray = labels == classes[1]
    return is_positive


def check_level(level: float) -> None:
    """Refuse a confidence level outside (0, 1)."""
    if not 0 < level < 1:
        raise LabelError(f"expected level to be between 0 and 1, got {level!r}; try 0.95")


def check_count(name: str, value: int, *, usual: int) -> None:
    """Refuse a number of resamples or permutations below 1."""
    if value < 1:
        raise LabelError(f"expected {name} to be positive, got {value!r}; try {usual}")
