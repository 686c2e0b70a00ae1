"""Updates a model by judgements, in closed form, and estimates the change by leaving judgements out.

With the model's weights w0 as starting point, for each output

    w = w0 + X^T (X X^T + c^2 + regparam I)^-1 (y - X w0 - b0)             (:class:`learners.PriorUpdate`)

X the features of the judged pairs, y what the judgements teach (:mod:`ppi.extraction.judgements`).  regparam is in the
unit that training has, the mean squared norm u of the rows; c^2 = u, so that the intercept moves as the weight of a
constant that counts as much as all features of a row.  Pairs are chosen by their scores, not by what they turn out to
be, so that an intercept is not misled by the choice.

Only features that the model has can change: rare ones, which training left out, and new words teach nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import expit

from kernels import CandidateGraph
from learners import PriorUpdate, auc
from ppi.core import UsageError
from ppi.extraction.calibration import Calibration
from ppi.extraction.extractor import Extractor
from ppi.extraction.judgements import MergedJudgements, PairJudgement, build_targets, count_verdicts, merge_judgements
from ppi.extraction.pair_predictions import PairPredictions

#: In units of the mean squared norm of the features, as in training, which has 1 there for tens of thousands of pairs;
#: a few need more: chosen on a corpus left out (CG), where from 4 to 16 up to 30 judgements did no harm.
FEEDBACK_REGPARAM = 8.0
#: Among which to choose when there is enough feedback; and how much is enough, for an output.  The last hardly changes
#: a model.
FEEDBACK_REGPARAM_GRID = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)
MIN_JUDGEMENTS_TO_CHOOSE, MIN_GROUPS_TO_CHOOSE = 50, 10
#: Judgements, in whole documents, that the choice looks at: eight inverses of more take too long for a page.
MAX_JUDGEMENTS_TO_CHOOSE = 400
#: With this many judgements of an output, and of each class, its probabilities are moved to their prevalence.
MIN_JUDGEMENTS_TO_RECALIBRATE, MIN_CLASS_TO_RECALIBRATE = 100, 20

T = TypeVar("T", bound=Extractor)


@dataclass(frozen=True)
class HeldOutEstimate:
    """How well one output predicts what was judged, without feedback and with that on other pairs or other documents.

    ``error`` is the mean squared difference from the targets 1 and -1, ``auc`` the part of the pairs of a positive and
    a negative that are in order (None where all are of one kind); ``regparam`` in units of the mean squared norm.
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
    estimates: tuple[HeldOutEstimate, ...]
    recalibrated: tuple[str, ...] = ()
    date: str = field(default_factory=lambda: date.today().isoformat())

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, for the model's header."""
        return {**asdict(self), "estimates": [asdict(estimate) for estimate in self.estimates]}


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
        Scores by the model without feedback, one column per output.
    targets
        One column per output, NaN where nothing is taught.
    groups
        What is left out together: the document of each.
    """

    X: sp.csr_matrix
    gram: NDArray[np.float64]
    prior: NDArray[np.float64]
    targets: NDArray[np.float64]
    groups: NDArray[Any]

    @property
    def unit(self) -> float:
        """The mean squared norm of the rows."""
        return float(np.mean(np.diagonal(self.gram))) or 1.0

    def prior_update(self, rows: NDArray[Any] | slice = slice(None)) -> PriorUpdate:
        """The learner's problem of these rows, with the constant."""
        gram = self.gram[rows][:, rows] + self.unit
        return PriorUpdate(gram, self.targets[rows], self.prior[rows])


@dataclass(frozen=True)
class ModelUpdate:
    """What feedback adds to a model: weights (n_features, n_outputs) and intercepts, and how it did left out.

    ``held_out`` are the scores of the judged pairs without their group's judgements, NaN where nothing was judged.
    """

    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    held_out: NDArray[np.float64]
    estimates: tuple[HeldOutEstimate, ...]


