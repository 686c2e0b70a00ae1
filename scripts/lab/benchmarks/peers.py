"""Our learners beside those that people use, same data, same answers; seconds of the processor, one thread.

The row against GraKeL, which is not part of the extras, appears where that is installed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import product

import numpy as np
from scipy.linalg import eigh, lapack
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV, GroupKFold, LeaveOneGroupOut, cross_val_predict

import corpora
from kernels import AllPathsFeatures, LabelledGraph, candidate_graphs, labelled_graph, linear_gram
from lab.benchmarks._learners_rls import GRID, SHORT_GRID, gaussian_problem
from lab.benchmarks._peers_ranking import ranking_rows
from lab.benchmarks.figure import Figure, relative_cost, speedup
from lab.frame.clock import cpu_seconds
from learners import RLS, RLSCV, RankRLS, nested_leave_group_out


def run(scale: float = 1.0) -> Iterator[Figure]:
    """One row per job; ``scale`` multiplies the numbers of examples."""
    m = max(60, int(4000 * scale))
    yield fit_alone(m)
    yield leave_one_out_path(max(60, int(20000 * scale)), 300, bar=10.0, aim=15.0)
    yield leave_one_out_path(max(60, int(2000 * scale)), max(100, int(5000 * scale)), bar=1.3, aim=2.5)
    yield single_leave_one_out(m)
    yield single_leave_query_out(m)
    yield leave_one_out_kernel_path(m)
    yield leave_query_out_kernel_path(m)
    yield leave_group_out(max(60, int(2000 * scale)), 50)
    yield nested(max(120, int(1200 * scale)), 40)
    yield from ranking_rows(scale)
    if find_spec("grakel") is not None:
        yield random_walks(12 if scale < 1 else 60)


def fit_alone(m: int) -> Figure:
    """Training with one regparam, precomputed kernel."""
    K, y = gaussian_problem(m)
    reference, theirs = cpu_seconds(lambda: KernelRidge(alpha=1.0, kernel="precomputed").fit(K, y), repeats=3)
    seconds, ours = cpu_seconds(lambda: RLS(1.0, kernel="precomputed", fit_intercept=False).fit(K, y), repeats=3)
    return speedup(
        f"fit, precomputed Gaussian kernel, m={m}, against KernelRidge",
        seconds=seconds,
        reference_seconds=reference,
        bar=1.0,
        aim=1.2,
        same_answer=np.allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-8),
    )


def leave_one_out_path(m: int, n: int, *, bar: float, aim: float) -> Figure:
    """Choosing among 31 regparams by leave-one-out, linear."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(m, n))
    y = X[:, 0] + rng.normal(size=m)
    reference, theirs = cpu_seconds(lambda: RidgeCV(GRID, fit_intercept=False).fit(X, y))
    seconds, ours = cpu_seconds(lambda: RLSCV(GRID, fit_intercept=False).fit(X, y))
    return speedup(
        f"31 regparams by leave-one-out, {m} x {n}, against RidgeCV",
        seconds=seconds,
        reference_seconds=reference,
        bar=bar,
        aim=aim,
        same_answer=ours.regparam_ == theirs.alpha_ and np.allclose(ours.coef_, theirs.coef_, atol=1e-8),
    )


