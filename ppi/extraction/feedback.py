"""A model changed by judgements, in closed form, and what leaving judgements out says of the change.

With the model's weights w0 as starting point, for each output

    w = w0 + X^T (X X^T + c^2 + regparam I)^-1 (y - X w0 - b0)             (:class:`learners.PriorUpdate`)

X the features of the judged pairs, y what the judgements teach (:mod:`ppi.extraction.judgements`).  regparam is in the
unit that training has, the mean squared norm u of the rows; c^2 = u, so that the intercept moves as the weight of a
constant that counts as much as all features of a row.  Pairs are chosen by what the model says of them, not by what
they turn out to be, so that an intercept is not misled by the choice.

Only features that the model has can change: rare ones, which training left out, and new words teach nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import expit

from learners import PriorUpdate
from learners.metrics import auc
from ppi.errors import UsageError
from ppi.extraction.calibration import Calibration
from ppi.extraction.judgements import Combined

#: In units of the mean squared norm of the features, as in training, which has 1 there for tens of thousands of pairs;
#: a few need more: chosen on a corpus left out (CG), where from 4 to 16 up to 30 judgements did no harm.
REGPARAM = 8.0
#: Among which to choose when there is enough feedback; and how much is enough, for an output.  The last hardly changes
#: a model.
GRID = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)
ENOUGH, ENOUGH_GROUPS = 50, 10
#: Judgements, in whole documents, that the choice looks at: eight inverses of more take too long for a page.
MOST_CHOOSING = 400
#: From so many judgements of an output, and of each kind, on its probabilities are moved to their share.
RECALIBRATED, RECALIBRATED_EACH = 100, 20


@dataclass(frozen=True)
class Estimate:
    """How well one output says what was judged, without feedback and with that on other pairs or other documents.

    ``error`` is the mean squared difference from the targets 1 and -1, ``auc`` the share of pairs of a positive and a
    negative that are in order (None where all are of one kind); ``regparam`` in units of the mean squared norm.
    """

    output: str
    judged: int
    positive: int
    groups: int
    regparam: float
    error_without: float
    error_leave_one_out: float
    error_leave_group_out: float
    auc_without: float | None
    auc_leave_one_out: float | None
    auc_leave_group_out: float | None

    @property
    def helps(self) -> bool:
        """Whether feedback on other documents makes the output err less."""
        return self.error_leave_group_out < self.error_without


@dataclass(frozen=True)
class Feedback:
    """What a model was taught after its training."""

    judgements: int
    pairs: int
    groups: int
    disagreeing: int
    verdicts: dict[str, int]
    estimates: tuple[Estimate, ...]
    recalibrated: tuple[str, ...] = ()
    date: str = field(default_factory=lambda: date.today().isoformat())

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, for the model's header."""
        return {**asdict(self), "estimates": [asdict(each) for each in self.estimates]}


@dataclass(frozen=True)
class FeedbackRows:
    """Judged pairs as the learner sees them, one row per pair.

    Parameters
    ----------
    X
        Features, in the order of the model's weights.
    gram
        X X^T.
    prior
        What the model without feedback says, one column per output.
    targets
        One column per output, NaN where nothing is taught.
    groups
        What is left out together: the document of each.
    """

    X: sp.csr_matrix
    gram: NDArray[np.float64]
    prior: NDArray[np.float64]
    targets: NDArray[np.float64]
    groups: NDArray

    @property
    def unit(self) -> float:
        """The mean squared norm of the rows."""
        return float(np.mean(np.diagonal(self.gram))) or 1.0

    def problem(self, rows: NDArray | slice = slice(None)) -> PriorUpdate:
        """The learner's problem of these rows, with the constant."""
        gram = self.gram[rows][:, rows] + self.unit
        return PriorUpdate(gram, self.targets[rows], self.prior[rows])


@dataclass(frozen=True)
class Change:
    """What feedback adds to a model: weights (n_features, n_outputs) and intercepts, and how it did left out.

    ``held_out`` are the scores of the judged pairs without their group's judgements, NaN where nothing was judged.
    """

    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    held_out: NDArray[np.float64]
    estimates: tuple[Estimate, ...]


def learn(rows: FeedbackRows, outputs: Sequence[str], *, regparam: float | None = None) -> Change:
    """The change of every output by the closed form.

    ``regparam`` in units of the rows' mean squared norm; None takes :data:`REGPARAM`, or for an output with
    :data:`ENOUGH` judgements from :data:`ENOUGH_GROUPS` documents the choice by leaving documents out
    (:func:`chosen_regparams`).
    """
    if regparam is not None and not (isinstance(regparam, (int, float)) and 0 < regparam < np.inf):
        raise UsageError(f"expected a positive regparam, or None to choose it, got {regparam!r}")
    problem, unit = rows.problem(), rows.unit
    chosen = chosen_regparams(rows) if regparam is None else np.full(len(outputs), float(regparam))
    dual = problem.dual_coef(chosen * unit)
    one, group = problem.leave_one_out(chosen * unit), problem.leave_group_out(rows.groups, chosen * unit)
    estimates = [
        _estimate(output, rows, column, chosen[column], one[:, column], group[:, column])
        for column, output in enumerate(outputs)
        if problem.known[:, column].any()
    ]
    return Change(np.asarray(rows.X.T @ dual), unit * dual.sum(axis=0), group, tuple(estimates))


