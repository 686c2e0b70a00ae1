"""Rankers against what they cannot avoid or against the plain algorithm: conjugate gradients, greedy selection,
RankSVM's growth with the data, and the shortcuts of RankRLS.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh

from lab.benchmarks.figure import Figure, relative_cost, speedup
from lab.frame.clock import wall_seconds
from learners import CGRankRLS, GreedyRankRLS, PairwiseHinge, RankRLS, RankSVM

S = TypeVar("S")
T = TypeVar("T")

GRID = 2.0 ** np.arange(-15, 15)


def run(scale: float = 1.0) -> Iterator[Figure]:
    """The five rows; ``scale`` multiplies the numbers of examples and features."""
    yield conjugate_gradient(max(200, int(100_000 * scale)), max(100, int(50_000 * scale)))
    yield greedy(max(150, int(5000 * scale)), max(20, int(2000 * scale)), max(4, int(50 * scale)))
    yield svm_growth(max(200, int(50_000 * scale)))
    yield leave_query_out(max(60, int(4000 * scale)))
    yield leave_pair_out(max(20, int(1000 * scale)))


def best_of_both(first: Callable[[], T], second: Callable[[], S], *, repeats: int) -> tuple[float, T, float, S]:
    """The shortest times of two functions called in turn, so that both see the machine in the same state."""
    shortest = [float("inf"), float("inf")]
    for _ in range(repeats):
        seconds, one = wall_seconds(first)
        shortest[0] = min(shortest[0], seconds)
        seconds, other = wall_seconds(second)
        shortest[1] = min(shortest[1], seconds)
    return shortest[0], one, shortest[1], other


def sparse_problem(m: int, n: int, nonzeros: int = 70, seed: int = 0) -> tuple[sp.csr_array, np.ndarray]:
    """Random sparse examples, as many non-zeros in each, and noisy linear scores."""
    rng = np.random.default_rng(seed)
    X = sp.csr_array(
        (
            rng.normal(size=m * nonzeros),
            rng.integers(0, n, m * nonzeros),
            np.arange(0, m * nonzeros + 1, nonzeros),
        ),
        shape=(m, n),
    )
    X.sum_duplicates()
    return X, X @ rng.normal(size=n) + rng.normal(size=m)


def conjugate_gradient(m: int, n: int) -> Figure:
    """A whole fit, divided by its iterations, against the two products with X of an iteration."""
    X, y = sparse_problem(m, n)
    qid, regparam = np.arange(m) // 50, 1.0
    v, u = np.ones(n), np.ones(m)

    def products() -> None:
        for _ in range(20):
            X @ v
            X.T @ u

    fit, model, reference, _ = best_of_both(
        lambda: CGRankRLS(regparam, tol=1e-9, on_limit="raise").fit(X, y, qid=qid), products, repeats=4
    )
    residual = y - X @ model.coef_
    residual -= (np.bincount(qid, residual) / np.bincount(qid))[qid]
    gradient = X.T @ residual - regparam * model.coef_  # zero at the minimum of the objective
    centered = y - (np.bincount(qid, y) / np.bincount(qid))[qid]
    return relative_cost(
        f"RankRLS by conjugate gradients, {m} x {n}, 70 non-zeros a row, an iteration / its two products",
        seconds=fit / model.n_iter_,
        reference_seconds=reference / 20,
        bar=1.3,
        aim=1.1,
        same_answer=np.linalg.norm(gradient) <= 1e-7 * np.linalg.norm(X.T @ centered),
    )


def plain_greedy(X: np.ndarray, y: np.ndarray, qid: np.ndarray, k: int, regparam: float) -> list[int]:
    """[Pahikkala2010, Algorithm 1] in NumPy: for each query, all candidates at once."""
    queries = [np.flatnonzero(qid == q) for q in np.unique(qid)]
    X, y = X.copy(), y.copy()
    for Q in queries:
        X[Q] -= X[Q].mean(axis=0)
        y[Q] -= y[Q].mean()
    a, C, U, p = y / regparam, X / regparam, X.copy(), y.copy()
    selected: list[int] = []
    while len(selected) < k:
        c = 1.0 / (1.0 + np.sum(X * C, axis=0))  # line 10
        d = c * (y @ C)
        errors = np.zeros(X.shape[1])
        for Q in queries:
            gamma = 1.0 / (-1.0 / c + np.sum(C[Q] * U[Q], axis=0))  # line 14
            inner = np.sum(U[Q] * (a[Q, None] - d * C[Q]), axis=0)
            held = p[Q, None] - d * U[Q] - gamma * U[Q] * inner  # line 15
            errors += np.sum(held * held, axis=0)
        errors[selected] = np.inf
        b = int(np.argmin(errors))
        t = c[b] * (X[:, b] @ C)  # line 22
        for Q in queries:
            u = U[Q, b].copy()
            gamma_b = 1.0 / (-1.0 / c[b] + C[Q, b] @ u)
            p[Q] -= d[b] * u + gamma_b * u * (u @ (a[Q] - d[b] * C[Q, b]))  # line 25
            U[Q] -= np.outer(u, t) + gamma_b * np.outer(u, u @ (C[Q] - np.outer(C[Q, b], t)))  # line 26
        a -= d[b] * C[:, b]
        C -= np.outer(C[:, b], t)  # line 28
        selected.append(b)
    return selected


def greedy(m: int, n: int, k: int) -> Figure:
    """Selecting k features against Algorithm 1 as it is printed."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(m, n))
    y = X[:, : min(60, n)] @ rng.normal(size=min(60, n)) + 3.0 * rng.normal(size=m)
    qid = np.arange(m) // 50
    seconds, model = wall_seconds(lambda: GreedyRankRLS(k, 1.0).fit(X, y, qid=qid), repeats=2)
    reference, selected = wall_seconds(lambda: plain_greedy(X, y, qid, k, 1.0), repeats=2)
    return speedup(
        f"greedy RankRLS, {m} x {n}, 50 a query, k={k}, over plain Algorithm 1 in NumPy",
        seconds=seconds,
        reference_seconds=reference,
        bar=4.0,
        aim=8.0,
        same_answer=model.selected_.tolist() == selected,
    )


