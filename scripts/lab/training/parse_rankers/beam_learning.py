"""Learning an order of the trees of beams, by four learners on the same sparse rows.

The goodness of a tree is how many of its arcs are right: what a linear model over parts of trees can be right about,
and what attachment is counted in.  Chosen is what makes the first tree of the order best on validation articles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse.linalg import lsmr

from lab.training.parse_rankers.beam_lists import BeamList
from learners import CGRankRLS, RankSVM, disagreement_error
from ppi.language import BeamFeatures

#: Iterations of conjugate gradients without a better first tree on the validation articles before they end.
PATIENCE = 8
MOST_ITERATIONS = 60


@dataclass(frozen=True, eq=False)
class ListRows:
    """Lists as rows: features, right arcs, cost and sentence of each tree; how many arcs each sentence has."""

    X: sp.csr_matrix
    right: NDArray[np.float64]
    costs: NDArray[np.float64]
    qid: NDArray[np.int64]
    totals: NDArray[np.int64]

    @classmethod
    def of(cls, lists: Sequence[BeamList], features: BeamFeatures) -> ListRows:
        """Of lists in their order."""
        return cls(
            features.rows([each.trees for each in lists]),
            np.concatenate([each.right for each in lists]).astype(np.float64),
            np.concatenate([each.trees.costs for each in lists]),
            np.repeat(np.arange(len(lists)), [len(each.right) for each in lists]),
            np.array([each.total for each in lists]),
        )

    @property
    def starts(self) -> NDArray[np.int64]:
        """The row of each sentence's first tree."""
        return np.unique(self.qid, return_index=True)[1]

    def chosen(self, scores: NDArray[np.float64]) -> NDArray[np.int64]:
        """The row of each sentence's best tree by scores, of equals the parser's own first."""
        order = np.lexsort((np.arange(len(scores)), -scores, self.qid))
        return order[np.unique(self.qid[order], return_index=True)[1]]

    def attachment(self, scores: NDArray[np.float64]) -> float:
        """Labelled attachment of the first trees, from 0 to 1."""
        return float(self.right[self.chosen(scores)].sum() / self.totals.sum())

    def figures(self, scores: NDArray[np.float64]) -> dict[str, float]:
        """Attachment of the first (greedy), most probable, best-ranked and best trees; errors of the whole order."""
        total = float(self.totals.sum())
        first, oracle = self.right[self.starts].sum() / total, self._best().sum() / total
        reranked = self.attachment(scores)
        goodness = self.right / np.maximum(self.totals, 1)[self.qid]
        rows = (self._best() > self._worst())[self.qid]  # of sentences that have an order
        return {
            "sentences": len(self.totals),
            "trees": len(scores),
            "first": float(first),
            "most_probable": self.attachment(-self.costs),
            "reranked": reranked,
            "oracle": float(oracle),
            "share_of_the_way": float((reranked - first) / (oracle - first)) if oracle > first else 0.0,
            "error_own": disagreement_error(goodness[rows], -self.costs[rows], qid=self.qid[rows]),
            "error": disagreement_error(goodness[rows], scores[rows], qid=self.qid[rows]),
        }

    def _best(self) -> NDArray[np.float64]:
        return np.maximum.reduceat(self.right, self.starts)

    def _worst(self) -> NDArray[np.float64]:
        return np.minimum.reduceat(self.right, self.starts)


class Learned(NamedTuple):
    """Weights, and what was chosen on the way."""

    weights: NDArray[np.float64]
    choices: dict[str, Any]


def learn_rank_rls(rows: ListRows, validation: ListRows, regparam: float) -> Learned:
    """RankRLS by conjugate gradients [Airola2010, sec. 3], stopped by the first trees of the validation sentences.

    Only trees of one sentence are compared, each pair weighed by its difference in right arcs (the magnitude).
    """
    best = _Best(validation)
    model = CGRankRLS(regparam, tol=1e-4, max_iter=MOST_ITERATIONS)
    model.fit(rows.X, rows.right, qid=rows.qid, callback=best.look)
    return Learned(best.weights, {"regparam": regparam, "iterations": best.iteration})


