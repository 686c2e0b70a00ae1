"""Genes of rat, two yeasts and Escherichia coli, from the tables of their databases.

Yeasts and E. coli are given the number of the species, not of the strain, since texts name species.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lab.training.lexicon.placeholders import is_placeholder
from lab.training.lexicon.tables import read_rows
from ppi.grounding import LexiconEntry

RAT, BUDDING_YEAST, FISSION_YEAST, COLI = "10116", "4932", "4896", "562"
#: The Sequence Ontology's protein_coding_gene.
_PROTEIN_CODING = "so:0001217"
#: Rat genes have no type here.  Symbols of what does not code for a protein: RNA and pseudogenes.
_NO_PROTEIN = re.compile(r"(?:Mir|Snor|Mt-[tr]|Trna|Rnu|Rn[0-9]+s|Rny|Linc|U[0-9]+$).*|.*[-_]ps[0-9]*", re.IGNORECASE)
_SHORT_NAME = re.compile(r"[A-Z]{3}[0-9]+(?:[A-Z]|-[0-9A-Z]+)?")
_DUBIOUS = re.compile(r"(?:dubious|Schizosaccharomyces (?:pombe )?specific protein|sequence orphan)\b.*", re.IGNORECASE)
_UNIPARC = "UPI"


def read_rat(path: Path) -> Iterator[LexiconEntry]:
    """Rat genes of the Rat Genome Database: no types, no names in words.

    Left out: RNA and pseudogenes as far as symbols tell, and genes that have no name but a number.
    """
    for id, symbol, synonyms in read_rows(path, ("ID", "symbol", "synonyms")):
        if not symbol or _NO_PROTEIN.fullmatch(symbol) or is_placeholder(symbol):
            continue
        names = _listed(synonyms, ";")
        yield LexiconEntry(f"rgd:{id}", symbol, _short(names), _long(names), RAT)


def read_budding_yeast(path: Path) -> Iterator[LexiconEntry]:
    """Open reading frames of the Saccharomyces Genome Database.

    The label is the systematic name, YBR160W; the standard name, CDC28, is the first of the synonyms.
    """
    rows = read_rows(path, ("text", "curie", "name"))
    names: dict[str, list[str]] = {}
    labels: dict[str, str] = {}
    for text, curie, label in rows:
        labels[curie] = label
        names.setdefault(curie, []).append(text)
    for curie, listed in names.items():
        symbol = listed[0] if _SHORT_NAME.fullmatch(listed[0]) else labels[curie]
        others = tuple(name for name in dict.fromkeys((*listed, labels[curie])) if name != symbol)
        yield LexiconEntry(curie, symbol, _short(others), _long(others), BUDDING_YEAST)


def read_fission_yeast(path: Path) -> Iterator[LexiconEntry]:
    """Protein-coding genes of PomBase; what has no name is called by its systematic name."""
    for id, name, definition, synonyms, kind in read_rows(
        path, ("identifier", "name", "definition", "synonyms", "parents")
    ):
        if kind == _PROTEIN_CODING:
            others = tuple(dict.fromkeys((*_listed(synonyms, "|"), id)))
            product = () if not definition or _DUBIOUS.fullmatch(definition) else (definition,)
            yield LexiconEntry(f"pombase:{id}", name or id, others if name else others[:-1], product, FISSION_YEAST)


def read_coli(path: Path) -> Iterator[LexiconEntry]:
    """Genes of Escherichia coli K-12 with UniProt accessions; pseudogenes are marked, and left out."""
    columns = ("locus_tag", "gene_name", "synonyms", "gene_product", "uniprot", "pseudogene")
    for tag, symbol, synonyms, product, uniprot, pseudo in read_rows(path, columns, delimiter=",", quoted=True):
        if pseudo == "True" or not symbol:
            continue
        accession = uniprot if uniprot and not uniprot.startswith(_UNIPARC) else None
        # Bioregistry's prefix for KEGG's genes: the only one there for these numbers
        names = (*_listed(synonyms, ";"), tag)
        others = tuple(name for name in names if name != symbol)
        yield LexiconEntry(f"kegg.genes:eco:{tag}", symbol, others, _listed(product, "\0"), COLI, uniprot=accession)


def _listed(cell: str, separator: str) -> tuple[str, ...]:
    return tuple(name for part in cell.split(separator) if (name := part.strip()))


def _short(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if " " not in name)


def _long(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if " " in name)
