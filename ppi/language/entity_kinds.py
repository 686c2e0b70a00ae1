"""The kinds of names that the shipped pipeline finds, which are the labels of its entities."""

from __future__ import annotations

import re

#: A gene or its product.
PROTEIN = "PROTEIN"
#: A family of them, or a complex.
FAMILY = "FAMILY"
#: A promoter, an mRNA, an siRNA.
DNA_RNA = "DNA_RNA"
CHEMICAL = "CHEMICAL"
CELL = "CELL"
ORGANISM = "ORGANISM"
#: An antibody, a tag, a domain, an assay.
OTHER = "OTHER"

KINDS = (PROTEIN, FAMILY, DNA_RNA, CHEMICAL, CELL, ORGANISM, OTHER)

#: Types of given entities that are neither genes nor proteins.
_NON_PROTEIN_TYPES = re.compile(
    r"chemical|drug|compound|metabolite|disease|disorder|phenotype|symptom|species|organism|taxon|virus|bacteri"
    r"|mutation|variant|variation|snp|polymorphism|cell|tissue|organ\b|anatom|chromosome|habitat|pathway|process"
    r"|function|person|location|date|number|quantity",
    re.IGNORECASE,
)


def is_non_protein_type(type: str | None) -> bool:
    """Whether the type of a given entity, none of :data:`KINDS`, means that it is neither gene nor protein.

    >>> [is_non_protein_type(type) for type in ("Chemical", "ProteinMutation", "Gene", None, PROTEIN, CELL)]
    [True, True, False, False, False, False]
    """
    return type is not None and type not in KINDS and _NON_PROTEIN_TYPES.search(type) is not None


def is_protein_type(type: str | None) -> bool:
    """Whether a mention of this type is taken for a protein: :data:`PROTEIN`, or a type that means nothing else.

    >>> [is_protein_type(type) for type in (None, "Gene", PROTEIN, FAMILY, "Chemical")]
    [True, True, True, False, False]
    """
    return type == PROTEIN if type in KINDS else not is_non_protein_type(type)
