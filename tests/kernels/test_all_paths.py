"""The all-paths features against W = (I - A)^-1 - I and explicit loops over labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_twins import make_sentence, naive_features, rows_as_dicts, sentences
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from corpora import Document, Pair, Sentence
from kernels.all_paths import AllPathsFeatures
from kernels.candidates import candidate_graph, candidate_graphs
from kernels.errors import DivergenceError, GraphError, ParameterError, ShapeError

_WEIGHTS = {"in_path_weight": 0.5, "other_weight": 0.2, "linear_weight": 0.9}
_NAIVE = {"in_path": 0.5, "other": 0.2, "linear": 0.9}


def features_of(sentence, **options):
    graphs = candidate_graphs([Document("d", (sentence,))])
    features = AllPathsFeatures(**options)
    return graphs, features, features.fit_transform(graphs)


def assert_same(found, expected):
    assert {name for name, value in expected.items() if value > 1e-9} <= set(found)
    for name in set(found) | set(expected):
        assert found.get(name, 0.0) == pytest.approx(expected.get(name, 0.0), rel=1e-9, abs=1e-12)


def test_values_worked_by_hand():
    sentence = make_sentence(["A", "binds", "B"], [(1, 0, "s"), (1, 2, "o")], [[0], [2]], pos=["N", "V", "N"])
    _, features, X = features_of(sentence)
    (row,) = rows_as_dicts(features, X)
    assert row["text:binds@IP -> dependency:s@IP"] == pytest.approx(0.9)
    assert row["text:binds@IP -> role:PROT1@IP"] == pytest.approx(0.81)
    assert row["dependency:o@IP -> pos:N@IP"] == pytest.approx(0.9)
    assert row["role:PROT1@M -> role:PROT2@M"] == pytest.approx(0.81)
    assert row["pos:N@M -> pos:N@M"] == pytest.approx(0.81)
    assert "role:PROT1@IP -> text:binds@IP" not in row


def test_sum_adds_and_max_takes_the_largest():
    # x -> b twice: a walk along each of the parallel arcs.
    sentence = make_sentence(["A", "x", "b", "B"], [(1, 2, "d"), (1, 2, "d")], [[0], [3]])
    for variant, expected in (("sum", 2 * 0.3), ("max", 0.3)):
        _, features, X = features_of(sentence, variant=variant)
        (row,) = rows_as_dicts(features, X)
        assert row["text:x -> dependency:d"] == pytest.approx(expected)
        assert row["text:x -> text:b"] == pytest.approx(2 * 0.09)  # one pair of vertices, W sums its walks


@pytest.mark.parametrize("variant", ["max", "sum"])
@given(sentence=sentences())
def test_features_equal_the_definition(variant, sentence):
    graphs, features, X = features_of(sentence, variant=variant, on_divergence="scale", **_WEIGHTS)
    for graph, row in zip(graphs, rows_as_dicts(features, X)):
        expected = naive_features(sentence, graph.pair, variant=variant, scaled_radius=0.95, **_NAIVE)
        assert_same(row, expected)


@given(sentence=sentences())
def test_other_labels_and_the_floor_equal_the_definition(sentence):
    kinds = ("lemma", "dependency")
    graphs, features, X = features_of(
        sentence, labels=kinds, min_weight=0.1, on_divergence="scale", scaled_radius=0.5, **_WEIGHTS
    )
    for graph, row in zip(graphs, rows_as_dicts(features, X)):
        options = {**_NAIVE, "kinds": kinds, "scaled_radius": 0.5}
        whole = naive_features(sentence, graph.pair, **options)
        cut = naive_features(sentence, graph.pair, floor=0.1, **options)
        if all(abs(value - 0.1) > 1e-9 for value in whole.values()):  # rounding decides at the floor itself
            assert_same(row, cut)


@pytest.mark.parametrize("variant", ["max", "sum"])
def test_lll_equals_the_definition(lll, variant):
    features = AllPathsFeatures(variant=variant)
    X = features.fit_transform(lll)
    assert features.n_scaled_ == 0
    chosen = range(0, len(lll), 30)
    for i, row in zip(chosen, rows_as_dicts(features, X[list(chosen)])):
        graph = lll[i]
        parsed = Sentence(
            graph.sentence.id,
            graph.sentence.text,
            graph.sentence.entities,
            graph.sentence.pairs,
            (graph.sentence.parse("split_parse"),),
        )
        assert_same(row, naive_features(parsed, graph.pair, variant=variant))


def test_transform_of_the_training_graphs_equals_fit_transform(lll):
    features = AllPathsFeatures()
    X = features.fit_transform(lll)
    assert abs(X - features.transform(lll)).max() == 0
    assert abs(X - AllPathsFeatures().fit(lll).transform(lll)).max() == 0


def test_unknown_label_pairs_are_left_out(lll):
    features = AllPathsFeatures().fit(lll[:100])
    X = features.transform(lll)
    fresh = AllPathsFeatures()
    full = rows_as_dicts(fresh, fresh.fit_transform(lll))
    known = set(features.get_feature_names_out())
    for row, whole in list(zip(rows_as_dicts(features, X), full))[::25]:
        assert row == {name: value for name, value in whole.items() if name in known}


def test_order_of_graphs_does_not_change_their_rows(lll):
    features = AllPathsFeatures().fit(lll)
    order = np.random.default_rng(0).permutation(len(lll))
    shuffled = features.transform([lll[i] for i in order])
    assert abs(shuffled - features.transform(lll)[order]).max() == 0


@pytest.mark.parametrize("variant", ["max", "sum"])
def test_truncation_moves_kernel_values_within_the_bound(lll, variant):
    epsilon = 0.05
    features = AllPathsFeatures(variant=variant).fit(lll)
    cutting = AllPathsFeatures(variant=variant, min_weight=epsilon).restore(features.state())
    X, cut = features.transform(lll), cutting.transform(lll)
    assert cut.nnz < X.nnz
    difference = np.sqrt(np.asarray((X - cut).power(2).sum(axis=1))).ravel()
    if variant == "max":
        n_cut = np.diff(X.indptr) - np.diff(cut.indptr)
        assert (difference <= epsilon * np.sqrt(n_cut) + 1e-9).all()
    norms, cut_norms = (np.sqrt(np.asarray(M.power(2).sum(axis=1))).ravel() for M in (X, cut))
    moved = abs((X @ X.T - cut @ cut.T).toarray())
    bound = difference[:, None] * norms + cut_norms[:, None] * difference
    assert (moved <= bound + 1e-9).all()


def test_hashed_features_are_the_named_ones_in_stable_columns(lll):
    hashed = AllPathsFeatures(n_features=2**22)
    X = AllPathsFeatures().fit_transform(lll)
    H = hashed.transform(lll)  # nothing fitted
    assert H.shape == (330, 2**22)
    K, hashed_K = (X @ X.T).toarray(), (H @ H.T).toarray()
    assert np.abs(K - hashed_K).max() < 0.02 * K.max()
    assert abs(H - AllPathsFeatures(n_features=2**22).fit_transform(lll)).max() == 0


def test_hash_does_not_depend_on_the_process(binding):
    graph = candidate_graph(binding, binding.pairs[0])
    X = AllPathsFeatures(n_features=2**10).transform([graph])
    # As computed once, in another process; a change means that models on disk no longer fit.
    assert (X.nnz, X.indices[:4].tolist()) == (54, [6, 21, 31, 35])


def test_divergence_is_an_error_or_scaled_and_counted():
    # Two parallel arcs there and one back, all on the path: B = [[0, 1.62], [0.81, 0]].
    sentence = make_sentence(["A", "B"], [(0, 1, "x"), (0, 1, "y"), (1, 0, "z")], [[0], [1]])
    with pytest.raises(DivergenceError, match=r"spectral radius below 1, got 1\.07029"):
        features_of(sentence)
    _, features, X = features_of(sentence, on_divergence="scale")
    assert features.n_scaled_ == 1
    assert np.isfinite(X.data).all()
    assert_same(rows_as_dicts(features, X)[0], naive_features(sentence, sentence.pairs[0], scaled_radius=0.95))


@pytest.mark.parametrize("weight", [1.0, 1.0 - 1e-13, 1.0 - 1e-11, 1.0 - 1e-9])
def test_a_radius_of_almost_1_is_decided_once_for_features_and_attribution(weight):
    sentence = make_sentence(["A", "B"], [(0, 1, "x"), (1, 0, "y")], [[0], [1]])
    graphs, features, X = features_of(sentence, in_path_weight=weight, on_divergence="scale")
    assert np.isfinite(X.data).all()
    w = np.ones(X.shape[1])
    total = sum(one.value for one in features.attribute(graphs[0], w))
    assert total == pytest.approx((X @ w)[0], rel=1e-9)


def test_a_graph_that_diverges_does_not_disturb_the_others(lll, binding):
    sentence = make_sentence(["A", "B"], [(0, 1, "x"), (0, 1, "y"), (1, 0, "z")], [[0], [1]])
    bad = candidate_graph(sentence, sentence.pairs[0])
    features = AllPathsFeatures(on_divergence="scale").fit([*lll[:50], bad, *lll[50:100]])
    X = features.transform([*lll[:50], bad, *lll[50:100]])
    assert features.n_scaled_ == 1
    alone = features.transform(lll[:100])
    assert abs(X[np.r_[0:50, 51:101]] - alone).max() == 0


def test_bad_cases_give_finite_rows():
    empty = Sentence("s", "")
    assert candidate_graphs([Document("d", (empty,))]) == []
    no_words = make_sentence(["x", "y"], (), [[(1, 2)], [(1, 2)]], parser=None)  # both entities are the space
    same = make_sentence(["x"], (), [[0], [0]])
    spaces = Sentence("s", "  ", same.entities[:0])
    for sentence in (no_words, same):
        _, _, X = features_of(sentence)
        assert np.isfinite(X.data).all()
    assert features_of(same)[2].nnz == 0  # one token: no edge, no feature
    assert candidate_graphs([Document("d", (spaces,))]) == []


def test_sentence_without_a_parse_has_linear_features_only():
    sentence = make_sentence(["x", "y", "z"], (), [[0], [2]], parser=None)
    _, features, X = features_of(sentence)
    names = rows_as_dicts(features, X)[0]
    assert "role:PROT1@M -> role:PROT2@M" in names
    assert all("@M" in name for name in names)


def test_marks_can_be_left_out(binding):
    _, features, _ = features_of(binding, mark_path=False, mark_place=False)
    names = " ".join(features.get_feature_names_out())
    assert "@IP" not in names
    assert "@M" not in names
    assert "text:binds@L -> role:PROT2@L" in names  # the two subgraphs stay apart


def test_part_of_speech_of_entities_can_be_blinded(binding):
    _, features, _ = features_of(binding, blind_pos=True)
    assert not any("pos:NN" in name for name in features.get_feature_names_out())
    _, features, _ = features_of(binding)
    assert any("pos:NN" in name for name in features.get_feature_names_out())


@given(st.sampled_from(["in_path_weight", "other_weight", "linear_weight", "min_weight"]))
def test_weights_have_to_be_from_0_to_1(name):
    for value in (float("nan"), float("inf"), -0.1, 1.1, "0.9"):
        with pytest.raises(ParameterError, match=f"expected {name} to be a finite number"):
            AllPathsFeatures(**{name: value}).fit([])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "mean"}, "expected variant to be one of"),
        ({"on_divergence": "ignore"}, "expected on_divergence to be one of"),
        ({"labels": "text"}, "expected labels to be a sequence"),
        ({"labels": ("shape",)}, "expected labels to be a sequence"),
        ({"n_features": 1000}, "power of 2"),
        ({"scaled_radius": 1.0}, "expected scaled_radius between 0 and 1"),
    ],
)
def test_bad_parameters_are_errors(options, message):
    with pytest.raises(ParameterError, match=message):
        AllPathsFeatures(**options).fit([])


def test_overflow_is_an_error():
    # 1,100 words in a chain of two parallel arcs each: 2^1099 walks of weight 1.
    n = 1100
    arcs = [(t, t + 1, "d") for t in range(n - 1) for _ in range(2)]
    sentence = make_sentence(["x"] * n, arcs, [[0], [n - 1]])
    with pytest.raises(ParameterError, match=r"overflow with in_path_weight=1\.0"):
        features_of(sentence, in_path_weight=1.0)


def test_not_fitted_and_wrong_objects_are_errors(binding):
    with pytest.raises(NotFittedError):
        AllPathsFeatures().transform([])
    with pytest.raises(GraphError, match="got Sentence at place 0"):
        AllPathsFeatures().fit([binding])
    with pytest.raises(ParameterError, match="columns have no names"):
        AllPathsFeatures(n_features=64).get_feature_names_out()


def test_no_graphs_give_no_rows():
    assert AllPathsFeatures().fit_transform([]).shape == (0, 0)
    assert AllPathsFeatures(n_features=64).transform([]).shape == (0, 64)


def test_scikit_learn_contract(lll):
    features = AllPathsFeatures(variant="sum", labels=("lemma",), n_features=2**12)
    copy = clone(features)
    assert copy.get_params() == features.get_params()
    y = np.array([1.0 if graph.label else -1.0 for graph in lll])
    model = make_pipeline(AllPathsFeatures(), Ridge()).fit(lll, y)
    assert model.score(lll, y) > 0.5
    assert model.set_params(allpathsfeatures__variant="sum").fit(lll[:60], y[:60]).predict(lll).shape == (330,)


def test_state_restores_the_vocabulary(lll):
    features = AllPathsFeatures().fit(lll[:40])
    again = AllPathsFeatures().restore(features.state())
    assert abs(features.transform(lll) - again.transform(lll)).max() == 0
    assert again.feature_labels(7) == features.feature_labels(7)
    with pytest.raises(ShapeError, match="label numbers below"):
        AllPathsFeatures().restore({"bases": features.state()["bases"][:3], "keys": features.state()["keys"]})


def test_fitting_again_forgets(lll):
    features = AllPathsFeatures().fit(lll)
    assert features.fit(lll[:3]).n_features_ < AllPathsFeatures().fit(lll).n_features_


def test_pair_order_does_not_change_the_features(binding):
    graphs = [candidate_graph(binding, pair) for pair in (binding.pairs[0], Pair("x", "e1", "e0"))]
    X = AllPathsFeatures().fit_transform(graphs)
    assert abs(X[0] - X[1]).max() == 0
