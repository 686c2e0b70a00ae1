"""Cell lines say whose genes are meant."""

import pytest

from ppi.grounding.species import HUMAN, MOUSE, find_cell_lines, find_species, is_distinctive_name


def found(text):
    return [(text[start:end], taxid) for start, end, taxid in find_cell_lines(text.lower())]


def test_lines_of_several_organisms():
    text = "hcc1143 and panc-1 cells, and ht-22 cells"
    assert found(text) == [("hcc1143", HUMAN), ("panc-1", HUMAN), ("ht-22", MOUSE)]


def test_only_where_a_sentence_speaks_of_cells():
    assert found("panc-1 was used") == []


@pytest.mark.parametrize(
    "text", ["CD34 cells", "IL-2 cells", "p53 in cells", "LINE-1 in cells", "Th2 cells", "day 1 cells"]
)
def test_genes_and_words_are_no_lines(text):
    assert found(text) == []


def test_short_names_only_before_the_word():
    assert found("lx-2 cells") == [("lx-2", HUMAN)]
    assert found("lx-2 of these cells") == []


def test_names_with_letters_and_digits():
    assert not is_distinctive_name("hela")
    assert not is_distinctive_name("1234567")
    assert not is_distinctive_name("a1")


def test_they_are_words_of_species_in_order():
    words = find_species("Mice and PANC-1 cells of rats")
    assert [word.start for word in words] == sorted(word.start for word in words)
    assert len(words) == 3
