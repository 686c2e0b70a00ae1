"""A bundle (cutting-plane) method for R(w) + regparam |w|^2 with a convex risk R known by value and subgradient.

Each subgradient a_t at w_t bounds the risk from below by the plane a_t^T w + b_t, b_t = R(w_t) - a_t^T w_t.
The maximum of the planes in place of R gives a problem whose dual is a quadratic program over the simplex, one
variable per plane; its solution is the next w and its value a lower bound of the minimum.  O(1 / (regparam tol))
iterations in theory [Teo2010]_, far fewer in practice.

References
----------
.. [Teo2010] C. H. Teo, S. V. N. Vishwanathan, A. Smola, Q. V. Le. Bundle methods for regularized risk
   minimization. Journal of Machine Learning Research 11, 2010.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from learners._simplex_qp import minimize_on_simplex
from learners._validation import report_not_converged

_GRAM_SCHMIDT_ROUNDS = 2  # twice is enough to be orthogonal to working precision
_IN_SPAN = 1e-15  # a slope of which this part or less is left lies in the span of the others, up to rounding
_TRIALS = 2  # points a line search looks at: each costs a risk, and more of them save few iterations
_MARGIN = 0.1  # part of the interval that a trial keeps from its ends: a secant may fall next to one, and gain nothing
_FLAT = 0.1  # a slope this much smaller than the first one is near enough to the minimum


class Bundle:
    """The planes so far; ``add`` one, then ``minimize`` their maximum plus the regularizer.

    The slopes are kept as A^T = U R with orthonormal columns U: all the small problem needs of them is R, which is
    as accurate as the slopes themselves, while their products A A^T would square the condition of the problem.
    """

    def __init__(self, regparam: float):
        self.regparam = regparam
        self._directions: list[np.ndarray] = []  # columns of U
        self._coordinates: list[np.ndarray] = []  # columns of R, without the zeros below
        self._offsets: list[float] = []
        self._weights = np.empty(0)

    def add(self, slope: np.ndarray, offset: float) -> None:
        """Take in the plane slope^T w + offset: O(t n)."""
        self._n_features = len(slope)
        # Gram-Schmidt: slope = sum of its parts along U, and what is left over is a new column of U
        length, rest = float(np.linalg.norm(slope)), slope.copy()
        coordinates = np.zeros(len(self._directions))
        for _ in range(_GRAM_SCHMIDT_ROUNDS):
            for number, direction in enumerate(self._directions):
                part = float(direction @ rest)
                coordinates[number] += part
                rest -= part * direction
        left = float(np.linalg.norm(rest))
        if left > _IN_SPAN * length:
            self._directions.append(rest / left)
            coordinates = np.append(coordinates, left)
        self._coordinates.append(coordinates)
        self._offsets.append(offset)
        # the weights stay on the simplex, where the next minimization starts: all on the first plane, none on a new one
        self._weights = np.append(self._weights, 0.0 if len(self._weights) else 1.0)

    def minimize(self) -> tuple[np.ndarray, float]:
        """The minimiser of the lower bound, and its value."""
        offsets = np.array(self._offsets)
        R = np.zeros((max(len(self._directions), 1), len(offsets)))  # one row of zeros if every slope is zero
        for t, coordinates in enumerate(self._coordinates):
            R[: len(coordinates), t] = coordinates
        # min_w max_t (a_t^T w + b_t) + lambda |w|^2 has w = -A^T alpha / (2 lambda) for the alpha that minimises
        # |R alpha|^2 / (4 lambda) - b^T alpha on the simplex, and minus that as its value [Teo2010, sec. 2.2].
        self._weights = minimize_on_simplex(R / np.sqrt(2.0 * self.regparam), offsets, start=self._weights)
        image = -(R @ self._weights) / (2.0 * self.regparam)  # U^T w
        w = np.zeros(self._n_features)
        for coordinate, direction in zip(image, self._directions):
            w += coordinate * direction
        return w, float(offsets @ self._weights) - self.regparam * float(image @ image)


class Point(NamedTuple):
    """A w with its predictions X w, the risk there and the risk's subgradient with respect to the predictions."""

    w: np.ndarray
    predictions: np.ndarray
    risk: float
    gradient: np.ndarray

    def objective(self, regparam: float) -> float:
        """R(w) + regparam |w|^2."""
        return self.risk + regparam * float(self.w @ self.w)


