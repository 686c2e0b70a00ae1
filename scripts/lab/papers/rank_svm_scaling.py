"""RankSVM's training time against the number of examples with real-valued scores [Paper II; thesis, section 4.2.2]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from lab.frame.clock import cpu_seconds
from lab.frame.experiment import Experiment, Findings, Picture, RunSettings
from lab.frame.plots import COLOURS, GREY
from lab.frame.result import Check, Result, Table
from learners import PairwiseHinge, RankSVM

N_FEATURES, NONZEROS = 1000, 20
REGPARAM = 1e-3
#: exponents are also fitted from this size on, where no constant cost hides the growth
LARGE = 10_000
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
#: the plain definition is quadratic: larger sizes would take hours
PLAIN_UP_TO = 100_000


def problem(m: int, rng: np.random.Generator) -> tuple[sp.csr_array, np.ndarray]:
    """Sparse random examples and noisy linear scores, all different."""
    places = np.arange(0, m * NONZEROS + 1, NONZEROS)
    X = sp.csr_array(
        (rng.normal(size=m * NONZEROS), rng.integers(0, N_FEATURES, m * NONZEROS), places), shape=(m, N_FEATURES)
    )
    X.sum_duplicates()
    return X, X @ rng.normal(size=N_FEATURES) + rng.normal(size=m)


def plain_hinge(y: np.ndarray, predictions: np.ndarray) -> tuple[float, np.ndarray]:
    """The average pairwise hinge loss and its subgradient from the definition, O(m^2) [thesis, 4.10-4.13]."""
    c, d, n_pairs = np.empty(len(y)), np.empty(len(y)), 0
    for i, (score, prediction) in enumerate(zip(y, predictions)):
        below, above = y < score, y > score
        c[i] = np.count_nonzero(above & (prediction > predictions - 1.0))
        d[i] = np.count_nonzero(below & (prediction < predictions + 1.0))
        n_pairs += int(np.count_nonzero(below))
    gradient = (c - d) / n_pairs
    return float(gradient @ predictions) + float(c.sum()) / n_pairs, gradient


class Measurement(NamedTuple):
    """CPU seconds of one size; the plain definition's time and its distance from ours where it was run."""

    m: int
    training: float
    iterations: int
    loss: float
    plain: float | None
    difference: float | None

    @property
    def iteration(self) -> float:
        """An iteration of the training."""
        return self.training / self.iterations


def measure(m: int, rng: np.random.Generator, *, plain: bool) -> Measurement:
    """Train, then evaluate loss and subgradient once more at the solution."""
    X, y = problem(m, rng)
    repeats = 3 if m <= 100_000 else 1
    training, model = cpu_seconds(lambda: RankSVM(REGPARAM, on_limit="raise").fit(X, y), repeats=repeats)
    predictions = model.predict(X)
    hinge = PairwiseHinge(y)
    loss, (value, gradient) = cpu_seconds(lambda: hinge(predictions), repeats=repeats)
    if not plain:
        return Measurement(m, training, model.n_iter_, loss, None, None)
    slow, (plain_value, plain_gradient) = cpu_seconds(lambda: plain_hinge(y, predictions))
    difference = max(abs(plain_value - value), float(np.abs(plain_gradient - gradient).max()))
    return Measurement(m, training, model.n_iter_, loss, slow, difference)


def exponent(points: Sequence[tuple[int, float]]) -> float | None:
    """b of seconds = a m^b, by least squares on logarithms; None for fewer than two points."""
    if len(points) < 2:
        return None
    sizes, seconds = np.log(np.array(points, dtype=float)).T
    return float(np.polyfit(sizes, seconds, 1)[0])


