"""Our learners beside those that people use, same data, same answers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import lapack
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV, GroupKFold, LeaveOneGroupOut, cross_val_predict
from sklearn.svm import LinearSVC

from lab.benchmarks._learners_rls import GRID, SHORT_GRID, gaussian_problem
from lab.benchmarks.figure import Figure, relative_cost, speedup
from lab.frame.clock import wall_seconds
from learners import RLS, RLSCV, CGRankRLS, RankRLS, nested_leave_group_out
from learners.metrics import disagreement_error


def run(scale: float = 1.0) -> Iterator[Figure]:
    """One row per job; ``scale`` multiplies the numbers of examples."""
    m = max(60, int(4000 * scale))
    yield fit_alone(m)
    yield leave_one_out_path(max(60, int(20000 * scale)), 300, bar=10.0, aim=15.0)
    yield leave_one_out_path(max(60, int(2000 * scale)), max(100, int(5000 * scale)), bar=1.3, aim=2.5)
    yield single_leave_one_out(m)
    yield single_leave_query_out(m)
    yield leave_group_out(max(60, int(2000 * scale)), 50)
    yield nested(max(120, int(1200 * scale)), 40)
    yield ranking_by_differences(max(200, int(5000 * scale)))


def fit_alone(m: int) -> Figure:
    """Training with one regparam, precomputed kernel."""
    K, y = gaussian_problem(m)
    reference, theirs = wall_seconds(lambda: KernelRidge(alpha=1.0, kernel="precomputed").fit(K, y), repeats=3)
    seconds, ours = wall_seconds(lambda: RLS(1.0, kernel="precomputed", fit_intercept=False).fit(K, y), repeats=3)
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
    reference, theirs = wall_seconds(lambda: RidgeCV(GRID, fit_intercept=False).fit(X, y))
    seconds, ours = wall_seconds(lambda: RLSCV(GRID, fit_intercept=False).fit(X, y))
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
    reference, _ = wall_seconds(lambda: lapack.dpotrf(K + np.eye(m), lower=1), repeats=3)
    seconds, predictions = wall_seconds(
        lambda: RLS(1.0, kernel="precomputed", fit_intercept=False).fit(K, y).leave_one_out(), repeats=3
    )
    rest = np.arange(m) != m // 2
    refitted = RLS(1.0, kernel="precomputed", fit_intercept=False).fit(K[np.ix_(rest, rest)], y[rest])
    return relative_cost(
        f"fit and leave-one-out, one regparam, m={m} / one Cholesky factorization",
        seconds=seconds,
        reference_seconds=reference,
        bar=5.0,
        aim=4.0,
        same_answer=np.allclose(predictions[m // 2], refitted.predict(K[m // 2 : m // 2 + 1, rest]), atol=1e-8),
    )


def single_leave_query_out(m: int) -> Figure:
    """Leave-query-out of RankRLS for one regparam, training included, against one Cholesky factorization."""
    K, y = gaussian_problem(m)
    qid = np.arange(m) // 10
    reference, _ = wall_seconds(lambda: lapack.dpotrf(K + np.eye(m), lower=1), repeats=3)
    seconds, predictions = wall_seconds(
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


def leave_group_out(m: int, n_groups: int) -> Figure:
    """Leave-group-out for one regparam, against training without each group."""
    K, y = gaussian_problem(m)
    groups = np.arange(m) * n_groups // m
    estimator = KernelRidge(alpha=1.0, kernel="precomputed")
    reference, theirs = wall_seconds(lambda: cross_val_predict(estimator, K, y, groups=groups, cv=LeaveOneGroupOut()))
    seconds, ours = wall_seconds(
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
    seconds, ours = wall_seconds(
        lambda: nested_leave_group_out(
            RLS(kernel="precomputed", fit_intercept=False), K, y, folds=folds, groups=groups, regparams=SHORT_GRID
        )
    )
    reference, theirs = wall_seconds(lambda: _nested_by_search(K, y, folds, groups))
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


def ranking_by_differences(m: int) -> Figure:
    """Ranking within queries of ten, by least squares over pairs, against a linear SVM on difference vectors.

    The two minimise different costs: "same answer" is that ours orders unseen examples no worse than 0.01.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2 * m, 50))
    y = X[:, :10].sum(axis=1) + rng.normal(size=2 * m)
    qid = np.arange(2 * m) // 10
    seconds, ours = wall_seconds(lambda: CGRankRLS(1.0, on_limit="raise").fit(X[:m], y[:m], qid=qid[:m]))
    reference, theirs = wall_seconds(lambda: _svm_on_differences(X[:m], y[:m], qid[:m]))
    errors = [
        disagreement_error(y[m:], model(X[m:]), qid=qid[m:]) for model in (ours.predict, lambda new: new @ theirs)
    ]
    return speedup(
        f"RankRLS by conjugate gradients, m={m}, queries of 10, against LinearSVC on difference vectors",
        seconds=seconds,
        reference_seconds=reference,
        bar=1.0,
        aim=5.0,
        same_answer=errors[0] <= errors[1] + 0.01,
    )


def _svm_on_differences(X: np.ndarray, y: np.ndarray, qid: np.ndarray) -> np.ndarray:
    first, second = np.triu_indices(10, 1)
    starts = np.arange(0, len(y), 10)[:, np.newaxis]
    i, j = (starts + first).ravel(), (starts + second).ravel()
    signs = np.sign(y[i] - y[j])
    return LinearSVC(fit_intercept=False, random_state=0).fit(X[i] - X[j], signs).coef_[0]
