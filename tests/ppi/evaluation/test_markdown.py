import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppi.evaluation.reports.markdown import format_table


def test_a_bar_inside_a_cell_does_not_end_it():
    assert format_table(["a|b"], [["x | y"]]) == "| a\\|b |\n|---|\n| x \\| y |"


def test_empty_cells_keep_their_place():
    assert format_table(["", "F"], [["", 1.5], [None, ""]]).splitlines()[2:] == ["|  | 1.5 |", "| None |  |"]


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match=r"expected one cell for each of the 2 columns, got 1: \['x'\]"):
        format_table(["a", "b"], [["x"]])


@given(st.lists(st.lists(st.text(), min_size=3, max_size=3), max_size=5))
def test_every_row_is_one_line_with_as_many_cells_as_columns(rows):
    lines = format_table(["a", "b", "c"], rows).split("\n")
    assert len(lines) == len(rows) + 2
    for line in lines:
        assert line.replace("\\|", "").count("|") == 4
