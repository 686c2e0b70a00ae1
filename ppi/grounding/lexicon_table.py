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

from corpora.errors import shown
from ppi.errors import UsageError
from ppi.grounding.candidate import Entry
from ppi.grounding.matching import spelling

#: Names beyond this number are refused: about half a gigabyte while the arrays are made.
MOST_NAMES = 5_000_000
MOST_GROUPS = 10_000
#: A name that so many entries of one group share names none of them ("uncharacterized protein").
MOST_SHARING = 50
#: Longer names are sentences; no text repeats them.
LONGEST_NAME = 200


class Group(NamedTuple):
    """What entries of one source and species have in common."""

    prefix: str
    taxid: str | None
    kind: str


class Texts:
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


class Table(NamedTuple):
    """The arrays; see the module."""

    groups: tuple[Group, ...]
    #: of entries
    group_of: NDArray[np.uint16]
    ids: Texts
    uniprots: Texts
    first_names: NDArray[np.uint32]
    #: of names
    names: Texts
    fields: NDArray[np.uint8]
    #: of the index
    hashes: NDArray[np.uint32]
    name_of: NDArray[np.uint32]

    def named(self, key: int) -> NDArray[np.uint32]:
        """The numbers of the names kept under a hash."""
        asked = np.uint32(key)
        first = int(self.hashes.searchsorted(asked))
        return self.name_of[first : int(self.hashes.searchsorted(asked, "right"))]

    def entry_of(self, name: int) -> int:
        """The number of the entry that a name belongs to."""
        return int(self.first_names.searchsorted(np.uint32(name), "right")) - 1


def make_table(entries: Iterable[Entry]) -> Table:
    """The arrays of these entries, in their order.

    Names that are too long, or that more than :data:`MOST_SHARING` entries of a group share, are left out; an official
    symbol stays.

    Raises
    ------
    UsageError
        If there are more names or species than that, or a symbol is too long.
    """
    groups: dict[Group, int] = {}
    group_of, first_names = array("H"), array("I")
    ids, uniprots, names = _TextsMade(), _TextsMade(), _TextsMade()
    fields, hashes, name_of = array("B"), array("I"), array("I")
    for entry in entries:
        if max(len(entry.identifier), len(entry.symbol)) > LONGEST_NAME:
            raise UsageError(
                f"expected identifiers and symbols of at most {LONGEST_NAME} characters, got {shown(entry[:2])}"
            )
        prefix, _, local = entry.identifier.partition(":")
        group_of.append(groups.setdefault(Group(prefix, entry.taxid, entry.kind), len(groups)))
        first_names.append(len(names))
        ids.append(local)
        uniprots.append(entry.uniprot or "")
        for field, name in _named(entry):
            for key in spelling(name).hashes():
                hashes.append(key)
                name_of.append(len(names))
            fields.append(field)
            names.append(name)
        if len(names) > MOST_NAMES or len(groups) > MOST_GROUPS:
            raise UsageError(
                f"expected at most {MOST_NAMES:,} names of {MOST_GROUPS:,} species, got more; give the genes of fewer "
                "species, for example NCBI's Homo_sapiens.gene_info.gz"
            )
    index = _Index(np.frombuffer(hashes, np.uint32), np.frombuffer(name_of, np.uint32))
    table = Table(
        tuple(groups),
        np.frombuffer(group_of, np.uint16),
        ids.finished(),
        uniprots.finished(),
        np.frombuffer(first_names, np.uint32),
        names.finished(),
        np.frombuffer(fields, np.uint8),
        *index,
    )
    return table._replace(**_sorted(_without_shared(table))._asdict())


class _Index(NamedTuple):
    hashes: NDArray[np.uint32]
    name_of: NDArray[np.uint32]


class _TextsMade:
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

    def finished(self) -> Texts:
        return Texts(bytes(self._data), np.frombuffer(self._lengths, np.uint16))


def _named(entry: Entry) -> Iterator[tuple[int, str]]:
    """The names of an entry, each once: the symbol, then the others."""
    seen = set()
    for field, names in enumerate(((entry.symbol,), entry.synonyms, entry.names)):
        for name in names:
            if name not in seen and (field == 0 or 0 < len(name) <= LONGEST_NAME):
                seen.add(name)
                yield field, name


def _without_shared(table: Table) -> _Index:
    """The index without names that too many entries of a group share."""
    entry_of = np.searchsorted(table.first_names, table.name_of, "right") - 1
    # one number for hash and entry, then for hash and group: an entry counts once, however it spells the name
    pairs, pair_of = np.unique(
        (table.hashes.astype(np.uint64) << np.uint64(32)) | entry_of.astype(np.uint64), return_inverse=True
    )
    entries = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
    group_of = table.group_of[entries].astype(np.uint64)
    _, inverse, counts = np.unique((pairs & ~np.uint64(0xFFFFFFFF)) | group_of, return_inverse=True, return_counts=True)
    kept = (counts[inverse][pair_of] <= MOST_SHARING) | (table.fields[table.name_of] == 0)
    return _Index(table.hashes[kept], table.name_of[kept])


def _sorted(index: _Index) -> _Index:
    order = np.argsort(index.hashes, kind="stable")
    return _Index(index.hashes[order], index.name_of[order])
