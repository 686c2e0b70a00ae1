"""When two mentions are one protein: names without the words around them, long forms, identifiers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import Entity
from ppi.grounding.identity import (
    canonicalize_identifier,
    identify,
    is_class,
    is_same_protein,
    name_key,
    protein_key,
    strip_name,
)


def named(text, *identifiers, type=None, **remarks):
    return Entity("e", text, ((0, max(1, len(text))),), type, identifiers, infons=tuple(remarks.items()))


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("UL37 protein", "UL37"),
        ("protein UL37", "UL37"),
        ("the p53 gene product", "p53"),
        ("ALDH3A2 gene", "ALDH3A2"),
        ("c-myc promoter", "c-myc"),
        ("IL-1 beta protein", "IL-1 beta"),
        ("leptin mRNA", "leptin"),
        ("fatty aldehyde dehydrogenase protein", "fatty aldehyde dehydrogenase"),
        ("androgen receptor protein", "androgen receptor"),
        ("E6 oncoprotein", "E6"),
        ("p53 tumor suppressor protein", "p53"),
        ("tumor suppressor p53", "p53"),
        ("protein tyrosine phosphatase SHP-1", "SHP-1"),
        ("CXCR4 receptor", "CXCR4"),
        ("wild-type human p53 protein", "p53"),
        ("Human cytomegalovirus UL20 protein", "UL20"),
        ("Pseudomonas aeruginosa OprM", "OprM"),
        ("Salmonella effector SopE", "SopE"),
        ("HIV-1 Tat", "Tat"),
    ],
)
def test_words_that_do_not_change_who_is_meant_are_taken_away(name, bare):
    assert strip_name(name) == bare


@pytest.mark.parametrize(
    "name",
    [
        *("insulin receptor", "IL-2 receptor", "Fas ligand", "Rho kinase", "MAP kinase", "ERK kinase", "p53 inhibitor"),
        *("G protein", "protein S", "protein kinase C", "C-reactive protein", "matrix protein", "binding protein"),
        *("amyloid precursor protein", "heat shock protein 70", "transcription factor IIH", "factor VIII", "protein"),
        *("HIV protease", "hepatitis C virus core protein"),
        *("kinase genes", "A beta", "WT-1", "protein phosphatase 2A", "nuclear factor kappa B", "RNA-binding protein"),
    ],
)
def test_words_that_belong_to_the_name_stay(name):
    assert strip_name(name) == name


@given(st.text(max_size=60))
def test_every_name_has_a_key_and_bare_names_are_bare(name):
    assert name_key(name) or not name
    assert strip_name(strip_name(name)) == strip_name(name) or len(name.split()) > 4


def test_names_of_endless_length_are_left_alone():
    assert strip_name("-" * 100_000 + " protein") == "-" * 100_000 + " protein"


def test_classes_have_nothing_but_words_for_classes():
    assert all(map(is_class, ["cytokines", "transcription factor", "E3 ubiquitin ligase", "small GTPase", "kinase"]))
    assert not any(map(is_class, ["TNF", "lipid phosphatase SHIP-1", "insulin receptor", "Ras GTPase", ""]))


@pytest.mark.parametrize(
    ("identifier", "type", "expected"),
    [
        ("NCBIGene:5216", None, "ncbigene:5216"),
        ("EntrezGene:5216", None, "ncbigene:5216"),
        ("5216", "Gene", "ncbigene:5216"),
        ("5216", "Chemical", "5216"),
        ("fplx:AKT", None, "fplx:AKT"),
        ("UniProt:P07737", None, "uniprot:P07737"),
        ("no-curie", "Gene", "no-curie"),
    ],
)
def test_identifiers_are_compared_in_one_spelling(identifier, type, expected):
    assert canonicalize_identifier(identifier, type) == expected


def test_keys_are_the_single_identifier_or_the_name_of_the_long_form():
    assert protein_key(named("p53", "NCBIGene:7157")) == "ncbigene:7157"
    assert protein_key(named("p53", "ncbigene:7157", "ncbigene:22059")) == "name:p53"
    assert protein_key(named("APP", long_form="amyloid precursor protein")) == "name:amyloidprecursorprotein"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (named("UL37"), named("UL37 protein"), True),
        (named("TNF-α"), named("TNF alpha"), True),
        (named("profilin I"), named("profilin-1"), True),
        (named("insulin"), named("insulin receptor"), False),
        (named("APP", long_form="amyloid precursor protein"), named("amyloid precursor protein"), True),
        (named("APP", long_form="amyloid precursor protein"), named("APP"), True),
        (named("APP", "a:1", long_form="amyloid precursor protein"), named("amyloid precursor protein"), True),
        (named("APP", "a:1", long_form="amyloid precursor protein"), named("amyloid precursor protein", "a:2"), True),
        (
            named("SHP-1", long_form="SH2-containing tyrosine phosphatase-1"),
            named("tyrosine phosphatase-1"),
            True,
        ),
        (named("IkB", long_form="inhibitor of nuclear factor kappa B"), named("nuclear factor kappa B"), False),
        (named("IkB", long_form="inhibitor of nuclear factor kappa B"), named("factor kappa B"), False),
        (named("FALDH", "a:1"), named("ALDH3A2", "a:1"), True),
        (named("p53", "a:1"), named("p53", "a:2"), False),  # of two species, say
        (named("p38", "a:1", "a:2"), named("MAPK p38", "a:2", "a:1"), True),
        (named("p38", "a:1", "a:2"), named("JNK", "a:2", "a:3"), False),
        (named("p38", "a:1", "a:2"), named("p38", "a:1"), True),
        (named("ERK1/2", "a:1", "a:2", members="2"), named("ERK2", "a:2"), True),
        (named("ERK1/2", "a:1", "a:2", members="2"), named("MEK1/2", "a:3", "a:4", members="2"), False),
    ],
)
def test_who_is_who(first, second, same):
    assert is_same_protein(first, second) is same
    assert is_same_protein(second, first) is same
    assert identify(first).matches(identify(second)) is same
