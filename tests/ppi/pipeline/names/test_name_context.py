"""What stands around a name changes its kind, and abbreviations are what their long forms are."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ppi.pipeline.kinds import CELL, CHEMICAL, DNA_RNA, FAMILY, OTHER, PROTEIN
from ppi.pipeline.names.context import in_context
from ppi.pipeline.names.definitions import definitions
from ppi.pipeline.names.kinds import FoundName


def kinds(text, *names):
    """The kinds of names, given as (words, kind), in a text of words and one-word sentence ends."""
    words, found = text.split(), []
    for name, kind in names:
        pieces = name.split()
        found += [
            FoundName(start, start + len(pieces), kind)
            for start in range(len(words))
            if words[start : start + len(pieces)] == pieces
        ]
    ends = [0, *(index + 1 for index, word in enumerate(words) if word == "."), len(words)]
    told = in_context(words, sorted(found), list(pairwise(ends)))
    return {" ".join(words[name.start : name.end]): name.kind for name in told}


def test_antibodies_tags_and_markers_are_no_proteins():
    assert kinds("anti - CD3 and p53", ("CD3", PROTEIN), ("p53", PROTEIN)) == {"CD3": OTHER, "p53": PROTEIN}
    assert kinds("the p53 antibodies", ("p53", PROTEIN)) == {"p53": OTHER}
    assert kinds("GFP - tagged Raf", ("GFP", PROTEIN), ("Raf", PROTEIN)) == {"GFP": OTHER, "Raf": PROTEIN}
    assert kinds("CD4 + T cells", ("CD4", PROTEIN)) == {"CD4": CELL}
    assert kinds("CD34 - positive cells", ("CD34", PROTEIN)) == {"CD34": CELL}


def test_ions_and_residues_are_no_proteins():
    for text, kind in (("Na+", CHEMICAL), ("Ser78", OTHER), ("Tyr 1068", OTHER), ("Ser ( 183 )", OTHER)):
        assert kinds(f"of {text} in", (text, PROTEIN)) == {text: kind}
    for text in ("Metallothionein 1", "K63", "Valosin", "SerpinA1", "Cox4", "S6"):
        assert kinds(f"of {text} in", (text, PROTEIN)) == {text: PROTEIN}


def test_promoters_and_messengers_are_dna_or_rna():
    for what in ("mRNA", "promoter", "siRNA", "gene promoter"):
        assert kinds(f"the p53 {what} was", ("p53", PROTEIN)) == {"p53": DNA_RNA}
    assert kinds("the p53 gene was", ("p53", PROTEIN)) == {"p53": PROTEIN}


def test_an_abbreviation_is_what_its_long_form_is_throughout_the_text():
    text = "benzo a pyrene ( BaP ) acts . BaP binds AhR ."
    assert kinds(text, ("benzo a pyrene", CHEMICAL), ("BaP", PROTEIN), ("AhR", PROTEIN)) == {
        "benzo a pyrene": CHEMICAL,
        "BaP": CHEMICAL,
        "AhR": PROTEIN,
    }
    assert kinds("endothelial progenitor cells ( EPCs ) . EPC", ("EPCs", PROTEIN), ("EPC", FAMILY)) == {
        "EPCs": CELL,
        "EPC": CELL,
    }
    assert kinds("epithelial mesenchymal transition ( EMT )", ("EMT", PROTEIN)) == {"EMT": OTHER}


def test_an_abbreviation_of_a_protein_stays_one():
    long = "epidermal growth factor receptor"
    assert kinds(f"{long} ( EGFR ) . EGFR", (long, PROTEIN), ("EGFR", PROTEIN))["EGFR"] == PROTEIN
    # the finder saw a part of the long form
    assert kinds(f"{long} ( EGFR )", ("growth factor", PROTEIN), ("EGFR", PROTEIN))["EGFR"] == PROTEIN


def test_definitions_do_not_cross_sentences():
    assert kinds("epithelial mesenchymal . transition ( EMT )", ("EMT", PROTEIN)) == {"EMT": PROTEIN}


def defined(text):
    words = text.split()
    return [
        (" ".join(words[found.start : found.bracket]), " ".join(words[found.bracket + 1 : found.end]))
        for found in definitions(words)
    ]


def test_definitions():
    assert defined("in tumour necrosis factor - alpha ( TNF - alpha ) and") == [
        ("tumour necrosis factor - alpha", "TNF - alpha")
    ]
    assert defined("a triglyceride ( TG ) of mice ( 10 ) ; see ( Fig ) and ( MAPK )") == [("triglyceride", "TG")]
    assert defined("( IL )") == defined("interleukin ( IL") == defined("p53 ( p53 )") == []


@given(st.lists(st.sampled_from(["(", ")", "AB", "alpha", "beta", "-", "ab", "s", ",", "Bs"]), max_size=14))
def test_a_long_form_holds_the_letters_of_its_abbreviation_in_order(words):
    for found in definitions(words):
        assert words[found.bracket] == "("
        assert found.start < found.bracket < found.end - 1
        long = "".join(words[found.start : found.bracket]).lower()
        short = "".join(words[found.bracket + 1 : found.end])
        letters = [character for character in short.lower() if character.isalnum()]
        letters = letters[:-1] if short[-1] == "s" else letters
        assert long[0] == letters[0]
        rest = iter(long)
        assert all(letter in rest for letter in letters)
