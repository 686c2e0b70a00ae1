"""Names of a drawing: every one beside its node, on no line and on no other name where that can be."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppi.network.drawing import Node, _crosses, place_labels

PLACES = st.tuples(st.floats(-50, 50), st.floats(-50, 50))


def node(x, y, width=40.0):
    return Node((x, y), 6.0, width)


def test_below_is_the_first_choice():
    label = place_labels({"a": node(0, 0)}, [])["a"]
    assert (label.side, label.anchor) == (1, "middle")
    assert label.box[1] > 6


@pytest.mark.parametrize(
    ("ends", "side"),
    [
        ([(0, 90)], -1),  # a line from below
        ([(0, 90), (0, -90)], 0),
        ([(0, 90), (0, -90), (90, 0)], 0),
    ],
)
def test_names_make_way_for_lines(ends, side):
    lines = [((0, 0), end) for end in ends]
    label = place_labels({"a": node(0, 0)}, lines)["a"]
    assert label.side == side
    assert not any(_crosses(line, label.box) for line in lines)


def test_names_make_way_for_each_other_and_for_nodes():
    nodes = {"a": node(0, 0), "b": node(30, 0), "c": node(0, 24)}
    boxes = [label.box for label in place_labels(nodes, []).values()]
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@given(start=PLACES, end=PLACES, corner=PLACES, size=st.tuples(st.floats(1, 40), st.floats(1, 40)))
def test_a_line_crosses_a_box_if_a_point_of_it_is_inside(start, end, corner, size):
    box = (*corner, corner[0] + size[0], corner[1] + size[1])
    points = [(start[0] + t / 500 * (end[0] - start[0]), start[1] + t / 500 * (end[1] - start[1])) for t in range(501)]
    margin = 1e-6
    inside = any(
        box[0] + margin < x < box[2] - margin and box[1] + margin < y < box[3] - margin for x, y in points[1:-1]
    )
    if inside:
        assert _crosses((start, end), box)
    wide = (box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1)
    near = any(wide[0] <= x <= wide[2] and wide[1] <= y <= wide[3] for x, y in points)
    if not near:
        assert not _crosses((start, end), box)
