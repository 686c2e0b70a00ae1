"""Columns for label pairs: a growing table of 64-bit keys, or a hash into a fixed number of columns."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

_LOAD = 2  # the table has at least this many slots for each key


@numba.njit(inline="always")
def _mix(x):
    """The finalizer of splitmix64: every bit of x reaches every bit of the result."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@numba.njit(cache=True)
def _rehash(keys, n_keys, slots):
    mask = np.uint64(len(slots) - 1)
    slots[:] = -1
    for column in range(n_keys):
        at = _mix(keys[column]) & mask
        while slots[at] >= 0:
            at = (at + np.uint64(1)) & mask
        slots[at] = column


@numba.njit(cache=True)
def _find(wanted, keys, n_keys, slots, grow, columns):
    """Columns of the wanted keys (-1: unknown); returns the tables, which grow if ``grow``."""
    mask = np.uint64(len(slots) - 1)
    for i in range(len(wanted)):
        key = wanted[i]
        at = _mix(key) & mask
        column = slots[at]
        while column >= 0 and keys[column] != key:
            at = (at + np.uint64(1)) & mask
            column = slots[at]
        if column < 0 and grow:
            if n_keys == len(keys):
                larger = np.empty(2 * n_keys, np.uint64)
                larger[:n_keys] = keys
                keys = larger
            keys[n_keys] = key
            slots[at] = column = n_keys
            n_keys += 1
            if n_keys * _LOAD > len(slots):
                slots = np.empty(2 * len(slots), np.int32)
                mask = np.uint64(len(slots) - 1)
                _rehash(keys, n_keys, slots)
        columns[i] = column
    return keys, n_keys, slots


class PairVocabulary:
    """Columns of label pairs in the order first met; a key is ``source << 32 | target``.

    Open addressing with linear probing: about 20 bytes for each key.
    """

    def __init__(self, keys: NDArray[np.uint64] | None = None) -> None:
        given = np.empty(0, np.uint64) if keys is None else np.ascontiguousarray(keys, dtype=np.uint64)
        self._n_keys = len(given)
        self._keys = np.resize(given, max(1024, len(given))) if len(given) else np.empty(1024, np.uint64)
        size = 1 << max(11, int(_LOAD * max(1, len(given))).bit_length())
        self._slots = np.empty(size, np.int32)
        _rehash(self._keys, self._n_keys, self._slots)

    def __len__(self) -> int:
        return self._n_keys

    @property
    def keys(self) -> NDArray[np.uint64]:
        """The key of each column, a copy."""
        return self._keys[: self._n_keys].copy()

    def columns(self, keys: NDArray[np.uint64], *, grow: bool) -> NDArray[np.int32]:
        """The column of each key; new ones if ``grow``, otherwise -1 for a key never met."""
        columns = np.empty(len(keys), np.int32)
        self._keys, self._n_keys, self._slots = _find(
            keys, self._keys, self._n_keys, self._slots, grow, columns
        )
        return columns


@numba.njit(cache=True)
def hashed_columns(keys, hashes, n_columns):
    """Column and sign of each label pair from the stable hashes of its two labels; n_columns is a power of 2."""
    mask = np.uint64(n_columns - 1)
    columns, signs = np.empty(len(keys), np.int32), np.empty(len(keys))
    for i in range(len(keys)):
        source, target = hashes[keys[i] >> np.uint64(32)], hashes[keys[i] & np.uint64(0xFFFFFFFF)]
        # The source is mixed once more than the target, so that (a, b) and (b, a) differ.
        mixed = _mix(_mix(source + np.uint64(0x9E3779B97F4A7C15)) ^ target)
        columns[i] = mixed & mask
        signs[i] = 1.0 if mixed >> np.uint64(63) else -1.0
    return columns, signs