def compute_update(rows: FeedbackRows, outputs: Sequence[str], *, regparam: float | None = None) -> ModelUpdate:
    """The change of every output by the closed form.

    ``regparam`` in units of the rows' mean squared norm; None takes :data:`FEEDBACK_REGPARAM`, or for an output
    with :data:`MIN_JUDGEMENTS_TO_CHOOSE` judgements from :data:`MIN_GROUPS_TO_CHOOSE` documents the choice by leaving
    documents out (:func:`choose_regparams`).
    """
    if regparam is not None and not (isinstance(regparam, (int, float)) and 0 < regparam < np.inf):
        raise UsageError(f"expected a positive regparam, or None to choose it, got {regparam!r}")
    prior_update, unit = rows.prior_update(), rows.unit
    regparams = choose_regparams(rows) if regparam is None else np.full(len(outputs), float(regparam))
    dual = prior_update.dual_coef(regparams * unit)
    leave_one_out = prior_update.leave_one_out(regparams * unit)
    leave_group_out = prior_update.leave_group_out(rows.groups, regparams * unit)
    estimates = []
    for column, output in enumerate(outputs):
        is_judged = ~np.isnan(rows.targets[:, column])
        if not is_judged.any():
            continue
        targets = rows.targets[is_judged, column]
        has_both_classes = len(np.unique(targets)) == 2
        score_columns = [scores[is_judged, column] for scores in (rows.prior, leave_one_out, leave_group_out)]
        estimate = HeldOutEstimate(
            output,
            len(targets),
            int(np.sum(targets > 0)),
            len(np.unique(rows.groups[is_judged])),
            float(regparams[column]),
            *(float(np.mean((targets - scores) ** 2)) for scores in score_columns),
            *(float(auc(targets, scores)) if has_both_classes else None for scores in score_columns),
        )
        estimates.append(estimate)
    return ModelUpdate(np.asarray(rows.X.T @ dual), unit * dual.sum(axis=0), leave_group_out, tuple(estimates))