class Progress(NamedTuple):
    """The best objective so far and the lower bound of its minimum, after one iteration."""

    objective: float
    lower_bound: float


class _LinePoint(NamedTuple):
    """A point of a line search, 0 at its start and 1 at its end, and the objective's slope there."""

    position: float
    slope: float


Risk = Callable[[np.ndarray], tuple[float, np.ndarray]]
"""From predictions to the risk and a subgradient with respect to the predictions."""


def minimize_risk(
    X: Any, risk: Risk, *, regparam: float, tol: float, max_iter: int, on_limit: str
) -> tuple[np.ndarray, list[Progress]]:
    """Minimise R(X w) + regparam |w|^2; returns w and, of each iteration, the objective and its lower bound.

    Between the best point so far and the minimiser of the planes a short line search looks for the minimum of
    the objective [Franc2009]_: predictions are linear in w, so its trial points cost no product with X.  The
    new plane is taken just beyond that minimum, where it cuts the planes' minimiser off.

    References
    ----------
    .. [Franc2009] V. Franc, S. Sonnenburg. Optimized cutting plane algorithm for large-scale risk minimization.
       Journal of Machine Learning Research 10, 2009.
    """
    m, n = X.shape
    transposed, bundle = X.T, Bundle(regparam)
    best = cut = Point(np.zeros(n), np.zeros(m), *risk(np.zeros(m)))
    history: list[Progress] = []
    while len(history) < max_iter:
        # The plane at the cut: a = X^T g and b = R - a^T w [Teo2010], with a^T w = g^T X w.
        bundle.add(np.asarray(transposed @ cut.gradient), cut.risk - float(cut.gradient @ cut.predictions))
        # the planes lie below R, so that the minimum of their maximum plus the regularizer bounds the objective's
        w, lower = bundle.minimize()
        history.append(Progress(best.objective(regparam), lower))
        if history[-1].objective - lower <= tol:
            return best.w, history
        predictions = np.asarray(X @ w)
        best, cut = _line_search(best, Point(w, predictions, *risk(predictions)), risk, regparam)
    objective, lower = history[-1]
    report_not_converged(
        f"expected a gap of at most tol={tol!r} within max_iter={max_iter!r} iterations, but the objective "
        f"{objective:.6g} may still be {objective - lower:.3g} above its minimum; raise max_iter, tol or "
        "regparam, or scale the features",
        on_limit,
    )
    return best.w, history


def _line_search(start: Point, end: Point, risk: Risk, regparam: float) -> tuple[Point, Point]:
    """The best point seen from ``start`` to ``end``, and the nearest one beyond the minimum between them."""
    step, change = end.w - start.w, end.predictions - start.predictions

    def slope(point: Point) -> float:
        # d/dt of R(f + t change) + regparam |w + t step|^2: g^T change + 2 regparam w^T step
        return float(point.gradient @ change) + 2.0 * regparam * float(point.w @ step)

    best = min(start, end, key=lambda point: point.objective(regparam))
    beyond, before, after = end, _LinePoint(0.0, slope(start)), _LinePoint(1.0, slope(end))
    first_slope = abs(before.slope)
    for _ in range(_TRIALS):
        if after.slope <= 0.0 or before.slope >= 0.0:  # the objective still falls at the end, or rises from the start
            break
        width = after.position - before.position
        secant = before.position - before.slope * width / (after.slope - before.slope)  # where a line of slopes is zero
        at = min(max(secant, before.position + _MARGIN * width), after.position - _MARGIN * width)
        predictions = start.predictions + at * change
        trial = Point(start.w + at * step, predictions, *risk(predictions))
        best = min(best, trial, key=lambda point: point.objective(regparam))
        if slope(trial) > 0.0:
            beyond, after = trial, _LinePoint(at, slope(trial))
        else:
            before = _LinePoint(at, slope(trial))
        if abs(slope(trial)) <= _FLAT * first_slope:
            break
    return best, beyond
