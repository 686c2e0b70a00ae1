"""Every learner trained on the same sentences and measured on the same others.

Table 2 of [Pahikkala2009], Table 8 of [Pahikkala2007] and Table 1 of [Tsivtsivadze2008] on our own candidates: the
disagreement error and Kendall's tau-b averaged over test sentences, F of the parse ranked first, Wilcoxon's signed-rank
test over sentences.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.metrics import disagreement_error, kendall_tau_b, wilcoxon_signed_rank
from ppi.parse_ranking.experiments.selection import Choice
from ppi.parse_ranking.learning import Learning, Trained, draw_per_sentence, train, train_on_kernel
from ppi.parse_ranking.ranker import goodness_and_queries
from ppi.parse_ranking.types import CandidateSet

#: The method that the others are tested against.
REFERENCE = "RankRLS (21)"
#: Published disagreement errors [Pahikkala2009, Table 2; sparse ones: Tsivtsivadze2008, Table 1].
PUBLISHED = {
    "RLS": 0.252,
    "sparse RLS": 0.24,
    "RankRLS (20)": 0.225,
    "RankRLS (20), all pairs": 0.234,
    "RankRLS (21)": 0.222,
    "RankRLS (21), all pairs": 0.247,
    "RankRLS (22)": 0.216,
    "RankRLS (22), all pairs": 0.228,
    "sparse RankRLS": 0.21,
    "RankSVM": 0.214,
}
_COSTS = {"unit": "(20)", "magnitude": "(21)", "relative": "(22)"}


@dataclass(frozen=True, eq=False)
class Row:
    """One method: what it learned from, what was chosen, and its measures for each test sentence."""

    method: str
    sentences: int
    parses: int
    basis: int | None
    regparam: float | None
    training_error: float | None
    seconds: float
    errors: NDArray[np.float64]
    taus: NDArray[np.float64]
    first: NDArray[np.float64]

    def to_dict(self, reference: Row | None) -> dict[str, Any]:
        """The figures; p-values are two-sided, of the errors against those of the reference."""
        p_value = None
        if reference is not None and reference is not self and not np.array_equal(self.errors, reference.errors):
            p_value = wilcoxon_signed_rank(self.errors, reference.errors).p_value
        return {
            "method": self.method,
            "training_sentences": self.sentences,
            "training_parses": self.parses,
            "basis": self.basis,
            "regparam": self.regparam,
            "cross_validation_error": self.training_error,
            "error": float(self.errors.mean()),
            "tau_b": float(np.nanmean(self.taus)),
            "first_f": float(self.first.mean()),
            "p_value": p_value,
            "published_error": PUBLISHED.get(self.method),
            "seconds": round(self.seconds, 1),
        }


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The test sentences: goodness and sentence of each candidate, and the generator's order."""

    y: NDArray[np.float64]
    qid: NDArray[np.int64]
    places: NDArray[np.float64]

    @classmethod
    def of(cls, sets: Sequence[CandidateSet]) -> HeldOut:
        """From candidate sets with goodness."""
        y, qid = goodness_and_queries(sets)
        return cls(y, qid, np.array([one.place for each in sets for one in each.candidates], dtype=np.float64))

    def measures(self, scores: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """Disagreement error, tau-b and F of the first for each sentence; equal scores keep the generator's order."""
        order = np.lexsort((self.places, -scores, self.qid))
        firsts = order[np.unique(self.qid[order], return_index=True)[1]]
        return {
            "errors": disagreement_error(self.y, scores, qid=self.qid, per_query=True),
            "taus": kendall_tau_b(self.y, scores, qid=self.qid, per_query=True),
            "first": self.y[firsts],
        }

    def bounds(self) -> dict[str, float]:
        """Mean F of a candidate drawn at random, and of the best one of each sentence."""
        by_sentence = np.split(self.y, np.cumsum(np.bincount(self.qid))[:-1])
        return {
            "mean_f": float(np.mean([each.mean() for each in by_sentence])),
            "oracle_f": float(np.mean([each.max() for each in by_sentence])),
        }


@dataclass(frozen=True)
class Sizes:
    """How much everything is trained on."""

    train: int = 500
    test: int = 600
    more: int = 900
    parses: int = 5
    folds: int = 3


def compare(
    training: Sequence[CandidateSet], test_sets: Sequence[CandidateSet], choice: Choice, sizes: Sizes
) -> Iterator[Row]:
    """The generator's order, chance, and each learner in turn.

    Parameters
    ----------
    training
        The first ``sizes.train`` are the training sentences; all of them are what sparse and linear learners can use.
    """
    test = HeldOut.of(test_sets)
    yield _untrained("generator's own order", test, -test.places)
    yield _untrained("random order", test, np.random.default_rng(0).random(len(test.y)))
    X_test = choice.features.transform(test_sets)
    X, (y, qid) = choice.features.transform(training), goodness_and_queries(training)
    drawn = draw_per_sentence(qid, sizes.parses, random_state=0)
    drawn = drawn[qid[drawn] < sizes.train]
    kernel = Learning(kernel=choice.kernel, gamma=choice.gamma)
    K = kernel.kernel_object()(X[drawn])
    K_test = kernel.kernel_object()(X_test, X[drawn])
    for name, learning in _basic_methods(kernel, sizes.folds):
        start = time.perf_counter()
        trained = train_on_kernel(K, y[drawn], qid[drawn], learning)
        yield _row(name, trained, qid[drawn], test, K_test @ trained.coefficients, start)
    K_all = kernel.kernel_object()(X, X[drawn])
    for name, learner, count in _sparse_methods(sizes, len(training)):
        start = time.perf_counter()
        used = np.flatnonzero(qid < count)
        learning = replace(kernel, learner=learner)
        trained = train_on_kernel(K_all[used], y[used], qid[used], learning, basis=np.searchsorted(used, drawn))
        yield _row(name, trained, qid[used], test, K_test @ trained.coefficients, start)
    for name, count in _linear_methods(sizes, len(training)):
        start = time.perf_counter()
        used = np.flatnonzero(qid < count)
        trained = train(X[used], y[used], qid[used], Learning("cg-rank-rls", folds=sizes.folds))
        yield _row(name, trained, qid[used], test, np.asarray(X_test @ trained.coefficients).ravel(), start)


def _basic_methods(kernel: Learning, folds: int) -> Iterator[tuple[str, Learning]]:
    yield "RLS", replace(kernel, learner="rls")
    for cost, equation in _COSTS.items():
        yield f"RankRLS {equation}", replace(kernel, cost=cost)
        yield f"RankRLS {equation}, all pairs", replace(kernel, cost=cost, pairs="all", folds=folds)
    yield "RankSVM", replace(kernel, learner="rank-svm", folds=folds)


def _sparse_methods(sizes: Sizes, available: int) -> Iterator[tuple[str, str, int]]:
    yield "sparse RLS", "sparse-rls", sizes.train
    yield "sparse RankRLS", "sparse-rank-rls", sizes.train
    if available > sizes.train:
        yield f"sparse RankRLS, {available} sentences", "sparse-rank-rls", available


def _linear_methods(sizes: Sizes, available: int) -> Iterator[tuple[str, int]]:
    yield "RankRLS (21), all parses, conjugate gradients", sizes.train
    if available > sizes.train:
        yield f"RankRLS (21), all parses of {available} sentences, conjugate gradients", available


def _untrained(name: str, test: HeldOut, scores: NDArray[np.float64]) -> Row:
    return Row(name, 0, 0, None, None, None, 0.0, **test.measures(scores))


def _row(
    name: str, trained: Trained, qid: NDArray[np.int64], test: HeldOut, scores: NDArray[np.float64], start: float
) -> Row:
    return Row(
        name,
        len(np.unique(qid)),
        len(qid),
        None if trained.basis is None or len(trained.basis) == len(qid) else len(trained.basis),
        trained.regparam,
        trained.training_error,
        time.perf_counter() - start,
        **test.measures(scores),
    )


def summary(rows: Sequence[Row], test: HeldOut, choice: Choice) -> dict[str, Any]:
    """All figures of a comparison, as plain JSON values."""
    by_name: Mapping[str, Row] = {row.method: row for row in rows}
    return {
        "chosen": {**choice.features.parameters(), "kernel": choice.kernel, "gamma": choice.gamma},
        "tried": choice.tried,
        "test_sentences": len(np.unique(test.qid)),
        "test_parses": len(test.y),
        **test.bounds(),
        "rows": [row.to_dict(by_name.get(REFERENCE)) for row in rows],
    }
