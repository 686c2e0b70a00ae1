"""The published figures of the all-paths graph kernel article, in percent."""

from __future__ import annotations

CORPORA = ("AImed", "BioInfer", "HPRD50", "IEPA", "LLL")

#: Table 1: P, R, F, sd of F, AUC, sd of AUC; precision and F of co-occurrence.
PUBLISHED_CROSS_VALIDATION = {
    "AImed": (52.9, 61.8, 56.4, 5.0, 84.8, 2.3, 17.8, 30.1),
    "BioInfer": (56.7, 67.2, 61.3, 5.2, 81.9, 4.9, 26.6, 41.7),
    "HPRD50": (64.3, 65.8, 63.4, 11.4, 79.7, 6.3, 38.9, 55.4),
    "IEPA": (69.6, 82.7, 75.1, 7.0, 85.1, 5.1, 40.8, 57.6),
    "LLL": (72.5, 87.2, 76.8, 17.8, 83.4, 12.2, 55.9, 70.3),
}

#: Tables 2 to 5, rows and columns in the order of CORPORA.
PUBLISHED_CROSS_CORPUS = {
    "auc": (
        (None, 67.7, 82.4, 76.1, 77.8),
        (77.8, None, 75.2, 79.3, 83.3),
        (72.5, 61.8, None, 74.9, 64.0),
        (70.2, 72.2, 80.0, None, 82.5),
        (61.8, 61.0, 69.4, 74.8, None),
    ),
    "f_training_threshold": (
        (None, 24.9, 64.6, 22.9, 17.7),
        (44.2, None, 63.6, 64.5, 76.4),
        (40.9, 27.2, None, 56.3, 45.5),
        (38.4, 47.0, 65.6, None, 77.0),
        (32.6, 42.2, 58.3, 63.9, None),
    ),
    "f_best_threshold": (
        (None, 47.1, 69.0, 67.4, 74.5),
        (47.2, None, 63.9, 68.0, 78.0),
        (42.2, 42.5, None, 65.1, 67.9),
        (39.1, 51.7, 67.5, None, 77.6),
        (33.3, 42.5, 59.8, 64.9, None),
    ),
    "f_class_share": (
        (None, 44.7, 65.6, 63.9, 70.1),
        (42.6, None, 62.0, 66.9, 75.6),
        (39.1, 40.0, None, 63.3, 58.5),
        (33.5, 48.4, 66.3, None, 77.4),
        (26.5, 38.7, 54.0, 63.0, None),
    ),
}
#: Table 2: the mean over test corpora of a training corpus's rank.
PUBLISHED_MEAN_RANKS = {"AImed": 2.0, "BioInfer": 1.5, "HPRD50": 3.0, "IEPA": 2.0, "LLL": 4.0}
TITLES = {
    "auc": "Table 2: cross-corpus AUC (rank)",
    "f_training_threshold": "Table 3: cross-corpus F, threshold from the training corpus; Δ: what the best one adds",
    "f_best_threshold": "Table 4: cross-corpus F, best threshold",
    "f_class_share": "Table 5: cross-corpus F, threshold from the test corpus's class share; Δ: what the best one adds",
    "f_zero_threshold": "Threshold zero: cross-corpus F; Δ: what the best one adds",
}
#: Those that have a column of differences from the best threshold.
DIFFERENCES = ("f_training_threshold", "f_class_share", "f_zero_threshold")


def published_cell(measure: str, train: str, test: str) -> float | None:
    """The cell of one of Tables 2 to 5; None for corpora or measures that the article does not have."""
    if train not in CORPORA or test not in CORPORA or measure not in PUBLISHED_CROSS_CORPUS:
        return None
    return PUBLISHED_CROSS_CORPUS[measure][CORPORA.index(train)][CORPORA.index(test)]


def published_difference(measure: str, train: str, test: str) -> float | None:
    """The Δ of Tables 3 and 5: F with the best threshold minus this one."""
    value, best = published_cell(measure, train, test), published_cell("f_best_threshold", train, test)
    return None if value is None or best is None else round(best - value, 1)
