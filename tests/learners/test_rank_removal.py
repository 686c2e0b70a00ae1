"""Hold-outs of single examples and of any sets of them by RankRLS, against training again without them."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import rbf_kernel

from learners.errors import GroupError, PreferenceError
from learners.metrics.ranking import disagreement_error
from learners.rank_rls import RankRLS
from learners.rank_rls_cv import RankRLSCV

REGPARAMS = [0.02, 1.0, 30.0]


@pytest.fixture
def problem():
    """Queries of very different sizes, one of them a single example, in no order."""
    rng = np.random.default_rng(7)
    qid = np.repeat([3, 1, 2, 9, 5], [6, 1, 5, 2, 8])
    order = rng.permutation(len(qid))
    return rng.normal(size=(22, 5))[order], rng.integers(0, 4, 22).astype(float), qid[order]


def training_again(X, y, qid, held, regparam, **options):
    """Predictions of the examples ``held`` by a model that never saw them."""
    rest = np.setdiff1d(np.arange(len(y)), held)
    model = RankRLS(regparam, **options)
    return model.fit(X[rest], y[rest], qid=None if qid is None else qid[rest]).predict(X[held])


@pytest.mark.parametrize("by_query", [True, False])
@pytest.mark.parametrize("normalize", ["size", "pairs", None])
@pytest.mark.parametrize("form", ["primal", "dual"])
def test_leave_one_out_equals_training_again(problem, form, normalize, by_query):
    X, y, qid = problem
    qid, options = qid if by_query else None, {"form": form, "normalize": normalize}
    found = RankRLS(**options).fit(X, y, qid=qid).leave_one_out(REGPARAMS)
    for predictions, regparam in zip(found, REGPARAMS):
        again = [training_again(X, y, qid, [i], regparam, **options)[0] for i in range(len(y))]
        np.testing.assert_allclose(predictions, again, atol=1e-8)


HELD = [[0], [4, 9], [1, 2, 3, 5, 8, 13, 21], list(range(3, 20))]


@pytest.mark.parametrize("by_query", [True, False])
@pytest.mark.parametrize("normalize", ["size", "pairs", None])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_any_sets_equal_training_again(problem, kernel, normalize, by_query):
    X, y, qid = problem
    whole = [np.flatnonzero(qid == 3), np.flatnonzero(np.isin(qid, [1, 5])), np.r_[np.flatnonzero(qid == 9), 0, 1]]
    holdouts = [np.unique(held) for held in (*HELD, *whole)]
    qid, options = qid if by_query else None, {"kernel": kernel, "normalize": normalize}
    found = RankRLS(**options).fit(X, y, qid=qid).hold_out(holdouts, REGPARAMS)
    for held, predictions in zip(holdouts, found):
        for part, regparam in zip(predictions, REGPARAMS):
            np.testing.assert_allclose(part, training_again(X, y, qid, held, regparam, **options), atol=1e-8)


@pytest.mark.parametrize("normalize", ["size", None])
def test_one_regparam_is_read_off_the_inverse(problem, normalize):
    X, y, qid = problem
    model = RankRLS(0.3, kernel="rbf", normalize=normalize).fit(X, y, qid=qid)
    single, sets = model.leave_one_out(), model.hold_out(HELD)
    (system,) = model.decomposition_.systems
    assert "spectrum" not in system.__dict__
    path = [0.3, 1.0, 2.0, 3.0]  # too many to invert for
    np.testing.assert_allclose(single, model.leave_one_out(path)[0], atol=1e-10)
    for part, parts in zip(sets, model.hold_out(HELD, path)):
        np.testing.assert_allclose(part, parts[0], atol=1e-10)


def test_whole_queries_are_leave_query_out(problem):
    X, y, qid = problem
    for kernel in ("linear", "rbf"):
        model = RankRLS(kernel=kernel).fit(X, y, qid=qid)
        np.testing.assert_allclose(model.leave_group_out(qid), model.leave_query_out(), atol=1e-9)


def test_two_examples_of_one_ranking_are_leave_pair_out(problem):
    X, y, _ = problem
    model = RankRLS(kernel="rbf", normalize="pairs").fit(X, y)
    pairs = [[0, 1], [3, 17]]
    np.testing.assert_allclose(np.stack(model.hold_out(pairs)), model.leave_pair_out(pairs), atol=1e-10)


def test_several_outputs_and_sparse_features(problem):
    X, y, qid = problem
    X = np.where(np.abs(X) > 0.5, X, 0.0)
    Y = np.column_stack([y, X[:, 0] + 0.1 * y])
    for normalize in ("size", "pairs"):
        both = RankRLS(normalize=normalize).fit(sp.csr_array(X), Y, qid=qid)
        single, sets = both.leave_one_out(REGPARAMS), both.hold_out(HELD, REGPARAMS)
        for output in range(2):
            alone = RankRLS(normalize=normalize).fit(X, Y[:, output], qid=qid)
            np.testing.assert_allclose(single[:, :, output], alone.leave_one_out(REGPARAMS), atol=1e-9)
            for part, parts in zip(alone.hold_out(HELD, REGPARAMS), sets):
                np.testing.assert_allclose(parts[:, :, output], part, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_on_random_queries(data):
    m = data.draw(st.integers(5, 14))
    qid = np.array(data.draw(st.lists(st.integers(0, 3), min_size=m, max_size=m)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    X, y = rng.normal(size=(m, 3)), rng.normal(size=m)
    held = np.unique(data.draw(st.lists(st.integers(0, m - 1), min_size=1, max_size=m - 1)))
    rest = np.setdiff1d(np.arange(m), held)
    if len(rest) < 2 or np.unique(qid[rest], return_counts=True)[1].max() < 2:
        return  # nothing to train on
    options = {
        "form": data.draw(st.sampled_from(["primal", "dual"])),
        "normalize": data.draw(st.sampled_from(["size", "pairs", None])),
    }
    (found,) = RankRLS(0.5, **options).fit(X, y, qid=qid).hold_out([held])
    np.testing.assert_allclose(found, training_again(X, y, qid, held, 0.5, **options), atol=1e-8)


def test_a_single_example_of_a_query_had_no_part_in_the_training(problem):
    X, y, qid = problem
    (alone,) = np.flatnonzero(qid == 1)
    model = RankRLS(kernel="rbf").fit(X, y, qid=qid)
    assert model.leave_one_out()[alone] == pytest.approx(model.predict(X)[alone])


@pytest.mark.parametrize("options", [{"cost": "unit"}, {"cost": "relative"}, {"ties": "exclude"}])
def test_pairs_that_depend_on_the_scores_are_refused(problem, options):
    X, y, qid = problem
    model = RankRLS(**options).fit(X, y, qid=qid)
    for ask in (model.leave_one_out, lambda: model.hold_out([[0]]), lambda: model.leave_group_out(qid)):
        with pytest.raises(PreferenceError, match="expected scores and tied pairs included to hold out single"):
            ask()
    with pytest.raises(PreferenceError, match="got preferences"):
        RankRLS().fit(X, preferences=[(0, 1)]).leave_one_out()
    with pytest.raises(GroupError, match="to leave examples to train on"):
        RankRLS().fit(X, y, qid=qid).hold_out([np.arange(22)])


@pytest.mark.parametrize("how", ["one", "group"])
def test_regparam_by_held_out_examples_equals_refitting(problem, how):
    X, y, qid = problem
    groups = np.arange(22) % 4
    held = [[i] for i in range(22)] if how == "one" else [np.flatnonzero(groups == g) for g in range(4)]
    errors = []
    for regparam in REGPARAMS:
        predictions = np.empty(22)
        for part in held:
            predictions[part] = training_again(X, y, qid, part, regparam)
        errors.append(disagreement_error(y, predictions, qid=qid))
    model = RankRLSCV(REGPARAMS, leave_out=how).fit(X, y, qid=qid, groups=groups if how == "group" else None)
    np.testing.assert_allclose(model.cv_results_["error"], errors, atol=1e-12)
    assert model.regparam_ == max(r for r, e in zip(REGPARAMS, errors) if e == min(errors))
    with pytest.raises(GroupError, match="expected groups with leave_out='group' and only there"):
        RankRLSCV(leave_out=how).fit(X, y, qid=qid, groups=groups if how == "one" else None)


def test_a_precomputed_kernel(problem):
    X, y, qid = problem
    K = rbf_kernel(X)
    by_matrix = RankRLS(kernel="precomputed").fit(K, y, qid=qid).leave_one_out()
    np.testing.assert_allclose(by_matrix, RankRLS(kernel=rbf_kernel).fit(X, y, qid=qid).leave_one_out(), atol=1e-12)
