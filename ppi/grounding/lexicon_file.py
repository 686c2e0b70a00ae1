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

from ppi.archive import raise_as_model_file_error, read_archive
from ppi.grounding.candidate import ENTRY_KINDS, FIELDS
from ppi.grounding.lexicon_table import EntryGroup, LexiconTable, PackedTexts

LEXICON_FORMAT = "ppi-miner lexicon"
LEXICON_VERSION = 1
LEXICON_FILE = "lexicon.zip"
_ZIP_SIGNATURE = b"PK\x03\x04"


@cache
def load_shipped_table() -> LexiconTable:
    """The arrays of the lexicon that ships; read when first asked for, then kept."""
    return read_table(Path(str(files("ppi.grounding") / LEXICON_FILE)))


def is_built_lexicon(path: str | Path) -> bool:
    """Whether a file is a zip, by its first bytes, and so no list to be read line by line."""
    try:
        with open(path, "rb") as file:
            return file.read(len(_ZIP_SIGNATURE)) == _ZIP_SIGNATURE
    except OSError:
        return False


def read_table(path: str | Path) -> LexiconTable:
    """The arrays of a lexicon's file.

    Raises
    ------
    ModelFileError
        If it is damaged, no lexicon, or one of another version.
    """
    header, arrays = read_archive(path, format=LEXICON_FORMAT, versions=(LEXICON_VERSION,))
    with raise_as_model_file_error(path):
        groups = tuple(_parse_group(value) for value in header["groups"])
        name_counts = arrays["name_counts"]
        ends = np.cumsum(name_counts, dtype=np.int64)
        table = LexiconTable(
            groups,
            arrays["group_of"],
            _parse_texts(arrays, "ids"),
            _parse_texts(arrays, "uniprots"),
            (ends - name_counts).astype(np.uint32),
            _parse_texts(arrays, "names"),
            arrays["fields"],
            np.cumsum(arrays["hash_steps"], dtype=np.uint32),
            arrays["name_of"],
        )
        _check_table(table, int(ends[-1]) if len(ends) else 0, int(name_counts.min(initial=1)))
    return table


def _parse_group(value: Any) -> EntryGroup:
    prefix, taxid, kind = value
    if not isinstance(prefix, str) or not (taxid is None or isinstance(taxid, str)) or kind not in ENTRY_KINDS:
        raise ValueError(f"expected prefix, species and kind of a group, got {value!r}")
    return EntryGroup(prefix, taxid, kind)


def _parse_texts(arrays: dict[str, NDArray[Any]], name: str) -> PackedTexts:
    texts = PackedTexts(arrays[name].tobytes(), arrays[f"{name}_lengths"])
    if int(texts.lengths.sum(dtype=np.int64)) != len(texts.data):
        raise ValueError(f"expected texts of the lengths given in {name!r}, got {len(texts.data)} bytes")
    return texts


def _check_table(table: LexiconTable, n_names: int, min_names: int) -> None:
    """Whether what the arrays say of each other is true; numbers that point nowhere would fail later, or mislead."""
    n_entries = len(table.ids)
    if not (len(table.group_of) == len(table.first_names) == len(table.uniprots) == n_entries):
        raise ValueError("expected as many groups, names and accessions as identifiers")
    if not (n_names == len(table.names) == len(table.fields)) or min_names < 1:
        raise ValueError("expected as many names as the entries have, and one of each at least")
    if len(table.hashes) != len(table.name_of):
        raise ValueError("expected a name for each hash")
    if table.name_of.max(initial=0) >= max(n_names, 1) or table.group_of.max(initial=0) >= max(len(table.groups), 1):
        raise ValueError("expected numbers of names and groups that are there")
    if table.fields.max(initial=0) >= len(FIELDS) or (table.hashes[1:] < table.hashes[:-1]).any():
        raise ValueError("expected fields that are known, and hashes in order")
