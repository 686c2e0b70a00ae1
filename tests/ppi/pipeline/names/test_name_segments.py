"""Stretches of tokens: sentences without a parser, none longer than the limit, none lost."""

from hypothesis import given
from hypothesis import strategies as st

from ppi.pipeline.names.segments import LONGEST, segments


def cut(text):
    words = text.split(" ")
    return [words[start:end] for start, end in segments(words, [True] * len(words))]


def test_a_stop_ends_a_sentence_unless_it_goes_on_in_lower_case():
    assert cut("A binds B . C does not ? D") == [["A", "binds", "B", "."], ["C", "does", "not", "?"], ["D"]]
    assert cut("of E . coli and H . pylori") == [["of", "E", ".", "coli", "and", "H", ".", "pylori"]]


def test_a_stop_without_space_is_no_end():
    assert segments(["Fig", ".", "2"], [False, False, False]) == [(0, 3)]


def test_a_new_line_is_an_end():
    assert segments(["Title", "\n", "the", "text"], [False, False, True, False]) == [(0, 2), (2, 4)]


def test_no_text_has_no_stretch():
    assert segments([], []) == []


TOKENS = st.tuples(st.sampled_from(["a", "B", ".", "\n", "?", " "]), st.booleans())


@given(st.lists(TOKENS, max_size=30), st.integers(1, 40))
def test_stretches_cover_the_text_and_are_never_too_long(tokens, repeats):
    tokens = tokens * repeats
    found = segments([word for word, _ in tokens], [space for _, space in tokens])
    assert [index for start, end in found for index in range(start, end)] == list(range(len(tokens)))
    assert all(0 < end - start <= LONGEST for start, end in found)
