"""Make the list of cell lines that ships: names of Cellosaurus that one organism's lines have, and no gene."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np

from ppi.core import write_archive
from ppi.grounding import (
    CELL_LINE_TAXIDS,
    CELL_LINES_FORMAT,
    CELL_LINES_VERSION,
    FIELDS,
    Lexicon,
    hash_name,
    is_distinctive_name,
)

FILE = "not-proteins-Cellosaurus.tsv.gz"
_LATIN = {"Homo sapiens": "human", "Mus musculus": "mouse", "Rattus norvegicus": "rat"}
_OTHERS = re.compile(r"[^a-z0-9]")
#: Matches of genes from here on are neither as written nor normalized.
_FIRST_WEAK_RANK = 2 * len(FIELDS)
#: Not told from words with a number.
_WORDS = re.compile(
    r"(?:line|cell|type|day|week|phase|stage|group|grade|fig|table|step|part|case|lane|class|exon)s?[0-9]+"
)
#: Collections of donors, whose numbers no abstract names.
_DONORS = re.compile(r"(?:gm|hg|na|nd|ag|cs|ukb|whc|hps|wa|ucl)[0-9]{3,}.*")


def make_cell_lines(folder: Path, lexicon: Lexicon, output: Path) -> int:
    """Write the file; returns the number of names."""
    organisms: dict[str, set[str]] = {}
    with gzip.open(folder / FILE, "rt", encoding="utf-8") as rows:
        for row in rows:
            name, _, organism = row.rstrip("\n").split("\t")
            organisms.setdefault(_OTHERS.sub("", name.lower()), set()).add(_LATIN.get(organism, organism))
    kept: dict[str, list[int]] = {name: [] for name in CELL_LINE_TAXIDS}
    for key, whose in organisms.items():
        (first, *others) = whose
        if (
            others
            or first not in kept
            or not is_distinctive_name(key)
            or _DONORS.fullmatch(key)
            or _WORDS.fullmatch(key)
        ):
            continue
        if all(candidate.rank >= _FIRST_WEAK_RANK for candidate in lexicon.candidates(key)):
            kept[first].append(hash_name(key))
    arrays = {name: np.array(sorted(set(numbers)), np.uint32) for name, numbers in kept.items()}
    counts = {name: len(held) for name, held in arrays.items()}
    header = {"source": "Cellosaurus", "licence": "CC BY 4.0", "names": counts}
    write_archive(output, header, arrays, format=CELL_LINES_FORMAT, version_number=CELL_LINES_VERSION)
    return sum(map(len, arrays.values()))
