"""Tokenizing takes time in proportion to the text, whatever it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppi.language.parsers.interface import Request
from ppi.language.parsers.spacy_parser import load_shipped_parser
from ppi.language.shipped_pipeline import load_shipped_pipeline, load_shipped_uncached
from ppi.language.tokenization import MAX_RUN_CHARACTERS, find_token_spans


def plain_spans(text):
    """As spaCy's tokenizer gives them, the whole text at once."""
    return [
        (token.idx, token.idx + len(token)) for token in load_shipped_pipeline().tokenizer(text) if not token.is_space
    ]


@settings(deadline=None, max_examples=50)
@given(st.text(alphabet="aB1,.-()/ \n", max_size=300))
def test_ordinary_text_is_tokenized_as_ever(text):
    assert list(find_token_spans(load_shipped_pipeline().tokenizer, text)) == plain_spans(text)


@settings(deadline=None, max_examples=20)
@given(st.text(alphabet="aB1,.-()/", min_size=MAX_RUN_CHARACTERS + 1, max_size=3 * MAX_RUN_CHARACTERS))
def test_tokens_of_a_long_run_cover_it(text):
    text = f"Ras {text} binds"
    spans = list(find_token_spans(load_shipped_pipeline().tokenizer, text))
    assert "".join(text[start:end] for start, end in spans) == text.replace(" ", "")
    assert max(end - start for start, end in spans) <= MAX_RUN_CHARACTERS


def test_a_long_run_is_cut_behind_punctuation():
    text = "A" * (MAX_RUN_CHARACTERS - 10) + "," + "B" * 50
    pieces = []
    list(find_token_spans(lambda piece: pieces.append(piece) or (), text))
    assert pieces == ["A" * (MAX_RUN_CHARACTERS - 10) + ",", "B" * 50, ""]


@pytest.mark.parametrize("unit", ["1,", "(", "()", "'", "a-", "ACGT", '"', ".", "*a"])
def test_characters_looked_at_grow_with_the_text(unit):
    tokenizer = load_shipped_uncached().tokenizer
    looked_at = 0

    def counting(search):
        def count(text):
            nonlocal looked_at
            looked_at += len(text)
            return search(text)

        return count

    for name in ("prefix_search", "suffix_search", "infix_finditer", "url_match"):
        setattr(tokenizer, name, counting(getattr(tokenizer, name)))

    def characters(length):
        nonlocal looked_at
        looked_at = 0
        text = unit * (length // len(unit))
        spans = list(find_token_spans(tokenizer, text))
        assert "".join(text[start:end] for start, end in spans) == text
        tokenizer._flush_cache()
        return looked_at

    assert characters(16_000) <= 4.5 * max(characters(4_000), 4_000)


def test_what_is_known_of_starts_is_given():
    doc = load_shipped_parser(entities=False)._tokenize(Request("Ras, MEK.\n\nERK binds", unbroken_spans=((0, 8),))).doc
    assert [token.is_sent_start for token in doc] == [None, False, False, False, True, None]
