"""Cross-validation of reduced-set learners: what keeping hold-out basis vectors does, and what removing them costs.

Figure 1 and Tables 1 and 2 of A. Airola, T. Pahikkala, T. Salakoski: On learning and cross-validation with decomposed
Nystrom approximation of kernel matrix, Neural Processing Letters 33, 2011 (thesis, Paper III).

A basis vector that is a parse of the sentence held out has seen the test data: the function may use k(x, .) of the very
x that it is tested on.  The learners' shortcuts remove such basis vectors exactly; ``recomputed`` does it the plain
way, a new map and a new model for each hold-out, and is the reference both for the answer and for the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import cholesky, eigh, solve_triangular

from kernels import Kernel, LinearKernel, NystromMap
from lab.frame.clock import cpu_seconds
from learners import RLS, SparseRankRLS, SparseRLS
from ppi.core import UsageError
from ppi.parse_ranking import draw_per_sentence, sentence_folds

#: The grid of Figure 1.
FIGURE_REGPARAMS = tuple(10.0**power for power in range(-9, 10))
#: A path for the timings: the reference shares its decompositions over it too.
REGPARAMS = tuple(10.0**power for power in range(-6, 4))

Method = Literal["sparse-rls", "sparse-rank-rls"]
METHODS: tuple[Method, ...] = ("sparse-rls", "sparse-rank-rls")


@dataclass(frozen=True, eq=False)
class Curves:
    """Mean squared errors of cross-validation for each regparam, hold-out basis vectors kept and removed."""

    regparams: tuple[float, ...]
    kept: NDArray[np.float64]
    removed: NDArray[np.float64]

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {"regparams": list(self.regparams), "kept": self.kept.tolist(), "removed": self.removed.tolist()}


def cross_validation_curves(
    X: Any,
    y: NDArray[np.float64],
    qid: NDArray[np.int64],
    *,
    kernel: Kernel | None = None,
    basis_per_sentence: int = 2,
    folds: int = 10,
    regparams: Sequence[float] = FIGURE_REGPARAMS,
    random_state: int = 0,
) -> Curves:
    """Figure 1: sparse RLS regresses the goodness y of the parses X of sentences qid; folds of whole sentences."""
    basis = draw_per_sentence(qid, basis_per_sentence, random_state=random_state)
    fold_of = sentence_folds(qid, folds, random_state=random_state)
    holdouts = [np.flatnonzero(fold_of == fold) for fold in np.unique(fold_of)]
    targets = y - y.mean()
    values = LinearKernel() if kernel is None else kernel
    without = SparseRLS(kernel="precomputed", fit_intercept=False, basis=basis).fit(values(X, X[basis]), targets)
    # The same functions, but the map stays as it is when a fold is left out.
    with_them = RLS(fit_intercept=False).fit(NystromMap(values, basis=basis).fit(X).features_, targets)
    return Curves(
        tuple(regparams),
        _squared_errors(with_them.hold_out(holdouts, regparams), holdouts, targets),
        _squared_errors(without.hold_out(holdouts, regparams), holdouts, targets),
    )


def _squared_errors(
    parts: list[NDArray[Any]], holdouts: list[NDArray[Any]], targets: NDArray[Any]
) -> NDArray[np.float64]:
    total = sum(np.square(part - targets[indices]).sum(axis=1) for part, indices in zip(parts, holdouts, strict=True))
    return np.asarray(total) / sum(map(len, holdouts))


@dataclass(frozen=True)
class Timing:
    """CPU seconds of one cross-validation for a whole path of regparams, ours and recomputed.

    The reference was timed on ``n_sampled`` of the ``n_holdouts`` hold-outs and multiplied up; on these the predictions
    of both were compared: ``difference`` is the greatest one, relative to the greatest prediction.
    """

    method: str
    n_parses: int
    n_basis: int
    n_holdouts: int
    n_sampled: int
    n_regparams: int
    decomposition_seconds: float
    seconds: float
    reference_seconds: float
    difference: float

    @property
    def ratio(self) -> float:
        """How many times faster, our decomposition included."""
        return self.reference_seconds / (self.decomposition_seconds + self.seconds)

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {**asdict(self), "ratio": self.ratio}


def time_cross_validation(
    K_MR: NDArray[np.float64],
    y: NDArray[np.float64],
    qid: NDArray[np.int64],
    basis: NDArray[np.int64],
    *,
    method: Method = "sparse-rls",
    groups: NDArray[np.int64] | None = None,
    regparams: Sequence[float] = REGPARAMS,
    sample: int = 5,
    random_state: int = 0,
) -> Timing:
    """Tables 1 and 2: every hold-out predicted without its basis vectors, ours against a new map and model for each.

    Parameters
    ----------
    K_MR
        Kernel values of all parses against the basis vectors, which are independent (:func:`independent_basis`).
    method
        Sparse RankRLS leaves sentences out only.
    groups
        What is held out together, such as folds of sentences; None: each sentence.
    sample
        How many hold-outs the reference is timed on, drawn at random: each takes it as long as every other.
    """
    if method == "sparse-rank-rls" and groups is not None:
        raise UsageError("expected groups=None for sparse-rank-rls, got groups; its queries are the sentences")
    groups = qid if groups is None else groups
    if method == "sparse-rls":
        learner = SparseRLS(kernel="precomputed", fit_intercept=False, basis=basis)
        decomposition, regressor = cpu_seconds(lambda: learner.fit(K_MR, y))
        seconds, predictions = cpu_seconds(lambda: regressor.leave_group_out(groups, regparams))
    else:
        rank_learner = SparseRankRLS(kernel="precomputed", basis=basis)
        decomposition, ranker = cpu_seconds(lambda: rank_learner.fit(K_MR, y, qid=qid))
        seconds, predictions = cpu_seconds(lambda: ranker.leave_query_out(regparams))
    labels = np.unique(groups)
    chosen = np.random.default_rng(random_state).choice(labels, size=min(sample, len(labels)), replace=False)
    reference_seconds, difference = 0.0, 0.0
    for label in chosen:
        held = np.flatnonzero(groups == label)
        again = partial(recomputed, K_MR, y, qid, basis, held, method=method, regparams=regparams)
        once, wanted = cpu_seconds(again)
        reference_seconds += once * len(labels) / len(chosen)
        gap = np.abs(predictions[:, held] - wanted).max() / np.abs(wanted).max()
        difference = max(difference, float(gap))
    return Timing(
        method=method,
        n_parses=len(y),
        n_basis=len(basis),
        n_holdouts=len(labels),
        n_sampled=len(chosen),
        n_regparams=len(regparams),
        decomposition_seconds=decomposition,
        seconds=seconds,
        reference_seconds=reference_seconds,
        difference=difference,
    )


def recomputed(
    K_MR: NDArray[np.float64],
    y: NDArray[np.float64],
    qid: NDArray[np.int64],
    basis: NDArray[np.int64],
    held: NDArray[np.int64],
    *,
    method: Method,
    regparams: Sequence[float],
) -> NDArray[np.float64]:
    """Predictions of the parses ``held`` by a map and a model made without them, (regparams, held): O(m r^2 + r^3).

    One eigendecomposition serves the whole path of regparams, as it would in any sensible program.
    """
    rest = np.setdiff1d(np.arange(len(y)), held)
    left = ~np.isin(basis, held)
    K = K_MR[:, left]
    C = cholesky(K[basis[left]], lower=True)
    features = solve_triangular(C, K.T, lower=True).T
    training, targets = features[rest], y[rest]
    if method == "sparse-rank-rls":  # RankRLS with all pairs of a sentence is RLS on centred sentences
        training, targets = _centred(training, qid[rest]), _centred(targets, qid[rest])
    eigenvalues, V = eigh(training.T @ training)
    right = V.T @ (training.T @ targets)
    path = [V @ (right / (eigenvalues + regparam)) for regparam in regparams]
    return np.stack([features[held] @ w for w in path])


def drawn_parses(
    n_sentences: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Parses to time with, as many as the article has: features, goodness that they decide in part, sentences.

    There are 13 to 20 per sentence, closer to each other than to those of other sentences, as they are in a graph
    kernel.  Rows have length 1 in a space larger than any basis, so that basis vectors are independent.
    """
    sizes = rng.integers(13, 21, size=n_sentences)
    qid = np.repeat(np.arange(n_sentences), sizes)
    n_features = 5 * n_sentences
    X = rng.normal(size=(n_sentences, n_features))[qid] + rng.normal(size=(len(qid), n_features))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X, X @ rng.normal(size=n_features) + rng.normal(size=len(qid)), qid


