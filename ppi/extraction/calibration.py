"""Calibration of scores to probabilities.

    platt      p(s) = 1 / (1 + exp(-(a s + b))),  a and b of least log loss, a >= 0     [Platt1999]
    isotonic   p(s) = the non-decreasing step function of least squared error, joined by lines, kept inside
               (0, 1) by adding one positive and one negative to every step

Both are monotone, so that they change no ranking.  They are fitted to scores of pairs that the model was not trained
on: scores of its own training pairs lie too far apart.  What fitting needs is imported there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_expit

from ppi.core import TrainingError

CALIBRATION_KINDS = ("platt", "isotonic")
#: Of least log loss on corpora left out, mean over them.
DEFAULT_CALIBRATION_METHOD = "platt by corpora"


@dataclass(frozen=True)
class Calibration:
    """A monotone map to probabilities.

    ``platt``: ``scores`` is empty and ``values`` is (a, b).  ``isotonic``: ``values`` are the probabilities at
    ``scores``, with straight lines between and constant outside.
    """

    kind: str
    scores: tuple[float, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        numbers = np.array([*self.scores, *self.values], dtype=np.float64)
        if self.kind == "platt":
            valid = not self.scores and len(self.values) == 2 and self.values[0] >= 0
        elif self.kind == "isotonic":
            x, p = np.array(self.scores), np.array(self.values)
            valid = len(x) == len(p) > 0 and bool((np.diff(x) > 0).all() and (np.diff(p) >= 0).all())
            valid = valid and bool((p >= 0).all() and (p <= 1).all())
        else:
            raise ValueError(f"expected a calibration, one of {CALIBRATION_KINDS}, got {self.kind!r}")
        if not valid or not np.isfinite(numbers).all():
            raise ValueError(f"expected the numbers of a {self.kind} calibration, got {self.scores!r}, {self.values!r}")

    def __call__(self, scores: ArrayLike) -> NDArray[np.float64]:
        """The probability of each score."""
        score_array = np.asarray(scores, dtype=np.float64)
        if self.kind == "isotonic":
            return np.interp(score_array, self.scores, self.values)
        probabilities: NDArray[np.float64] = expit(self.values[0] * score_array + self.values[1])
        return probabilities

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"kind": self.kind, "scores": list(self.scores), "values": list(self.values)}

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> Self:
        """What :meth:`to_dict` gave; ValueError if it is anything else."""
        return cls(str(value["kind"]), tuple(map(float, value["scores"])), tuple(map(float, value["values"])))


def fit_calibration(
    kind: str, scores: ArrayLike, labels: ArrayLike, *, weights: ArrayLike | None = None
) -> Calibration:
    """Fit to held-out scores; labels above 0 are positive, and there must be both kinds.

    ``weights``: how much each pair counts (only ratios matter); None: all the same.
    """
    x, positive = np.asarray(scores, dtype=np.float64), np.asarray(labels) > 0
    if positive.all() or not positive.any():
        raise TrainingError(f"expected pairs of both kinds to calibrate on, got {int(positive.sum())} of {len(x)}")
    counts = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64)
    counts = counts * (len(x) / counts.sum())
    if kind == "platt":
        return _fit_platt(x, positive, counts)
    if kind == "isotonic":
        return _fit_isotonic(x, positive, counts)
    raise ValueError(f"expected a calibration, one of {CALIBRATION_KINDS}, got {kind!r}")


def fit_by_method(method: str, scores: ArrayLike, labels: ArrayLike, corpora: ArrayLike) -> Calibration:
    """Fit by a kind, such as ``"platt by corpora"``: each pair (``by pairs``) or each corpus counts the same.

    ``corpora`` has the corpus of each score.
    """
    kind, _, unit = method.partition(" by ")
    weights = None
    if unit == "corpora":
        _, corpus_of, counts = np.unique(np.asarray(corpora), return_inverse=True, return_counts=True)
        weights = 1 / counts[corpus_of]
    return fit_calibration(kind, scores, labels, weights=weights)


def _fit_platt(x: NDArray[np.float64], positive: NDArray[np.bool_], counts: NDArray[np.float64]) -> Calibration:
    from scipy.optimize import minimize

    n_positive, n_negative = float(counts[positive].sum()), float(counts[~positive].sum())
    # targets a little inside (0, 1), so that separable scores have a finite solution [Platt1999, sect. 2.2]
    target = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    center, spread = float(x.mean()), float(x.std()) or 1.0
    z = (x - center) / spread

    def loss(parameters: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = parameters[0] * z + parameters[1]
        value = -np.sum(counts * (target * log_expit(margin) + (1 - target) * log_expit(-margin)))
        residual = counts * (expit(margin) - target)
        return float(value), np.array([residual @ z, residual.sum()])

    start = np.array([1.0, np.log(n_positive / n_negative)])
    solution = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None), (None, None)]).x
    slope = float(solution[0]) / spread
    return Calibration("platt", (), (slope, float(solution[1]) - slope * center))


def _fit_isotonic(x: NDArray[np.float64], positive: NDArray[np.bool_], counts: NDArray[np.float64]) -> Calibration:
    from sklearn.isotonic import IsotonicRegression

    step_values = IsotonicRegression(out_of_bounds="clip").fit(x, positive.astype(np.float64), counts).predict(x)
    order = np.argsort(x, kind="stable")
    xs, ps, ns = x[order], step_values[order], counts[order]
    starts = np.flatnonzero(np.concatenate(([True], np.diff(ps) > 0)))
    n = np.add.reduceat(ns, starts)
    means = np.add.reduceat(ns * xs, starts) / n
    values = np.maximum.accumulate((ps[starts] * n + 1) / (n + 2))  # Laplace: no step of few pairs is certain
    distinct = np.concatenate(([True], np.diff(means) > 0))
    return Calibration("isotonic", tuple(means[distinct].tolist()), tuple(values[distinct].tolist()))
