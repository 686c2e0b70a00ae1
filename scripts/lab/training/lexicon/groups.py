"""Complexes of the Complex Portal, gene groups of HGNC and families of Pfam, from tables of their ontologies.

A complex or family is often called without that word: "Vanin family" is also listed as "Vanin".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lab.training.lexicon.genes import BUDDING_YEAST, COLI, FISSION_YEAST
from lab.training.lexicon.tables import read_rows
from ppi.grounding import COMPLEX, FAMILY, LexiconEntry

#: Strains to species, as the genes have them.
_SPECIES = {"559292": BUDDING_YEAST, "284812": FISSION_YEAST, "83333": COLI}
_COLUMNS = ("identifier", "name", "definition", "synonyms", "species")
_LAST_WORD = re.compile(r"[\s,]+(?:complex|family|superfamily|subfamily|gene family)$", re.IGNORECASE)
_RNA = re.compile(r"MicroRNA\b.*|.*\b(?:RNAs|RNA clusters|pseudogenes)", re.IGNORECASE)
#: Domains of unknown function and the like, and names that are words of the language.
_NO_NAME = re.compile(r"(?:DUF|UPF)[0-9].*|.*(?:unknown function|uncharacteri[sz]ed).*", re.IGNORECASE)


def read_complexes(path: Path) -> Iterator[LexiconEntry]:
    """Complexes of the Complex Portal."""
    for id, name, _, synonyms, species in read_rows(path, _COLUMNS):
        names = (name, *synonyms.split("|"))
        yield _group(f"complexportal:{id}", names, species, COMPLEX)


def read_gene_groups(path: Path) -> Iterator[LexiconEntry]:
    """Gene groups of HGNC without those of RNA; those that are complexes by name are called so."""
    for id, name, _, synonyms, species in read_rows(path, _COLUMNS):
        if _RNA.fullmatch(name):
            continue
        kind = COMPLEX if re.search(r"complex(?:es)?\b", name) else FAMILY
        yield _group(f"hgnc.genegroup:{id}", (name, *synonyms.split("|")), species, kind)


def read_pfam(path: Path) -> Iterator[LexiconEntry]:
    """Families of Pfam, without those of unknown function."""
    for id, name, definition, _, species in read_rows(path, _COLUMNS):
        if not _NO_NAME.fullmatch(name) and not _NO_NAME.fullmatch(definition):
            yield _group(f"pfam:{id}", (name, definition), species, FAMILY)


def _group(identifier: str, listed: tuple[str, ...], species: str, kind: str) -> LexiconEntry:
    names = dict.fromkeys(name for name in listed if name)
    names.update(dict.fromkeys(short for name in tuple(names) if (short := _LAST_WORD.sub("", name))))
    symbol, *others = names
    taxid = species.removeprefix("ncbitaxon:")
    words = tuple(name for name in others if " " not in name)
    phrases = tuple(name for name in others if " " in name)
    return LexiconEntry(identifier, symbol, words, phrases, _SPECIES.get(taxid, taxid) or None, kind)
