"""What an abbreviation is, by the words that it stands for."""

import pytest

from ppi.language.entity_kinds import CELL, CHEMICAL, DNA_RNA, OTHER, PROTEIN
from ppi.language.names.rules import classify_by_head, classify_long_form, find_head


def kind(long, *, named=None, has_protein=False):
    return classify_long_form(long, head_kind=named, has_protein=has_protein)


@pytest.mark.parametrize(
    ("long", "head"),
    [
        ("casein kinase 1", "kinase"),
        ("protein kinase C", "kinase"),
        ("TGF-beta receptor type II", "receptor"),
        ("peroxisome proliferator-activated receptor gamma coactivator 1alpha", "coactivator"),
        ("mammalian target of rapamycin", "target"),
        ("signal transducer and activator of transcription 3", "activator"),
        ("receptor for advanced glycation end products", "receptor"),
    ],
)
def test_head(long, head):
    assert long[slice(*find_head(long))] == head


@pytest.mark.parametrize(
    ("long", "expected"),
    [
        ("endothelial progenitor cells", CELL),
        ("lipoteichoic acid", CHEMICAL),
        ("fatty acid synthase", PROTEIN),
        ("short interfering RNA", DNA_RNA),
        ("rheumatoid arthritis", OTHER),
        ("Alzheimer's disease", OTHER),
        ("polymerase chain reaction", OTHER),
    ],
)
def test_kind_by_head(long, expected):
    assert classify_by_head(long) == expected


def test_the_name_found_at_the_head_counts_most():
    assert kind("adenomatous polyposis coli", named=PROTEIN) == PROTEIN
    assert kind("benzo[a]pyrene", named=CHEMICAL) == CHEMICAL


def test_words_without_a_protein_among_them_are_something_else():
    assert kind("growth plate") == OTHER
    assert kind("Wnt growth plate", has_protein=True) is None


def test_names_that_genes_are_known_by_say_nothing():
    for long in (
        "ataxia telangiectasia mutated",
        "deleted in colorectal cancers",
        "phosphatase and tensin homolog deleted on chromosome ten",
        "structural maintenance of chromosomes 1",
        "Hedgehog",
    ):
        assert kind(long) in (None, PROTEIN)
