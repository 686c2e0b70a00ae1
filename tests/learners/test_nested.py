"""Nested cross-validation from one decomposition against the plain nested loop."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from learners.errors import GroupError, KernelError, LabelError, LearnerError
from learners.nested import nested_leave_group_out, repeated_nested_leave_group_out
from learners.rls import RLS
from learners.rls_classifier import RLSClassifier
from learners.sparse_rls import SparseRLS

REGPARAMS = [1e-2, 0.7, 30.0]
M = 48


def gaussian(X, Y):
    X, Y = (A.toarray() if sp.issparse(A) else A for A in (X, Y))
    return np.exp(-0.1 * np.sum((X[:, None] - Y[None]) ** 2, axis=2))


def solve(K, y, examples, basis, new, regparam, weights, intercept):
    """Sparse RLS from its definition, in the span of the basis; RLS if the basis is all of ``examples``."""
    features = np.zeros((len(K), 0))
    if len(basis):
        eigenvalues, vectors = np.linalg.eigh(K[np.ix_(basis, basis)])
        keep = eigenvalues > len(K) * 1e-15 * eigenvalues[-1]
        features = K[:, basis] @ (vectors[:, keep] / np.sqrt(eigenvalues[keep]))
    penalty = np.sqrt(regparam) * np.eye(features.shape[1])
    if intercept:
        features = np.column_stack([features, np.ones(len(K))])
        penalty = np.column_stack([penalty, np.zeros(len(penalty))])
    root = np.sqrt(weights[examples])[:, None]
    A = np.vstack([root * features[examples], penalty])
    b = np.vstack([root * y[examples], np.zeros((len(penalty), y.shape[1]))])
    return features[new] @ np.linalg.lstsq(A, b, rcond=None)[0]


def plain_nested_loop(K, y, folds, groups, basis, weights, always_train=None, *, intercept=True):
    """For each fold, regparam and group: train without them. ``basis`` None means every training example."""
    everything = np.arange(len(K))
    held = np.ones(len(K), dtype=bool) if always_train is None else groups != always_train
    labels = np.unique(folds[held])
    inner = np.full((len(labels), len(REGPARAMS), *y.shape), np.nan)
    outer = np.full((len(REGPARAMS), *y.shape), np.nan)

    def without(removed, regparam, new):
        rest = np.setdiff1d(everything, removed)
        own_basis = rest if basis is None else np.setdiff1d(basis, removed)
        return solve(K, y, rest, own_basis, new, regparam, weights, intercept)

    for number, label in enumerate(labels):
        test = np.flatnonzero(held & (folds == label))
        for position, regparam in enumerate(REGPARAMS):
            outer[position, test] = without(test, regparam, test)
            for group in np.unique(groups[held & (folds != label)]):
                U = np.flatnonzero(groups == group)
                inner[number, position, U] = without(np.concatenate([test, U]), regparam, U)
    return inner, outer


def problem(name, rng):
    X = rng.normal(size=(M, 60))
    low = rng.normal(size=(M, 6))
    data = {
        "wide": ("linear", X),
        "low rank": ("linear", low),
        "duplicates": ("linear", X[rng.integers(0, 30, size=M)]),
        "sparse": ("linear", sp.random_array((M, 80), density=0.1, rng=rng, format="csr")),
        "gaussian": (gaussian, low),
        "precomputed": ("precomputed", X @ X.T),
    }
    kernel, X = data[name]
    array = X.toarray() if sp.issparse(X) else X
    K = {"linear": lambda: array @ array.T, "precomputed": lambda: array}.get(kernel, lambda: gaussian(array, array))()
    return kernel, X, K


PROBLEMS = ["wide", "low rank", "duplicates", "sparse", "gaussian", "precomputed"]
EQUAL = np.repeat(np.arange(16), 3)
UNEQUAL = np.repeat(np.arange(9), [1, 2, 1, 12, 5, 9, 4, 7, 7])


@pytest.fixture
def rng():
    return np.random.default_rng(23)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("groups", [EQUAL, UNEQUAL], ids=["equal", "unequal"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
def test_rls_equals_the_plain_nested_loop(name, groups, weighted, intercept, rng):
    kernel, X, K = problem(name, rng)
    y = rng.normal(size=(M, 2))
    weights = rng.uniform(0.1, 2, size=M) if weighted else np.ones(M)
    folds = groups % 4
    fast = nested_leave_group_out(
        RLS(kernel=kernel, fit_intercept=intercept),
        X,
        y,
        folds=folds,
        groups=groups,
        regparams=REGPARAMS,
        sample_weight=weights,
    )
    inner, outer = plain_nested_loop(K, y, folds, groups, None, weights, intercept=intercept)
    assert_allclose(fast.inner, inner, atol=1e-8)
    assert_allclose(fast.outer, outer, atol=1e-8)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("groups", [EQUAL, UNEQUAL], ids=["equal", "unequal"])
@pytest.mark.parametrize("r", [5, 20, 40, M])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
def test_sparse_rls_equals_the_plain_nested_loop(name, groups, r, weighted, intercept, rng):
    kernel, X, K = problem(name, rng)
    y = rng.normal(size=(M, 2))
    weights = rng.uniform(0.1, 2, size=M) if weighted else np.ones(M)
    basis, folds = np.sort(rng.permutation(M)[:r]), groups % 4
    fast = nested_leave_group_out(
        SparseRLS(kernel=kernel, fit_intercept=intercept, basis=basis),
        X,
        y,
        folds=folds,
        groups=groups,
        regparams=REGPARAMS,
        sample_weight=weights,
    )
    inner, outer = plain_nested_loop(K, y, folds, groups, basis, weights, intercept=intercept)
    assert_allclose(fast.inner, inner, atol=1e-8)
    assert_allclose(fast.outer, outer, atol=1e-8)


@pytest.mark.parametrize("name", ["wide", "low rank", "duplicates", "sparse", "precomputed"])
@pytest.mark.parametrize("r", [None, 12, M])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
def test_columns_weigh_in_each_fold_what_the_fold_says(name, r, weighted, intercept, rng):
    """Folds with kernels of their own, against a plain loop with the kernel of each fold."""
    _, _, K = problem(name, rng)
    y = rng.normal(size=(M, 2))
    weights = rng.uniform(0.1, 2, size=M) if weighted else np.ones(M)
    columns = np.column_stack([np.ones(M), rng.normal(size=(M, 2))])
    K = K + columns @ columns.T
    layouts = [EQUAL % 4, EQUAL[::-1] % 3]
    column_weights = [rng.uniform(0.05, 3.0, size=(len(np.unique(folds)), 3)) for folds in layouts]
    column_weights[0][0, 1] = 1.0
    basis = None if r is None else np.sort(rng.permutation(M)[:r])
    fast = repeated_nested_leave_group_out(
        RLS(kernel="precomputed", fit_intercept=intercept)
        if basis is None
        else SparseRLS(kernel="precomputed", fit_intercept=intercept, basis=basis),
        K,
        y,
        folds=layouts,
        groups=EQUAL,
        regparams=REGPARAMS,
        sample_weight=weights,
        columns=columns,
        column_weights=column_weights,
    )
    for folds, scales, found in zip(layouts, column_weights, fast):
        for fold, scale in enumerate(scales):
            own = K + columns @ np.diag(scale - 1.0) @ columns.T
            inner, outer = plain_nested_loop(own, y, folds, EQUAL, basis, weights, intercept=intercept)
            assert_allclose(found.inner[fold], inner[fold], atol=1e-7)
            assert_allclose(found.outer[:, folds == fold], outer[:, folds == fold], atol=1e-7)


def test_without_groups_the_other_folds_take_turns(rng):
    X, y = rng.normal(size=(M, 20)), rng.normal(size=M)
    folds = rng.permutation(M) % 5
    found = nested_leave_group_out(RLS(), X, y, folds=folds, regparams=REGPARAMS)
    expected = nested_leave_group_out(RLS(), X, y, folds=folds, groups=folds, regparams=REGPARAMS)
    assert_allclose(found.inner, expected.inner)
    assert_allclose(found.outer, expected.outer)


def test_columns_of_a_primal_problem(rng):
    X, y = rng.normal(size=(M, 6)), rng.normal(size=M)
    folds, scales = EQUAL % 4, rng.uniform(0.1, 3.0, size=(4, 2))
    fast = repeated_nested_leave_group_out(
        RLS(form="primal", fit_intercept=False),
        X,
        y,
        folds=[folds],
        groups=EQUAL,
        regparams=REGPARAMS,
        columns=X[:, :2],
        column_weights=[scales],
    )[0]
    for fold, scale in enumerate(scales):
        own = X * np.sqrt([*scale, 1, 1, 1, 1])
        inner, outer = plain_nested_loop(own @ own.T, y[:, None], folds, EQUAL, None, np.ones(M), intercept=False)
        assert_allclose(fast.inner[fold], inner[fold, :, :, 0], atol=1e-8)
        test = np.flatnonzero(folds == fold)
        assert_allclose(fast.outer[:, test], outer[:, test, 0], atol=1e-8)


@pytest.mark.parametrize(
    ("columns", "column_weights", "message"),
    [
        (np.ones((M, 1)), None, "expected columns together with column_weights"),
        (np.ones((3, 1)), [np.ones((4, 1))], "one row for each of 48 examples, got shape"),
        (np.ones((M, 1)), [np.ones((4, 2))], r"expected column_weights of the shapes \[\(4, 1\)\]"),
        (np.ones((M, 1)), [np.zeros((4, 1))], "expected positive column_weights"),
    ],
)
def test_columns_that_do_not_fit_are_refused(columns, column_weights, message, rng):
    X = rng.normal(size=(M, 4))
    with pytest.raises(LearnerError, match=message):
        repeated_nested_leave_group_out(
            RLS(),
            X,
            X[:, 0],
            folds=[EQUAL % 4],
            groups=EQUAL,
            regparams=REGPARAMS,
            columns=columns,
            column_weights=column_weights,
        )


@given(
    seed=st.integers(0, 2**32 - 1),
    r=st.integers(1, 18),
    n=st.integers(1, 20),
    distinct=st.integers(1, 18),
    intercept=st.booleans(),
)
@settings(max_examples=100, deadline=None)
def test_sparse_rls_equals_the_plain_nested_loop_whatever_the_rank(seed, r, n, distinct, intercept):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(distinct, n)).astype(float)[rng.integers(0, distinct, size=18)]
    X[0, 0] = 1.0
    y, weights = rng.normal(size=(18, 1)), rng.uniform(0.3, 2, size=18)
    groups = np.sort(np.concatenate([np.arange(6), rng.integers(0, 6, size=12)]))
    basis = np.union1d([0], rng.permutation(18)[: r - 1]).astype(int)
    fast = nested_leave_group_out(
        SparseRLS(basis=basis, fit_intercept=intercept),
        X,
        y,
        folds=groups % 3,
        groups=groups,
        regparams=REGPARAMS,
        sample_weight=weights,
    )
    inner, outer = plain_nested_loop(X @ X.T, y, groups % 3, groups, basis, weights, intercept=intercept)
    assert_allclose(fast.inner, inner, atol=1e-8)
    assert_allclose(fast.outer, outer, atol=1e-8)


@pytest.mark.parametrize("estimator", [RLS(form="dual"), RLS(form="primal"), SparseRLS(basis=np.arange(0, M, 2))])
def test_always_train_examples_are_in_every_training_set(estimator, rng):
    X, y = rng.normal(size=(M, 10)), rng.normal(size=M)
    groups = np.where(np.arange(M) < 12, "extra", EQUAL.astype(str))
    folds = EQUAL % 3
    fast = nested_leave_group_out(
        estimator, X, y, folds=folds, groups=groups, regparams=REGPARAMS, always_train="extra"
    )
    basis = getattr(estimator, "basis", None)
    inner, outer = plain_nested_loop(X @ X.T, y[:, None], folds, groups, basis, np.ones(M), "extra")
    assert_allclose(fast.inner, inner[..., 0], atol=1e-8)
    assert_allclose(fast.outer, outer[..., 0], atol=1e-8)
    assert np.isnan(fast.inner[:, :, :12]).all()
    assert np.all(fast.fold_of[:12] == -1)


@pytest.mark.parametrize("tolerance", [0.0, np.inf], ids=["by definition", "by relation"])
def test_both_ways_to_the_coefficient_rows_agree(tolerance, rng, monkeypatch):
    monkeypatch.setattr("learners._nested_sparse._PROBE_TOLERANCE", tolerance)
    X, y, weights = rng.normal(size=(M, 60)), rng.normal(size=(M, 1)), rng.uniform(0.5, 2, size=M)
    basis = np.arange(6, M)
    fast = nested_leave_group_out(
        SparseRLS(basis=basis),
        X,
        y,
        folds=EQUAL % 4,
        groups=EQUAL,
        regparams=REGPARAMS,
        sample_weight=weights,
    )
    inner, outer = plain_nested_loop(X @ X.T, y, EQUAL % 4, EQUAL, basis, weights)
    assert_allclose(fast.inner, inner, atol=1e-8)
    assert_allclose(fast.outer, outer, atol=1e-8)


def test_selection_uses_inner_predictions_only(rng):
    X = rng.normal(size=(M, 5))
    y = X @ rng.normal(size=5) + rng.normal(size=M)
    nested = nested_leave_group_out(RLS(), X, y, folds=EQUAL % 4, groups=EQUAL, regparams=REGPARAMS)

    def criterion(true, predicted):
        return -np.mean((true - predicted) ** 2)

    selection = nested.select(y, criterion)
    for fold in range(4):
        rows = fold != EQUAL % 4
        scores = [criterion(y[rows], candidate[rows]) for candidate in nested.inner[fold]]
        assert selection.regparams[fold] == REGPARAMS[int(np.argmax(scores))]
        assert_allclose(selection.predictions[~rows], nested.outer[np.argmax(scores)][~rows])
    with pytest.raises(LabelError, match="48 values, got 3"):
        nested.select(y[:3], criterion)


def test_estimator_and_input_are_left_alone(rng):
    K = np.eye(M) + 1.0
    before, y = K.copy(), rng.normal(size=M)
    estimator = RLS(kernel="precomputed")
    nested_leave_group_out(estimator, K, y, folds=EQUAL % 4, groups=EQUAL, regparams=[1.0])
    assert np.array_equal(K, before)
    assert not hasattr(estimator, "dual_coef_")


def test_errors_say_what_came_and_what_to_try(rng):
    X, y = rng.normal(size=(M, 60)), rng.normal(size=M)

    def run(estimator=None, X=X, **options):
        options = {"folds": EQUAL % 4, "groups": EQUAL, "regparams": [1.0], **options}
        return nested_leave_group_out(estimator or RLS(), X, y, **options)

    with pytest.raises(GroupError, match=r"16 of 16 are, for example group 0 lies in folds \[0, 1, 2\]"):
        run(folds=np.arange(M) % 4)
    with pytest.raises(GroupError, match="expected folds to have one label per example"):
        run(folds=[1, 2])
    with pytest.raises(GroupError, match=r"at least two folds, got \[0\]"):
        run(folds=np.zeros(M, dtype=int))
    with pytest.raises(GroupError, match="there is 1 group left"):
        run(groups=EQUAL // 8, folds=EQUAL // 8)
    with pytest.raises(GroupError, match="nothing is held out"):
        run(groups=np.zeros(M), always_train=0)
    with pytest.raises(LearnerError, match="expected an RLS or a SparseRLS"):
        run(RLSClassifier())
    with pytest.raises(KernelError, match="not positive definite"):
        run(RLS(kernel="precomputed"), X=-2 * np.eye(M))


def test_progress_sees_every_regparam():
    rng = np.random.default_rng(0)
    X, y, groups = rng.normal(size=(24, 3)), rng.normal(size=24), np.repeat(np.arange(8), 3)
    for estimator in (RLS(), SparseRLS(n_basis=10, random_state=0)):
        seen = []

        def watch(values, seen=seen):
            for value in values:
                seen.append(float(value))
                yield value

        nested_leave_group_out(estimator, X, y, folds=groups % 4, groups=groups, regparams=[0.5, 2.0], progress=watch)
        assert seen == [0.5, 2.0]


def test_repeats_with_other_folds_equal_separate_runs():
    rng = np.random.default_rng(1)
    X, y, groups = rng.normal(size=(36, 4)), rng.normal(size=36), np.repeat(np.arange(12), 3)
    assignments = [groups % 4, (groups // 2) % 3]
    for estimator in (RLS(kernel=gaussian), RLS(), SparseRLS(kernel=gaussian, n_basis=15, random_state=0)):
        repeated = repeated_nested_leave_group_out(
            estimator, X, y, folds=assignments, groups=groups, regparams=REGPARAMS
        )
        for folds, found in zip(assignments, repeated):
            alone = nested_leave_group_out(estimator, X, y, folds=folds, groups=groups, regparams=REGPARAMS)
            assert_allclose(found.inner, alone.inner, atol=1e-10)
            assert_allclose(found.outer, alone.outer, atol=1e-10)