def drawn_basis(X: Any, qid: NDArray[np.int64], per_sentence: int, *, random_state: int = 0) -> tuple[Any, Any]:
    """Independent basis vectors, so many drawn from each sentence, and the kernel values of all parses against them."""
    basis = draw_per_sentence(qid, per_sentence, random_state=random_state)
    basis = independent_basis(_dense(X[basis] @ X[basis].T), basis)
    return basis, _dense(X @ X[basis].T)


def independent_basis(K_RR: NDArray[np.float64], basis: NDArray[np.int64]) -> NDArray[np.int64]:
    """The basis vectors without those that depend on others: a plain Cholesky factor needs that."""
    return basis[NystromMap("precomputed", n_basis=None, rank_tol=1e-8).fit(K_RR).independent_]


def _centred(values: NDArray[np.float64], qid: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rows without the mean of their sentence."""
    _, codes, sizes = np.unique(qid, return_inverse=True, return_counts=True)
    members = sp.csr_array((np.ones(len(qid)), codes, np.arange(len(qid) + 1)))
    means = (members.T @ values).T / sizes
    centred: NDArray[np.float64] = values - means.T[codes]
    return centred


def _dense(values: Any) -> NDArray[np.float64]:
    dense: NDArray[np.float64] = values.toarray() if sp.issparse(values) else values
    return dense
