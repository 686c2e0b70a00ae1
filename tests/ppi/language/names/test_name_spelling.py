"""Names that cannot be a protein's, by their form; and genes that look like them."""

import pytest

from ppi.language.entity_kinds import CHEMICAL, DNA_RNA, OTHER
from ppi.language.names.rules import classify_by_spelling

SUBSTANCES = [
    "LY294002",
    "SB203580",
    "PD98059",
    "U0126",
    "AG1478",
    "AZD2171",
    "Go6976",
    "SP600125",
    "BMS-354825",
    "Y27632",
]
DRUGS = ["imatinib", "cisplatin", "doxorubicin", "everolimus", "olaparib", "fluconazole"]
OTHERS = [
    "UDP-Gal",
    "GTPgammaS",
    "NAD+",
    "CNBr",
    "NaCl",
    "CaCl2",
    "PGE2",
    "PGF2alpha",
    "GalNAcalpha1-R",
    "N-acetylglutamate",
    "retinaldehyde",
]


@pytest.mark.parametrize("name", [*SUBSTANCES, *DRUGS, *OTHERS, "oleic acid", "phosphatidylinositol 3,4-bisphosphate"])
def test_chemicals(name):
    assert classify_by_spelling(name) == CHEMICAL


@pytest.mark.parametrize("name", ["infliximab", "EGFP", "Ser78", "green fluorescent protein"])
def test_antibodies_tags_and_residues(name):
    assert classify_by_spelling(name) == OTHER


@pytest.mark.parametrize("name", ["Figure 5A", "Fig. 3", "Table S2", "Δtrr1", "Δtrr2 mutants", "rad51Δ", "SRS2Δ cells"])
def test_figures_and_strains_that_lack_a_gene(name):
    assert classify_by_spelling(name) == OTHER


@pytest.mark.parametrize("name", ["EF-hand I", "WD40 beta propeller", "K465/468–K483", "S252/S256"])
def test_parts_of_proteins(name):
    assert classify_by_spelling(name) == OTHER


@pytest.mark.parametrize("name", ["Microtubules", "mitochondria", "lysosome", "Cilia"])
def test_parts_of_cells(name):
    assert classify_by_spelling(name) == OTHER


@pytest.mark.parametrize("name", ["Soc locus", "HLA-B27 alleles", "Per1 E-box"])
def test_places_in_a_genome(name):
    assert classify_by_spelling(name) == DNA_RNA


@pytest.mark.parametrize(
    "name",
    ["proteasome", "desmin filaments", "ΔFosB", "ΔNp63", "CFTRΔF508", "CLOCKΔ19", "p38/p42", "TAB2", "Movo", "E2F1"],
)
def test_proteins_that_look_like_these(name):
    assert classify_by_spelling(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "KIAA1199",
        "LOC100130000",
        "FLJ20420",
        "MGC12345",
        "C1orf112",
        "ZNF265",
        "CD274",
        "HSP90",
        "RAD51",
        "PGC1alpha",
        "PGK1",
        "CDP",
        "NAD",
        "SP1",
        "p53",
        "IL-2",
        "cathepsin",
        "protamine",
    ],
)
def test_genes_stay(name):
    assert classify_by_spelling(name) is None


@pytest.mark.parametrize(
    "name", ["mammalian target of rapamycin", "fructose-6-phosphate, 2-kinase", "indoleamine 2,3 dioxygenase"]
)
def test_the_head_of_a_name_counts(name):
    assert classify_by_spelling(name) is None
