"""Stretches of words: sentences without a parser, none longer than the limit, none lost; white space is no word."""

import spacy
from hypothesis import given
from hypothesis import strategies as st

from ppi.language.tokenization import MAX_SEGMENT_TOKENS, TokenizedText, read_tokens, split_segments


def cut(text):
    words = text.split(" ")
    return [words[start:end] for start, end in split_segments(TokenizedText(words, [" "] * len(words)))]


def test_a_stop_ends_a_sentence_unless_it_goes_on_in_lower_case():
    assert cut("A binds B . C does not ? D") == [["A", "binds", "B", "."], ["C", "does", "not", "?"], ["D"]]
    assert cut("of E . coli and H . pylori") == [["of", "E", ".", "coli", "and", "H", ".", "pylori"]]


def test_a_stop_without_space_is_no_end():
    assert split_segments(TokenizedText(["Fig", ".", "2"], ["", "", ""])) == [(0, 3)]


def test_an_empty_line_is_an_end_and_a_wrapped_line_is_none():
    assert split_segments(TokenizedText(["Title", "the", "wrapped", "text"], ["\n\n", " ", "\n", ""])) == [
        (0, 1),
        (1, 4),
    ]


def test_no_text_has_no_stretch():
    assert split_segments(TokenizedText([], [])) == []


def test_white_space_is_no_word():
    doc = spacy.blank("en")(" Ras  binds\n\n\tRaf\n")
    assert read_tokens(doc) == (TokenizedText(["Ras", "binds", "Raf"], ["  ", "\n\n\t", "\n"]), [1, 3, 5])


TOKENS = st.tuples(st.sampled_from(["a", "B", ".", "?"]), st.sampled_from(["", " ", "\n\n"]))


@given(st.lists(TOKENS, max_size=30), st.integers(1, 40))
def test_segments_cover_the_text_and_are_never_too_long(tokens, repeats):
    tokens = tokens * repeats
    found = split_segments(TokenizedText([word for word, _ in tokens], [gap for _, gap in tokens]))
    assert [index for start, end in found for index in range(start, end)] == list(range(len(tokens)))
    assert all(0 < end - start <= MAX_SEGMENT_TOKENS for start, end in found)
