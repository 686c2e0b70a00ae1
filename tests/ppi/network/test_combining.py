"""What papers say together: cases worked by hand, and what must hold of any."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppi.network.combining import combine_papers, systematic_error

PAPERS = st.lists(st.floats(0, 1), max_size=30)
ERRORS = st.floats(0, 0.5)


@pytest.mark.parametrize(
    ("papers", "error", "expected"),
    [
        ([], 0.1, 0.0),
        ([0.6], 0.1, 0.6),  # 0.9 * (0.6 / 0.9)
        ([0.6, 0.6], 0.1, 0.9 * (1 - (1 / 3) ** 2)),
        ([0.45, 0.9], 0.1, 0.9),  # the second leaves no doubt but the misreading
        ([0.95], 0.1, 0.95),  # one paper is what it is
        ([0.95, 0.95], 0.1, 0.95),
        ([1.0, 0.2], 0.1, 1.0),
        ([0.5, 0.5], 0.0, 0.75),
    ],
)
def test_worked_by_hand(papers, error, expected):
    assert combine_papers(papers, error=error) == pytest.approx(expected, abs=1e-12)


@given(st.floats(0, 1), ERRORS)
def test_one_paper_gives_its_own(probability, error):
    assert combine_papers([probability], error=error) == pytest.approx(probability, abs=1e-12)


@given(PAPERS, ERRORS)
def test_order_does_not_matter_and_the_ceiling_holds(papers, error):
    found = combine_papers(papers, error=error)
    assert combine_papers(papers[::-1], error=error) == pytest.approx(found, abs=1e-12)
    assert found <= max([1 - error, *papers]) + 1e-12
    assert found <= combine_papers(papers, error=0.0) + 1e-12


@given(PAPERS, st.floats(0, 1), ERRORS)
def test_a_further_paper_never_takes_away(papers, more, error):
    assert combine_papers([*papers, more], error=error) >= combine_papers(papers, error=error) - 1e-12


@given(PAPERS)
def test_without_error_it_is_noisy_or(papers):
    assert combine_papers(papers, error=0.0) == pytest.approx(1 - math.prod(1 - each for each in papers), abs=1e-12)


def test_many_papers_of_almost_nothing_keep_their_order():
    assert combine_papers([1e-18, 1e-18], error=0.0) == pytest.approx(2e-18, rel=1e-9)


def test_the_error_that_ships_was_estimated_and_is_used():
    assert 0 < systematic_error() < 0.2
    assert combine_papers([0.9] * 50) == pytest.approx(max(0.9, 1 - systematic_error()), abs=1e-9)
