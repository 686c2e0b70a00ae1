"""What is no name of a protein, whatever a network says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppi.language.names.rules import drop_implausible
from ppi.language.shipped_pipeline import load_shipped_pipeline
from ppi.language.tokenization import TokenizedText, read_tokens


def kept(text: str, name: str) -> list[str]:
    """What is left of a name, found at its first place in the text."""
    doc = load_shipped_pipeline().tokenizer(text)
    seen, _ = read_tokens(doc)
    at = text.index(name)
    inside = [token.i for token in doc if at <= token.idx < at + len(name)]
    return [doc[start:end].text for start, end in drop_implausible(seen, [(inside[0], inside[-1] + 1)])]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("see 10.1016/j.cell.2010.01.001 for Ras", "10.1016/j.cell.2010.01.001"),
        ("see doi:10.1016/j.cell.2010.01.001", "doi:10.1016/j.cell.2010.01.001"),
        ("primers 5'-ACGTTGCAACGT-3' were", "ACGTTGCAACGT"),
        ("the p53-/- mice", "p53"),
        ("the p53-/- mice", "p53-/-"),
        ("the p53(-/-) mice", "p53"),
        ("the Fgf9\u2212/\u2212 mice", "Fgf9"),
        ("the Fgf9+/- mice", "Fgf9"),
        ("the mutant S70E binds", "S70E"),
        ("the mutant Ser70Glu binds", "Ser70Glu"),
        ("a value of 12.5 of", "12.5"),
    ],
)
def test_no_names(text, name):
    assert kept(text, name) == []


@pytest.mark.parametrize(
    "name",
    ["p53", "Ras", "IL-2", "S6K", "E2F1", "CD4", "PKC-alpha", "protein kinase C (PKC)", "eIF4E", "H3", "Arp2/3", "TAT"],
)
def test_names_stay(name):
    assert kept(f"We saw that {name} binds MEK.", name) == [name]


@pytest.mark.parametrize(
    ("found", "left"),
    [("(Ras", "Ras"), ("Ras)", "Ras"), ("kinase (Ras", "kinase"), ("kinase) Ras", "Ras"), ("Ras (H)", "Ras (H)")],
)
def test_brackets_are_balanced(found, left):
    assert kept(f"We saw {found} there", found) == [left]


@given(st.lists(st.sampled_from(["Ras", "(", ")", "[", "]", "-"]), min_size=1, max_size=12))
def test_what_is_left_is_balanced_and_inside(words):
    text = TokenizedText(words, [" "] * len(words))
    for start, end in drop_implausible(text, [(0, len(words))]):
        assert 0 <= start < end <= len(words)
        left = words[start:end]
        for opening, closing in ("()", "[]"):
            assert left.count(opening) == left.count(closing)


def test_what_is_known_of_a_name_is_kept():
    assert drop_implausible(TokenizedText(["(", "Ras"], ["", ""]), [(0, 2, "PROTEIN")]) == [(1, 2, "PROTEIN")]
