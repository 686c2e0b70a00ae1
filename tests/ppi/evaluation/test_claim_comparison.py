"""Two predictions against one gold: differences by hand, the permutation test beside every way to exchange them."""

import json
from itertools import product

import numpy as np
import pytest

from ppi.core import ReportError
from ppi.evaluation.scoring.claim_statistics import compare_scores, read_scored


def result(counts, *, level="mentions", spans="exact", gold="gold"):
    score = {
        "level": level,
        "types": False,
        "direction": False,
        "documents": {f"d{n}": c for n, c in enumerate(counts)},
    }
    return {"gold": gold, "predicted": "p", "spans": spans, "scores": [score]}


GOOD = [[2, 2, 2], [1, 1, 1], [3, 3, 2], [0, 1, 0], [2, 2, 1], [1, 1, 1]]
BAD = [[2, 2, 1], [1, 2, 1], [3, 3, 1], [0, 0, 0], [2, 3, 1], [1, 0, 0]]


def f_of(counts):
    gold, predicted, right = np.sum(counts, axis=0)
    return 2 * right / (gold + predicted)


def test_differences_by_hand():
    found = {row.measure: row for row in compare_scores(result(GOOD), result(BAD))}
    assert list(found) == ["precision", "recall", "f"]
    assert (found["precision"].first, found["precision"].second) == (7 / 10, 4 / 10)
    assert (found["recall"].first, found["recall"].second) == (7 / 9, 4 / 9)
    assert found["f"].difference == pytest.approx(14 / 19 - 8 / 19)
    assert found["f"].documents == 6
    assert found["f"].low <= found["f"].difference <= found["f"].high


def test_the_permutation_test_is_that_of_every_way_to_exchange_documents():
    observed = abs(f_of(GOOD) - f_of(BAD))
    ways = []
    for exchanged in product([False, True], repeat=len(GOOD)):
        one = [b if swap else a for a, b, swap in zip(GOOD, BAD, exchanged, strict=True)]
        other = [a if swap else b for a, b, swap in zip(GOOD, BAD, exchanged, strict=True)]
        ways.append(abs(f_of(one) - f_of(other)) >= observed - 1e-12)
    row = compare_scores(result(GOOD), result(BAD), n_resamples=20_000)[2]
    assert row.p_permutation == pytest.approx(np.mean(ways), abs=0.015)


def test_the_interval_draws_the_same_documents_for_both():
    row = compare_scores(result(GOOD), result(GOOD))[2]
    assert (row.difference, row.low, row.high, row.p_permutation) == (0.0, 0.0, 0.0, 1.0)


def test_turned_around_the_difference_has_the_other_sign():
    for one, other in zip(
        compare_scores(result(GOOD), result(BAD)), compare_scores(result(BAD), result(GOOD)), strict=True
    ):
        assert other.difference == -one.difference
        assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
        assert other.p_permutation == pytest.approx(one.p_permutation)


def test_comparisons_are_repeatable():
    assert compare_scores(result(GOOD), result(BAD)) == compare_scores(result(GOOD), result(BAD))
    assert compare_scores(result(GOOD), result(BAD), random_state=1) != compare_scores(result(GOOD), result(BAD))


def test_other_gold_levels_or_spans_are_refused():
    with pytest.raises(ReportError, match="expected two scores against the same gold"):
        compare_scores(result(GOOD), result([[5, 2, 1], *BAD[1:]]))
    with pytest.raises(ReportError, match="expected two scores against the same gold"):
        compare_scores(result(GOOD), result([*BAD, [1, 1, 1]]))
    with pytest.raises(ReportError, match="a line in common, got mentions and identifiers"):
        compare_scores(result(GOOD), result(BAD, level="identifiers"))
    with pytest.raises(ReportError, match="got exact and overlapping spans"):
        compare_scores(result(GOOD), result(BAD, spans="overlapping"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda value: value.pop("spans"),
        lambda value: value["scores"][0].pop("documents"),
        lambda value: value["scores"].append(7),
        lambda value: value["scores"][0]["documents"].update(d0=["x", 1, 1]),
        lambda value: value["scores"][0]["documents"].update(d0=[1]),
    ],
)
def test_a_damaged_result_is_one_error_that_says_so(damage):
    broken = json.loads(json.dumps(result(GOOD)))
    damage(broken)
    with pytest.raises(ReportError, match="got a damaged one"):
        compare_scores(broken, result(BAD))


def test_only_results_are_read_as_results(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(result(GOOD)))
    (tmp_path / "b.json").write_text("[]")
    (tmp_path / "c.txt").write_text("no json")
    assert read_scored(tmp_path / "a.json") == result(GOOD)
    assert [read_scored(tmp_path / name) for name in ("b.json", "c.txt", "missing", "")] == [None] * 4
