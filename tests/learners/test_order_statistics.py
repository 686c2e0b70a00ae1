"""Counting pairs by two keys against the double loop."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners._order_statistics import PairCounter, count_below, searchsorted_segments
from learners._queries import Queries
from learners.errors import QueryError


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 70), st.integers(0, 2**31))
def test_count_below_equals_the_loop(m, seed):
    rng = np.random.default_rng(seed)
    sequence = rng.permutation(m)
    prefixes, thresholds = rng.integers(0, m + 1, (2, 30))
    expected = [np.sum(sequence[:k] < v) for k, v in zip(prefixes, thresholds)]
    np.testing.assert_array_equal(count_below(sequence, prefixes, thresholds), expected)


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 50), st.integers(1, 6), st.integers(1, 9), st.integers(0, 2**31))
def test_violations_equal_the_double_loop(m, n_queries, n_scores, seed):
    rng = np.random.default_rng(seed)
    y, f, qid = rng.integers(0, n_scores, m), rng.integers(0, 8, m) / 2.0, rng.integers(0, n_queries, m)
    counter = PairCounter(y, Queries.from_qid(qid, m))
    preferred = (qid[:, None] == qid) & (y[None, :] > y[:, None])  # j over i
    violated = preferred & (f[None, :] < f[:, None] + 1.0)
    c, d = counter.violations(f, margin=1.0)
    np.testing.assert_array_equal(c, violated.sum(axis=1))
    np.testing.assert_array_equal(d, violated.sum(axis=0))
    assert counter.n_pairs == preferred.sum()
    np.testing.assert_array_equal(counter.n_higher, preferred.sum(axis=1))
    np.testing.assert_array_equal(counter.violations_or_ties(f), (preferred & (f[None, :] <= f[:, None])).sum(axis=1))


def test_rounding_never_counts_a_pair_on_one_side_only():
    rng = np.random.default_rng(3)
    f = rng.normal(size=400) * 1e-3 + rng.integers(0, 3, 400)  # differences near the margin
    c, d = PairCounter(rng.normal(size=400), Queries.from_qid(None, 400)).violations(f, margin=1.0)
    assert c.sum() == d.sum()


@pytest.mark.parametrize("side", ["left", "right"])
def test_segmented_search_equals_a_search_in_each_segment(side):
    rng = np.random.default_rng(0)
    bounds = [0, 3, 3, 10, 11]
    values = np.concatenate([np.sort(rng.integers(0, 5, b - a)) for a, b in pairwise(bounds)])
    segment = rng.integers(0, 4, 50)
    starts, ends = np.array(bounds)[segment], np.array(bounds)[segment + 1]
    needles = rng.integers(-1, 6, 50)
    expected = [a + np.searchsorted(values[a:b], v, side=side) for a, b, v in zip(starts, ends, needles)]
    np.testing.assert_array_equal(searchsorted_segments(values, starts, ends, needles, side=side), expected)


def test_queries_group_and_center():
    queries = Queries.from_qid(np.array(["b", "a", "b"]), 3)
    assert queries.labels.tolist() == ["a", "b"]
    assert [u.tolist() for u in queries.members()] == [[1], [0, 2]]
    np.testing.assert_allclose(queries.center(np.array([1.0, 5.0, 3.0])), [-1.0, 0.0, 1.0])
    np.testing.assert_allclose(queries.center(np.array([[1.0], [5.0], [3.0]])), [[-1.0], [0.0], [1.0]])


def test_qid_errors():
    with pytest.raises(QueryError, match=r"expected shape \(3,\), got \(2,\)"):
        Queries.from_qid([1, 2], 3)
    with pytest.raises(QueryError, match=r"entry 1 is .*nan"):
        Queries.from_qid([1.0, float("nan")], 2)
