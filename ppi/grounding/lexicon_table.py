"""The lexicon as flat arrays: half a million names in a few tens of megabytes, found by binary search.

Entries stand one after the other, and so do their names (the official symbol first), all in one string of bytes.  Each
name is kept under one or two hashes, those of :class:`~ppi.grounding.matching.Spelling`; the hashes are sorted, and
beside each stands the number of its name.  A hash only says where to look: whether a name matches is decided by its
letters, so two names of one hash do no harm.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpora.errors import truncate_repr
from ppi.errors import UsageError
from ppi.grounding.candidate import LexiconEntry
from ppi.grounding.matching import make_spelling

#: Names beyond this number are refused: about half a gigabyte while the arrays are made.
MAX_NAMES = 5_000_000
MAX_GROUPS = 10_000
#: A name that so many entries of one group share names none of them ("uncharacterized protein").
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

    Names that are too long, or that more than :data:`MAX_ENTRIES_PER_NAME` entries of a group share, are left out; an official
    symbol stays.

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
                f"expected identifiers and symbols of at most {MAX_NAME_CHARACTERS} characters, got {truncate_repr(entry[:2])}"
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
    index = _HashIndex(np.frombuffer(hashes, np.uint32), np.frombuffer(name_of, np.uint32))
    table = LexiconTable(
        tuple(groups),
        np.frombuffer(group_of, np.uint16),
        ids.build(),
        uniprots.build(),
        np.frombuffer(first_names, np.uint32),
        names.build(),
        np.frombuffer(fields, np.uint8),
        *index,
    )
    return table._replace(**_sort_index(_drop_shared_names(table))._asdict())


class _HashIndex(NamedTuple):
    hashes: NDArray[np.uint32]
    name_of: NDArray[np.uint32]


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


def _drop_shared_names(table: LexiconTable) -> _HashIndex:
    """The index without names that too many entries of a group share."""
    entry_of = np.searchsorted(table.first_names, table.name_of, "right") - 1
    # one number for hash and entry, then for hash and group: an entry counts once, however it spells the name
    pairs, pair_of = np.unique(
        (table.hashes.astype(np.uint64) << np.uint64(32)) | entry_of.astype(np.uint64), return_inverse=True
    )
    entries = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
    group_of = table.group_of[entries].astype(np.uint64)
    _, inverse, counts = np.unique((pairs & ~np.uint64(0xFFFFFFFF)) | group_of, return_inverse=True, return_counts=True)
    is_kept = (counts[inverse][pair_of] <= MAX_ENTRIES_PER_NAME) | (table.fields[table.name_of] == 0)
    return _HashIndex(table.hashes[is_kept], table.name_of[is_kept])


def _sort_index(index: _HashIndex) -> _HashIndex:
    order = np.argsort(index.hashes, kind="stable")
    return _HashIndex(index.hashes[order], index.name_of[order])