def choose_regparams(rows: FeedbackRows) -> NDArray[np.float64]:
    """For each output, in units of the mean squared norm: the default, or the choice by leaving documents out.

    The choice is the largest of :data:`FEEDBACK_REGPARAM_GRID` whose error is not worse than the least by more than one
    standard error of the difference between documents [Breiman1984, sect. 3.4.3]: what is not seen in several
    documents changes little.
    """
    regparams = np.full(rows.targets.shape[1], FEEDBACK_REGPARAM)
    is_judged = ~np.isnan(rows.targets)
    columns = [
        column
        for column, judged in enumerate(is_judged.T)
        if judged.sum() >= MIN_JUDGEMENTS_TO_CHOOSE and len(np.unique(rows.groups[judged])) >= MIN_GROUPS_TO_CHOOSE
    ]
    if not columns:
        return regparams
    # every k-th document, with all of its judgements
    _, codes = np.unique(rows.groups, return_inverse=True)
    subset = np.flatnonzero(codes % -(-len(codes) // MAX_JUDGEMENTS_TO_CHOOSE) == 0)
    _, codes = np.unique(codes[subset], return_inverse=True)
    prior_update, targets = rows.prior_update(subset), rows.targets[subset]
    held_out = [prior_update.leave_group_out(codes, value * rows.unit) for value in FEEDBACK_REGPARAM_GRID]
    for column in columns:
        squares = [np.nan_to_num((targets[:, column] - scores[:, column]) ** 2) for scores in held_out]
        # one row per value, one column per document: sums of squared errors
        errors = np.array([np.bincount(codes, values) for values in squares])
        excess = errors - errors[np.argmin(errors.sum(axis=1))]
        standard_errors = excess.std(axis=1, ddof=1) * np.sqrt(errors.shape[1])
        regparams[column] = FEEDBACK_REGPARAM_GRID[np.flatnonzero(excess.sum(axis=1) <= standard_errors).max()]
    return regparams


def recalibrate(
    calibrations: Mapping[str, Calibration], rows: FeedbackRows, update: ModelUpdate, outputs: Sequence[str]
) -> dict[str, Calibration]:
    """The calibrations that feedback moves: those of outputs that are judged often enough.

    Platt's offset is fitted anew to scores with the document left out: the probabilities of the judged pairs then sum
    to the number of those that are right, which is its condition of largest likelihood.  The slope stays, as a few
    judgements of the top of a list do not determine it; so do calibrations of another kind.
    """
    new_calibrations = {}
    for column, output in enumerate(outputs):
        is_judged = ~np.isnan(rows.targets[:, column])
        judged, positive = int(is_judged.sum()), int(np.sum(rows.targets[is_judged, column] > 0))
        is_enough = (
            judged >= MIN_JUDGEMENTS_TO_RECALIBRATE and min(positive, judged - positive) >= MIN_CLASS_TO_RECALIBRATE
        )
        calibration = calibrations.get(output)
        if is_enough and calibration is not None and calibration.kind == "platt":
            new_calibrations[output] = _refit_platt_offset(calibration, update.held_out[is_judged, column], positive)
    return new_calibrations


def _refit_platt_offset(calibration: Calibration, scores: NDArray[np.float64], positive: int) -> Calibration:
    margins = calibration.values[0] * scores
    reach = float(np.abs(margins).max()) + 30.0  # there all probabilities are 0, or 1
    offset = brentq(lambda b: float(expit(margins + b).sum()) - positive, -reach, reach)
    return Calibration("platt", (), (calibration.values[0], float(offset)))


def build_feedback_rows(
    X: sp.csr_matrix, prior: NDArray[np.float64], merged: MergedJudgements, groups: ArrayLike
) -> FeedbackRows:
    """The rows of combined judgements, from the features, scores and groups of all of them."""
    X = sp.csr_matrix(X)[merged.first_rows]
    gram = np.asarray((X @ X.T).toarray(), dtype=np.float64)
    labels = np.asarray(groups)[merged.first_rows]
    return FeedbackRows(X, gram, prior[merged.first_rows], merged.targets, labels)


def update_extractor(
    extractor: T,
    graphs: Sequence[CandidateGraph],
    labels: Sequence[PairJudgement | str | bool],
    groups: ArrayLike | None,
    regparam: float | None,
    conflicts: str,
) -> T:
    """Another extractor, with what the judgements teach; labels without a claim are of what this one claims."""
    if len(graphs) != len(labels) or not labels:
        raise UsageError(f"expected a judgement for each pair, got {len(labels)} of {len(graphs)} pairs")
    without_claim = [graph for graph, label in zip(graphs, labels) if not isinstance(label, PairJudgement)]
    claims = iter(predict_claims(extractor, without_claim))
    judgements = []
    for label in labels:
        if not isinstance(label, PairJudgement):
            kind, first_acts = next(claims)
            label = PairJudgement.from_label(label, type=kind, first_acts=first_acts)
        judgements.append(label)
    group_labels = [graph.document_id or "" for graph in graphs] if groups is None else groups
    if np.shape(group_labels) != (len(graphs),):
        raise UsageError(f"expected groups with one label per pair, {len(graphs)}, got {np.shape(group_labels)}")
    pairs = [(graph.document_id or "", graph.sentence.id, graph.prot1, graph.prot2) for graph in graphs]
    merged = merge_judgements(pairs, build_targets(judgements, extractor.outputs_), conflicts=conflicts)
    X = extractor.feature_matrix(graphs)
    rows = build_feedback_rows(X, linear_scores(extractor, X), merged, group_labels)
    update = compute_update(rows, extractor.outputs_, regparam=regparam)
    return apply_update(extractor, rows, update, judgements, disagreeing=merged.disagreeing)


def predict_claims(extractor: Extractor, graphs: Sequence[CandidateGraph]) -> list[tuple[str | None, bool | None]]:
    """What the extractor claims of candidates: the most probable type, and whether the first of the two acts."""
    if not graphs:
        return []
    predictions = PairPredictions(extractor, list(graphs))
    claims = [(predictions[index], graph) for index, graph in enumerate(graphs)]
    return [(claim.type, None if claim.agent is None else claim.agent == graph.prot1) for claim, graph in claims]


def linear_scores(extractor: Extractor, X: sp.csr_matrix) -> NDArray[np.float64]:
    """One row per row of features, one column per output, in double precision."""
    weights = extractor.weights_.reshape(len(extractor.weights_), -1)
    scores = np.asarray(X @ weights.astype(np.float64)) + extractor.intercepts_
    # what a model keeps of its training pairs (degree=2) is part of the start, and stays as it is
    return scores if extractor.support_ is None else scores + extractor.support_.scores(X).reshape(len(scores), -1)


def apply_update(
    extractor: T, rows: FeedbackRows, update: ModelUpdate, judgements: Sequence[PairJudgement], *, disagreeing: int = 0
) -> T:
    """A copy of the extractor with the change, the moved calibrations, and the record of both."""
    result = copy.copy(extractor)
    result._clear_caches()
    result.weights_ = (extractor.weights_ + update.weights.reshape(extractor.weights_.shape)).astype(
        extractor.weights_.dtype
    )
    result.intercepts_ = extractor.intercepts_ + update.intercepts
    recalibrations = recalibrate(extractor.calibrations_, rows, update, extractor.outputs_)
    result.calibrations_ = {**extractor.calibrations_, **recalibrations}
    result.feedback_ = Feedback(
        judgements=len(judgements),
        pairs=len(rows.targets),
        groups=len(np.unique(rows.groups)),
        disagreeing=disagreeing,
        verdicts=count_verdicts(judgements),
        estimates=update.estimates,
        recalibrated=tuple(recalibrations),
    )
    history = extractor.facts_.get("feedback", [])
    result.facts_ = {**extractor.facts_, "feedback": [*history, result.feedback_.to_dict()]}
    return result
