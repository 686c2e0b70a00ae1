"""Sentences kept together and tokens cut after parsing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import Dependency, Token
from ppi.language.parsers.interface import ParsedSentence
from ppi.language.parsing import PIECE_LABEL, merge_sentences, number_tokens, split_tokens

TEXT = "Abc-Xyz binds. It does."


def parsed(*words, start=0, first=1):
    """Words of the text, the second governing the first."""
    tokens = []
    for number, word in enumerate(words, start=first):
        begin = TEXT.index(word, start)
        tokens.append(Token(str(number), begin, begin + len(word), word, "NN", lemma=word.lower()))
        start = begin + len(word)
    arcs = (Dependency(tokens[1].id, tokens[0].id, "nsubj"),)
    return ParsedSentence(tuple(tokens), arcs, (tokens[1].id,), ((tokens[0].start, tokens[0].end, "protein"),))


FIRST, SECOND = parsed("Abc-Xyz", "binds", "."), parsed("It", "does", ".", start=14, first=4)


@pytest.mark.parametrize(
    ("together", "joined"),
    [
        ([], False),
        ([(0, 14)], False),  # ends where the first sentence does
        ([(15, 23)], False),
        ([(0, 15)], False),  # reaches to the second sentence but not into it
        ([(13, 16)], True),
        ([(0, 23)], True),
        ([(0, 3), (8, 17)], True),
    ],
)
def test_sentences_are_joined_where_a_span_covers_the_boundary(together, joined):
    found = merge_sentences([FIRST, SECOND], together)
    assert len(found) == (1 if joined else 2)
    if joined:
        assert found[0].tokens == FIRST.tokens + SECOND.tokens
        assert found[0].dependencies == FIRST.dependencies + SECOND.dependencies
        assert found[0].roots == ("2", "5")
        assert found[0].mentions == FIRST.mentions + SECOND.mentions
    else:
        assert found == [FIRST, SECOND]


def test_sentences_without_tokens_go():
    assert merge_sentences([ParsedSentence(()), FIRST, ParsedSentence(())], [(0, 23)]) == [FIRST]


def test_a_cut_token_keeps_its_arcs_on_its_last_piece():
    found = split_tokens(FIRST, TEXT, [3, 4])
    assert [(token.id, token.text, token.start, token.end) for token in found.tokens[:3]] == [
        ("1_1", "Abc", 0, 3),
        ("1_2", "-", 3, 4),
        ("1", "Xyz", 4, 7),
    ]
    assert [token.pos for token in found.tokens[:3]] == ["NN"] * 3
    assert [token.lemma for token in found.tokens] == [None, None, None, "binds", "."]
    arcs = {(arc.governor, arc.dependent, arc.type) for arc in found.dependencies}
    assert arcs == {("2", "1", "nsubj"), ("1", "1_1", PIECE_LABEL), ("1", "1_2", PIECE_LABEL)}
    assert found.roots == FIRST.roots


def test_cuts_between_tokens_change_nothing():
    assert split_tokens(FIRST, TEXT, [0, 7, 8, 13, 14]) is FIRST


def test_new_pieces_take_no_id_that_is_there():
    tokens = (Token("1", 0, 7, "Abc-Xyz"), Token("1_1", 8, 13, "binds"))
    found = split_tokens(ParsedSentence(tokens), TEXT, [3])
    assert [token.id for token in found.tokens] == ["1_1_", "1", "1_1"]


@given(st.sets(st.integers(0, len(TEXT))))
def test_pieces_cover_the_same_characters_and_begin_or_end_at_every_cut(cuts):
    found = split_tokens(FIRST, TEXT, sorted(cuts))
    before = [place for token in FIRST.tokens for place in range(token.start, token.end)]
    assert [place for token in found.tokens for place in range(token.start, token.end)] == before
    assert all(token.text == TEXT[token.start : token.end] for token in found.tokens)
    assert not any(token.start < cut < token.end for token in found.tokens for cut in cuts)
    assert len({token.id for token in found.tokens}) == len(found.tokens)


def test_renumbering_counts_anew_in_each_sentence():
    one, two = map(number_tokens, [split_tokens(FIRST, TEXT, [3]), SECOND])
    assert [token.id for token in one.tokens] == ["1", "2", "3", "4"]
    assert {(arc.governor, arc.dependent) for arc in one.dependencies} == {("3", "2"), ("2", "1")}
    assert (one.roots, two.roots) == (("3",), ("2",))
    assert two.dependencies == (Dependency("2", "1", "nsubj"),)
