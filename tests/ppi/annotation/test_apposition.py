"""A class and who belongs to it: one noun phrase, no pair."""

import pytest

from corpora import Entity
from ppi.annotation.pairs import is_apposition


def mentions(text, *names):
    return [Entity(name, name, ((text.index(name), text.index(name) + len(name)),)) for name in names]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("the ATPase VPS4 is", ("ATPase", "VPS4"), True),
        ("lipid phosphatase SHIP-1.", ("lipid phosphatase", "SHIP-1"), True),
        ("the ATPase VPS4 binds CHMP2A", ("ATPase", "VPS4"), True),
        ("the ATPase VPS4 complex", ("ATPase", "VPS4"), True),
        ("adaptor GRB2 interacts with", ("adaptor", "GRB2"), True),
        ("Bcl-2 Bax binding", ("Bcl-2", "Bax"), False),
        ("mTOR kinase after", ("mTOR", "kinase"), True),
        ("Bcl-2 Bax heterodimers", ("Bcl-2", "Bax"), False),
        ("p53 MDM2 interaction", ("p53", "MDM2"), False),
        ("cytokines such as TNF", ("cytokines", "TNF"), True),
        ("cytokines, including TNF", ("cytokines", "TNF"), True),
        ("CDKs (e.g. CDK2)", ("CDKs", "CDK2"), True),
        ("cytokines bind TNF", ("cytokines", "TNF"), False),
        ("p53, MDM2", ("p53", "MDM2"), False),
        ("Ras, Raf", ("Ras", "Raf"), False),
        ("p53 and MDM2", ("p53", "MDM2"), False),
        ("p53-MDM2", ("p53", "MDM2"), False),
        ("α-adaptin is encoded by the apa-2 gene", ("α-adaptin", "apa-2"), True),
        ("the TP53 gene, which encodes the tumor suppressor p53", ("TP53", "p53"), True),
        ("PRKACA encoding the catalytic PKA", ("PRKACA", "PKA"), True),
        ("TP53 encodes a regulator that binds MDM2", ("TP53", "MDM2"), False),
        ("cells encoding p53 express MDM2", ("p53", "MDM2"), False),
    ],
)
def test_two_mentions(text, names, expected):
    first, second = mentions(text, *names)
    assert is_apposition(text, first, second, [first, second]) is expected


def test_members_of_a_list_belong_to_the_class_before_it_and_not_to_each_other():
    text = "levels of the cytokines TNF, IL-2 and IL-6 rise"
    names = mentions(text, "cytokines", "TNF", "IL-2", "IL-6")
    assert [is_apposition(text, names[0], other, names) for other in names[1:]] == [True, True, True]
    assert not is_apposition(text, names[1], names[3], names)


def test_mentions_that_overlap_are_two():
    text = "RAD51 paralog"
    first, second = mentions(text, "RAD51", "RAD51 paralog")
    assert not is_apposition(text, first, second, [first, second])
