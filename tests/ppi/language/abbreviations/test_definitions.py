"""Definitions of abbreviations: the forms they come in, what is none, and the cost of hostile text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppi.language.abbreviations import long_forms as forms
from ppi.language.abbreviations.definitions import find_bracket_pairs, find_definitions
from ppi.language.abbreviations.long_forms import split_letters


def defined(text):
    return [(text[slice(*found.short)], text[slice(*found.long)]) for found in find_definitions(text)]


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("of retinal ganglion cells (RGCs) in", "RGCs", "retinal ganglion cells"),
        ("the photoreceptor protein RDS (retinal degeneration slow) is", "RDS", "retinal degeneration slow"),
        ("uncoupling proteins [UCPs], which", "UCPs", "uncoupling proteins"),
        ("in tumour necrosis factor-alpha (TNF-α) and", "TNF-α", "tumour necrosis factor-alpha"),
        ("with interferon-γ (IFNgamma) and", "IFNgamma", "interferon-γ"),
        ("TGF-beta receptor type II (TGFBR2)", "TGFBR2", "TGF-beta receptor type II"),
        ("two-hybrid (2H) screen", "2H", "two-hybrid"),
        ("of coronavirus disease-2019 (COVID-19)", "COVID-19", "coronavirus disease-2019"),
        ("the c-jun N-terminal kinase (JNK)", "JNK", "c-jun N-terminal kinase"),
        (
            "mice with experimental autoimmune encephalomyelitis (EAE)",
            "EAE",
            "experimental autoimmune encephalomyelitis",
        ),
        ("levels of albumin (ALB)", "ALB", "albumin"),
        ("by small non-coding RNAs (sRNAs)", "sRNAs", "small non-coding RNAs"),
        ("the mitochondrial transcription factor A (TFAM)", "TFAM", "mitochondrial transcription factor A"),
        ("in the regulatory T cell (Treg)", "Treg", "regulatory T cell"),
        ("group 2 innate lymphoid cells (ILC2s)", "ILC2s", "group 2 innate lymphoid cells"),
        ("cellular prion protein (PrP(c))", "PrP(c)", "cellular prion protein"),
        ("conidia of Aspergillus fumigatus (A. fumigatus)", "A. fumigatus", "Aspergillus fumigatus"),
        ("the lysyl oxidase family of proteins (LOX, LOXL1)", "LOX", "lysyl oxidase"),
        ("a recombinant (rec) protein", "rec", "recombinant"),
        ("tyrosine kinase inhibitors (EGFR TKI)", None, None),
        ("the origin recognition complex, ORC, binds", "ORC", "origin recognition complex"),
        ("process (systematic evolution of ligands; SEL)", "SEL", "systematic evolution of ligands"),
        ("Abbreviations: NET, neutrophil extracellular trap; x", "NET", "neutrophil extracellular trap"),
        ("n = 8. CC, correlation coefficient.", "CC", "correlation coefficient"),
        ("OR = odds ratio.", "OR", "odds ratio"),
    ],
)
def test_forms(text, short, long):
    assert defined(text) == ([] if short is None else [(short, long)])


def test_another_name_behind_also_known_as():
    assert defined("angiopoietin-1 (Angpt1, also known as Ang1), a") == [
        ("Angpt1", "angiopoietin-1"),
        ("Ang1", "angiopoietin-1"),
    ]


def test_a_short_form_stands_for_its_words_inside_a_longer_definition():
    assert defined("antineutrophil cytoplasmic antibody (ANCA)-associated vasculitis (AAV)") == [
        ("ANCA", "antineutrophil cytoplasmic antibody"),
        ("AAV", "antineutrophil cytoplasmic antibody (ANCA)-associated vasculitis"),
    ]
    assert defined("poly(esteramine) (PEA), poly(propylene imine) (PPI)")[0] == ("PEA", "poly(esteramine)")


@pytest.mark.parametrize(
    "text",
    [
        "as shown (Fig. 1) in mice (n = 3)",
        "values (P < 0.05) of MAPK (MAPK)",
        "phase (II) or (i)",
        "it was found in the presence of (IPO)",
        "of LOX (LOXL1)",
        "the cell R7 (R7p)",
        "oxidative phosphorylation. Heart failure of sharks (OPH)",
        "the isoelectric points (Pb)",
        "(IL) and interleukin (IL",
        "",
    ],
)
def test_no_definitions(text):
    assert defined(text) == []


PIECES = [
    "(",
    ")",
    "[",
    "]",
    "AB",
    "AB)",
    "(AB)",
    "alpha",
    "beta",
    "-",
    "ab",
    "s",
    ",",
    ";",
    "B2s",
    "II",
    "of",
    ".",
    "\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=20).map(" ".join))
def test_places_are_inside_the_text_and_apart(text):
    for found in find_definitions(text):
        (short_start, short_end), (long_start, long_end) = found
        assert 0 <= short_start < short_end <= len(text)
        assert 0 <= long_start < long_end <= len(text)
        assert short_end <= long_start or long_end <= short_start
        assert len(split_letters(text[short_start:short_end])) > 1 or text[short_start:short_end].islower()
        assert text[long_start:long_end] == text[long_start:long_end].strip()


@given(st.text(alphabet="()[] a", max_size=60))
def test_brackets_are_paired_as_by_repeated_removal(text):
    """The slow reference: the innermost pair is taken out until there is none."""
    rest, pairs = list(enumerate(text)), []
    rest = [(at, character) for at, character in rest if character in "()[]"]
    while True:
        for index in range(len(rest) - 1):
            (first, opening), (second, closing) = rest[index : index + 2]
            if opening + closing in ("()", "[]"):
                pairs.append((first, second))
                del rest[index : index + 2]
                break
            if opening in "([" and closing in ")]":  # a closing bracket of the other shape has no partner
                del rest[index + 1]
                break
        else:
            break
    assert [tuple(pair) for pair in find_bracket_pairs(text)] == sorted(pairs)


@pytest.mark.parametrize(
    "piece", ["ab cd (AB) ", "(", "( ", "(A", ")) ", "[(", "a (A B) ", "A, ab; ", "AB, a b. ", "x(A)"]
)
def test_work_grows_with_the_text_alone(piece, monkeypatch):
    def work(count):
        looked_at = []
        monkeypatch.setattr(
            forms, "letter_variants", lambda short, long: looked_at.append(len(long)) or real(short, long)
        )
        find_definitions(piece * count)
        return sum(looked_at)

    real = forms.letter_variants
    few, many = work(1_000), work(2_000)
    assert many <= 2.2 * few + 1_000
    assert many <= 2_000 * 4 * forms.MAX_LONG_FORM_CHARACTERS


def test_a_hundred_thousand_brackets():
    assert len(find_definitions("heart failure (HF) " * 1_000)) == 1_000
    assert (
        find_definitions("(" * 100_000)
        == find_definitions("()" * 100_000)
        == find_definitions("[" * 50_000 + "]" * 50_000)
        == []
    )