def run(settings: RunSettings) -> Findings:
    """Whole trainings, single loss evaluations, and the plain definition as far as it goes."""
    sizes, large, plain_up_to = ((300, 1_000, 3_000), 1_000, 1_000) if settings.tiny else (SIZES, LARGE, PLAIN_UP_TO)
    rng = np.random.default_rng(settings.seed)
    measure(200, rng, plain=False)  # the first call of everything is slower
    found = []
    for m in sizes:
        settings.progress(f"{m:,} examples")
        found.append(measure(m, rng, plain=m <= plain_up_to))
    exponents = {
        name: [exponent(points), exponent([point for point in points if point[0] >= large])]
        for name, points in _series(found).items()
    }
    checks = [
        Check(f"exponent of {name}, from {large:,} examples", exponents[name][1] or 0.0, 1.3, "at most")
        for name in ("an iteration", "loss and subgradient")
    ]
    furthest = max(each.difference for each in found if each.difference is not None)
    checks.append(Check("greatest difference from the plain definition", furthest, 1e-9, "at most"))
    columns = [f"{sizes[0]:,} to {sizes[-1]:,}", f"from {large:,}"]
    points = {"measurements": [each._asdict() for each in found], "exponents": exponents}
    return Findings([_times(found), _exponents(exponents, columns)], checks, points)


def _series(found: Sequence[Measurement]) -> dict[str, list[tuple[int, float]]]:
    return {
        "training": [(each.m, each.training) for each in found],
        "an iteration": [(each.m, each.iteration) for each in found],
        "loss and subgradient": [(each.m, each.loss) for each in found],
        "the same by plain definition": [(each.m, each.plain) for each in found if each.plain is not None],
        "m log m itself": [(each.m, each.m * float(np.log(each.m))) for each in found],
    }


def _times(found: Sequence[Measurement]) -> Table:
    return Table(
        title="CPU seconds",
        rows=[f"{each.m:,}" for each in found],
        columns=["training", "iterations", "an iteration", "loss and subgradient", "the same by plain definition"],
        ours=[[each.training, each.iterations, each.iteration, each.loss, each.plain] for each in found],
        corner="examples",
    )


def _exponents(exponents: dict[str, list[float | None]], columns: list[str]) -> Table:
    return Table(
        title="Exponents b of seconds = a m^b, by least squares on logarithms",
        rows=list(exponents),
        columns=columns,
        ours=list(exponents.values()),
        digits=2,
        corner="examples",
    )


def pictures(result: Result) -> list[Picture]:
    """Times on logarithmic axes, with the slopes of m log m and m^2."""
    found = result.points["measurements"]
    sizes = np.array([each["m"] for each in found], dtype=float)

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        plain = [each for each in found if each["plain"] is not None]
        series = {
            "training": (sizes, [each["training"] for each in found]),
            "loss and subgradient": (sizes, [each["loss"] for each in found]),
            "the same by plain definition": ([each["m"] for each in plain], [each["plain"] for each in plain]),
        }
        for (name, (places, values)), colour in zip(series.items(), COLOURS):
            axes.loglog(places, values, marker="o", color=colour, label=name)
        ideal = sizes * np.log(sizes)
        axes.loglog(sizes, ideal * found[-1]["loss"] / ideal[-1], "--", color=GREY, label="a m log m")
        axes.set(xlabel="training examples m", ylabel="CPU seconds")
        axes.legend(fontsize=8)

    return [Picture("times", "CPU seconds against the number of examples.", draw, size=(5.5, 3.8))]


def remarks(result: Result) -> list[str]:
    """What the exponents mean."""
    return [
        "Below 10,000 examples the constant cost of a call hides the growth, so the exponents of the larger sizes "
        "count. The older method of r passes, one a distinct score, is the plain definition here, since all scores "
        "differ. The thesis states the order and no times that could stand beside these."
    ]


EXPERIMENT = Experiment(
    name="ranksvm-scaling",
    title="RankSVM with real-valued scores in O(m log m)",
    source="Airola, Pahikkala, Salakoski: Training linear ranking SVMs in linearithmic time using red-black trees. "
    "Pattern Recognition Letters 32, 2011 (Paper II); thesis, section 4.2.2.",
    protocol=f"Sparse random examples ({NONZEROS} non-zeros of {N_FEATURES:,} features), scores linear with noise "
    f"and all different, one ranking; RankSVM with regparam {REGPARAM:g}, tolerance 0.001. CPU seconds on one "
    "thread, the shortest of three up to 100,000 examples.",
    run=run,
    pictures=pictures,
    remarks=remarks,
)