def chosen_regparams(rows: FeedbackRows) -> NDArray[np.float64]:
    """For each output, in units of the mean squared norm: the default, or the choice by leaving documents out.

    The choice is the largest of :data:`GRID` whose error is not worse than the least by more than one standard error of
    the difference between documents [Breiman1984, sect. 3.4.3]: what is not seen in several documents changes little.
    """
    chosen = np.full(rows.targets.shape[1], REGPARAM)
    known = ~np.isnan(rows.targets)
    enough = [
        column
        for column in range(len(chosen))
        if known[:, column].sum() >= ENOUGH and len(np.unique(rows.groups[known[:, column]])) >= ENOUGH_GROUPS
    ]
    if not enough:
        return chosen
    some = _whole_groups(rows.groups)
    problem, targets = rows.problem(some), rows.targets[some]
    _, codes = np.unique(rows.groups[some], return_inverse=True)
    held_out = [problem.leave_group_out(codes, value * rows.unit) for value in GRID]
    for column in enough:
        squares = [np.nan_to_num((targets[:, column] - each[:, column]) ** 2) for each in held_out]
        # one row per value, one column per document: sums of squared errors
        chosen[column] = GRID[_one_standard_error(np.array([np.bincount(codes, each) for each in squares]))]
    return chosen


def _one_standard_error(errors: NDArray[np.float64]) -> int:
    """The last row whose sum is not larger than the least by more than a standard error of the difference."""
    best = int(np.argmin(errors.sum(axis=1)))
    worse = errors - errors[best]
    spread = worse.std(axis=1, ddof=1) * np.sqrt(errors.shape[1])
    return int(np.flatnonzero(worse.sum(axis=1) <= spread).max())


def _whole_groups(groups: NDArray) -> NDArray[np.intp]:
    """Rows of whole groups, every k-th of them, about :data:`MOST_CHOOSING` in all."""
    _, codes = np.unique(groups, return_inverse=True)
    step = -(-len(groups) // MOST_CHOOSING)
    return np.flatnonzero(codes % step == 0)


def _estimate(
    output: str, rows: FeedbackRows, column: int, regparam: float, one: NDArray[np.float64], group: NDArray[np.float64]
) -> Estimate:
    known = ~np.isnan(rows.targets[:, column])
    targets = rows.targets[known, column]
    says = (rows.prior[known, column], one[known], group[known])
    both = len(np.unique(targets)) == 2
    return Estimate(
        output,
        int(known.sum()),
        int(np.sum(targets > 0)),
        len(np.unique(rows.groups[known])),
        float(regparam),
        *(_squared(targets, each) for each in says),
        *(float(auc(targets, each)) if both else None for each in says),
    )


def _squared(targets: NDArray[np.float64], scores: NDArray[np.float64]) -> float:
    """The mean squared error where there is a target; infinite where there is none."""
    errors = (targets - scores)[~np.isnan(targets)] ** 2
    return float(errors.mean()) if len(errors) else np.inf


def recalibrated(
    calibrations: Mapping[str, Calibration], rows: FeedbackRows, change: Change, outputs: Sequence[str]
) -> dict[str, Calibration]:
    """The calibrations that feedback moves: those of outputs that are judged often enough.

    Platt's offset is fitted anew to scores with the document left out: the probabilities of the judged pairs then sum
    to the number of those that are right, which is its condition of largest likelihood.  The slope stays, as a few
    judgements of the top of a list say nothing of it; so do calibrations of another kind.
    """
    moved = {}
    for column, output in enumerate(outputs):
        known = ~np.isnan(rows.targets[:, column])
        positive = int(np.sum(rows.targets[known, column] > 0))
        least = min(positive, int(known.sum()) - positive)
        before = calibrations.get(output)
        if before is None or before.kind != "platt" or known.sum() < RECALIBRATED or least < RECALIBRATED_EACH:
            continue
        moved[output] = _moved(before, change.held_out[known, column], positive)
    return moved


def _moved(before: Calibration, scores: NDArray[np.float64], positive: int) -> Calibration:
    margins = before.values[0] * scores
    reach = float(np.abs(margins).max()) + 30.0  # there all probabilities are 0, or 1
    offset = brentq(lambda b: float(expit(margins + b).sum()) - positive, -reach, reach)
    return Calibration("platt", (), (before.values[0], float(offset)))


def feedback_rows(
    X: sp.csr_matrix, prior: NDArray[np.float64], combination: Combined, groups: ArrayLike
) -> FeedbackRows:
    """The rows of combined judgements, from the features, scores and groups of all of them."""
    X = sp.csr_matrix(X)[combination.first]
    gram = np.asarray((X @ X.T).toarray(), dtype=np.float64)
    labels = np.asarray(groups)[combination.first]
    return FeedbackRows(X, gram, prior[combination.first], combination.targets, labels)
