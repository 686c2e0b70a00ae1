"""RankRLS against the minimiser of its cost written pair by pair, and its shortcuts against training again."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import rbf_kernel

from learners.errors import LabelError, LearnerError, NearTieWarning, PreferenceError, QueryError, RegParamError
from learners.rank_rls import RankRLS

REGPARAMS = [0.03, 1.0, 40.0]


def gaussian(X, Y):
    dense = [Z.toarray() if sp.issparse(Z) else Z for Z in (X, Y)]
    return rbf_kernel(*dense, gamma=0.3)


def edges_from_scores(y, qid, cost, ties, normalize):
    """(i, j, z, w^2) of every pair of the same query, straight from the table of costs."""
    edges = []
    for q in np.unique(qid):
        members = np.flatnonzero(qid == q)
        pairs = [(i, j) for i in members for j in members if y[i] > y[j]]
        if ties:
            pairs += [(i, j) for i in members for j in members if y[i] == y[j] and i < j]
        total = {"size": len(members), "pairs": max(len(pairs), 1), None: 1}[normalize]
        for i, j in pairs:
            magnitude = y[i] - y[j]
            z = 1.0 if cost == "unit" else magnitude
            w = 1.0 / magnitude if cost == "relative" else 1.0
            edges.append((i, j, z, w * w / total))
    return edges


def slow_predictions(edges, K, K_new, regparam):
    """Minimise the sum over edges plus regparam a^T K a by its normal equations."""
    m = len(K)
    L, b = np.zeros((m, m)), np.zeros(m)
    for i, j, z, weight in edges:
        difference = np.zeros(m)
        difference[i], difference[j] = 1.0, -1.0
        L += weight * np.outer(difference, difference)
        b += weight * z * difference
    return K_new @ np.linalg.solve(L @ K + regparam * np.eye(m), b)


@pytest.fixture
def problem():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(24, 5))
    qid = np.repeat([3, 1, 2, 9, 5], [6, 1, 5, 4, 8])
    order = rng.permutation(24)
    y = rng.integers(0, 4, 24).astype(float)
    return X[order], y, qid[order]


@pytest.mark.parametrize("normalize", ["size", "pairs", None])
@pytest.mark.parametrize(
    ("cost", "ties"),
    [("magnitude", "include"), ("magnitude", "exclude"), ("unit", "auto"), ("relative", "auto")],
)
@pytest.mark.parametrize("form", ["primal", "dual"])
@pytest.mark.parametrize("by_query", [True, False])
def test_fit_minimises_the_cost_over_pairs(problem, cost, ties, normalize, form, by_query):
    X, y, qid = problem
    new = np.random.default_rng(1).normal(size=(3, 5))
    model = RankRLS(regparam=0.7, form=form, cost=cost, ties=ties, normalize=normalize)
    model.fit(X, y, qid=qid if by_query else None)
    edges = edges_from_scores(y, qid if by_query else 0 * qid, cost, ties == "include", normalize)
    np.testing.assert_allclose(
        model.predict(new), slow_predictions(edges, X @ X.T, new @ X.T, 0.7), rtol=1e-8, atol=1e-9
    )


@pytest.mark.parametrize("cost", ["magnitude", "unit", "relative"])
@pytest.mark.parametrize("kernel", ["linear", gaussian])
def test_preferences_with_magnitudes(problem, cost, kernel):
    X, _, _ = problem
    preferences = [(0, 1, 2.0), (1, 2, 0.5), (0, 1, 1.0), (5, 9, 3.0), (9, 11, 1.5)]
    model = RankRLS(regparam=0.3, kernel=kernel, cost=cost).fit(X, preferences=preferences)
    edges = [(i, j, 1.0 if cost == "unit" else z, 1.0 / z**2 if cost == "relative" else 1.0) for i, j, z in preferences]
    K = X @ X.T if kernel == "linear" else gaussian(X, X)
    np.testing.assert_allclose(model.predict(X), slow_predictions(edges, K, K, 0.3), rtol=1e-8, atol=1e-9)


def test_scores_are_preferences_with_their_differences(problem):
    X, y, qid = problem
    edges = [(i, j, y[i] - y[j]) for i in range(24) for j in range(24) if qid[i] == qid[j] and y[i] > y[j]]
    by_edges = RankRLS(kernel=gaussian).fit(X, preferences=edges, qid=qid)
    by_scores = RankRLS(kernel=gaussian, ties="exclude", normalize=None).fit(X, y, qid=qid)
    np.testing.assert_allclose(by_edges.predict(X), by_scores.predict(X), atol=1e-10)
    np.testing.assert_allclose(by_edges.leave_query_out(), by_scores.leave_query_out(), atol=1e-9)


@pytest.mark.parametrize(("cost", "ties"), [("magnitude", "auto"), ("magnitude", "exclude"), ("unit", "auto")])
def test_path_equals_training_for_each_regparam(problem, cost, ties):
    X, y, qid = problem
    for kernel in ("linear", gaussian):
        model = RankRLS(kernel=kernel, cost=cost, ties=ties).fit(X, y, qid=qid)
        for regparam, predictions in zip(REGPARAMS, model.predict_path(X, REGPARAMS)):
            again = RankRLS(regparam, kernel=kernel, cost=cost, ties=ties).fit(X, y, qid=qid)
            np.testing.assert_allclose(predictions, again.predict(X), atol=1e-9)


def training_again(model, X, y, qid, regparams):
    """Leave-query-out by its definition."""
    predictions = np.empty((len(regparams), *np.shape(y)))
    for k, regparam in enumerate(regparams):
        for q in np.unique(qid):
            out = qid == q
            again = type(model)(**{**model.get_params(), "regparam": regparam})
            predictions[k, out] = again.fit(X[~out], y[~out], qid=qid[~out]).predict(X[out])
    return predictions


@pytest.mark.parametrize("options", [{}, {"ties": "exclude"}, {"cost": "unit"}, {"cost": "relative"}])
@pytest.mark.parametrize("normalize", ["size", None])
@pytest.mark.parametrize(("kernel", "form"), [("linear", "primal"), ("linear", "dual"), (gaussian, "dual")])
@pytest.mark.parametrize("sparse", [False, True])
def test_leave_query_out_equals_training_again(problem, options, normalize, kernel, form, sparse):
    X, y, qid = problem
    X = sp.csr_array(np.where(np.abs(X) > 0.5, X, 0.0)) if sparse else X
    model = RankRLS(kernel=kernel, form=form, normalize=normalize, **options).fit(X, y, qid=qid)
    expected = training_again(model, X, y, qid, REGPARAMS)
    np.testing.assert_allclose(model.leave_query_out(REGPARAMS), expected, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(model.leave_query_out(), training_again(model, X, y, qid, [1.0])[0], atol=1e-8)


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_leave_query_out_with_a_query_of_most_of_the_data_and_singletons(form):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(60, 4)), rng.normal(size=60)
    X[10:20] = X[:10]  # a singular kernel matrix, besides its rank of 4
    qid = np.r_[np.zeros(50, int), [1, 1, 1, 2, 3, 4, 4, 5, 5, 5]]
    model = RankRLS(form=form).fit(X, y, qid=qid)
    expected = training_again(model, X, y, qid, REGPARAMS)
    np.testing.assert_allclose(model.leave_query_out(REGPARAMS), expected, rtol=1e-8, atol=1e-8)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.integers(1, 9), min_size=3, max_size=7),
    st.sampled_from([{}, {"ties": "exclude"}, {"cost": "unit"}]),
    st.sampled_from(["primal", "dual"]),
    st.integers(0, 2**31),
)
def test_leave_query_out_on_random_queries(sizes, options, form, seed):
    rng = np.random.default_rng(seed)
    qid = np.repeat(np.arange(len(sizes)), sizes)
    # Two examples of different score in two queries of their own: something is left whatever is left out.
    qid = np.r_[qid, [-1, -1, -2, -2]]
    X = rng.integers(-2, 3, (len(qid), 3)).astype(float)
    y = np.r_[rng.integers(0, 3, sum(sizes)), [0, 1, 0, 1]].astype(float)
    model = RankRLS(form=form, **options).fit(X, y, qid=qid)
    expected = training_again(model, X, y, qid, [0.5])[0]
    np.testing.assert_allclose(model.leave_query_out(0.5), expected, rtol=1e-8, atol=1e-8)


def test_several_outputs_are_several_problems(problem):
    X, y, qid = problem
    Y = np.column_stack((y, np.random.default_rng(2).normal(size=24)))
    for options in ({}, {"cost": "unit"}):
        for kernel in ("linear", gaussian):
            model = RankRLS(kernel=kernel, **options).fit(X, Y, qid=qid)
            singles = [RankRLS(kernel=kernel, **options).fit(X, t, qid=qid) for t in Y.T]
            np.testing.assert_allclose(model.predict(X), np.column_stack([s.predict(X) for s in singles]), atol=1e-10)
            np.testing.assert_allclose(
                model.leave_query_out(REGPARAMS),
                np.stack([s.leave_query_out(REGPARAMS) for s in singles], axis=2),
                atol=1e-8,
            )


def pairs_by_training_again(model, X, y, pairs):
    predictions = np.empty((len(pairs), 2, *y.shape[1:]))
    for k, pair in enumerate(pairs):
        rest = np.setdiff1d(np.arange(len(y)), pair)
        again = type(model)(**model.get_params()).fit(X[rest], y[rest])
        predictions[k] = again.predict(X[pair])
    return predictions


@pytest.mark.parametrize("normalize", ["size", "pairs", None])
@pytest.mark.parametrize("kernel", ["linear", gaussian])
def test_leave_pair_out_equals_training_again(normalize, kernel):
    rng = np.random.default_rng(11)
    X, y = rng.normal(size=(13, 3)), rng.normal(size=(13, 2))
    X[4:6] = X[:2]
    model = RankRLS(kernel=kernel, normalize=normalize).fit(X, y)
    pairs = np.column_stack(np.triu_indices(13, 1))
    for k, regparam in enumerate(REGPARAMS):
        again = RankRLS(regparam, kernel=kernel, normalize=normalize)
        expected = pairs_by_training_again(again, X, y, pairs)
        np.testing.assert_allclose(model.leave_pair_out(regparams=REGPARAMS)[k], expected, rtol=1e-8, atol=1e-8)
        chosen = model.leave_pair_out(pairs[[3, 50]], regparams=regparam)
        np.testing.assert_allclose(chosen, expected[[3, 50]], rtol=1e-8, atol=1e-8)
    single = RankRLS(kernel=kernel, normalize=normalize).fit(X, y[:, 0])
    assert single.leave_pair_out().shape == (78, 2)


def test_leave_pair_out_equals_the_papers_formula():
    """[Pahikkala2009, eq. 38], term by term, for the unnormalised cost."""
    rng = np.random.default_rng(0)
    m, regparam = 9, 0.8
    X, s = rng.normal(size=(m, 12)), rng.normal(size=m)
    K = X @ X.T
    Q = np.linalg.inv((m - 2) * np.eye(m) + regparam * np.linalg.inv(K))
    expected = []
    for h1, h2 in np.column_stack(np.triu_indices(m, 1)):
        B = np.zeros((m, 3))
        B[:, 0] = 1.0
        B[[h1, h2], 0] = 0.0
        B[h1, 1] = B[h2, 2] = np.sqrt(m - 2)
        L = (m - 2) * np.eye(m) - B @ B.T
        middle = np.linalg.inv(-np.eye(3) + B.T @ Q @ B)
        expected.append((Q @ L @ s - Q @ B @ middle @ B.T @ Q @ L @ s)[[h1, h2]])
    model = RankRLS(regparam, form="dual", normalize=None).fit(X, s)
    np.testing.assert_allclose(model.leave_pair_out(), expected, rtol=1e-8)


def test_bipartite_costs_agree(problem):
    X, y, qid = problem
    y = (y > 1).astype(float)
    predictions = [RankRLS(cost=c, ties="exclude").fit(X, y, qid=qid).predict(X) for c in ("unit", "relative")]
    np.testing.assert_allclose(predictions[0], predictions[1], atol=1e-10)
    magnitude = RankRLS(ties="exclude").fit(X, y, qid=qid)
    np.testing.assert_allclose(predictions[0], magnitude.predict(X), atol=1e-10)


def test_a_shift_of_a_querys_scores_changes_nothing(problem):
    X, y, qid = problem
    shifted = RankRLS().fit(X, y + 10.0 * qid, qid=qid)
    np.testing.assert_allclose(shifted.coef_, RankRLS().fit(X, y, qid=qid).coef_, atol=1e-10)


def test_limits_of_regparam(problem):
    X, y, qid = problem
    assert np.abs(RankRLS(1e12).fit(X, y, qid=qid).coef_).max() < 1e-9
    exact = X @ np.arange(5.0)
    np.testing.assert_allclose(RankRLS(1e-10).fit(X, exact, qid=qid).coef_, np.arange(5.0), atol=1e-7)


def test_precomputed_kernel_and_inputs_are_left_alone(problem):
    X, y, qid = problem
    K = gaussian(X, X)
    K_before, y_before = K.copy(), y.copy()
    model = RankRLS(kernel="precomputed").fit(K, y, qid=qid)
    np.testing.assert_allclose(model.predict(K), RankRLS(kernel=gaussian).fit(X, y, qid=qid).predict(X))
    model.leave_query_out(REGPARAMS)
    np.testing.assert_array_equal(K, K_before)
    np.testing.assert_array_equal(y, y_before)


def test_errors_say_what_is_wrong(problem):
    X, y, qid = problem
    with pytest.raises(LabelError, match="constant in every one of the 5 queries"):
        RankRLS().fit(X, qid.astype(float), qid=qid)
    with pytest.raises(LabelError, match="constant in the ranking"):
        RankRLS().fit(X, np.ones(24))
    with pytest.raises(RegParamError, match="regparam to be positive"):
        RankRLS(0.0).fit(X, y, qid=qid)
    with pytest.raises(QueryError, match=r"expected shape \(24,\), got \(23,\)"):
        RankRLS().fit(X, y, qid=qid[:-1])
    with pytest.raises(ValueError, match="NaN"):
        RankRLS().fit(np.where(X > 1.5, np.nan, X), y, qid=qid)
    with pytest.raises(ValueError, match="NaN"):
        RankRLS().fit(X, np.where(y > 2, np.nan, y), qid=qid)
    with pytest.raises(QueryError, match="at least two queries"):
        RankRLS().fit(X, y).leave_query_out()
    with pytest.raises(QueryError, match="for one global ranking"):
        RankRLS().fit(X, y, qid=qid).leave_pair_out()
    with pytest.raises(PreferenceError, match="expected scores and tied pairs"):
        RankRLS(cost="unit").fit(X, y).leave_pair_out()
    with pytest.raises(LearnerError, match="expected cost to be one of"):
        RankRLS(cost="hinge").fit(X, y)
    with pytest.raises(LearnerError, match="a tie has no direction"):
        RankRLS(cost="unit", ties="include").fit(X, y)


@pytest.mark.parametrize(
    ("preferences", "message"),
    [
        ([], "at least one edge"),
        ([(0, 1, 2, 3)], "rows"),
        ([(0, 24)], "numbered 0 to 23, but row 0"),
        ([(0, 1), (3, 3)], "two different examples"),
        ([(0, 1.5)], "two different examples"),
        ([(0, 1, -1.0)], "at least 0, but row 0"),
        ([(0, 1, np.nan)], "finite numbers"),
        ([(0, 1), (0, 2)], "stay within a query"),
    ],
)
def test_preference_errors(problem, preferences, message):
    X, _, _ = problem
    qid = np.r_[0, 0, np.ones(22)] if "within" in message else None
    with pytest.raises(PreferenceError, match=message):
        RankRLS().fit(X, preferences=preferences, qid=qid)


def test_preferences_and_scores_exclude_each_other(problem):
    X, y, _ = problem
    with pytest.raises(PreferenceError, match="either scores y or preferences"):
        RankRLS().fit(X, y, preferences=[(0, 1)])


@pytest.mark.parametrize("form", ["primal", "dual"])
@pytest.mark.parametrize("normalize", ["size", "pairs", None])
@pytest.mark.parametrize("gap", [1e-7, 1e-9, 1e-12])
def test_scores_too_close_for_the_relative_cost_count_as_ties_and_say_so(form, normalize, gap):
    rng = np.random.default_rng(0)
    X, qid = rng.normal(size=(30, 6)), np.arange(30) // 10
    tied = (np.arange(30) + rng.uniform(0, 0.3, size=30)) / 30
    tied[4] = tied[3]
    near = tied + gap * (np.arange(30) == 4)
    model = RankRLS(cost="relative", form=form, normalize=normalize)
    expected = model.fit(X, tied, qid=qid).coef_
    with pytest.warns(NearTieWarning, match="got 1 closer pairs, which count as ties"):
        np.testing.assert_allclose(model.fit(X, near, qid=qid).coef_, expected, rtol=1e-8 + 100 * gap)


@pytest.mark.parametrize(("form", "tolerance"), [("primal", 1e-8), ("dual", 1e-6)])
def test_relative_cost_is_accurate_down_to_its_least_difference(form, tolerance):
    rng = np.random.default_rng(0)
    X, qid = rng.normal(size=(30, 6)), np.arange(30) // 10
    y = (np.arange(30) + rng.uniform(0, 0.3, size=30)) / 30
    y[4] = y[3] + 2e-5 * (y[9] - y[0])
    pairs = [(i, j) for i in range(30) for j in range(30) if qid[i] == qid[j] and y[i] > y[j]]
    pairs.sort(key=lambda pair: y[pair[0]] - y[pair[1]])  # heavy rows first: QR of weighted rows is then stable
    A = np.array([(X[i] - X[j]) / (y[i] - y[j]) for i, j in pairs] + list(np.sqrt(10.0) * np.eye(6)))
    Q, R = np.linalg.qr(A)
    expected = np.linalg.solve(R, Q.T @ np.concatenate([np.ones(len(pairs)), np.zeros(6)]))
    coef = RankRLS(1.0, cost="relative", form=form).fit(X, y, qid=qid).coef_
    np.testing.assert_allclose(coef, expected, rtol=tolerance, atol=tolerance * np.abs(expected).max())


def test_preferences_too_close_for_the_relative_cost_are_left_out_and_counted():
    X = np.random.default_rng(1).normal(size=(8, 3))
    preferences = [(0, 1, 1.0), (2, 3, 0.5), (4, 5, 1e-9), (6, 7, 2.0)]
    model = RankRLS(cost="relative")
    expected = model.fit(X, preferences=preferences[:2] + preferences[3:]).coef_
    with pytest.warns(NearTieWarning, match="got 1 closer pairs"):
        np.testing.assert_allclose(model.fit(X, preferences=preferences).coef_, expected)


def test_leave_query_out_says_what_the_fit_was_missing():
    X = np.random.default_rng(2).normal(size=(6, 2))
    y, preferences = [0, 1, 2, 0, 1, 2], [(1, 0), (4, 3)]
    for options, message in (
        ({"y": y}, "got one global ranking; pass qid= to fit, or use leave_pair_out"),
        ({"y": y, "qid": [7] * 6}, "got 1, without which nothing is left to train on"),
        ({"preferences": preferences}, "got preferences without qid, .* pass qid= beside preferences="),
    ):
        model = RankRLS().fit(X, **options)
        with pytest.raises(QueryError, match=message):
            model.leave_query_out()
    with pytest.raises(PreferenceError, match="tied pairs included for leave_pair_out, got preferences:"):
        model.leave_pair_out()


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_parameters_set_after_fit_wait_for_the_next_fit(form):
    rng = np.random.default_rng(2)
    X, y, qid = rng.normal(size=(24, 3)), rng.normal(size=24), np.arange(24) // 4
    model = RankRLS(0.5, form=form).fit(X, y, qid=qid)
    before, predictions = model.leave_query_out(), model.predict(X)
    model.set_params(regparam=100.0)
    np.testing.assert_array_equal(model.leave_query_out(), before)
    np.testing.assert_array_equal(model.predict(X), predictions)
    assert model.regparam_ == 0.5
    model = RankRLS(0.5, form=form).fit(X, y)
    before = model.leave_pair_out()
    np.testing.assert_array_equal(model.set_params(regparam=3.0, normalize=None).leave_pair_out(), before)


@pytest.mark.parametrize("regparam", [1.0, 1e-4, 1e-8])
def test_dual_leave_query_out_of_a_singular_kernel_is_as_exact_as_promised(regparam):
    rng = np.random.default_rng(4)
    X, y, qid = rng.normal(size=(30, 3)), rng.normal(size=30), np.arange(30) // 5
    held_out = RankRLS(regparam, form="dual").fit(X, y, qid=qid).leave_query_out()
    refitted = np.empty(30)
    for query in range(6):
        rest = qid != query
        refitted[~rest] = RankRLS(regparam, form="primal").fit(X[rest], y[rest], qid=qid[rest]).predict(X[~rest])
    greatest = np.linalg.eigvalsh(X.T @ X)[-1]
    assert np.abs(held_out - refitted).max() <= 1e2 * np.finfo(float).eps * (1.0 + greatest / regparam)
