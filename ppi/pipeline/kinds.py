"""What a name that the shipped pipeline finds is the name of; the label of its entity."""

from __future__ import annotations

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
