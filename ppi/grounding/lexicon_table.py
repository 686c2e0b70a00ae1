"""Stores the lexicon in flat arrays: half a million names in a few tens of megabytes, found by binary search.

Entries stand one after the other, and so do their names (the official symbol first), all in one string of bytes.  Each
name is kept under one or two hashes, those of :class:`~ppi.grounding.matching.Spelling`; the hashes are sorted, and
beside each stands the number of its name.  A hash only shows where to look: whether a name matches is decided by its
letters, so two names of one hash do no harm.

The file is one zip of a JSON header and flat arrays (:func:`ppi.core.read_archive`); nothing in it can run code.  The
header holds the version, when and from what it was made, under which terms, and how many entries of which species
there are.  Numbers are written as what packs well: lengths instead of positions, and differences of the sorted hashes.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora import truncate_repr
from ppi.core import UsageError, raise_as_model_file_error, read_archive
from ppi.grounding.matching import ENTRY_KINDS, FIELDS, LexiconEntry, make_spelling

LEXICON_FORMAT = "ppi-miner lexicon"
LEXICON_VERSION = 1
LEXICON_FILE = "lexicon.zip"
_ZIP_SIGNATURE = b"PK\x03\x04"
#: Names beyond this number are refused: about half a gigabyte while the arrays are made.
MAX_NAMES = 5_000_000
MAX_GROUPS = 10_000
#: A name that more entries of one group share identifies none of them ("uncharacterized protein").
MAX_ENTRIES_PER_NAME = 50
#: Longer names are sentences; no text repeats them.
MAX_NAME_CHARACTERS = 200


class EntryGroup(NamedTuple):
    """What entries of one source and species have in common."""

    prefix: str
    taxid: str | None
    kind: str


class PackedTexts:
    """Many short texts in one string of bytes."""

    def __init__(self, data: bytes, lengths: NDArray[np.uint16]) -> None:
        self.data = data
        self.lengths = lengths
        self._ends = np.cumsum(lengths, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, index: int) -> str:
        end = int(self._ends[index])
        # a damaged file may cut a character in two; that gives an odd name, not a failure
        return self.data[end - int(self.lengths[index]) : end].decode("utf-8", "replace")


class LexiconTable(NamedTuple):
    """The arrays; see the module."""

    groups: tuple[EntryGroup, ...]
    #: of entries
    group_of: NDArray[np.uint16]
    ids: PackedTexts
    uniprots: PackedTexts
    first_names: NDArray[np.uint32]
    #: of names
    names: PackedTexts
    fields: NDArray[np.uint8]
    #: of the index
    hashes: NDArray[np.uint32]
    name_of: NDArray[np.uint32]

    def find_names(self, key: int) -> NDArray[np.uint32]:
        """The numbers of the names kept under a hash."""
        hash_value = np.uint32(key)
        first = int(self.hashes.searchsorted(hash_value))
        return self.name_of[first : int(self.hashes.searchsorted(hash_value, "right"))]

    def entry_of(self, name: int) -> int:
        """The number of the entry that a name belongs to."""
        return int(self.first_names.searchsorted(np.uint32(name), "right")) - 1


def make_table(entries: Iterable[LexiconEntry]) -> LexiconTable:
    """The arrays of these entries, in their order.

    Names that are too long, or that more than :data:`MAX_ENTRIES_PER_NAME` entries of a group share, are left out; an
    official symbol stays.

    Raises
    ------
    UsageError
        If there are more names or species than that, or a symbol is too long.
    """
    groups: dict[EntryGroup, int] = {}
    group_of, first_names = array("H"), array("I")
    ids, uniprots, names = _PackedTextsBuilder(), _PackedTextsBuilder(), _PackedTextsBuilder()
    fields, hashes, name_of = array("B"), array("I"), array("I")
    for entry in entries:
        if max(len(entry.identifier), len(entry.symbol)) > MAX_NAME_CHARACTERS:
            raise UsageError(
                f"expected identifiers and symbols of at most {MAX_NAME_CHARACTERS} characters, "
                f"got {truncate_repr(entry[:2])}"
            )
        prefix, _, local = entry.identifier.partition(":")
        group_of.append(groups.setdefault(EntryGroup(prefix, entry.taxid, entry.kind), len(groups)))
        first_names.append(len(names))
        ids.append(local)
        uniprots.append(entry.uniprot or "")
        for field, name in _iterate_names(entry):
            for key in make_spelling(name).hashes():
                hashes.append(key)
                name_of.append(len(names))
            fields.append(field)
            names.append(name)
        if len(names) > MAX_NAMES or len(groups) > MAX_GROUPS:
            raise UsageError(
                f"expected at most {MAX_NAMES:,} names of {MAX_GROUPS:,} species, got more; give the genes of fewer "
                "species, for example NCBI's Homo_sapiens.gene_info.gz"
            )
    table = LexiconTable(
        tuple(groups),
        np.frombuffer(group_of, np.uint16),
        ids.build(),
        uniprots.build(),
        np.frombuffer(first_names, np.uint32),
        names.build(),
        np.frombuffer(fields, np.uint8),
        np.frombuffer(hashes, np.uint32),
        np.frombuffer(name_of, np.uint32),
    )
    # numbers of the index, without names that too many entries share, in the order of the hashes
    kept = np.flatnonzero((table.fields[table.name_of] == 0) | (_count_sharing(table) <= MAX_ENTRIES_PER_NAME))
    kept = kept[np.argsort(table.hashes[kept], kind="stable")]
    return table._replace(hashes=table.hashes[kept], name_of=table.name_of[kept])


class _PackedTextsBuilder:
    """Texts that are being put together."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._lengths = array("H")

    def __len__(self) -> int:
        return len(self._lengths)

    def append(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        self._data += data
        self._lengths.append(len(data))

    def build(self) -> PackedTexts:
        return PackedTexts(bytes(self._data), np.frombuffer(self._lengths, np.uint16))


def _iterate_names(entry: LexiconEntry) -> Iterator[tuple[int, str]]:
    """The names of an entry, each once: the symbol, then the others."""
    seen = set()
    for field, names in enumerate(((entry.symbol,), entry.synonyms, entry.names)):
        for name in names:
            if name not in seen and (field == 0 or 0 < len(name) <= MAX_NAME_CHARACTERS):
                seen.add(name)
                yield field, name


def _count_sharing(table: LexiconTable) -> NDArray[np.int64]:
    """For each hash of the index, how many entries of the group have a name of this hash."""
    entry_of = np.searchsorted(table.first_names, table.name_of, "right") - 1
    # one number for hash and entry, then for hash and group: an entry counts once, however it spells the name
    pairs, pair_of = np.unique(
        (table.hashes.astype(np.uint64) << np.uint64(32)) | entry_of.astype(np.uint64), return_inverse=True
    )
    entries = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
    group_of = table.group_of[entries].astype(np.uint64)
    _, inverse, counts = np.unique((pairs & ~np.uint64(0xFFFFFFFF)) | group_of, return_inverse=True, return_counts=True)
    sharing: NDArray[np.int64] = counts[inverse][pair_of]
    return sharing


@cache
def load_shipped_table() -> LexiconTable:
    """The arrays of the lexicon that ships; read when first asked for, then kept."""
    return read_table(Path(__file__).with_name(LEXICON_FILE))


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
        name_counts = arrays["name_counts"]
        ends = np.cumsum(name_counts, dtype=np.int64)
        table = LexiconTable(
            tuple(map(_parse_group, header["groups"])),
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
    """Check that the arrays fit each other; numbers that point nowhere would fail later, or mislead."""
    if not (len(table.group_of) == len(table.first_names) == len(table.uniprots) == len(table.ids)):
        raise ValueError("expected as many groups, names and accessions as identifiers")
    if not (n_names == len(table.names) == len(table.fields)) or min_names < 1:
        raise ValueError("expected as many names as the entries have, and one of each at least")
    if len(table.hashes) != len(table.name_of):
        raise ValueError("expected a name for each hash")
    if table.name_of.max(initial=0) >= max(n_names, 1) or table.group_of.max(initial=0) >= max(len(table.groups), 1):
        raise ValueError("expected numbers of names and groups that are there")
    if table.fields.max(initial=0) >= len(FIELDS) or (table.hashes[1:] < table.hashes[:-1]).any():
        raise ValueError("expected fields that are known, and hashes in order")
