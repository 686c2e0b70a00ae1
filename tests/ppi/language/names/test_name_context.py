"""What stands around a name changes its kind, and abbreviations are what their long forms are."""

from ppi.language.entity_kinds import CELL, CHEMICAL, DNA_RNA, FAMILY, OTHER, PROTEIN
from ppi.language.names.finder import classify_in_context
from ppi.language.names.neural_network import NameSpan
from ppi.language.tokenization import TokenizedText


def kinds(text, *names):
    """The kinds of names, given as (words, kind), in a text of words between blanks."""
    words, found = text.split(), []
    for name, kind in names:
        pieces = name.split()
        found += [
            NameSpan(start, start + len(pieces), kind)
            for start in range(len(words))
            if words[start : start + len(pieces)] == pieces
        ]
    told = classify_in_context(TokenizedText(words, [" "] * len(words)), sorted(found))
    return {" ".join(words[name.start : name.end]): name.kind for name in told}


def test_antibodies_tags_and_markers_are_no_proteins():
    assert kinds("anti - CD3 and p53", ("CD3", PROTEIN), ("p53", PROTEIN)) == {"CD3": OTHER, "p53": PROTEIN}
    assert kinds("the p53 antibodies", ("p53", PROTEIN)) == {"p53": OTHER}
    assert kinds("GFP - tagged Raf", ("GFP", PROTEIN), ("Raf", PROTEIN)) == {"GFP": OTHER, "Raf": PROTEIN}
    assert kinds("CD4 + T cells", ("CD4", PROTEIN)) == {"CD4": CELL}
    assert kinds("CD34 - positive cells", ("CD34", PROTEIN)) == {"CD34": CELL}


def test_what_something_is_joined_to_is_a_tag():
    for text in ("GST - Arfrp1", "DAF-16 :: GST", "a GST pull - down", "GST fusion proteins"):
        assert kinds(text, ("GST", PROTEIN)) == {"GST": OTHER}
    assert kinds("HA - Vangl2", ("HA", PROTEIN), ("Vangl2", PROTEIN)) == {"HA": OTHER, "Vangl2": PROTEIN}
    for text in ("GST activity", "of GST .", "GST and MBP"):
        assert kinds(text, ("GST", PROTEIN)) == {"GST": PROTEIN}
    assert kinds("Myc - Max dimers", ("Myc", PROTEIN), ("Max", PROTEIN)) == {"Myc": PROTEIN, "Max": PROTEIN}


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
    assert kinds("epithelial mesenchymal . Transition ( EMT )", ("EMT", PROTEIN)) == {"EMT": PROTEIN}


def test_an_abbreviation_of_a_protein_becomes_one():
    long = "platelet activating factor acetylhydrolase"
    found = kinds(f"{long} ( PAFAH ) . PAFAH", (long, PROTEIN), ("PAFAH", CHEMICAL))
    assert found == {long: PROTEIN, "PAFAH": PROTEIN}


def test_a_name_inside_a_long_form_does_not_say_what_its_head_is():
    text = "mammalian target of rapamycin ( mTOR )"
    assert kinds(text, ("rapamycin", CHEMICAL), ("mTOR", PROTEIN))["mTOR"] == PROTEIN


def test_the_last_definition_before_a_name_counts():
    text = "PA ; phosphatidic acid ( PA ) . PA ; plasminogen activator ( PA )"
    words = text.split()
    names = [NameSpan(at, at + 1, PROTEIN) for at, word in enumerate(words) if word == "PA"]
    told = classify_in_context(TokenizedText(words, [" "] * len(words)), names)
    assert [name.kind for name in told] == [CHEMICAL, CHEMICAL, CHEMICAL, PROTEIN]


def test_residues_that_something_happens_at_are_no_proteins():
    found = kinds("phosphorylation at S6 , S9 and S46", ("S6", PROTEIN), ("S9", PROTEIN), ("S46", PROTEIN))
    assert set(found.values()) == {OTHER}
    assert kinds("phosphorylation of S6 and S9", ("S6", PROTEIN)) == {"S6": PROTEIN}
    assert kinds("K63 - linked chains", ("K63", PROTEIN)) == {"K63": OTHER}


def test_descriptions_are_families():
    assert kinds("a receptor tyrosine kinase binds", ("receptor tyrosine kinase", PROTEIN)) == {
        "receptor tyrosine kinase": FAMILY
    }
    for name in ("protein kinase C", "insulin receptor", "cyclin"):
        assert kinds(f"the {name} binds", (name, PROTEIN)) == {name: PROTEIN}
