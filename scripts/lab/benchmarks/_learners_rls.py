"""RLS shortcuts against the cost of one plain eigendecomposition: leave-group-out, nested evaluation, leave-pair-out.

``fit`` itself costs a tenth of that, a Cholesky factorization: :mod:`lab.benchmarks.peers`.
"""

from collections.abc import Callable, Iterator

import numpy as np
from scipy.linalg import eigh

from lab.benchmarks.figure import Figure, relative_cost
from lab.frame.clock import wall_seconds
from learners import RLS, SparseRLS, nested_leave_group_out

GRID = np.logspace(-3, 3, 31)
SHORT_GRID = np.logspace(-3, 3, 13)


def gaussian_problem(m: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A Gaussian kernel matrix of full rank and noisy targets."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 20))
    norms = np.sum(X**2, axis=1)
    distances = np.maximum(norms[:, np.newaxis] + norms - 2 * X @ X.T, 0.0)
    return np.exp(-distances / 40), np.sin(X[:, 0]) + 0.1 * rng.normal(size=m)


def run(scale: float = 1.0) -> Iterator[Figure]:
    """The four rows; ``scale`` multiplies the numbers of examples and groups."""
    yield leave_group_out(max(40, int(4000 * scale)), max(10, int(200 * scale)))
    yield nested_dual(max(40, int(4000 * scale)), max(20, int(200 * scale)))
    yield nested_sparse(max(50, int(5000 * scale)), max(40, int(4000 * scale)), max(20, int(200 * scale)))
    yield leave_pair_out(max(20, int(1000 * scale)))


def leave_group_out(m: int, n_groups: int) -> Figure:
    """Training and then all groups for all regparams, against one plain eigendecomposition."""
    K, y = gaussian_problem(m)
    groups = np.arange(m) * n_groups // m
    reference, _ = wall_seconds(lambda: eigh(K))
    seconds, predictions = wall_seconds(
        lambda: RLS(kernel="precomputed", fit_intercept=False).fit(K, y).leave_group_out(groups, GRID)
    )
    held = groups == n_groups // 2
    refitted = RLS(GRID[10], kernel="precomputed", fit_intercept=False).fit(K[np.ix_(~held, ~held)], y[~held])
    same = np.allclose(predictions[10][held], refitted.predict(K[np.ix_(held, ~held)]), atol=1e-8)
    return relative_cost(
        f"dual RLS, fit and leave-group-out, m={m}, {n_groups} groups, 31 regparams / one eigh",
        seconds=seconds,
        reference_seconds=reference,
        bar=1.5,
        aim=1.1,
        same_answer=same,
    )


def nested_dual(m: int, n_groups: int) -> Figure:
    """The whole nested evaluation of dual RLS against one plain eigendecomposition."""
    K, y = gaussian_problem(m)
    estimator = RLS(kernel="precomputed", fit_intercept=False)
    reference, _ = wall_seconds(lambda: eigh(K))

    def predict_without(removed: np.ndarray, new: np.ndarray, regparam: float) -> np.ndarray:
        model = RLS(regparam, kernel="precomputed", fit_intercept=False).fit(K[np.ix_(~removed, ~removed)], y[~removed])
        return model.predict(K[np.ix_(new, ~removed)])

    seconds, same = _run_nested(estimator, K, y, n_groups, predict_without)
    return relative_cost(
        f"dual RLS, nested 10-fold x leave-group-out x 13 regparams, m={m}, {n_groups} groups / one eigh",
        seconds=seconds,
        reference_seconds=reference,
        bar=4.0,
        aim=2.5,
        same_answer=same,
    )


def nested_sparse(m: int, r: int, n_groups: int) -> Figure:
    """The whole nested evaluation of sparse RLS, basis vectors removed, against a fit and its decomposition."""
    K, y = gaussian_problem(m)
    basis = np.sort(np.random.default_rng(1).permutation(m)[:r])
    estimator = SparseRLS(kernel="precomputed", fit_intercept=False, basis=basis)
    reference, _ = wall_seconds(lambda: estimator.decompose(K, y).eigenvalues)

    def predict_without(removed: np.ndarray, new: np.ndarray, regparam: float) -> np.ndarray:
        left = np.flatnonzero(np.isin(np.flatnonzero(~removed), basis))
        model = SparseRLS(regparam, kernel="precomputed", fit_intercept=False, basis=left)
        return model.fit(K[np.ix_(~removed, ~removed)], y[~removed]).predict(K[np.ix_(new, ~removed)])

    seconds, same = _run_nested(estimator, K, y, n_groups, predict_without)
    return relative_cost(
        f"sparse RLS, nested 10-fold x leave-group-out x 13 regparams, m={m}, r={r}, {n_groups} groups / one fit",
        seconds=seconds,
        reference_seconds=reference,
        bar=6.0,
        aim=4.0,
        same_answer=same,
    )


def _run_nested(
    estimator: RLS | SparseRLS,
    K: np.ndarray,
    y: np.ndarray,
    n_groups: int,
    predict_without: Callable[[np.ndarray, np.ndarray, float], np.ndarray],
) -> tuple[float, bool]:
    """Seconds of the nested evaluation, and whether an inner and an outer round equal training again."""
    groups = np.arange(len(K)) * n_groups // len(K)
    folds = groups % 10
    seconds, nested = wall_seconds(
        lambda: nested_leave_group_out(estimator, K, y, folds=folds, groups=groups, regparams=SHORT_GRID)
    )
    fold, group = folds == 3, groups == 14
    inner = predict_without(fold | group, group, SHORT_GRID[4])
    outer = predict_without(fold, fold, SHORT_GRID[8])
    same = np.allclose(nested.inner[3, 4, group], inner, atol=1e-8)
    return seconds, same and np.allclose(nested.outer[8, fold], outer, atol=1e-8)


def leave_pair_out(m: int) -> Figure:
    """Training and all pairs for 30 regparams, against one eigendecomposition."""
    K, y = gaussian_problem(m)
    regparams = np.logspace(-3, 3, 30)
    reference, _ = wall_seconds(lambda: eigh(K), repeats=3)
    seconds, predictions = wall_seconds(
        lambda: RLS(kernel="precomputed", fit_intercept=False).fit(K, y).leave_pair_out(regparams=regparams), repeats=3
    )
    first, second = np.triu_indices(m, 1)
    same = True
    for pair in (0, len(first) // 2, len(first) - 1):
        held = np.zeros(m, dtype=bool)
        held[[first[pair], second[pair]]] = True
        refitted = RLS(regparams[12], kernel="precomputed", fit_intercept=False).fit(K[np.ix_(~held, ~held)], y[~held])
        expected = refitted.predict(K[[first[pair], second[pair]]][:, ~held])
        same = same and np.allclose(predictions[12, pair], expected, atol=1e-8)
    return relative_cost(
        f"RLS, fit and leave-pair-out, m={m}, all {len(first)} pairs, 30 regparams / one eigh",
        seconds=seconds,
        reference_seconds=reference,
        bar=15.0,
        aim=8.0,
        same_answer=same,
    )
