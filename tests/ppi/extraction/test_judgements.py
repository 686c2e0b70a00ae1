"""What judgements teach, and several of them of one pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import TYPES
from ppi.core import UsageError
from ppi.extraction.judgements import (
    CONFLICTS,
    VERDICTS,
    PairJudgement,
    build_targets,
    count_verdicts,
    merge_judgements,
)
from ppi.extraction.outputs import OUTPUTS


@pytest.mark.parametrize(
    ("label", "claim", "taught"),
    [
        ("right", {"type": "binding"}, {"interaction": 1, "binding": 1}),
        ("right", {"type": "regulation", "first_acts": True}, {"interaction": 1, "regulation": 1, "direction": 1}),
        (
            "right",
            {"type": "modification", "first_acts": False},
            {"interaction": 1, "modification": 1, "direction": -1},
        ),
        (True, {}, {"interaction": 1}),
        ("wrong", {"type": "regulation", "first_acts": True}, {"interaction": -1, "regulation": -1}),
        (False, {}, {"interaction": -1}),
        ("wrong type: binding", {"type": "regulation"}, {"interaction": 1, "regulation": -1, "binding": 1}),
        ("wrong type", {"type": "regulation", "first_acts": True}, {"interaction": 1, "regulation": -1}),
        (
            "wrong direction",
            {"type": "regulation", "first_acts": True},
            {"interaction": 1, "regulation": 1, "direction": -1},
        ),
        ("not a protein", {"type": "binding"}, {}),
    ],
)
def test_what_each_verdict_teaches(label, claim, taught):
    assert PairJudgement.from_label(label, **claim).targets() == taught


def test_targets_are_missing_where_nothing_is_taught():
    targets = build_targets([PairJudgement("wrong", "binding"), PairJudgement("not a protein")], OUTPUTS)
    assert targets[0, :2].tolist() == [-1, -1]
    assert np.isnan(targets[0, 2:]).all()
    assert np.isnan(targets[1]).all()
    assert build_targets([], OUTPUTS).shape == (0, len(OUTPUTS))


@given(st.sampled_from(VERDICTS), st.sampled_from(TYPES), st.booleans())
def test_a_verdict_never_speaks_of_a_type_that_was_not_claimed(verdict, kind, first_acts):
    taught = PairJudgement(verdict, kind, first_acts).targets()
    assert set(taught) <= {"interaction", kind, "direction"}
    assert set(taught.values()) <= {1.0, -1.0}


def test_most_judgements_of_a_pair_win_and_a_tie_teaches_nothing():
    targets = np.array([[1.0, 1.0], [-1.0, np.nan], [1.0, np.nan], [1.0, -1.0], [-1.0, -1.0]])
    found = merge_judgements(["a", "a", "a", "b", "b"], targets)
    assert found.first_rows.tolist() == [0, 3]
    np.testing.assert_array_equal(found.targets, [[1.0, 1.0], [np.nan, -1.0]])
    assert found.disagreeing == 2


def test_judgements_that_disagree_can_be_refused():
    agreeing = merge_judgements(["a", "a"], np.array([[1.0], [1.0]]), conflicts="refuse")
    assert (agreeing.targets.tolist(), agreeing.disagreeing) == ([[1.0]], 0)
    with pytest.raises(UsageError, match="got different ones of pair 'a'; settle it"):
        merge_judgements(["a", "a"], np.array([[1.0], [-1.0]]), conflicts="refuse")
    with pytest.raises(UsageError, match=f"one of {list(CONFLICTS)}".replace("[", r"\[")):
        merge_judgements(["a"], np.array([[1.0]]), conflicts="first")


def test_verdicts_are_counted():
    assert count_verdicts([PairJudgement("wrong"), PairJudgement("right"), PairJudgement("wrong")]) == {
        "right": 1,
        "wrong": 2,
    }


@pytest.mark.parametrize(
    ("label", "claim", "text"),
    [
        ("maybe", {}, "expected a verdict, one of"),
        (3, {}, "expected a judgement, True, False or one of"),
        ("wrong type: love", {"type": "binding"}, "expected a type, one of"),
        ("wrong type: binding", {"type": "binding"}, "expected another type with 'wrong type'"),
        ("right: binding", {"type": "regulation"}, "only there, got 'binding' with 'right'"),
        ("wrong type: binding", {}, "expected a claim with a type"),
        ("wrong direction", {"type": "binding"}, "expected a claim with a direction"),
    ],
)
def test_judgements_that_make_no_sense_are_refused(label, claim, text):
    with pytest.raises(UsageError, match=text):
        PairJudgement.from_label(label, **claim)
