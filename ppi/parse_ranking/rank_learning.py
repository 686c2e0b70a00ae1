"""From features and goodness to a scoring function: every learner behind one call, parameters by leave-sentence-out.

Learners see the parses through a kernel matrix and end as coefficients of some training parses (the basis); only
RankRLS by conjugate gradients works on the features themselves, for the linear kernel and as many parses as there are.
Sentences are the queries: predictions that choose parameters never come from a model, or a basis vector, that has seen
a parse of the same sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from kernels import GaussianKernel, LinearKernel, NystromMap
from learners import RLS, CGRankRLS, RankRLS, RankSVM, SparseRankRLS, SparseRLS, disagreement_error
from ppi.core import UsageError

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

LEARNERS = ("rank-rls", "rls", "sparse-rls", "sparse-rank-rls", "rank-svm", "cg-rank-rls")
COSTS = ("magnitude", "unit", "relative")
KERNELS = ("linear", "gaussian")
PAIRS = ("relevant", "all")
CRITERIA = ("order", "first")

#: The grid of the papers, 2^-15 ... 2^15.
REGPARAMS = tuple(2.0**power for power in range(-15, 16))
#: RankSVM trains anew for each value and fold.  Its loss is an average over pairs, so its grid lies lower.
SVM_REGPARAMS = tuple(2.0**power for power in range(-13, -4, 2))
#: Conjugate gradients start anew for each value and fold too; much smaller values change nothing but the time.
CG_REGPARAMS = tuple(2.0**power for power in range(-4, 9, 3))
_CG_TOLERANCE = 1e-4


@dataclass(frozen=True)
class LearnerOptions:
    """How to learn.

    Parameters
    ----------
    learner
        One of ``LEARNERS``.
    cost
        Of RankRLS: "unit" (20), "magnitude" (21) or "relative" (22) [Pahikkala2009].
    pairs
        Of RankRLS: "relevant" compares parses of one sentence, "all" also parses of different sentences.
    regparam
        None chooses by cross-validation.
    criterion
        What cross-validation counts: "order", the disagreement error, or "first", how far the goodness of the parse
        ranked first is from 1.
    kernel, gamma
        "linear", or "gaussian" with its width.
    basis_per_sentence
        Of the sparse learners: basis vectors drawn from the parses of each sentence.
    folds
        Of sentences, where leave-sentence-out has no shortcut (RankSVM, all pairs, conjugate gradients).
    random_state
        For drawing basis vectors and folds.
    """

    learner: str = "rank-rls"
    cost: str = "magnitude"
    pairs: str = "relevant"
    regparam: float | None = None
    criterion: str = "order"
    kernel: str = "linear"
    gamma: float = 1.0
    basis_per_sentence: int = 5
    folds: int = 10
    random_state: int = 0

    def __post_init__(self) -> None:
        choices = {"learner": LEARNERS, "cost": COSTS, "kernel": KERNELS, "pairs": PAIRS, "criterion": CRITERIA}
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise UsageError(f"expected {name} to be one of {allowed}, got {getattr(self, name)!r}")
        for name in ("basis_per_sentence", "folds"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise UsageError(f"expected {name} to be an integer of 1 or more, got {value!r}")
        if self.pairs == "all" and self.learner != "rank-rls":
            raise UsageError(f"expected pairs='relevant' for {self.learner!r}, got 'all'; only rank-rls has all pairs")
        if self.learner == "cg-rank-rls" and (self.kernel, self.cost) != ("linear", "magnitude"):
            raise UsageError(
                "expected kernel='linear' and cost='magnitude' for 'cg-rank-rls', "
                f"got {self.kernel!r} and {self.cost!r}; use rank-rls"
            )

    @property
    def has_shortcut(self) -> bool:
        """Whether leave-sentence-out predictions come from one decomposition; otherwise folds are trained anew."""
        return self.learner not in ("rank-svm", "cg-rank-rls") and self.pairs == "relevant"

    @property
    def is_sparse(self) -> bool:
        """Whether only some of the training parses are basis vectors."""
        return self.learner.startswith("sparse")

    def parameters(self) -> dict[str, Any]:
        """All parameters as plain JSON values."""
        return dict(vars(self))

    def kernel_object(self) -> Any:
        """The kernel between rows of features."""
        return LinearKernel() if self.kernel == "linear" else GaussianKernel(gamma=self.gamma)

    def basis(self, qid: Indices) -> Indices:
        """Indices of the basis vectors: all parses, or so many of each sentence."""
        if not self.is_sparse:
            return np.arange(len(qid))
        return draw_per_sentence(qid, self.basis_per_sentence, random_state=self.random_state)

    def regparams(self) -> tuple[float, ...]:
        """The values that cross-validation chooses from."""
        return {"rank-svm": SVM_REGPARAMS, "cg-rank-rls": CG_REGPARAMS}.get(self.learner, REGPARAMS)

    def select_regparam(self, errors: dict[float, float]) -> float:
        """The regparam that is given, else that of the least error, of equal ones the smoothest function."""
        if self.regparam is not None:
            return float(self.regparam)
        return min(sorted(errors, reverse=True), key=errors.__getitem__)

    def split(self, groups: Indices) -> Iterator[tuple[Indices, Indices]]:
        """Training and test parses of each fold; folds keep groups together."""
        fold_of = sentence_folds(groups, self.folds, random_state=self.random_state)
        for fold in np.unique(fold_of):
            yield np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)

    def loss(self, y: Array, predictions: Array, qid: Indices) -> float:
        """The criterion, averaged over sentences; smaller is better."""
        if self.criterion == "order":
            return float(disagreement_error(y, predictions, qid=qid))
        order = np.lexsort((-predictions, qid))
        firsts = order[np.unique(qid[order], return_index=True)[1]]
        return float(1.0 - y[firsts].mean())


@dataclass(frozen=True, eq=False)
class TrainingResult:
    """What was learned, the regparam chosen, and the error of each value on the training sentences.

    ``coefficients`` are of the basis vectors (``basis``: indices of training parses), or of the features if that is
    None.  ``errors`` is empty if regparam was given.
    """

    coefficients: Array
    regparam: float
    errors: dict[float, float]
    basis: Indices | None

    @property
    def training_error(self) -> float | None:
        """The criterion on sentences held out, with the value chosen."""
        return self.errors.get(self.regparam)


def train(
    X: sp.csr_matrix, y: Array, qid: Indices, learning: LearnerOptions, *, groups: Indices | None = None
) -> TrainingResult:
    """Learn from the features X of parses, their goodness y and their sentences qid.

    Parameters
    ----------
    groups
        What folds keep together beyond sentences, such as the document of each parse; of the learners by conjugate
        gradients only, since the others leave out sentences.
    """
    if learning.learner == "cg-rank-rls":
        return _train_by_conjugate_gradients(X, y, qid, learning, qid if groups is None else groups)
    if groups is not None:
        raise UsageError(f"expected groups=None for {learning.learner!r}, which leaves out sentences; got groups")
    basis = learning.basis(qid)
    K = learning.kernel_object()(X, X[basis] if learning.is_sparse else None)
    return train_on_kernel(K, y, qid, learning, basis=basis)


def train_on_kernel(
    K: Array, y: Array, qid: Indices, learning: LearnerOptions, *, basis: Indices | None = None
) -> TrainingResult:
    """Learn from kernel values of all training parses (rows) against the basis vectors (columns).

    Parameters
    ----------
    basis
        Which rows the columns are; None: all of them.
    """
    basis = np.arange(len(y)) if basis is None else basis
    problem = KernelProblem(K, y, qid, learning, basis)
    errors: dict[float, float] = {}
    if learning.regparam is None:
        predictions = zip(learning.regparams(), problem.predict_held_out(), strict=True)
        errors = {value: learning.loss(y, scores, qid) for value, scores in predictions}
    regparam = learning.select_regparam(errors)
    return TrainingResult(problem.coefficients([regparam])[0], regparam, errors, basis)


def _train_by_conjugate_gradients(
    X: sp.csr_matrix, y: Array, qid: Indices, learning: LearnerOptions, groups: Indices
) -> TrainingResult:
    def fit_weights(rows: Indices, regparam: float) -> Array:
        model = CGRankRLS(regparam, tol=_CG_TOLERANCE, on_limit="raise").fit(X[rows], y[rows], qid=qid[rows])
        return np.asarray(model.coef_)

    errors: dict[float, float] = {}
    if learning.regparam is None:
        predictions = {value: np.empty(len(y)) for value in learning.regparams()}
        for training, test in learning.split(groups):
            for value, scores in predictions.items():
                scores[test] = X[test] @ fit_weights(training, value)
        errors = {value: learning.loss(y, scores, qid) for value, scores in predictions.items()}
    regparam = learning.select_regparam(errors)
    return TrainingResult(fit_weights(np.arange(len(y)), regparam), regparam, errors, None)


@dataclass(eq=False)
class KernelProblem:
    """Kernel values, goodness, sentences and how to learn from them; decomposed once, when first needed."""

    K: Array
    y: Array
    qid: Indices
    learning: LearnerOptions
    basis: Indices

    def predict_held_out(self) -> Array:
        """Predictions of all parses by models that saw none of their sentence, (regparams, parses).

        Leave-sentence-out by the learners' exact shortcuts; folds of sentences where there is none.
        """
        regparams = self.learning.regparams()
        if self.learning.has_shortcut:
            if self.learning.learner in ("rls", "sparse-rls"):
                return np.asarray(self._model.leave_group_out(self.qid, regparams=regparams))
            return np.asarray(self._model.leave_query_out(regparams=regparams))
        predictions = np.empty((len(regparams), len(self.y)))
        for training, test in self.learning.split(self.qid):
            K = self.K[np.ix_(training, training)]
            subproblem = KernelProblem(K, self.y[training], self.qid[training], self.learning, np.arange(len(training)))
            predictions[:, test] = subproblem.coefficients(regparams) @ self.K[np.ix_(test, training)].T
        return predictions

    def coefficients(self, regparams: Sequence[float]) -> Array:
        """Coefficients of the basis vectors for each regparam, (regparams, basis)."""
        if self.learning.learner != "rank-svm":
            return np.asarray(self._model.coefficient_path(regparams))
        # With every example a basis vector the Nystrom map is exact: a linear RankSVM on it is the kernel's.
        empirical = NystromMap("precomputed", n_basis=None).fit(self.K)
        models = [RankSVM(value, on_limit="raise") for value in regparams]
        return np.stack(
            [empirical.dual_coef(model.fit(empirical.features_, self.y, qid=self.qid).coef_) for model in models]
        )

    @cached_property
    def _model(self) -> Any:
        """A least-squares learner, decomposed: it has the solution of every regparam."""
        learner, cost = self.learning.learner, cast(Any, self.learning.cost)
        # The regressors are without intercept, so goodness is centred for them; rankers do not see its level.
        centred = self.y - self.y.mean()
        if learner == "rls":
            return RLS(kernel="precomputed", fit_intercept=False).fit(self.K, centred)
        if learner == "sparse-rls":
            return SparseRLS(kernel="precomputed", fit_intercept=False, basis=self.basis).fit(self.K, centred)
        if learner == "sparse-rank-rls":
            sparse = SparseRankRLS(kernel="precomputed", basis=self.basis, cost=cost)
            return sparse.fit(self.K, self.y, qid=self.qid)
        queries = self.qid if self.learning.pairs == "relevant" else None
        return RankRLS(kernel="precomputed", cost=cost).fit(self.K, self.y, qid=queries)


def draw_per_sentence(qid: Indices, count: int, *, random_state: int) -> Indices:
    """Indices of at most ``count`` random parses of each sentence, ascending."""
    rng = np.random.default_rng(random_state)
    order = rng.permutation(len(qid))
    order = order[np.argsort(qid[order], kind="stable")]
    _, starts, sizes = np.unique(qid[order], return_index=True, return_counts=True)
    rank = np.arange(len(qid)) - np.repeat(starts, sizes)
    return np.sort(order[rank < count])


def sentence_folds(qid: Indices, n_folds: int, *, random_state: int) -> Indices:
    """The fold of each parse; those of a sentence (or of another group) are in one."""
    sentences, codes = np.unique(qid, return_inverse=True)
    fold_of = np.random.default_rng(random_state).permutation(len(sentences)) % n_folds
    return fold_of[codes]
