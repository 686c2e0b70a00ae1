"""Names that cannot be a protein's, by their form; and genes that look like them."""

import pytest

from ppi.pipeline.kinds import CHEMICAL, OTHER
from ppi.pipeline.names.spelling import kind_by_spelling

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
    assert kind_by_spelling(name) == CHEMICAL


@pytest.mark.parametrize("name", ["infliximab", "EGFP", "Ser78", "green fluorescent protein"])
def test_antibodies_tags_and_residues(name):
    assert kind_by_spelling(name) == OTHER


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
    assert kind_by_spelling(name) is None


@pytest.mark.parametrize(
    "name", ["mammalian target of rapamycin", "fructose-6-phosphate, 2-kinase", "indoleamine 2,3 dioxygenase"]
)
def test_the_head_of_a_name_counts(name):
    assert kind_by_spelling(name) is None
