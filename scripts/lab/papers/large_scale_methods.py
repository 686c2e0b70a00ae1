"""The three ways to regularize RankRLS trained by conjugate gradients, measured side by side [Airola2010, sec. 4].

A. Airola, T. Pahikkala, T. Salakoski. Large scale training methods for linear RankRLS. 2010.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lab.papers.synthetic_documents import RankingData
from learners import CGRankRLS, disagreement_error

Grid = tuple[float, ...]
METHODS = ("1: Tikhonov, grid", "2: early stopping", "3: grid and early stopping")
#: "until the termination criterion 1e-5 is fulfilled, or 500 iteration limit reached"
TOL, MAX_ITER, PATIENCE = 1e-5, 500, 10
_N_CURVE_POINTS = 60


@dataclass(frozen=True)
class Problem:
    """The data, and what is learned from: the training scores, or preferences (relevant, irrelevant)."""

    data: RankingData
    preferences: np.ndarray | None = None

    def training(self) -> dict[str, Any]:
        """The arguments of ``fit``."""
        if self.preferences is None:
            return {"X": self.data.X_train, "y": self.data.y_train}
        return {"X": self.data.X_train, "preferences": self.preferences}

    def validation_error(self, w: np.ndarray) -> float:
        """Of the linear function w, on the validation part."""
        return float(disagreement_error(self.data.y_validation, np.asarray(self.data.X_validation @ w)))

    def test_error(self, w: np.ndarray) -> float:
        """Of the linear function w, on the test part."""
        return float(disagreement_error(self.data.y_test, np.asarray(self.data.X_test @ w)))


@dataclass(frozen=True)
class Run:
    """One training: the model kept, its validation error, and what it cost."""

    w: np.ndarray
    error: float
    best_iter: int
    n_iter: int
    training_seconds: float
    selection_seconds: float
    errors: list[float]


@dataclass(frozen=True)
class MethodOutcome:
    """A row of the table."""

    test_error: float
    training_seconds: float
    selection_seconds: float
    iterations: int
    chosen: str


@dataclass(frozen=True)
class Outcome:
    """The three rows, and for each regparam of method 1 and for method 2 the validation error by iteration."""

    methods: list[MethodOutcome]
    curves: list[dict[str, Any]]


@dataclass
class _Watch:
    """Follows a training: after each iteration the processor's seconds and the validation error.

    Notes which iterate early stopping would keep, and where it would end. What the watching itself costs is kept
    apart: method 1 needs one validation error, not one per iteration.
    """

    validation_error: Callable[[np.ndarray], float]
    start: float = field(default_factory=time.process_time)
    watching: float = 0.0
    seconds: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    best_iter: int = 0
    best: Any = None
    end: int | None = None

    def __call__(self, number: int, w: np.ndarray) -> bool:
        now = time.process_time()
        self.seconds.append(now - self.start - self.watching)
        self.errors.append(self.validation_error(w))
        if self.end is None:
            if self.best_iter == 0 or self.errors[-1] < self.errors[self.best_iter - 1]:
                self.best_iter, self.best = number, w.copy()
            elif number - self.best_iter >= PATIENCE:
                self.end = number
        self.watching += time.process_time() - now
        return number >= MAX_ITER


def compare(problem: Problem, grid: Grid, progress: Callable[[str], None]) -> Outcome:
    """Methods 1, 2 and 3 on one problem."""
    progress("early stopping")
    stopped = early_stopping(problem)
    converged, both = [], []
    for number, regparam in enumerate(grid, start=1):
        progress(f"regparam {regparam:g}, {number} of {len(grid)}")
        to_the_end, early = tikhonov(problem, regparam)
        converged.append(to_the_end)
        both.append(early)
    curves = [_curve(0.0, stopped), *(_curve(regparam, run) for regparam, run in zip(grid, converged))]
    methods = [
        _chosen(problem, grid, converged),
        _outcome(problem, [stopped], stopped, f"t = {stopped.best_iter}"),
        _chosen(problem, grid, both),
    ]
    return Outcome(methods, curves)


def early_stopping(problem: Problem) -> Run:
    """No regularizer: the iterate with the lowest validation error; 10 without a lower one end the search."""
    model = CGRankRLS(None, early_stopping=True, patience=PATIENCE, tol=TOL, max_iter=MAX_ITER, on_limit="raise")
    seconds: list[float] = []
    start = time.process_time()

    def watch(number: int, w: np.ndarray) -> bool:
        seconds.append(time.process_time() - start)
        return number >= MAX_ITER

    validation = (problem.data.X_validation, problem.data.y_validation)
    model.fit(**problem.training(), validation=validation, callback=watch)
    total = time.process_time() - start
    errors, best = model.validation_errors_, model.best_iter_
    return Run(model.coef_, errors[best - 1], best, model.n_iter_, seconds[best - 1], total, errors)


def tikhonov(problem: Problem, regparam: float) -> tuple[Run, Run]:
    """Methods 1 and 3 for one regparam, from one training.

    Method 1 goes on to convergence, or for 500 iterations, and the validation error of the last solution counts.
    Method 3 makes the same iterations up to where early stopping ends them, and a validation error each.
    """
    model = CGRankRLS(regparam, tol=TOL, max_iter=MAX_ITER, on_limit="raise")
    watch = _Watch(problem.validation_error)
    model.fit(**problem.training(), callback=watch)
    seconds = time.process_time() - watch.start - watch.watching
    n, errors, evaluation = model.n_iter_, watch.errors, watch.watching / model.n_iter_
    best, end = watch.best_iter, watch.end or n
    early = Run(
        w=watch.best,
        error=errors[best - 1],
        best_iter=best,
        n_iter=end,
        training_seconds=watch.seconds[best - 1] + best * evaluation,
        selection_seconds=watch.seconds[end - 1] + end * evaluation,
        errors=errors[:end],
    )
    return Run(model.coef_, errors[-1], n, n, seconds, seconds + evaluation, errors), early


def _chosen(problem: Problem, grid: Grid, runs: list[Run]) -> MethodOutcome:
    index = int(np.argmin([run.error for run in runs]))
    best = runs[index]
    return _outcome(problem, runs, best, f"2^{np.log2(grid[index]):.0f}, t = {best.best_iter}")


def _outcome(problem: Problem, runs: list[Run], best: Run, chosen: str) -> MethodOutcome:
    return MethodOutcome(
        problem.test_error(best.w),
        round(best.training_seconds, 4),
        round(sum(run.selection_seconds for run in runs), 4),
        sum(run.n_iter for run in runs),
        chosen,
    )


def _curve(regparam: float, run: Run) -> dict[str, Any]:
    """At most so many points, evenly in the logarithm of the iteration, the last one always."""
    n = len(run.errors)
    if n <= _N_CURVE_POINTS:
        kept = np.arange(1, n + 1)
    else:
        kept = np.unique(np.geomspace(1, n, _N_CURVE_POINTS).round().astype(int))
    return {"regparam": regparam, "iterations": kept.tolist(), "errors": [run.errors[i - 1] for i in kept]}
