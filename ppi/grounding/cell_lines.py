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

FORMAT = "ppi-miner cell lines"
VERSION = 1
SHIPPED = "cell_lines.zip"
#: Organisms whose lines are kept, by the names of their arrays.
ORGANISMS = {"human": HUMAN, "mouse": MOUSE, "rat": RAT}

_NAME = re.compile(r"[a-z0-9]+(?:[-/][a-z0-9]+)*")
_CELLS = re.compile(r"\bcells?\b")
_SHORTEST, _LONGEST = 3, 8


def cell_lines(lower: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and organism of the cell lines that a sentence, in small letters, names; O(characters)."""
    if _CELLS.search(lower) is None:
        return
    known = _known()
    for found in _NAME.finditer(lower):
        key = found[0].replace("-", "").replace("/", "")
        if not is_usable(key) or (len(key) == _SHORTEST and not lower.startswith(" cell", found.end())):
            continue
        if (taxid := known.get(line_hash(key))) is not None:
            yield found.start(), found.end(), taxid


def is_usable(key: str) -> bool:
    """Whether a name, letters and digits alone, can be told from a word: it has both, and neither few nor many.

    >>> [is_usable(key) for key in ("panc1", "hela", "lx2", "t2", "1234", "gm00001234")]
    [True, False, True, False, False, False]
    """
    return _SHORTEST <= len(key) <= _LONGEST and not key.isdigit() and not key.isalpha()


def line_hash(key: str) -> int:
    """What a name is kept by."""
    return crc32(key.encode())


@cache
def _known() -> dict[int, str]:
    from ppi.archive import read_archive  # needs numpy, which names alone, and so the command line's help, do without

    _, arrays = read_archive(Path(str(files("ppi.grounding") / SHIPPED)), format=FORMAT, versions=(VERSION,))
    return {number: taxid for name, taxid in ORGANISMS.items() for number in arrays[name].tolist()}
