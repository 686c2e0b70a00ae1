"""Ranking by our learners, beside a linear SVM on difference vectors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.svm import LinearSVC

from lab.benchmarks.figure import Figure, speedup
from lab.frame.clock import cpu_seconds
from learners import CGRankRLS, RankSVM, disagreement_error


def ranking_rows(scale: float) -> Iterator[Figure]:
    """RankRLS by conjugate gradients, and RankSVM."""
    yield ranking_by_differences(max(200, int(5000 * scale)))
    yield rank_svm_by_pairs(max(40, int(600 * scale)))


def rank_svm_by_pairs(m: int) -> Figure:
    """RankSVM on one ranking by real scores, against the same problem with its pairs listed.

    ``LinearSVC`` minimises 1/2 |w|^2 + C sum of hinges over the N pairs, which is ours divided by 2 regparam with
    C = 1 / (2 regparam N).  "Same answer" is that our objective is at most our tolerance above theirs.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(m, 30))
    y = X[:, :5].sum(axis=1) + rng.normal(size=m)
    regparam, tol = 0.01, 1e-3
    seconds, ours = cpu_seconds(lambda: RankSVM(regparam, tol=tol, on_limit="raise").fit(X, y))
    reference, theirs = cpu_seconds(lambda: _svm_on_all_pairs(X, y, regparam))
    difference = _objective(ours.coef_, X, y, regparam) - _objective(theirs, X, y, regparam)
    return speedup(
        f"RankSVM, m={m} real-valued scores, against LinearSVC on all {m * (m - 1) // 2} difference vectors",
        seconds=seconds,
        reference_seconds=reference,
        bar=5.0,
        aim=20.0,
        same_answer=difference <= tol,
    )


def _differences(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x_i - x_j for every pair with y_i > y_j."""
    i, j = np.triu_indices(len(y), 1)
    differences: np.ndarray = (X[i] - X[j]) * np.sign(y[i] - y[j])[:, np.newaxis]
    return differences


def _svm_on_all_pairs(X: np.ndarray, y: np.ndarray, regparam: float) -> np.ndarray:
    D = _differences(X, y)
    signs = np.where(np.arange(len(D)) % 2, 1.0, -1.0)  # a classifier wants both classes
    svm = LinearSVC(loss="hinge", C=1.0 / (2.0 * regparam * len(D)), fit_intercept=False, random_state=0)
    weights: np.ndarray = svm.fit(D * signs[:, np.newaxis], signs).coef_[0]
    return weights


def _objective(w: np.ndarray, X: np.ndarray, y: np.ndarray, regparam: float) -> float:
    return float(np.maximum(0.0, 1.0 - _differences(X, y) @ w).mean() + regparam * w @ w)


def ranking_by_differences(m: int) -> Figure:
    """Ranking within queries of ten, by least squares over pairs, against a linear SVM on difference vectors.

    The two minimise different costs: "same answer" is that ours orders unseen examples no worse than 0.01.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2 * m, 50))
    y = X[:, :10].sum(axis=1) + rng.normal(size=2 * m)
    qid = np.arange(2 * m) // 10
    seconds, ours = cpu_seconds(lambda: CGRankRLS(1.0, on_limit="raise").fit(X[:m], y[:m], qid=qid[:m]))
    reference, theirs = cpu_seconds(lambda: _svm_on_differences(X[:m], y[:m], qid[:m]))
    errors = [
        disagreement_error(y[m:], model(X[m:]), qid=qid[m:]) for model in (ours.predict, lambda new: new @ theirs)
    ]
    return speedup(
        f"RankRLS by conjugate gradients, m={m}, queries of 10, against LinearSVC on difference vectors",
        seconds=seconds,
        reference_seconds=reference,
        bar=1.0,
        aim=5.0,
        same_answer=errors[0] <= errors[1] + 0.01,
    )


def _svm_on_differences(X: np.ndarray, y: np.ndarray, qid: np.ndarray) -> np.ndarray:
    first, second = np.triu_indices(10, 1)
    starts = np.arange(0, len(y), 10)[:, np.newaxis]
    i, j = (starts + first).ravel(), (starts + second).ravel()
    signs = np.sign(y[i] - y[j])
    weights: np.ndarray = LinearSVC(fit_intercept=False, random_state=0).fit(X[i] - X[j], signs).coef_[0]
    return weights