def learn_rls(rows: ListRows, validation: ListRows, regparam: float) -> Learned:
    """Ridge regression of each tree's difference to the first in right arcs, by SciPy's iterative least squares."""
    target = rows.right - rows.right[rows.starts][rows.qid]
    solution = lsmr(rows.X, target, damp=np.sqrt(regparam), maxiter=MOST_ITERATIONS)
    return Learned(solution[0], {"regparam": regparam, "iterations": solution[2]})


def learn_rank_svm(rows: ListRows, validation: ListRows, regparam: float) -> Learned:
    """RankSVM on the same pairs, every sentence counting the same."""
    model = RankSVM(regparam, average="queries", tol=1e-2, max_iter=MOST_ITERATIONS)
    return Learned(model.fit(rows.X, rows.right, qid=rows.qid).coef_, {"regparam": regparam})


def learn_log_linear(rows: ListRows, validation: ListRows, regparam: float) -> Learned:
    """The yardstick of the literature: the log-probability of the best trees [Charniak2005], by L-BFGS.

        -sum_s log sum_{t best of s} p(t | s) + regparam ||w||^2,    p(t | s) = exp(w^T x_t) / sum_u exp(w^T x_u)

    .. [Charniak2005] E. Charniak, M. Johnson. Coarse-to-fine n-best parsing and MaxEnt discriminative reranking. ACL.
    """
    best = _Best(validation)
    objective = log_linear_objective(rows, regparam)
    iterations = iter(range(1, MOST_ITERATIONS + 1))
    minimize(
        objective,
        np.zeros(rows.X.shape[1]),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": MOST_ITERATIONS},
        callback=lambda weights: best.look(next(iterations), weights),
    )
    return Learned(best.weights, {"regparam": regparam, "iterations": best.iteration})


def log_linear_objective(
    rows: ListRows, regparam: float
) -> Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64]]]:
    """The objective of :func:`learn_log_linear` with its gradient."""
    starts, qid, transposed = rows.starts, rows.qid, rows.X.T.tocsr()
    is_best = rows.right == np.maximum.reduceat(rows.right, starts)[qid]

    def shares(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Of each row among its sentence, and the logarithm of each sentence's sum."""
        highest = np.maximum.reduceat(scores, starts)
        raised = np.exp(scores - highest[qid])
        sums = np.add.reduceat(raised, starts)
        return raised / sums[qid], np.log(sums) + highest

    def objective(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = np.asarray(rows.X @ weights, dtype=np.float64)
        every, log_every = shares(scores)
        best, log_best = shares(np.where(is_best, scores, -1e300))
        gradient = transposed @ (every - best) + 2 * regparam * weights
        return float((log_every - log_best).sum() + regparam * weights @ weights), gradient

    return objective


LEARNERS: dict[str, Callable[[ListRows, ListRows, float], Learned]] = {
    "rank-rls": learn_rank_rls,
    "rls": learn_rls,
    "rank-svm": learn_rank_svm,
    "log-linear": learn_log_linear,
}


class _Best:
    """The iterate whose first trees are best on the validation sentences."""

    def __init__(self, validation: ListRows) -> None:
        self._validation = validation
        self.weights, self.iteration = np.zeros(validation.X.shape[1]), 0
        self._attachment = -1.0

    def look(self, iteration: int, weights: NDArray[np.float64]) -> bool:
        """Take it if it is better; True says that there was nothing better for long."""
        attachment = self._validation.attachment(np.asarray(self._validation.X @ weights))
        if attachment > self._attachment:
            self.weights, self.iteration, self._attachment = weights.copy(), iteration, attachment
        return iteration - self.iteration >= PATIENCE
