"""What the three large-scale experiments share: protocol, table, checks and figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lab.frame.experiment import Picture
from lab.frame.result import Check, Result, Table
from lab.papers.large_scale_methods import MAX_ITER, METHODS, TOL, Grid, Outcome
from lab.papers.large_scale_plots import error_curves
from lab.papers.synthetic_documents import RankingData

#: The published grid
FULL_GRID: Grid = tuple(2.0**k for k in range(-10, 11))
N_PREFERENCES = 1_000_000

SOURCE = (
    "Airola, Pahikkala, Salakoski: Large scale training methods for linear RankRLS. ECML/PKDD workshop on preference "
    "learning, 2010: Table 1, "
)
PROTOCOL = (
    "Method 1 trains to a relative residual of 1e-5, or 500 iterations, for each regparam of the grid and keeps "
    "the one with the lowest validation error; method 2 has no regularizer and keeps the iterate with the lowest "
    "validation error, ending after 10 iterations without improvement; method 3 stops like this for each regparam, "
    "and as its iterations are the first ones of method 1, both are read off one training. The test part is looked "
    "at once, by the model chosen. Times are seconds of the processor, one thread: training is the chosen model's "
    "(to the chosen iteration), selection is everything that was needed to choose it."
)


def method_tables(title: str, outcome: Outcome, published: Sequence[Sequence[float]] | None) -> list[Table]:
    """One part of Table 1: the errors, and the times."""
    theirs: Sequence[Sequence[Any]] = published or [[None] * 3] * len(METHODS)
    errors = Table(
        title=title,
        rows=list(METHODS),
        columns=["test error", "chosen"],
        ours=[[each.test_error, each.chosen] for each in outcome.methods],
        published=[[row[0], None] for row in theirs],
        corner="method",
    )
    times = Table(
        title=f"{title}: what it cost",
        rows=list(METHODS),
        columns=["training, s", "selection, s", "iterations of the selection"],
        ours=[[each.training_seconds, each.selection_seconds, each.iterations] for each in outcome.methods],
        published=[[*row[1:], None] for row in theirs],
        digits=2,
        corner="method",
    )
    return [errors, times]


def method_checks(name: str, outcome: Outcome) -> list[Check]:
    """What the article concludes."""
    grid, stopping, both = outcome.methods
    ratio = grid.selection_seconds / stopping.selection_seconds
    return [
        Check(f"{name}: selection by early stopping is so many times cheaper than by the grid", ratio, 50.0, digits=0),
        Check(
            f"{name}: test error of early stopping minus that of the grid",
            stopping.test_error - grid.test_error,
            0.002,
            "at most",
            digits=4,
        ),
        Check(
            f"{name}: test error of both together minus that of the grid",
            both.test_error - grid.test_error,
            0.002,
            "at most",
            digits=4,
        ),
    ]


def data_sizes(data: RankingData) -> dict[str, Any]:
    """Of the parts, and how sparse they are."""
    m, n = data.X_train.shape
    sizes = {"train": m, "validation": len(data.y_validation), "test": len(data.y_test), "features": n}
    return {**sizes, "density": data.X_train.nnz / (m * n), "relevant": float(np.mean(data.y_train))}


def pictures_like(figure: str) -> Callable[[Result], list[Picture]]:
    """The curves of a result, captioned as the article's ``figure``."""

    def pictures(result: Result) -> list[Picture]:
        drawn = [name for name in ("scores", "preferences") if name in result.points]
        return [error_curves(name, result.points[name], _caption(figure, name)) for name in drawn]

    return pictures


def _caption(figure: str, learned_from: str) -> str:
    return (
        f"Error on the validation part against iterations, learned from {learned_from}, as in {figure}; a line for "
        f"each of some regparams, which ends where the residual is below {TOL:g} or at {MAX_ITER} iterations. The "
        "points are early stopping, which ends by itself."
    )


def sample_preferences(y: np.ndarray, n_preferences: int, *, seed: int) -> np.ndarray:
    """Rows (relevant, irrelevant), each drawn at random, with replacement."""
    rng = np.random.default_rng(seed)
    relevant, irrelevant = np.flatnonzero(y > 0), np.flatnonzero(y <= 0)
    return np.column_stack((rng.choice(relevant, n_preferences), rng.choice(irrelevant, n_preferences)))
