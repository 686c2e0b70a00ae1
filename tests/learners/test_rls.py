"""RLS: the closed form, and every shortcut against training again without the hold-out."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from plain_kernels import Gaussian
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KernelCenterer, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from learners.errors import GroupError, KernelError, LabelError, RegParamError
from learners.rank_rls import RankRLS
from learners.rls import RLS
from learners.rls_classifier import RLSClassifier
from learners.sparse_rls import SparseRLS

REGPARAMS = [1e-3, 0.5, 20.0]


def gaussian(X, Y):
    X, Y = (A.toarray() if sp.issparse(A) else A for A in (X, Y))
    return np.exp(-0.1 * np.sum((X[:, None] - Y[None]) ** 2, axis=2))


def refit(model, X, y, holdout, regparam, weights=None):
    """The definition: train without the hold-out, predict it."""
    rest = np.setdiff1d(np.arange(len(y)), holdout)
    kernel = model.kernel
    if isinstance(kernel, str) and kernel == "precomputed":
        K_rest, K_cross = X[np.ix_(rest, rest)], X[np.ix_(holdout, rest)]
    else:
        A = X.toarray() if sp.issparse(X) else np.asarray(X, dtype=float)
        K = A @ A.T if isinstance(kernel, str) else gaussian(A, A)
        K_rest, K_cross = K[np.ix_(rest, rest)], K[np.ix_(holdout, rest)]
    w = np.ones(len(rest)) if weights is None else weights[rest]
    # (K + regparam S^-1) a + b = y, with an intercept bordered by sum_i a_i = 0
    y, border = np.asarray(y)[rest], int(model.fit_intercept)
    system = np.zeros((len(rest) + border, len(rest) + border))
    system[: len(rest), : len(rest)] = K_rest + regparam * np.diag(1 / w)
    if border:
        system[-1, :-1] = system[:-1, -1] = 1.0
        y, K_cross = np.concatenate([y, np.zeros((1, *y.shape[1:]))]), np.column_stack([K_cross, np.ones(len(holdout))])
    return K_cross @ np.linalg.solve(system, y)


def problem(name, rng, intercept=True, m=30):
    """(model, X) pairs over forms, kernels and kinds of X."""
    X = rng.normal(size=(m, 6)) + 0.5
    wide = rng.normal(size=(m, 3 * m)) + 0.2
    model, X = {
        "primal": (RLS(), X),
        "primal, sparse": (RLS(), sp.random_array((m, 9), density=0.3, rng=rng, format="csr")),
        "primal, float32": (RLS(), X.astype(np.float32)),
        "dual, wide": (RLS(), wide),
        "dual, sparse": (RLS(), sp.random_array((m, 80), density=0.1, rng=rng, format="csr")),
        "dual, singular": (RLS(form="dual"), X),
        "dual, duplicates": (RLS(form="dual"), wide[rng.integers(0, m // 2, size=m)]),
        "kernel object": (RLS(kernel=gaussian), X),
        "precomputed": (RLS(kernel="precomputed"), wide @ wide.T),
        "primal, wide": (RLS(form="primal"), wide),
    }[name]
    return model.set_params(fit_intercept=intercept), X


PROBLEMS = [
    "primal",
    "primal, sparse",
    "primal, float32",
    "dual, wide",
    "dual, sparse",
    "dual, singular",
    "dual, duplicates",
    "kernel object",
    "precomputed",
    "primal, wide",
]


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("n_outputs", [None, 3])
def test_leave_one_out_equals_refitting(name, n_outputs, intercept, rng):
    model, X = problem(name, rng, intercept)
    y = rng.normal(size=(30,) if n_outputs is None else (30, n_outputs))
    fast = model.fit(X, y).leave_one_out(REGPARAMS)
    slow = np.array([[refit(model, X, y, [i], value)[0] for i in range(30)] for value in REGPARAMS])
    assert fast.shape == (len(REGPARAMS), *y.shape)
    assert_allclose(fast, slow, atol=1e-8)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "groups",
    [
        np.repeat(np.arange(10), 3),
        np.arange(30) % 7,
        np.array(["most"] * 24 + ["a", "b", "b", "c", "d", "d"]),
        np.array([0] * 20 + [1] * 10),
    ],
    ids=["threes", "interleaved", "one holds most", "two"],
)
def test_leave_group_out_equals_refitting(name, weighted, groups, intercept, rng):
    model, X = problem(name, rng, intercept)
    y = rng.normal(size=30)
    weights = rng.uniform(0.1, 2, size=30) if weighted else None
    fast = model.fit(X, y, sample_weight=weights).leave_group_out(groups, REGPARAMS)
    for value, predictions in zip(REGPARAMS, fast):
        for label in np.unique(groups):
            U = np.flatnonzero(groups == label)
            assert_allclose(predictions[U], refit(model, X, y, U, value, weights), atol=1e-8)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("intercept", [True, False])
def test_overlapping_hold_outs_equal_refitting(name, intercept, rng):
    model, X = problem(name, rng, intercept)
    y = rng.normal(size=(30, 2))
    holdouts = [np.array([3]), np.array([4, 3, 9]), rng.permutation(30)[:16], rng.permutation(30)[:29]]
    fast = model.fit(X, y).hold_out(holdouts, REGPARAMS)
    for U, predictions in zip(holdouts, fast):
        slow = np.array([refit(model, X, y, U, value) for value in REGPARAMS])
        assert_allclose(predictions, slow, atol=1e-8)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_leave_pair_out_equals_refitting(name, weighted, intercept, rng):
    model, X = problem(name, rng, intercept)
    y = rng.normal(size=(30, 2))
    weights = rng.uniform(0.1, 2, size=30) if weighted else None
    model.fit(X, y, sample_weight=weights)
    everything = model.leave_pair_out(regparams=REGPARAMS)
    pairs = np.column_stack(np.triu_indices(30, 1))
    some = rng.permutation(len(pairs))[:40]
    slow = np.array([[refit(model, X, y, pairs[number], value, weights) for number in some] for value in REGPARAMS])
    assert everything.shape == (3, 435, 2, 2)
    assert_allclose(everything[:, some], slow, atol=1e-8)
    assert_allclose(model.leave_pair_out(pairs[some], REGPARAMS), slow, atol=1e-8)
    # Either order of a pair gives the same two predictions.
    assert_allclose(model.leave_pair_out(pairs[some][:, ::-1], REGPARAMS), slow[:, :, ::-1], atol=1e-8)


def test_all_pairs_equal_given_pairs_over_several_panels(rng):
    X, y = rng.normal(size=(150, 4)), rng.normal(size=150)
    model = RLS(kernel=gaussian).fit(X, y)
    pairs = np.column_stack(np.triu_indices(150, 1))
    assert_allclose(model.leave_pair_out(), model.leave_pair_out(pairs), atol=1e-9)


@given(
    m=st.integers(4, 20),
    n=st.integers(1, 25),
    log_regparam=st.floats(-3, 4),
    intercept=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=60, deadline=None)
def test_primal_equals_dual_equals_ridge(m, n, log_regparam, intercept, seed):
    rng = np.random.default_rng(seed)
    X, y, regparam = rng.normal(size=(m, n)) + 1, rng.normal(size=m) + 3, 10.0**log_regparam
    weights = rng.uniform(0.3, 2.0, size=m)
    groups = rng.integers(0, 3, size=m)
    groups[:2] = 0, 1
    primal, dual = (
        RLS(regparam, form=form, fit_intercept=intercept).fit(X, y, sample_weight=weights)
        for form in ("primal", "dual")
    )
    ridge = Ridge(regparam, fit_intercept=intercept).fit(X, y, sample_weight=weights)
    for model in (primal, dual):
        assert_allclose(model.coef_, ridge.coef_, atol=1e-8)
        assert_allclose(model.intercept_, ridge.intercept_, atol=1e-8)
    assert_allclose(primal.leave_group_out(groups), dual.leave_group_out(groups), atol=1e-7)
    assert_allclose(primal.leave_one_out(), primal.leave_one_out([regparam, 1.0, 2.0])[0], atol=1e-8)


def test_path_equals_fitting_each_regparam(rng):
    X, y = rng.normal(size=(20, 5)) + 2, rng.normal(size=(20, 2)) - 7
    for model in (RLS(), RLS(form="dual"), RLS(kernel=gaussian), RLS(fit_intercept=False)):
        path = model.fit(X, y).predict_path(X[:4], REGPARAMS)
        each = [clone(model).set_params(regparam=value).fit(X, y) for value in REGPARAMS]
        assert_allclose(path, [one.predict(X[:4]) for one in each], atol=1e-9)
        assert_allclose(model.intercept_path(REGPARAMS), [one.intercept_ for one in each], atol=1e-9)


def test_regparam_to_infinity_predicts_the_mean_and_to_zero_interpolates(rng):
    X, y = rng.normal(size=(10, 30)), rng.normal(size=10)
    for intercept, limit in ((True, y.mean()), (False, 0.0)):
        path = RLS(fit_intercept=intercept).fit(X, y).predict_path(X, [1e-9, 1e12])
        assert_allclose(path[0], y, atol=1e-6)
        assert_allclose(path[1], limit, atol=1e-6)


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_a_constant_feature_of_great_weight_is_a_free_intercept(form, rng):
    X, y = rng.normal(size=(15, 4)), rng.normal(size=15) + 2
    free = RLS(form=form).fit(X, y)
    padded = RLS(form=form, fit_intercept=False).fit(np.column_stack([X, np.full(15, 1e4)]), y)
    assert_allclose(free.leave_one_out(), padded.leave_one_out(), atol=1e-6)
    assert_allclose(free.coef_, padded.coef_[:4], atol=1e-6)


def test_great_means_cost_the_primal_form_no_digits(rng):
    X = rng.normal(size=(20, 3)) + 1e5
    y = X[:, 0] - 1e5 + rng.normal(size=20) + 1e3
    model = RLS().fit(X, y)
    slow = [Ridge().fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[[i]])[0] for i in range(20)]
    assert_allclose(model.leave_one_out(), slow, atol=1e-8)
    assert_allclose(model.predict(X), Ridge().fit(X, y).predict(X), atol=1e-8)


def test_kernel_ridge_on_centred_data_is_rls_with_an_intercept(rng):
    X, y = rng.normal(size=(15, 4)), rng.normal(size=15)
    K = gaussian(X, X)
    theirs = KernelRidge(alpha=0.3, kernel="precomputed").fit(KernelCenterer().fit_transform(K), y - y.mean())
    ours = RLS(0.3, kernel="precomputed").fit(K, y)
    assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-8)
    assert ours.dual_coef_.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_one_global_ranking_by_all_pairs_is_rls_with_an_intercept(form, rng):
    X, y = rng.normal(size=(15, 4)) + 1, rng.normal(size=15)
    assert_allclose(RankRLS(0.3, form=form).fit(X, y).coef_, RLS(0.3, form=form).fit(X, y).coef_, atol=1e-9)


def test_an_intercept_needs_something_to_train_on():
    with pytest.raises(GroupError, match="more examples than the 1 left out at a time, got 1 sample;"):
        RLS().fit([[1.0]], [2.0]).leave_one_out()
    with pytest.raises(GroupError, match="more examples than the 2 left out at a time, got 2 samples"):
        RLS().fit([[1.0], [2.0]], [2.0, 3.0]).leave_pair_out()
    with pytest.raises(ValueError, match=r"at least one non-zero number|for at least one example, got 0 for all 2"):
        RLS().fit([[1.0], [2.0]], [2.0, 3.0], sample_weight=[0, 0])
    assert_allclose(RLS().fit([[1.0], [2.0]], [2.0, 3.0]).leave_one_out(), [3.0, 2.0])


def test_always_train_examples_are_never_held_out(rng):
    X, y = rng.normal(size=(12, 4)), rng.normal(size=12)
    groups = np.array([0, 0, 1, 1, 1, 2, 2, 2, -1, -1, -1, -1])
    predictions = RLS().fit(X, y).leave_group_out(groups, always_train=-1)
    assert np.isnan(predictions[8:]).all()
    assert_allclose(predictions[:2], refit(RLS(), X, y, [0, 1], 1.0), atol=1e-10)


def test_weight_two_is_the_example_twice(rng):
    X, y = rng.normal(size=(8, 3)), rng.normal(size=8)
    weights = np.array([2, 1, 1, 3, 1, 1, 2, 1])
    repeat = np.repeat(np.arange(8), weights)
    for form in ("primal", "dual"):
        weighted = RLS(form=form).fit(X, y, sample_weight=weights)
        assert_allclose(weighted.coef_, RLS(form=form).fit(X[repeat], y[repeat]).coef_, atol=1e-10)


def test_input_is_not_modified(rng):
    X, y = rng.normal(size=(10, 20)), rng.normal(size=10)
    K = X @ X.T
    before = K.copy(), y.copy()
    RLS(kernel="precomputed").fit(K, y, sample_weight=np.full(10, 0.5)).leave_one_out([1.0, 2.0])
    assert np.array_equal(K, before[0])
    assert np.array_equal(y, before[1])


def test_pipeline_and_grid_search_with_groups(rng):
    X, y = rng.normal(size=(40, 5)), rng.normal(size=40)
    groups = np.repeat(np.arange(8), 5)
    pipeline = make_pipeline(StandardScaler(), RLS())
    search = GridSearchCV(pipeline, {"rls__regparam": [0.1, 10.0]}, cv=GroupKFold(4), n_jobs=2)
    assert search.fit(X, y, groups=groups).predict(X).shape == (40,)
    K = X @ X.T
    search = GridSearchCV(RLS(kernel="precomputed"), {"regparam": [0.1, 10.0]}, cv=GroupKFold(4))
    linear = GridSearchCV(RLS(), {"regparam": [0.1, 10.0]}, cv=GroupKFold(4))
    search.fit(K, y, groups=groups)
    linear.fit(X, y, groups=groups)
    assert_allclose(search.cv_results_["mean_test_score"], linear.cv_results_["mean_test_score"], atol=1e-10)


@pytest.mark.parametrize("regparam", [0, -1.0, np.nan, np.inf, "1", True, None])
def test_regparam_must_be_positive(regparam):
    with pytest.raises(RegParamError, match="expected regparam to be"):
        RLS(regparam).fit([[1.0], [2.0]], [1.0, 2.0])


def test_errors_say_what_came_and_what_to_try(rng):
    X, y = rng.normal(size=(6, 2)), rng.normal(size=6)
    model = RLS().fit(X, y)
    with pytest.raises(GroupError, match=r"6 examples, got 5 labels; check that groups was subset"):
        model.leave_group_out([0, 1, 2, 3, 4])
    with pytest.raises(GroupError, match="got None"):
        model.leave_group_out(None)
    with pytest.raises(GroupError, match="groups without NaN"):
        model.leave_group_out([0, 1, 2, 3, 4, np.nan])
    with pytest.raises(GroupError, match="got all 6 examples"):
        model.leave_group_out([0] * 6)
    with pytest.raises(GroupError, match="no group is held out"):
        model.leave_group_out([0] * 6, always_train=0)
    with pytest.raises(GroupError, match=r"expected holdouts\[0\] to hold each index once, got 1 repeats"):
        model.hold_out([[1, 1]])
    with pytest.raises(GroupError, match="indices from 0 to 5, got 1 to 6"):
        model.hold_out([[1, 6]])
    with pytest.raises(GroupError, match="sequence of index arrays"):
        model.hold_out(np.array([1, 2]))
    with pytest.raises(GroupError, match="non-empty one-dimensional"):
        model.hold_out([[]])
    with pytest.raises(GroupError, match=r"expected pairs to be an integer array of shape \(n_pairs, 2\)"):
        model.leave_pair_out([0, 1])
    with pytest.raises(GroupError, match="indices from 0 to 5"):
        model.leave_pair_out([[0, 9]])
    with pytest.raises(GroupError, match=r"two examples, got pairs\[1\] = \[2, 2\]"):
        model.leave_pair_out([[0, 1], [2, 2]])
    with pytest.raises(RegParamError, match=r"expected regparams\[1\] to be positive and finite, got -2"):
        model.leave_one_out([1.0, -2])
    with pytest.raises(RegParamError, match="at least one value"):
        model.leave_one_out([])
    with pytest.raises(LabelError, match="got 1 examples of weight 0"):
        RLS().fit(X, y, sample_weight=[0, 1, 1, 1, 1, 1]).leave_one_out()


def test_kernel_errors(rng):
    X, y = rng.normal(size=(6, 2)), rng.normal(size=6)
    with pytest.raises(KernelError, match=r"expected kernel to be one of 'linear', 'rbf', .*, 'precomputed' or a call"):
        RLS(kernel="gaussian").fit(X, y)
    with pytest.raises(KernelError, match="expected kernel to be"):
        RLS(kernel=3).fit(X, y)
    with pytest.raises(KernelError, match=r"expected a matrix of shape \(6, 6\) from kernel .*, got \(6, 2\)"):
        RLS(kernel="precomputed").fit(X, y)
    with pytest.raises(KernelError, match="got a matrix with NaN"):
        RLS(kernel=lambda X, Y: np.full((len(X), len(Y)), np.nan)).fit(X, y)
    with pytest.raises(KernelError, match="expected kernel='linear' with form='primal'"):
        RLS(kernel=gaussian, form="primal").fit(X, y)
    with pytest.raises(KernelError, match="expected form to be 'auto'"):
        RLS(form="both").fit(X, y)
    with pytest.raises(KernelError, match="does not make it positive definite"):
        RLS(kernel="precomputed").fit(-np.eye(6), y)
    with pytest.raises(ValueError, match="NaN"):
        RLS().fit(X, np.r_[y[:5], np.nan])


def expected_failures(estimator):
    if estimator.kernel != "precomputed":
        return {}
    reason = "the check rounds or negates the kernel matrix, which is then not positive semidefinite"
    return {"check_estimators_dtypes": reason, "check_positive_only_tag_during_fit": reason}


@parametrize_with_checks(
    [RLS(), RLS(form="dual"), RLS(fit_intercept=False), RLS(kernel=Gaussian()), RLS(kernel="precomputed")],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [RLS(0.5), SparseRLS(0.5, basis=[0, 3, 5]), RLSClassifier(0.5)], ids=repr)
def test_a_regparam_set_after_fit_waits_for_the_next_fit(estimator):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(12, 3)), np.arange(12) % 2
    model = estimator.fit(X, y)
    before = model.leave_one_out()
    np.testing.assert_array_equal(model.set_params(regparam=100.0).leave_one_out(), before)
    assert model.regparam_ == 0.5