def single_leave_one_out(m: int) -> Figure:
    """Leave-one-out for one regparam, training included, against one Cholesky factorization."""
    K, y = gaussian_problem(m)
    reference, _ = cpu_seconds(lambda: lapack.dpotrf(K + np.eye(m), lower=1), repeats=3)
    seconds, predictions = cpu_seconds(
        lambda: RLS(1.0, kernel="precomputed", fit_intercept=False).fit(K, y).leave_one_out(), repeats=3
    )
    rest = np.arange(m) != m // 2
    refitted = RLS(1.0, kernel="precomputed", fit_intercept=False).fit(K[np.ix_(rest, rest)], y[rest])
    return relative_cost(
        f"fit and leave-one-out, one regparam, m={m} / one Cholesky factorization",
        seconds=seconds,
        reference_seconds=reference,
        bar=4.0,
        aim=3.0,
        same_answer=np.allclose(predictions[m // 2], refitted.predict(K[m // 2 : m // 2 + 1, rest]), atol=1e-8),
    )


def single_leave_query_out(m: int) -> Figure:
    """Leave-query-out of RankRLS for one regparam, training included, against one Cholesky factorization."""
    K, y = gaussian_problem(m)
    qid = np.arange(m) // 10
    reference, _ = cpu_seconds(lambda: lapack.dpotrf(K + np.eye(m), lower=1), repeats=3)
    seconds, predictions = cpu_seconds(
        lambda: RankRLS(1.0, kernel="precomputed").fit(K, y, qid=qid).leave_query_out(), repeats=3
    )
    held = qid == qid[m // 2]
    refitted = RankRLS(1.0, kernel="precomputed").fit(K[np.ix_(~held, ~held)], y[~held], qid=qid[~held])
    return relative_cost(
        f"RankRLS, fit and leave-query-out, one regparam, m={m} / one Cholesky factorization",
        seconds=seconds,
        reference_seconds=reference,
        bar=8.0,
        aim=5.0,
        same_answer=np.allclose(predictions[held], refitted.predict(K[np.ix_(held, ~held)]), atol=1e-8),
    )


def leave_one_out_kernel_path(m: int) -> Figure:
    """Training and leave-one-out for 31 regparams, Gaussian kernel."""
    K, y = gaussian_problem(m)
    model = RLS(kernel="precomputed", fit_intercept=False)
    seconds, predictions = cpu_seconds(lambda: model.fit(K, y).leave_one_out(GRID))
    rest = np.arange(m) != m // 2
    again = RLS(GRID[10], kernel="precomputed", fit_intercept=False).fit(K[np.ix_(rest, rest)], y[rest])
    same = np.allclose(predictions[10, m // 2], again.predict(K[m // 2 : m // 2 + 1, rest]), atol=1e-8)
    reference, _ = cpu_seconds(lambda: eigh(K))
    return relative_cost(
        f"fit and 31 regparams by leave-one-out, Gaussian, m={m} / one eigh",
        seconds=seconds,
        reference_seconds=reference,
        bar=1.1,
        aim=0.8,
        same_answer=same,
    )


def leave_query_out_kernel_path(m: int) -> Figure:
    """Training and leave-query-out for 30 regparams, Gaussian kernel, queries of ten."""
    K, y = gaussian_problem(m)
    qid = np.arange(m) // 10
    seconds, predictions = cpu_seconds(
        lambda: RankRLS(kernel="precomputed").fit(K, y, qid=qid).leave_query_out(GRID[:30])
    )
    held = qid == qid[m // 2]
    again = RankRLS(GRID[10], kernel="precomputed").fit(K[np.ix_(~held, ~held)], y[~held], qid=qid[~held])
    same = np.allclose(predictions[10, held], again.predict(K[np.ix_(held, ~held)]), atol=1e-7)
    reference, _ = cpu_seconds(lambda: eigh(K))
    return relative_cost(
        f"RankRLS, fit and 30 regparams by leave-query-out, Gaussian, m={m} / one eigh",
        seconds=seconds,
        reference_seconds=reference,
        bar=1.3,
        aim=1.0,
        same_answer=same,
    )


def random_walks(n_graphs: int) -> Figure:
    """The kernel matrix of candidate graphs, against GraKeL's random walks over the same graphs.

    The kernels differ: walks there are compared label by label, all paths by their ends.  "Same answer" is that our
    matrix is that of the plain definition.
    """
    from grakel import Graph, RandomWalkLabeled

    graphs = candidate_graphs(corpora.load("sample"))[:n_graphs]
    plain = [labelled_graph(graph) for graph in graphs]
    theirs = [
        Graph(
            dict(zip(zip(g.sources.tolist(), g.targets.tolist()), g.weights.tolist())),
            dict(enumerate(map(min, g.labels))),
        )
        for g in plain
    ]
    features = AllPathsFeatures(variant="sum")
    features.fit_transform(graphs[:2])  # compiles, or loads what was compiled before
    seconds, K = cpu_seconds(lambda: linear_gram(features.fit_transform(graphs)), repeats=3)
    reference, _ = cpu_seconds(lambda: RandomWalkLabeled(lamda=0.01, p=4).fit_transform(theirs))
    return speedup(
        f"kernel matrix of {len(graphs)} candidate graphs, all paths, against GraKeL's labelled random walks",
        seconds=seconds,
        reference_seconds=reference,
        bar=10.0,
        aim=100.0,
        same_answer=np.allclose(K, _plain_gram(plain), rtol=1e-8),
    )


def _plain_gram(graphs: Sequence[LabelledGraph]) -> np.ndarray:
    """sum_ij G_ij G'_ij with G = L ((I - A)^-1 - I) L^T, each pair of labels a key of a dictionary."""
    rows = []
    for graph in graphs:
        A = graph.adjacency()
        W = np.linalg.inv(np.eye(len(A)) - A) - np.eye(len(A))
        row: dict[tuple[str, str], float] = defaultdict(float)
        for start, end in np.argwhere(W != 0):
            for pair in product(graph.labels[start], graph.labels[end]):
                row[pair] += W[start, end]
        rows.append(row)
    K = [[sum(value * other.get(pair, 0.0) for pair, value in row.items()) for other in rows] for row in rows]
    return np.array(K)


def leave_group_out(m: int, n_groups: int) -> Figure:
    """Leave-group-out for one regparam, against training without each group."""
    K, y = gaussian_problem(m)
    groups = np.arange(m) * n_groups // m
    estimator = KernelRidge(alpha=1.0, kernel="precomputed")
    reference, theirs = cpu_seconds(lambda: cross_val_predict(estimator, K, y, groups=groups, cv=LeaveOneGroupOut()))
    seconds, ours = cpu_seconds(
        lambda: RLS(1.0, kernel="precomputed", fit_intercept=False).fit(K, y).leave_group_out(groups)
    )
    return speedup(
        f"leave-group-out, m={m}, {n_groups} groups, against cross_val_predict of KernelRidge",
        seconds=seconds,
        reference_seconds=reference,
        bar=5.0,
        aim=10.0,
        same_answer=np.allclose(ours, theirs, atol=1e-8),
    )


def nested(m: int, n_groups: int) -> Figure:
    """Nested cross-validation: ten outer folds, inner leave-group-out over 13 regparams."""
    K, y = gaussian_problem(m)
    groups = np.arange(m) * n_groups // m
    folds = groups % 10
    seconds, ours = cpu_seconds(
        lambda: nested_leave_group_out(
            RLS(kernel="precomputed", fit_intercept=False), K, y, folds=folds, groups=groups, regparams=SHORT_GRID
        )
    )
    reference, theirs = cpu_seconds(lambda: _nested_by_search(K, y, folds, groups))
    chosen = [_least_squared_error(ours.inner[fold], y) for fold in range(10)]
    predictions = np.array([ours.outer[chosen[fold], i] for i, fold in enumerate(folds)])
    return speedup(
        f"nested 10-fold x leave-group-out x 13 regparams, m={m}, {n_groups} groups, against GridSearchCV",
        seconds=seconds,
        reference_seconds=reference,
        bar=20.0,
        aim=50.0,
        same_answer=np.allclose(predictions, theirs, atol=1e-8),
    )


def _nested_by_search(K: np.ndarray, y: np.ndarray, folds: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The same predictions by a search within every outer fold; errors are pooled over examples, as ours are."""
    predictions = np.empty(len(y))
    for fold in range(10):
        train, test = folds != fold, folds == fold
        inner = GroupKFold(len(np.unique(groups[train])))
        search = GridSearchCV(
            KernelRidge(kernel="precomputed"), {"alpha": SHORT_GRID}, cv=inner, scoring="neg_mean_squared_error"
        )
        search.fit(K[np.ix_(train, train)], y[train], groups=groups[train])
        predictions[test] = search.predict(K[np.ix_(test, train)])
    return predictions


def _least_squared_error(predictions: np.ndarray, y: np.ndarray) -> int:
    held = ~np.isnan(predictions[0])
    return int(np.argmin(np.mean((predictions[:, held] - y[held]) ** 2, axis=1)))
