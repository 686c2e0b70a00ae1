"""Cohen's kappa by hand, against its definition and scikit-learn; agreement of curators and of files."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import ids, judgement
from sklearn.metrics import cohen_kappa_score

from ppi.server.curation.consensus import agreements, agreements_of_files, cohen_kappa, fold_judgements


def kappa_by_definition(said):
    """The chance that two rows drawn apart, one for each curator, get the same verdict: every two rows counted."""
    count = len(said)
    observed = sum(one == other for one, other in said) / count
    by_chance = sum(one == other for one, _ in said for _, other in said) / count**2
    return (observed - by_chance) / (1 - by_chance)


def test_cohens_example():
    # two psychologists, three diagnoses, 200 patients: Cohen (1960), table 1, as shares of 0.44, 0.05 ...; kappa .492
    table = {
        ("1", "1"): 88, ("2", "1"): 10, ("3", "1"): 2,
        ("1", "2"): 14, ("2", "2"): 40, ("3", "2"): 6,
        ("1", "3"): 18, ("2", "3"): 10, ("3", "3"): 12,
    }  # fmt: skip
    said = [pair for pair, count in table.items() for _ in range(count)]
    # observed (88 + 40 + 12) / 200 = 0.70; by chance (120 * 100 + 60 * 60 + 20 * 40) / 200^2 = 0.41
    assert cohen_kappa(said) == pytest.approx((0.70 - 0.41) / (1 - 0.41))
    assert round(cohen_kappa(said), 3) == 0.492


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40))
def test_equals_the_definition(said):
    found = cohen_kappa(said)
    if found is None:
        assert len({what for both in said for what in both}) == 1
    else:
        assert found == pytest.approx(kappa_by_definition(said), abs=1e-12)
        theirs = cohen_kappa_score(*zip(*said, strict=True))
        assert math.isnan(theirs) or found == pytest.approx(theirs, abs=1e-12)


def test_where_it_is_not_defined():
    assert cohen_kappa([]) is None
    assert cohen_kappa([("right", "right")] * 5) is None
    assert cohen_kappa([("right", "wrong")] * 5) == 0.0


def two_curators():
    """Ada and Bob on four rows in common; Bob has another one."""
    ada = [judgement(verdict, of=of) for of, verdict in enumerate(["right", "right", "wrong", "wrong"])]
    bob = [
        judgement(verdict, of=of, curator="Bob", seconds=1)
        for of, verdict in enumerate(["right", "wrong direction", "wrong", "right", "wrong"])
    ]
    return ada, bob


def test_agreement_of_two_curators_by_hand():
    ada, bob = two_curators()
    (found,) = agreements(fold_judgements(ids([*ada, *bob])))
    assert (found.first, found.second, found.rows, found.same) == ("Ada", "Bob", 4, 0.5)
    # verdicts: by chance (2 * 2 + 2 * 1) / 16 = 6/16, observed 8/16
    assert found.kappa == pytest.approx((8 - 6) / (16 - 6))
    # interacts: Ada yes yes no no, Bob yes yes no yes: observed 12/16, by chance (2 * 3 + 2 * 1) / 16
    assert found.kappa_interacts == pytest.approx((12 - 8) / (16 - 8))
    assert found.verdicts == {
        ("right", "right"): 1, ("right", "wrong direction"): 1, ("wrong", "wrong"): 1, ("wrong", "right"): 1,
    }  # fmt: skip
    assert found.to_json()["verdicts"][0] == {"first": "right", "second": "right", "rows": 1}


def test_files_agree_whoever_wrote_them():
    ada, bob = two_curators()
    # both call themselves the same
    again = [judgement(each.verdict, of=of) for of, each in enumerate(bob)]
    (found,) = agreements_of_files({"a.jsonl": fold_judgements(ids(ada)), "b.jsonl": fold_judgements(ids(again))})
    assert (found.first, found.second, found.rows, found.kappa) == ("a.jsonl", "b.jsonl", 4, pytest.approx(0.2))


def test_curators_without_a_common_row():
    (found,) = agreements(fold_judgements(ids([judgement(of=0), judgement(of=1, curator="Bob")])))
    assert (found.rows, found.same, found.kappa, found.kappa_interacts) == (0, None, None, None)
    assert agreements(fold_judgements(ids([judgement()]))) == []
