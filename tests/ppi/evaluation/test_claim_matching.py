"""Matching of predicted with gold items: by hand, and beside trying every way to match them."""

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppi.evaluation.scoring.claim_matching import (
    Aspect,
    Item,
    items_of,
    mark_matches,
    matches_by_overlap,
    spans_overlap,
)
from ppi.evaluation.scoring.claims import Claim, Participant


def item(first: tuple[int, int], second: tuple[int, int], type: str = "", directed: bool = False) -> Item:
    return Item((first,), (second,), type, directed)


def greatest(predicted: list[Item], gold: list[Item], fits) -> int:
    """The most right ones, by trying: some of the predicted, beside as many of gold in every order."""
    for size in range(min(len(predicted), len(gold)), 0, -1):
        for chosen in combinations(predicted, size):
            if any(all(map(fits, chosen, order)) for order in permutations(gold, size)):
                return size
    return 0


SPANS = st.tuples(st.integers(0, 6), st.integers(1, 3)).map(lambda each: (each[0], each[0] + each[1]))
ITEMS = st.lists(st.builds(item, SPANS, SPANS, st.sampled_from(["", "t"]), st.booleans()), max_size=5, unique=True)


@given(ITEMS, ITEMS)
def test_overlapping_ones_are_matched_as_well_as_trying_every_way_does(predicted, gold):
    answers = mark_matches(predicted, dict.fromkeys(gold), matches_by_overlap)
    for size in range(len(predicted) + 1):
        assert sum(answers[:size]) == greatest(predicted[:size], gold, matches_by_overlap)


@given(ITEMS, ITEMS)
def test_exact_ones_are_those_that_any_pair_of_equal_items_gives(predicted, gold):
    answers = mark_matches(predicted, dict.fromkeys(gold))
    assert answers == [any(each == other for other in gold) for each in predicted]
    assert sum(answers) == greatest(predicted, gold, lambda one, other: one == other)


MENTIONS = st.lists(SPANS, min_size=1, max_size=2).map(tuple)


@given(MENTIONS, MENTIONS)
def test_mentions_overlap_if_they_have_a_character_in_common(one, other):
    inside = [{place for start, end in spans for place in range(start, end)} for spans in (one, other)]
    assert spans_overlap(one, other) == spans_overlap(other, one) == bool(inside[0] & inside[1])


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        # the long one fits both gold items, the short one only the first: both are right
        ([item((0, 9), (20, 29)), item((0, 3), (20, 23))], [item((0, 3), (20, 23)), item((5, 9), (25, 29))], [1, 1]),
        # two predictions for one gold item: one is right
        ([item((0, 3), (20, 23)), item((0, 4), (20, 23))], [item((0, 3), (20, 23))], [1, 0]),
        # touching is not overlapping
        ([item((0, 3), (20, 23))], [item((3, 6), (20, 23))], [0]),
        # both ends in one mention are not the pair
        ([item((0, 3), (1, 3))], [item((0, 3), (20, 23))], [0]),
        # without direction in either order, with it in one
        ([item((20, 23), (0, 3))], [item((0, 4), (20, 24))], [1]),
        ([item((20, 23), (0, 3), "", True)], [item((0, 4), (20, 24), "", True)], [0]),
        ([item((0, 3), (20, 23), "", True)], [item((0, 4), (20, 24), "", True)], [1]),
        ([item((0, 3), (20, 23), "", True)], [item((0, 4), (20, 24))], [0]),
        ([item((0, 3), (20, 23), "a")], [item((0, 4), (20, 24), "b")], [0]),
    ],
)
def test_overlap_by_hand(predicted, gold, expected):
    assert mark_matches(predicted, dict.fromkeys(gold), matches_by_overlap) == [bool(each) for each in expected]


def claim(first: Participant, second: Participant, **others) -> Claim:
    return Claim("d", (first, second), **others)


A, B = Participant(((0, 1),), ("1", "2")), Participant(((8, 9),), ("3",))


def test_items_are_different_ones_with_the_highest_probability():
    claims = [claim(A, B, probability=0.4), claim(B, A, probability=0.7), claim(A, B, type="Bind")]
    assert items_of(claims, "mentions") == {Item(((0, 1),), ((8, 9),)): 0.7}
    assert items_of(claims[:2], "identifiers") == {Item("1", "3"): 0.7, Item("2", "3"): 0.7}


def test_items_have_types_and_direction_where_they_are_asked_for():
    claims = [claim(B, A, type="Phosphorylation", directed=True), claim(B, A, type="Bind")]
    found = items_of(claims, "identifiers", Aspect(types=True, direction=True))
    assert list(found) == [
        Item("3", "1", "modification", True),
        Item("3", "2", "modification", True),
        Item("1", "3", "binding"),
        Item("2", "3", "binding"),
    ]
    exact = items_of(claims, "mentions", Aspect(types=True, exact_types=True))
    assert [each.type for each in exact] == ["phosphorylation", "bind"]


def test_ends_that_are_not_known_make_no_item():
    assert items_of([claim(Participant(identifiers=("1",)), B)], "mentions") == {}
    assert items_of([claim(Participant(((0, 1),)), B)], "identifiers") == {}
