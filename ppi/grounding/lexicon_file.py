"""The lexicon on disk: one zip of a JSON header and flat arrays (:mod:`ppi.archive`); nothing in it can run code.

The header says the version, when and from what it was made, under which terms, and how many entries of which species it
holds.  Numbers are written as what packs well: lengths instead of positions, and differences of the sorted hashes.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppi.archive import model_errors, read_archive
from ppi.grounding.candidate import FIELDS, KINDS
from ppi.grounding.lexicon_table import Group, Table, Texts

FORMAT = "ppi-miner lexicon"
VERSION = 1
SHIPPED = "lexicon.zip"
_ZIP = b"PK\x03\x04"


@cache
def shipped_table() -> Table:
    """The arrays of the lexicon that ships; read when first asked for, then kept."""
    return read_table(Path(str(files("ppi.grounding") / SHIPPED)))


def is_built(path: str | Path) -> bool:
    """Whether a file is a zip, by its first bytes, and so no list to be read line by line."""
    try:
        with open(path, "rb") as file:
            return file.read(len(_ZIP)) == _ZIP
    except OSError:
        return False


def read_table(path: str | Path) -> Table:
    """The arrays of a lexicon's file.

    Raises
    ------
    ModelFileError
        If it is damaged, no lexicon, or one of another version.
    """
    header, arrays = read_archive(path, format=FORMAT, versions=(VERSION,))
    with model_errors(path):
        groups = tuple(_group(value) for value in header["groups"])
        name_counts = arrays["name_counts"]
        ends = np.cumsum(name_counts, dtype=np.int64)
        table = Table(
            groups,
            arrays["group_of"],
            _texts(arrays, "ids"),
            _texts(arrays, "uniprots"),
            (ends - name_counts).astype(np.uint32),
            _texts(arrays, "names"),
            arrays["fields"],
            np.cumsum(arrays["hash_steps"], dtype=np.uint32),
            arrays["name_of"],
        )
        _check(table, int(ends[-1]) if len(ends) else 0, int(name_counts.min(initial=1)))
    return table


def _group(value: Any) -> Group:
    prefix, taxid, kind = value
    if not isinstance(prefix, str) or not (taxid is None or isinstance(taxid, str)) or kind not in KINDS:
        raise ValueError(f"expected prefix, species and kind of a group, got {value!r}")
    return Group(prefix, taxid, kind)


def _texts(arrays: dict[str, NDArray[Any]], name: str) -> Texts:
    texts = Texts(arrays[name].tobytes(), arrays[f"{name}_lengths"])
    if int(texts.lengths.sum(dtype=np.int64)) != len(texts.data):
        raise ValueError(f"expected texts of the lengths given in {name!r}, got {len(texts.data)} bytes")
    return texts


def _check(table: Table, names: int, fewest: int) -> None:
    """Whether what the arrays say of each other is true; numbers that point nowhere would fail later, or mislead."""
    entries = len(table.ids)
    if not (len(table.group_of) == len(table.first_names) == len(table.uniprots) == entries):
        raise ValueError("expected as many groups, names and accessions as identifiers")
    if not (names == len(table.names) == len(table.fields)) or fewest < 1:
        raise ValueError("expected as many names as the entries have, and one of each at least")
    if len(table.hashes) != len(table.name_of):
        raise ValueError("expected a name for each hash")
    if table.name_of.max(initial=0) >= max(names, 1) or table.group_of.max(initial=0) >= max(len(table.groups), 1):
        raise ValueError("expected numbers of names and groups that are there")
    if table.fields.max(initial=0) >= len(FIELDS) or (table.hashes[1:] < table.hashes[:-1]).any():
        raise ValueError("expected fields that are known, and hashes in order")
