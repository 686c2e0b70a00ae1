"""Columns for label pairs: a growing table of 64-bit keys, or a hash into a fixed number of columns.

A key is ``source << 32 | target``, two label numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from kernels.compiling import compiled
from kernels.errors import ShapeError

_LOAD = 2  # the table has at least this many slots for each key
_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
#: 2^64 over the golden ratio: added before mixing, so that 0 does not stay 0.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Lookup(NamedTuple):
    """What compiled code needs of a :class:`PairVocabulary`, and whether keys that it does not know are added."""

    table: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    grow: bool


@numba.njit(inline="always")
def mix(x):
    """The finalizer of splitmix64: every bit of x reaches every bit of the result."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@numba.njit(inline="always")
def find_slot(key, table):
    """Place in ``table`` where the key is, or belongs: open addressing, key and column side by side."""
    mask = np.uint64(len(table) // 2 - 1)
    slot = mix(key) & mask
    while table[2 * slot] != key and table[2 * slot + 1] != _EMPTY:
        slot = (slot + np.uint64(1)) & mask
    return 2 * slot


@numba.njit(inline="always")
def find_column(key, table, keys, n_keys, grow):
    """Column of the key (-1: unknown) and the number of keys, one more if it was new and was added.

    The caller sees to it that there is room.
    """
    slot = find_slot(key, table)
    if table[slot + 1] != _EMPTY:
        return np.int64(table[slot + 1]), n_keys
    if not grow:
        return np.int64(-1), n_keys
    table[slot], table[slot + 1] = key, np.uint64(n_keys)
    keys[n_keys] = key
    return np.int64(n_keys), n_keys + 1


@compiled
def _fill(table, keys, n_keys):
    table[:] = _EMPTY
    for column in range(n_keys):
        slot = find_slot(keys[column], table)
        table[slot], table[slot + 1] = keys[column], np.uint64(column)


@compiled
def _find_all(wanted, lookup, n_keys):
    table, keys, grow = lookup.table, lookup.keys, lookup.grow
    columns = np.empty(len(wanted), np.int32)
    for i in range(len(wanted)):
        columns[i], n_keys = find_column(wanted[i], table, keys, n_keys, grow)
    return columns, n_keys


class PairVocabulary:
    """Columns of label pairs in the order first met; some 40 to 70 bytes for each."""

    def __init__(self, keys: NDArray[np.uint64] | None = None) -> None:
        given = np.empty(0, np.uint64) if keys is None else np.asarray(keys, dtype=np.uint64)
        self.n_keys = len(given)
        self._room = given.copy()
        self._table = np.empty(0, np.uint64)
        self.reserve(1024)

    def __len__(self) -> int:
        return self.n_keys

    @property
    def keys(self) -> NDArray[np.uint64]:
        """The key of each column, a copy."""
        return self._room[: self.n_keys].copy()

    def pair(self, column: int) -> tuple[int, int]:
        """The two label numbers of a column."""
        if not 0 <= column < self.n_keys:
            raise ShapeError(f"expected a column from 0 to {self.n_keys - 1}, got {column!r}")
        key = int(self._room[column])
        return key >> 32, key & 0xFFFFFFFF

    def reserve(self, extra: int) -> None:
        """Make room for ``extra`` more keys."""
        wanted = self.n_keys + extra
        if wanted > len(self._room):
            room = np.empty(max(wanted, 2 * len(self._room)), np.uint64)
            room[: self.n_keys] = self._room[: self.n_keys]
            self._room = room
        if 2 * _LOAD * wanted > len(self._table):
            self._table = np.empty(1 << (2 * _LOAD * wanted - 1).bit_length(), np.uint64)
            _fill(self._table, self._room, self.n_keys)

    def columns(self, keys: NDArray[np.uint64], *, grow: bool) -> NDArray[np.int32]:
        """The column of each key; new ones if ``grow``, otherwise -1 for a key never met."""
        if grow:
            self.reserve(len(keys))
        columns, self.n_keys = _find_all(keys, self.lookup(grow=grow), self.n_keys)
        return columns

    def lookup(self, *, grow: bool) -> Lookup:
        """For compiled code: the caller reserves room, and sets ``n_keys`` if keys were added."""
        return Lookup(self._table, self._room, grow)


@compiled
def hashed_columns(keys, hashes, n_columns):
    """Column and sign of each label pair from the stable hashes of its two labels; n_columns is a power of 2."""
    mask = np.uint64(n_columns - 1)
    columns, signs = np.empty(len(keys), np.int32), np.empty(len(keys))
    for i in range(len(keys)):
        source, target = hashes[keys[i] >> np.uint64(32)], hashes[keys[i] & np.uint64(0xFFFFFFFF)]
        # The source is mixed once more than the target, so that (a, b) and (b, a) differ.
        mixed = mix(mix(source + GOLDEN) ^ target)
        columns[i] = mixed & mask
        signs[i] = 1.0 if mixed >> np.uint64(63) else -1.0
    return columns, signs


def split_keys(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The source and target numbers of each key."""
    return (keys >> np.uint64(32)).astype(np.int64), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def joined_keys(sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The key of each pair of numbers."""
    return sources.astype(np.uint64) << np.uint64(32) | targets.astype(np.uint64)
