"""The lists that the lexicon is made from: what each one holds, and under which terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from lab.training.lexicon import genes, groups
from ppi.grounding import LexiconEntry, read_families, read_genes

PUBLIC_DOMAIN, CC0, CC_BY, MIT = "public domain", "CC0 1.0", "CC BY 4.0", "MIT"


class Listed(NamedTuple):
    """A list: its name, its file in the folder, who made it, the terms, and how it is read."""

    name: str
    file: str
    maker: str
    licence: str
    read: Callable[[Path], Iterator[LexiconEntry]]


def _entrez(species: str, file: str, taxid: str) -> Listed:
    return Listed(species, file, "NCBI Gene", PUBLIC_DOMAIN, partial(read_genes, taxids=(taxid,)))


#: In the order in which equally good candidates come.
SOURCES = (
    _entrez("human", "entrez-human-gene_info.gz", "9606"),
    _entrez("mouse", "entrez-mouse-gene_info.gz", "10090"),
    Listed("rat", "rgd-rat-entries.tsv.gz", "Rat Genome Database", CC_BY, genes.read_rat),
    _entrez("zebrafish", "entrez-zebrafish-gene_info.gz", "7955"),
    _entrez("fly", "entrez-fly-gene_info.gz", "7227"),
    Listed(
        "budding yeast", "obo-sgd-synonyms.tsv.gz", "Saccharomyces Genome Database", CC_BY, genes.read_budding_yeast
    ),
    Listed("fission yeast", "obo-pombase.tsv.gz", "PomBase", CC_BY, genes.read_fission_yeast),
    Listed("E. coli K-12", "ecoli-k12-gene_info.csv.gz", "a table of E. coli K-12 MG1655", MIT, genes.read_coli),
    Listed("families of FamPlex", "famplex-grounding_map.csv.gz", "FamPlex", CC0, read_families),
    Listed("complexes", "obo-complexportal.tsv.gz", "Complex Portal", CC0, groups.read_complexes),
    Listed("gene groups", "obo-hgnc.genegroup.tsv.gz", "HGNC", CC0, groups.read_gene_groups),
    Listed("Pfam families", "obo-pfam.tsv.gz", "Pfam", CC0, groups.read_pfam),
)
