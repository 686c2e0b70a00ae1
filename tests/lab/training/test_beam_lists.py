"""Beams of treebank sentences: what is counted, what is kept, and what is refused."""

import numpy as np
import pytest
from lab.training.parse_rankers.beam_learning import LEARNERS, ListRows, log_linear_objective
from lab.training.parse_rankers.beam_lists import (
    BeamList,
    Job,
    from_arrays,
    listed,
    make_lists,
    read_lists,
    right_arcs,
    to_arrays,
)
from lab.training.pipeline.treebank import Tree

from ppi.core import UsageError
from ppi.language import MODEL_DIRECTORY, BeamFeatures, BeamTrees, load_shipped_pipeline

NAMES = ("ROOT", "nsubj", "dobj", "punct")
GOLD = Tree(
    words=("Ras", "binds", "Raf", "."),
    spaces=(True, True, False, False),
    tags=("NN", "VBZ", "NN", "."),
    lemmas=(None,) * 4,
    heads=(1, -1, 1, 1),
    labels=("nsubj", "ROOT", "dobj", "punct"),
    document="d",
)


def beam(*trees, costs=None):
    """Trees as (heads, labels)."""
    heads, labels = (np.array([tree[part] for tree in trees], np.int16) for part in (0, 1))
    costs = np.arange(len(trees), dtype=float) if costs is None else np.array(costs)
    return BeamTrees(GOLD.words, GOLD.tags, heads, labels, costs, NAMES)


RIGHT, LABEL_OFF = ([1, -1, 1, 1], [1, 0, 2, 3]), ([1, -1, 1, 1], [1, 0, 1, 3])
HEAD_OFF, DOT_OFF = ([1, -1, 0, 1], [1, 0, 2, 3]), ([1, -1, 1, 2], [1, 0, 2, 3])


def test_right_arcs_by_hand():
    counted = np.array([label != "punct" for label in GOLD.labels])
    assert right_arcs(beam(RIGHT, LABEL_OFF, HEAD_OFF, DOT_OFF), GOLD, counted).tolist() == [3, 2, 2, 3]


def test_arrays_keep_all(tmp_path):
    lists = [
        BeamList(beam(RIGHT, HEAD_OFF), np.array([3, 2], np.int16), 3, "a"),
        BeamList(beam(LABEL_OFF), np.array([2], np.int16), 3, "b"),
    ]
    np.savez(tmp_path / "x.npz", **to_arrays(lists))
    with np.load(tmp_path / "x.npz", allow_pickle=False) as arrays:
        found = from_arrays(arrays)
    for one, other in zip(lists, found, strict=True):
        assert (one.total, one.document) == (other.total, other.document)
        assert (one.trees.words, one.trees.tags) == (other.trees.words, other.trees.tags)
        for name in ("heads", "labels", "costs"):
            np.testing.assert_array_equal(getattr(one.trees, name), getattr(other.trees, name))
        np.testing.assert_array_equal(one.right, other.right)


def test_making_lists_goes_on_where_it_was_stopped_and_refuses_those_of_others(tmp_path, monkeypatch):
    said = []
    jobs = [Job("some", MODEL_DIRECTORY, [(GOLD, "d")] * 3)]
    make_lists(jobs, tmp_path, width=4, max_trees=4, report=said.append)
    assert said == ["some-000.npz: 3 sentences"]
    make_lists(jobs, tmp_path, width=4, max_trees=4, report=said.append)
    assert len(said) == 1
    assert len(read_lists(tmp_path, ["some"])) == 3
    other = tmp_path / "other"
    other.mkdir()
    (other / "meta.json").write_text("{}")
    with pytest.raises(UsageError, match=r"expected candidate lists of the same pipelines.*different: jobs"):
        make_lists([Job("some", other, [(GOLD, "d")] * 3)], tmp_path, width=4, max_trees=4, report=said.append)
    with pytest.raises(UsageError, match="different: width"):
        make_lists(jobs, tmp_path, width=8, max_trees=4, report=said.append)


def test_lists_of_treebank_sentences():
    (found,) = listed(load_shipped_pipeline(), [(GOLD, "d")], width=8, max_trees=8)
    assert (found.total, found.document) == (3, "d")
    assert found.right[0] == 3


@pytest.fixture
def rows():
    lists = [
        BeamList(beam(HEAD_OFF, RIGHT, LABEL_OFF), np.array([2, 3, 2], np.int16), 3, "a"),
        BeamList(beam(RIGHT, HEAD_OFF, costs=[2.0, 1.0]), np.array([3, 2], np.int16), 3, "b"),
        BeamList(beam(DOT_OFF, RIGHT), np.array([3, 3], np.int16), 3, "b"),
    ]
    return ListRows.of(lists, BeamFeatures(n_features=2**10))


def test_figures_by_hand(rows):
    scores = np.array([0.0, 1.0, 2.0, 0.0, 1.0, 0.0, 0.0])
    found = rows.figures(scores)
    assert (found["sentences"], found["trees"]) == (3, 7)
    assert found["first"] == pytest.approx(8 / 9)
    assert found["most_probable"] == pytest.approx((2 + 2 + 3) / 9)
    assert found["reranked"] == pytest.approx((2 + 2 + 3) / 9)
    assert found["oracle"] == 1.0
    assert found["share_of_the_way"] == pytest.approx(-1.0)
    # of the first sentence one of two pairs is right, of the second none; the third has no order
    assert found["error"] == pytest.approx((0.5 + 1.0) / 2)
    assert found["error_own"] == pytest.approx((0.5 + 1.0) / 2)


def test_the_gradient_of_the_log_linear_model_equals_differences(rows):
    objective = log_linear_objective(rows, 0.5)
    weights = np.random.default_rng(0).normal(size=rows.X.shape[1]) / 10
    _, gradient = objective(weights)
    step = 1e-6
    for column in np.flatnonzero(np.abs(gradient) > 0.2)[:5]:
        moved = weights.copy()
        moved[column] += step
        assert (objective(moved)[0] - objective(weights)[0]) / step == pytest.approx(gradient[column], abs=1e-3)


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_puts_the_right_trees_first(rows, learner):
    regparam = {"rank-svm": 1e-3}.get(learner, 0.01)
    learned = LEARNERS[learner](rows, rows, regparam)
    assert rows.attachment(rows.X @ learned.weights) == 1.0
    assert learned.choices["regparam"] == regparam
