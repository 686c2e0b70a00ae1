"""Printed words find their place in the sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppi.parse_ranking.link_grammar import locate_words, make_parser_input


def found(words, text):
    places = locate_words(words, text)
    return None if places is None else [(text[w.start : w.end], w.subscript, w.misc) for w in places]


def test_subscripts_guesses_and_skipped_words():
    words = ["the", "p53[?].a", "binds.v", "MDM2[!]", "[in]", "."]
    assert found(words, "The p53 binds MDM2 in.") == [
        ("The", None, None),
        ("p53", "a", "Known=No"),
        ("binds", "v", None),
        ("MDM2", None, "Known=Shape"),
        ("in", None, "Skipped=Yes"),
        (".", None, None),
    ]


@pytest.mark.parametrize(
    ("words", "text", "pieces"),
    [
        (["e.g.", "x.n"], "e.g. x", ["e.g.", "x"]),
        (["cell.n[?].n"], "cell.n", ["cell.n"]),
        (["3.5[!]", "kb.u", "/.per", "ml.u"], "3.5 kb/ml", ["3.5", "kb", "/", "ml"]),
        (["[", "a.n", "]", "[[]", "[]]"], "[a] []", ["[", "a", "]", "[", "]"]),
        (["there.#their"], "There", ["There"]),
        (["(", ")"], "()", ["(", ")"]),
        (["[?[!]", "]"], "[?]", ["[?", "]"]),
        (["i", "[istanbul]"], "İ İstanbul", ["İ", "İstanbul"]),
        # the longest reading of the first word leaves nothing for the second
        (["v.a", ".a"], "v.a", ["v", ".a"]),
    ],
)
def test_the_longest_reading_that_lets_the_rest_fit(words, text, pieces):
    assert [piece for piece, _, _ in found(words, text)] == pieces


@pytest.mark.parametrize(("words", "text"), [(["a"], "b"), (["a"], "a b"), (["a", "b"], "a"), ([], "a")])
def test_words_that_do_not_spell_the_text(words, text):
    assert locate_words(words, text) is None


def test_conflicting_readings_take_no_exponential_time():
    assert locate_words([*(["a.a"] * 60), "b"], "a" * 60) is None


def test_characters_that_cannot_be_sent():
    shown = make_parser_input("a\nb\x00c \ud800d so\u00adft (x)(y)")
    assert shown.text == "a b c  d soft (x) (y)"
    words = locate_words(["a", "b", "c", "d", "soft", "(", "x", ")", "(", "y", ")"], shown.text)
    original = shown.restore_offsets(words[4])
    assert "a\nb\x00c \ud800d so\u00adft"[original.start : original.end] == "so\u00adft"


@given(st.text(max_size=40))
def test_each_kept_character_knows_where_it_was(text):
    shown = make_parser_input(text)
    assert len(shown.text) == len(shown.offsets)
    assert "\n" not in shown.text
    assert ")(" not in shown.text
    shown.text.encode("utf-8")
    for char, offset in zip(shown.text, shown.offsets, strict=True):
        assert char in (" ", text[offset])


@given(st.lists(st.from_regex(r"[a-z0-9.\[\]()/%-]{1,8}", fullmatch=True), min_size=1, max_size=8), st.data())
def test_words_printed_in_any_way_are_found_again(words, data):
    marks = st.sampled_from(["", ".n", ".v-d", "[?].a", "[!]", "[!].n"])
    printed = [f"[{word}]" if data.draw(st.booleans()) else word + data.draw(marks) for word in words]
    places = locate_words(printed, " ".join(words))
    assert places is not None
    assert "".join(" ".join(words)[place.start : place.end] for place in places) == "".join(words)
