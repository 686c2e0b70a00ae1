"""Cell lines and the organisms they come from: "PANC-1 cells" are human.

Names with letters and digits, from Cellosaurus (CC BY 4.0), as hashes: what no gene is called.  They count only where a
sentence speaks of cells, those of three characters only before that word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from zlib import crc32

from ppi.grounding.species_words import HUMAN, MOUSE, RAT

CELL_LINES_FORMAT = "ppi-miner cell lines"
CELL_LINES_VERSION = 1
CELL_LINES_FILE = "cell_lines.zip"
#: Organisms whose lines are kept, by the names of their arrays.
CELL_LINE_TAXIDS = {"human": HUMAN, "mouse": MOUSE, "rat": RAT}

_CELL_LINE_NAME = re.compile(r"[a-z0-9]+(?:[-/][a-z0-9]+)*")
_CELL_WORD = re.compile(r"\bcells?\b")
_MIN_CELL_LINE_LENGTH, _MAX_CELL_LINE_LENGTH = 3, 8


def find_cell_lines(lower: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and organism of the cell lines that a sentence, in small letters, names; O(characters)."""
    if _CELL_WORD.search(lower) is None:
        return
    taxid_by_hash = _load_cell_lines()
    for match in _CELL_LINE_NAME.finditer(lower):
        key = match[0].replace("-", "").replace("/", "")
        if not is_distinctive_name(key) or (
            len(key) == _MIN_CELL_LINE_LENGTH and not lower.startswith(" cell", match.end())
        ):
            continue
        if (taxid := taxid_by_hash.get(hash_name(key))) is not None:
            yield match.start(), match.end(), taxid


def is_distinctive_name(key: str) -> bool:
    """Whether a name, letters and digits alone, can be told from a word: it has both, and neither few nor many.

    >>> [is_distinctive_name(key) for key in ("panc1", "hela", "lx2", "t2", "1234", "gm00001234")]
    [True, False, True, False, False, False]
    """
    return _MIN_CELL_LINE_LENGTH <= len(key) <= _MAX_CELL_LINE_LENGTH and not key.isdigit() and not key.isalpha()


def hash_name(key: str) -> int:
    """What a name is kept by."""
    return crc32(key.encode())


@cache
def _load_cell_lines() -> dict[int, str]:
    from ppi.archive import read_archive  # needs numpy, which names alone, and so the command line's help, do without

    _, arrays = read_archive(
        Path(str(files("ppi.grounding") / CELL_LINES_FILE)), format=CELL_LINES_FORMAT, versions=(CELL_LINES_VERSION,)
    )
    return {number: taxid for name, taxid in CELL_LINE_TAXIDS.items() for number in arrays[name].tolist()}
