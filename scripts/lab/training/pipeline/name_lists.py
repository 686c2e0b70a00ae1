"""The lists of names behind the name finder's gazetteer: genes, their families, and what is no protein."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ppi.grounding import read_genes
from ppi.language import normalize_name

#: Longer names are systematic names of chemicals, which texts do not spell out.
_LONGEST = 40
#: Entries of the lists that are common words, or names of what the lists should not hold.
_COMMON_WORDS = """
    protein proteins peptide peptides polypeptide polypeptides dna rna mrna cdna trna gene genes enzyme enzymes
    acid base group groups role drug drugs inhibitor inhibitors agonist antagonist ligand ligands hormone
    hormones antibody antibodies antigen antigens reagent molecule molecules compound compounds residue residues
    amino aminoacid aminoacids nucleicacid nucleicacids oligonucleotide oligonucleotides nucleotide nucleotides
    probe marker food water solution salt cell cells cellline line lines clone clones strain strains tissue
    tumor cancer control atom atoms ion ions metal all and are but can did for had has her his how its let may
    new not now old one our out own per put saw say see set she than that the them then they this was way who
    why with you two three four five six ten time type test case part mechanism unknown other others small large
    high low max min map map2 fig figure table activator substrate cofactor mutant mutants wildtype patient
    patients virus viruses bacteria animal animals
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_LETTER = re.compile(r"[a-z]")


@dataclass(frozen=True)
class Lexicon:
    """A folder of lists."""

    folder: Path

    def names(self) -> dict[str, list[str]]:
        """The names of each list of :data:`ppi.language.names.token_features.LISTS`."""
        return {
            "gene": list(_usable(self._genes())),
            "family": list(_usable(self._families())),
            "chemical": list(_usable(self._first_column("not-proteins-chebi.tsv.gz"))),
            "cell": list(_usable(self._cells())),
            "organism": list(_usable(self._first_column("not-proteins-Species.tsv.gz"))),
        }

    def _genes(self) -> Iterator[str]:
        """Symbols, synonyms and full names of protein-coding genes of human, yeasts and Escherichia coli."""
        for gene in read_genes(self.folder / "entrez-human-gene_info.gz"):
            yield from (gene.symbol, *gene.synonyms, *gene.names)
        for species in ("sgd", "pombase"):
            yield from self._first_column(f"obo-{species}-synonyms.tsv.gz")

    def _families(self) -> Iterator[str]:
        for source in ("hgnc.genegroup", "complexportal"):
            yield from self._first_column(f"obo-{source}-synonyms.tsv.gz")
        with gzip.open(self.folder / "famplex-grounding_map.csv.gz", "rt", encoding="utf-8", newline="") as lines:
            yield from (row[0] for row in csv.reader(lines) if row[1] == "FPLX")

    def _cells(self) -> Iterator[str]:
        yield from self._first_column("not-proteins-CellOntology.tsv.gz")
        # names of cell lines are often numbers, or short words
        for name in self._first_column("not-proteins-Cellosaurus.tsv.gz"):
            key = normalize_name(name)
            if len(key) > 3 or (len(key) == 3 and not key.isalpha()):
                yield name

    def _first_column(self, name: str) -> Iterator[str]:
        with gzip.open(self.folder / name, "rt", encoding="utf-8", newline="") as lines:
            for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield row[0]


def _usable(names: Iterator[str]) -> Iterator[str]:
    """Names with a letter, not too long, and no common words."""
    for name in names:
        key = normalize_name(name)
        if len(key) <= _LONGEST and _LETTER.search(key) and key not in _COMMON:
            yield name
