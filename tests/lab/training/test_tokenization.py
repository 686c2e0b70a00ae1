"""The tokenizer's rules, example by example."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lab.training.pipeline.tokenization import build_tokenizer
from spacy.vocab import Vocab

TOKENIZER = build_tokenizer(Vocab())


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("IL-2-dependent", "IL - 2 - dependent"),
        ("TNF-α/β", "TNF - α / β"),
        ("β-catenin", "β - catenin"),
        ("HP1α", "HP1α"),
        ("Pax6+/−", "Pax6 + / −"),
        ("CD4+", "CD4 +"),
        ("Ca2+", "Ca2+"),
        ("5'-UTR", "5 ' - UTR"),
        ("3′", "3 ′"),
        ("(p<0.05)", "( p < 0.05 )"),
        ("1,000", "1,000"),
        ("E13.5", "E13.5"),
        ("37°C", "37 °C"),
        ("non-functional", "non-functional"),
        ("anti-CD3", "anti - CD3"),
        ("Smith et al. [12],", "Smith et al. [ 12 ] ,"),
        ("E. coli", "E. coli"),
        ("kinase C.", "kinase C ."),
        ("NF-Y.", "NF - Y ."),
        ("NF-kappa B.", "NF - kappa B ."),
        ("mouse's", "mouse 's"),
        ("cannot", "can not"),
        ("didn't", "did n't"),
        ("Can\u2019t", "Ca n\u2019t"),
        ("e.g., p53.", "e.g. , p53 ."),
        ("see http://www.a-b.org/x-y.", "see http://www.a-b.org/x-y ."),
        ("A:B", "A : B"),
    ],
)
def test_rules(text, tokens):
    assert [token.text for token in TOKENIZER(text)] == tokens.split()


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=60))
def test_no_character_is_lost(text):
    assert "".join(token.text_with_ws for token in TOKENIZER(text)) == text


def test_a_hundred_thousand_characters_without_a_space():
    assert len(TOKENIZER("a" * 100_000)) == 1
    assert len(TOKENIZER("ab-" * 33_000)) == 66_000
