"""One simulated curation: a curator who knows the annotation judges what the model claims, and the model learns.

The documents of the corpus are drawn into two halves.  The curator judges pairs of the first, a few at a time, as
chosen by one way; the second is never judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, log_loss

from corpora import BINDING, MODIFICATION, TYPES
from lab.papers.curation.left_out import LeftOut
from ppi.extraction import (
    DIRECTION,
    INTERACTION,
    OUTPUTS,
    RIGHT,
    WRONG,
    WRONG_DIRECTION,
    WRONG_TYPE,
    FeedbackRows,
    ModelUpdate,
    PairJudgement,
    build_targets,
    compute_update,
    recalibrate,
)
from ppi.server import CandidatePool, LabelledPool, select_candidates

RANDOM = "random"
_INTERACTION, _DIRECTION = OUTPUTS.index(INTERACTION), OUTPUTS.index(DIRECTION)


@dataclass(frozen=True)
class Plan:
    """When the model is judged; how many pairs are judged between two updates; how many candidates are looked at.

    After ``slow`` judgements five times as many are judged at once.
    """

    sizes: tuple[int, ...] = (0, 10, 30, 100, 300)
    at_once: int = 10
    slow: int = 50
    most_candidates: int = 1000
    rank: int = 100


@dataclass(frozen=True)
class Halves:
    """Which rows can be judged, and which never are; rows of which the corpus does not say whether they interact are
    in neither."""

    pool: NDArray[np.intp]
    test: NDArray[np.intp]

    @classmethod
    def drawn(cls, corpus: LeftOut, seed: int) -> Halves:
        """Whole documents, each in one of the two."""
        documents = np.unique(corpus.documents)
        drawn = np.random.default_rng(seed).permutation(documents)[: len(documents) // 2]
        known = ~np.isnan(corpus.targets[:, _INTERACTION])
        first = np.isin(corpus.documents, drawn)
        return cls(np.flatnonzero(known & first), np.flatnonzero(known & ~first))


@dataclass(frozen=True)
class Moment:
    """The model after so many judgements: its scores of all rows, and what it learned."""

    judged: list[int]
    targets: NDArray[np.float64]
    scores: NDArray[np.float64]
    rows: FeedbackRows | None = None
    change: ModelUpdate | None = None


def simulate(corpus: LeftOut, halves: Halves, way: str, plan: Plan, *, seed: int) -> list[Moment]:
    """The model at each of the plan's sizes."""
    rng = np.random.default_rng([seed, 1])
    judged: list[int] = []
    judgements: list[PairJudgement] = []
    now = Moment([], np.zeros((0, len(OUTPUTS))), corpus.prior)
    moments = [now] if 0 in plan.sizes else []
    while len(judged) < min(max(plan.sizes), len(halves.pool)):
        left = np.setdiff1d(halves.pool, judged)
        step = plan.at_once if len(judged) < plan.slow else 5 * plan.at_once
        upto = min((size for size in plan.sizes if size > len(judged)), default=max(plan.sizes))
        chosen = _chosen(corpus, now, way, left, min(step, upto - len(judged)), plan, rng)
        judgements += [judge(corpus, now.scores, row) for row in chosen]
        judged += chosen
        now = updated(corpus, judged, build_targets(judgements, OUTPUTS))
        if len(judged) in plan.sizes:
            moments.append(now)
    return moments


def updated(corpus: LeftOut, judged: list[int], targets: NDArray[np.float64]) -> Moment:
    """The model changed by the judgements, in closed form."""
    X = corpus.X[judged]
    gram = np.asarray((X @ X.T).toarray())
    rows = FeedbackRows(X, gram, corpus.prior[judged], targets, corpus.documents[judged])
    change = compute_update(rows, OUTPUTS)
    scores = corpus.prior + np.asarray(corpus.X @ change.weights) + change.intercepts
    return Moment(list(judged), targets, scores, rows, change)


def claimable(corpus: LeftOut) -> list[str]:
    """The types that the model tells and the corpus annotates; of AImed none."""
    known = np.asarray(np.isfinite(corpus.targets).any(axis=0))
    typed = known[OUTPUTS.index(MODIFICATION)]  # which only corpora with types have
    return [kind for kind in TYPES if typed and known[OUTPUTS.index(kind)] and kind in corpus.calibrations]