def svm_growth(m: int) -> Figure:
    """Twice the examples with as many different real-valued scores; the answer is checked by direct counts."""
    X, y = sparse_problem(2 * m, 1000, nonzeros=20)
    half, model_of_half, whole, model = best_of_both(
        lambda: RankSVM(1e-3, on_limit="raise").fit(X[:m], y[:m]),
        lambda: RankSVM(1e-3, on_limit="raise").fit(X, y),
        repeats=4,
    )
    same = True
    for size, fitted in ((m, model_of_half), (2 * m, model)):
        same &= fitted.history_[-1][0] - fitted.history_[-1][1] <= fitted.tol
        same &= hinge_gradient_is_right(y[:size], fitted.predict(X[:size]))
    return relative_cost(
        f"RankSVM, m={2 * m} real-valued scores / m={m}",
        seconds=whole,
        reference_seconds=half,
        bar=2.3,
        aim=2.1,
        same_answer=bool(same),
    )


def hinge_gradient_is_right(y: np.ndarray, f: np.ndarray) -> bool:
    """The subgradient of the pairwise hinge loss of some examples, by comparing each with all others."""
    hinge = PairwiseHinge(y)
    gradient = hinge(f)[1] * hinge.n_pairs
    for i in np.random.default_rng(0).integers(0, len(y), 100):
        down = np.sum((y > y[i]) & (f < f[i] + 1.0))
        up = np.sum((y < y[i]) & (f + 1.0 > f[i]))
        if not np.isclose(gradient[i], float(down) - float(up), atol=1e-6):
            return False
    return True


def gaussian_problem(m: int) -> tuple[np.ndarray, np.ndarray]:
    """A Gaussian kernel matrix of full rank and noisy scores."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(m, 20))
    norms = np.sum(X**2, axis=1)
    K = np.exp(-np.maximum(norms[:, None] + norms - 2.0 * X @ X.T, 0.0) / 40.0)
    return K, np.sin(X[:, 0]) + 0.1 * rng.normal(size=m)


def leave_query_out(m: int) -> Figure:
    """Training and leaving each query out for 30 regparams, against training."""
    K, y = gaussian_problem(m)
    qid = np.arange(m) // 20
    reference, model = wall_seconds(lambda: RankRLS(kernel="precomputed").fit(K, y, qid=qid))
    seconds, predictions = wall_seconds(lambda: model.leave_query_out(GRID))
    out = qid == 1
    refitted = RankRLS(GRID[20], kernel="precomputed").fit(K[np.ix_(~out, ~out)], y[~out], qid=qid[~out])
    return relative_cost(
        f"dual RankRLS, fit and leave-query-out, m={m}, 20 a query, {len(GRID)} regparams / one fit",
        seconds=reference + seconds,
        reference_seconds=reference,
        bar=1.5,
        aim=1.2,
        same_answer=np.allclose(predictions[20][out], refitted.predict(K[np.ix_(out, ~out)]), atol=1e-8),
    )


def leave_pair_out(m: int) -> Figure:
    """All pairs of a global ranking for 30 regparams, against one eigendecomposition."""
    K, y = gaussian_problem(m)
    model = RankRLS(kernel="precomputed").fit(K, y)
    seconds, predictions = wall_seconds(lambda: model.leave_pair_out(regparams=GRID))
    reference, _ = wall_seconds(lambda: eigh(K), repeats=3)
    rest, pair = np.arange(2, m), np.array([0, 1])
    refitted = RankRLS(GRID[20], kernel="precomputed").fit(K[np.ix_(rest, rest)], y[rest])
    return relative_cost(
        f"RankRLS leave-pair-out, m={m}, all pairs, {len(GRID)} regparams / one eigh",
        seconds=seconds,
        reference_seconds=reference,
        bar=15.0,
        aim=8.0,
        same_answer=np.allclose(predictions[20][0], refitted.predict(K[np.ix_(pair, rest)]), atol=1e-8),
    )
