"""What a lexicon is asked for a mention, and mentions of several names."""

import pytest

from ppi.grounding.mention_groups import (
    BARE,
    MEMBER,
    PART,
    PREFIXED,
    WHOLE,
    find_cell_markers,
    generate_queries,
    looks_like_symbol,
    split_coordination,
    strip_modifiers,
)
from ppi.grounding.species import FLY, HUMAN, MOUSE


def asked(text, form):
    return [query.text for query in generate_queries(text) if query.form == form]


def test_the_text_itself_comes_first():
    assert next(iter(generate_queries("TNF-alpha"))) == ("TNF-alpha", WHOLE, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("human p53", "p53"),
        ("murine wild-type CD4", "CD4"),
        ("Drosophila FoxO", "FoxO"),
        ("recombinant human IL-2", "IL-2"),
        ("p-Akt", "Akt"),
        ("phospho-ERK", "ERK"),
        ("human", "human"),
        ("mouse ", "mouse "),
        ("ratio kinase", "ratio kinase"),
    ],
)
def test_words_before_a_name(text, expected):
    assert strip_modifiers(text) == expected


def test_bare_names_are_asked_second():
    assert asked("human p53", BARE) == ["p53"]
    assert asked("p53", BARE) == []


@pytest.mark.parametrize(
    ("text", "name", "taxid"), [("hMLH1", "MLH1", HUMAN), ("mCD4", "CD4", MOUSE), ("dTRAF2", "TRAF2", FLY)]
)
def test_prefixes_name_a_species(text, name, taxid):
    (query,) = (query for query in generate_queries(text) if query.form == PREFIXED)
    assert (query.text, query.taxid) == (name, taxid)


def test_parts_are_asked_longest_first_and_from_the_end():
    assert asked("syndrome gene SOX10", PART) == ["gene SOX10", "syndrome gene", "SOX10"]
    assert asked("one two three four five six seven eight nine ABC1", PART) == []


def test_the_first_of_a_family_goes_without_its_number():
    assert "perilipin1" in asked("perilipin", MEMBER)
    assert "Rab5A" in asked("Rab5", MEMBER)


def test_looks_of_a_symbol():
    assert [looks_like_symbol(word) for word in ("SOX10", "cMyc", "factor", "AB", "12")] == [
        True, True, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ERK1/2", ["ERK1", "ERK2"]),
        ("interleukin-1 and -6", ["interleukin-1", "interleukin-6"]),
        ("Claudins 1, 4, and 7", ["Claudin 1", "Claudin 4", "Claudin 7"]),
        ("Fc gamma RI, II, and III", ["Fc gamma RI", "Fc gamma RII", "Fc gamma RIII"]),
        ("IL-1 alpha and beta", ["IL-1 alpha", "IL-1 beta"]),
        ("IL-17A/F", ["IL-17A", "IL-17F"]),
        ("Mcm2-7", ["Mcm2", "Mcm3", "Mcm4", "Mcm5", "Mcm6", "Mcm7"]),
        ("CD25/FOXP3", ["CD25", "FOXP3"]),
        ("MMP-2/9", ["MMP-2", "MMP-9"]),
        ("and", []),
        ("A and B of the cell", []),
        ("Atg12-5", []),
        ("1/2", []),
        ("kinase/phosphatase", []),
        ("x" * 300 + "1/2", []),
    ],
)
def test_several_names_in_one(text, expected):
    assert list(split_coordination(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CD4+ T cells", ["CD4"]),
        ("CD34(+)CD38(-) cells", ["CD34", "CD38"]),
        ("Sca-1(+) cKit(+)", ["Sca-1", "cKit"]),
        ("CD8-positive", ["CD8"]),
        ("T cells", []),
    ],
)
def test_markers_of_cells(text, expected):
    assert find_cell_markers(text) == expected
