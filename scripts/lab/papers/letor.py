"""LETOR 4.0's MQ2008: its folds, its measures, and the choice of parameters on its validation parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lab.frame.experiment import RunSettings
from learners import RankSVM, mean_average_precision, mean_ndcg, ndcg_at, precision_at, read_svmlight
from ppi.core import UsageError

FILES = tuple(f"mq2008-S{number}.txt.gz" for number in range(1, 6))
N_FEATURES = 46
FOLDS = (1, 2, 3, 4, 5)
#: grids of regparam, as exponents of 2
EXPONENTS, SVM_EXPONENTS = range(-15, 16), range(-20, 6)
MEASURES = ("MAP", "P@10", "mean NDCG", "NDCG@10")


class Part(NamedTuple):
    """Query-document rows."""

    X: np.ndarray
    y: np.ndarray
    qid: np.ndarray


class Fold(NamedTuple):
    """Three parts to train on, one to choose parameters on, one to test on."""

    train: Part
    validation: Part
    test: Part


def read_folds(settings: RunSettings) -> dict[int, Fold]:
    """LETOR's rotation: fold 1 trains on S1-S3, validates on S4 and tests on S5; and so on.

    A tiny run keeps two folds and the first 30 queries of each part.
    """
    parts = []
    for name in FILES:
        X, y, qid = read_svmlight(settings.file(name), n_features=N_FEATURES)
        if qid is None:
            raise UsageError(f"expected a query id on every line of {name!r}, got none; use LETOR's own files")
        part = Part(X.toarray(), y, qid)
        parts.append(_first_queries(part, 30) if settings.tiny else part)
    return {number: _fold(parts, number) for number in (FOLDS[:2] if settings.tiny else FOLDS)}


def _fold(parts: Sequence[Part], number: int) -> Fold:
    rotated = [parts[(number - 1 + k) % 5] for k in range(5)]
    train = Part(*(np.concatenate(arrays) for arrays in zip(*rotated[:3])))
    return Fold(train, rotated[3], rotated[4])


def _first_queries(part: Part, count: int) -> Part:
    kept = np.isin(part.qid, np.unique(part.qid)[:count])
    return Part(part.X[kept], part.y[kept], part.qid[kept])


def average_precision(part: Part, scores: np.ndarray) -> float:
    """MAP: what parameters are chosen by."""
    precision: float = mean_average_precision(part.y, scores, qid=part.qid)
    return precision


def measure(part: Part, scores: np.ndarray) -> list[float]:
    """The four ``MEASURES``, as LETOR defines them."""
    labels, queries = (part.y, scores), part.qid
    return [
        mean_average_precision(*labels, qid=queries),
        precision_at(10, *labels, qid=queries),
        mean_ndcg(*labels, qid=queries),
        ndcg_at(10, *labels, qid=queries),
    ]


def best_weights(candidates: Iterable[np.ndarray], validation: Part) -> int:
    """Which weights have the highest MAP on the validation part; the first of equals."""
    return int(np.argmax([average_precision(validation, validation.X @ w) for w in candidates]))


def rank_svm_path(train: Part, *, tiny: bool = False) -> list[np.ndarray]:
    """RankSVM's weights for every regparam of its grid, one training each."""
    exponents = range(-12, -2, 3) if tiny else SVM_EXPONENTS
    models = (RankSVM(2.0**exponent, tol=1e-4, max_iter=5000, on_limit="raise") for exponent in exponents)
    return [model.fit(train.X, train.y, qid=train.qid).coef_ for model in models]


def with_mean(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """The rows, and a last one with their column means."""
    return [*(list(row) for row in rows), [float(np.mean(column)) for column in zip(*rows)]]