def probabilities(corpus: LeftOut, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """By the model's own calibrations: the columns of interaction and of the types that can be claimed."""
    names = (INTERACTION, *claimable(corpus))
    return np.column_stack([corpus.calibrations[name](scores[:, OUTPUTS.index(name)]) for name in names])


def judge(corpus: LeftOut, scores: NDArray[np.float64], row: int) -> PairJudgement:
    """What a curator who knows the annotation says of what the model claims of a row.

    A corpus without types is asked whether the two interact, and no more.
    """
    targets = corpus.targets[row]
    interacts = targets[_INTERACTION] > 0
    kinds = dict(zip(claimable(corpus), probabilities(corpus, scores[[row]])[0, 1:]))
    if not kinds:
        return PairJudgement(RIGHT if interacts else WRONG)
    claimed = max(kinds, key=lambda kind: kinds[kind])
    direction = targets[_DIRECTION]
    first_acts = bool(scores[row, _DIRECTION] >= 0) if claimed != BINDING and not np.isnan(direction) else None
    if not interacts:
        return PairJudgement(WRONG, claimed)
    if targets[OUTPUTS.index(claimed)] > 0:
        turned = first_acts is not None and first_acts != (direction > 0)
        return PairJudgement(WRONG_DIRECTION if turned else RIGHT, claimed, first_acts)
    true = [kind for kind in TYPES if targets[OUTPUTS.index(kind)] > 0]
    return PairJudgement(WRONG_TYPE, claimed, None, max(true, key=lambda kind: kinds.get(kind, 0.0)))


def _chosen(
    corpus: LeftOut, now: Moment, way: str, left: NDArray[np.intp], count: int, plan: Plan, rng: np.random.Generator
) -> list[int]:
    if way == RANDOM:
        drawn: list[int] = rng.choice(left, size=min(count, len(left)), replace=False).tolist()
        return drawn
    if way == "change" and len(left) > plan.most_candidates:
        left = rng.choice(left, size=plan.most_candidates, replace=False)
    scores = now.scores[left]
    # what a reader's list is ordered by: any way of interacting
    p = probabilities(corpus, scores).max(axis=1)
    judged = None
    if now.rows is not None and now.change is not None and way == "change":
        regparam = next(each.regparam for each in now.change.estimates if each.output == INTERACTION)
        judged = LabelledPool(now.rows.X, now.rows.gram + now.rows.unit, regparam * now.rows.unit)
    candidates = CandidatePool(corpus.X[left], scores[:, _INTERACTION], p)
    rows: list[int] = left[select_candidates(way, candidates, count, labelled=judged)].tolist()
    return rows


def figures(corpus: LeftOut, halves: Halves, moment: Moment, plan: Plan) -> dict[str, Any]:
    """Average precision and precision at the top, of documents never judged and of those that were judged from."""
    found: dict[str, Any] = {"judged": len(moment.judged)}
    if moment.judged:
        right = corpus.targets[moment.judged, _INTERACTION] > 0
        found["judged_interact"] = float(right.mean())
    rest = np.setdiff1d(halves.pool, moment.judged)
    for name, rows in (("test", halves.test), ("pool", halves.pool), ("rest", rest)):
        found[name] = ranked(corpus.targets[rows, _INTERACTION], moment.scores[rows, _INTERACTION], plan.rank)
    for kind in TYPES:
        column = OUTPUTS.index(kind)
        known = halves.test[~np.isnan(corpus.targets[halves.test, column])]
        if kind in claimable(corpus) and (corpus.targets[known, column] > 0).any():
            found[kind] = ranked(corpus.targets[known, column], moment.scores[known, column], plan.rank)
    found["log_loss"] = _log_losses(corpus, halves, moment)
    if moment.change is not None:
        (estimate,) = (each for each in moment.change.estimates if each.output == INTERACTION)
        found |= {"regparam": estimate.regparam, "error_without": estimate.error_without}
        found |= {"error_with": estimate.error_leave_group_out, "error_one": estimate.error_leave_one_out}
    y, f = corpus.targets[halves.test, _INTERACTION], moment.scores[halves.test, _INTERACTION]
    found["test_error"] = float(np.mean((y - f) ** 2))
    return found


def ranked(targets: NDArray[np.float64], scores: NDArray[np.float64], rank: int) -> dict[str, float]:
    """Average precision, and the share of positives among the first ``rank``."""
    positive = targets > 0
    order = np.argsort(-scores, kind="stable")[:rank]
    return {"ap": float(average_precision_score(positive, scores)), "top": float(positive[order].mean())}


def _log_losses(corpus: LeftOut, halves: Halves, moment: Moment) -> dict[str, float]:
    """Of probabilities of interacting on documents never judged: calibration as it was, and moved."""
    y, f = corpus.targets[halves.test, _INTERACTION] > 0, moment.scores[halves.test, _INTERACTION]
    before = corpus.calibrations[INTERACTION]
    after = before
    if moment.rows is not None and moment.change is not None:
        after = recalibrate(corpus.calibrations, moment.rows, moment.change, OUTPUTS).get(INTERACTION, before)
    return {
        name: float(log_loss(y, each(f), labels=[False, True])) for name, each in (("kept", before), ("moved", after))
    }


def judged_alone(corpus: LeftOut, halves: Halves, moment: Moment, plan: Plan) -> dict[str, float]:
    """The same learner on the judged pairs without a starting point."""
    if moment.rows is None:
        return {}
    nothing = FeedbackRows(
        moment.rows.X, moment.rows.gram, np.zeros_like(moment.targets), moment.targets, moment.rows.groups
    )
    change = compute_update(nothing, OUTPUTS)
    scores = np.asarray(corpus.X[halves.test] @ sp.csc_matrix(change.weights[:, [_INTERACTION]]).toarray()).ravel()
    return ranked(corpus.targets[halves.test, _INTERACTION], scores, plan.rank)
