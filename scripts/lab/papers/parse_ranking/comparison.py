"""Every learner trained on the same sentences and measured on the same others.

Table 2 of [Pahikkala2009], Table 8 of [Pahikkala2007] and Table 1 of [Tsivtsivadze2008] on our own candidates: the
disagreement error and Kendall's tau-b averaged over test sentences, F of the parse ranked first, Wilcoxon's signed-rank
test over sentences.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.papers.parse_ranking.selection import Choice
from lab.training.parse_rankers.held_out import HeldOut
from learners import wilcoxon_signed_rank
from ppi.parse_ranking import LearnerOptions, TrainingResult, draw_per_sentence, train, train_on_kernel

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

    def to_json(self) -> dict[str, Any]:
        """Everything, as plain JSON values."""
        return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in vars(self).items()}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Row:
        """The row that :meth:`to_json` wrote."""
        given: dict[str, Any] = {key: np.array(one) if isinstance(one, list) else one for key, one in value.items()}
        return cls(**given)

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


@dataclass(frozen=True)
class Sizes:
    """How much everything is trained on."""

    train: int = 500
    test: int = 600
    more: int = 900
    parses: int = 5
    folds: int = 3


@dataclass(frozen=True)
class Method:
    """A row to be: how it learns, from how many of the training sentences, and from which of their parses.

    ``parses`` is "drawn" (a few of each sentence), "all", or "basis" (all, the drawn ones being basis vectors).
    """

    name: str
    learning: LearnerOptions
    sentences: int
    parses: str


def methods(choice: Choice, sizes: Sizes, available: int) -> list[Method]:
    """All rows of the table that are learned, the most telling ones first."""
    kernel = LearnerOptions(kernel=choice.kernel, gamma=choice.gamma)
    linear = LearnerOptions("cg-rank-rls", folds=sizes.folds)
    few, more = sizes.train, available
    sparse = replace(kernel, learner="sparse-rank-rls")
    rows = [
        Method("RLS", replace(kernel, learner="rls"), few, "drawn"),
        *(Method(f"RankRLS {number}", replace(kernel, cost=cost), few, "drawn") for cost, number in _COSTS.items()),
        Method("sparse RLS", replace(kernel, learner="sparse-rls"), few, "basis"),
        Method("sparse RankRLS", sparse, few, "basis"),
        *(
            Method(
                f"RankRLS {number}, all pairs", replace(kernel, cost=cost, pairs="all", folds=sizes.folds), few, "drawn"
            )
            for cost, number in _COSTS.items()
        ),
        Method("RankSVM", replace(kernel, learner="rank-svm", folds=sizes.folds), few, "drawn"),
        Method("RankRLS (21), all parses, conjugate gradients", linear, few, "all"),
    ]
    if more > few:
        rows.insert(6, Method(f"sparse RankRLS, {more} sentences", sparse, more, "basis"))
        rows.append(Method(f"RankRLS (21), all parses of {more} sentences, conjugate gradients", linear, more, "all"))
    return rows


@dataclass(eq=False)
class Comparison:
    """Training and test parses as features, and what every method makes of them."""

    X: Any
    y: NDArray[np.float64]
    qid: NDArray[np.int64]
    X_test: Any
    test: HeldOut
    sizes: Sizes
    _kernels: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    def untrained(self) -> list[Row]:
        """The generator's order and chance."""
        chance = np.random.default_rng(0).random(len(self.test.y))
        return [
            _untrained("generator's own order", self.test, -self.test.places),
            _untrained("random order", self.test, chance),
        ]

    def row(self, method: Method) -> Row:
        """Train one method and measure it; seconds are those of learning, kernel values excluded."""
        learning = method.learning
        used = self._drawn if method.parses == "drawn" else np.flatnonzero(self.qid < method.sentences)
        y, qid = self.y[used], self.qid[used]
        if method.parses == "all":
            start = time.perf_counter()
            trained = train(self.X[used], y, qid, learning)
            seconds = time.perf_counter() - start
            scores = np.asarray(self.X_test @ trained.coefficients).ravel()
        else:
            K = self._drawn_kernel(learning) if method.parses == "drawn" else self._basis_kernel(learning, len(used))
            start = time.perf_counter()
            trained = train_on_kernel(K, y, qid, learning, basis=np.searchsorted(used, self._drawn))
            seconds = time.perf_counter() - start
            scores = self._scores(learning, trained.coefficients)
        return _row(method.name, trained, qid, self.test, scores, seconds)

    @cached_property
    def _drawn(self) -> NDArray[np.int64]:
        drawn = draw_per_sentence(self.qid, self.sizes.parses, random_state=0)
        return drawn[self.qid[drawn] < self.sizes.train]

    @cached_property
    def _rows(self) -> Any:
        return self.X[self._drawn]

    def _drawn_kernel(self, learning: LearnerOptions) -> NDArray[np.float64]:
        if "drawn" not in self._kernels:
            self._kernels["drawn"] = learning.kernel_object()(self._rows)
        return self._kernels["drawn"]

    def _basis_kernel(self, learning: LearnerOptions, n_parses: int) -> NDArray[np.float64]:
        """Of the first so many parses against the drawn ones; all methods of a comparison have one kernel."""
        name = f"basis {n_parses}"
        if name not in self._kernels:
            self._kernels = {key: each for key, each in self._kernels.items() if key == "drawn"}
            self._kernels[name] = learning.kernel_object()(self.X[:n_parses], self._rows)
        return self._kernels[name]

    def _scores(self, learning: LearnerOptions, coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
        if learning.kernel == "linear":  # one weight for each feature is cheaper than kernel values
            return np.asarray(self.X_test @ (self._rows.T @ coefficients)).ravel()
        scores: NDArray[np.float64] = learning.kernel_object()(self.X_test, self._rows) @ coefficients
        return scores


def _untrained(name: str, test: HeldOut, scores: NDArray[np.float64]) -> Row:
    return Row(name, 0, 0, None, None, None, 0.0, **test.measures(scores))


def _row(
    name: str,
    trained: TrainingResult,
    qid: NDArray[np.int64],
    test: HeldOut,
    scores: NDArray[np.float64],
    seconds: float,
) -> Row:
    return Row(
        name,
        len(np.unique(qid)),
        len(qid),
        None if trained.basis is None or len(trained.basis) == len(qid) else len(trained.basis),
        trained.regparam,
        trained.training_error,
        seconds,
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
