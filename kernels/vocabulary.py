"""Columns for label pairs: a growing table of 64-bit keys, or a hash into a fixed number of columns.

A key is ``source << 32 | target``, two label numbers.  Vocabularies become plain values for model files, which are
checked when they come back, and smaller ones when a model is pruned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.compiling import compiled, expect, inlined, uses_compiled_code
from kernels.errors import ShapeError, StateError
from kernels.labels import N_MARKS, ROLES, Label, LabelIndex, stable_hash
from kernels.validation import state_field, state_text_pairs, truncate_repr

_LOAD = 2  # the table has at least this many slots for each key
_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE, _TWO = np.uint64(1), np.uint64(2)  # of one type with the slots: NumPy 1 makes fractions of uint64 and int
#: 2^64 over the golden ratio: added before mixing, so that 0 does not stay 0.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Lookup(NamedTuple):
    """What compiled code needs of a :class:`PairVocabulary`, and whether keys that it does not know are added."""

    table: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    grow: bool


@inlined
def mix(x: Any) -> Any:
    """The finalizer of splitmix64 of one number or of an array: every bit of x reaches every bit of the result."""
    # each step is invertible (a multiplier that is odd, x xor x >> s), so that different keys stay different
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inlined
def find_column(
    key: np.uint64, table: NDArray[np.uint64], keys: NDArray[np.uint64], n_keys: int, grow: bool
) -> tuple[np.int64, int]:
    """Column of the key (-1: unknown) and the number of keys, one more if it was new and was added.

    The table has key and column side by side, with open addressing.  The caller sees to it that table and keys have
    space for one more.
    """
    mask = np.uint64(len(table) // 2 - 1)  # the number of slots is a power of 2
    slot: np.uint64 = mix(key) & mask
    # the search ends: at least half of the slots are empty (_LOAD)
    while table[_TWO * slot] != key and table[_TWO * slot + _ONE] != _EMPTY:
        slot = (slot + _ONE) & mask
    slot = _TWO * slot
    if table[slot + _ONE] != _EMPTY:
        return np.int64(table[slot + _ONE]), n_keys
    if not grow:
        return np.int64(-1), n_keys
    table[slot], table[slot + _ONE] = key, np.uint64(n_keys)
    keys[n_keys] = key
    return np.int64(n_keys), n_keys + 1


@compiled
def _find_or_add(queries: NDArray[np.uint64], lookup: Lookup, n_keys: int) -> tuple[NDArray[np.int32], int]:
    table, keys, grow = lookup.table, lookup.keys, lookup.grow
    columns = np.empty(len(queries), np.int32)
    for i in range(len(queries)):
        columns[i], n_keys = find_column(queries[i], table, keys, n_keys, grow)
    return columns, n_keys


def _fill(table: NDArray[np.uint64], keys: NDArray[np.uint64]) -> None:
    """Put distinct keys into the table where :func:`find_column` looks for them, all at a time.

    A key goes on to the next slot only if another has its own: between the slot that is mixed from it and the one where
    it is, none is empty.
    """
    table[:] = _EMPTY
    mask = np.uint64(len(table) // 2 - 1)
    columns = np.arange(len(keys), dtype=np.uint64)
    slots = mix(keys) & mask
    while len(columns):
        at = _TWO * slots + _ONE
        empty = table[at] == _EMPTY
        table[at[empty]] = columns[empty]  # of several that want a slot the last one has it
        is_placed = table[at] == columns
        table[at[is_placed] - _ONE] = keys[columns[is_placed]]
        columns, slots = columns[~is_placed], (slots[~is_placed] + _ONE) & mask


def _find_all(queries: NDArray[np.uint64], table: NDArray[np.uint64]) -> NDArray[np.int32]:
    """The column of each key, -1 where the table has none: what :func:`_find_or_add` finds, for all at a time."""
    mask = np.uint64(len(table) // 2 - 1)
    columns = np.full(len(queries), -1, np.int32)
    places, slots = np.arange(len(queries)), mix(queries) & mask
    while len(places):
        column = table[_TWO * slots + _ONE]
        same, full = table[_TWO * slots] == queries[places], column != _EMPTY
        columns[places[same & full]] = column[same & full].astype(np.int32)
        is_probing = full & ~same
        places, slots = places[is_probing], (slots[is_probing] + _ONE) & mask
    return columns


class PairVocabulary:
    """Columns of label pairs in the order first met; some 40 to 70 bytes for each."""

    def __init__(self, keys: NDArray[np.uint64] | None = None) -> None:
        key_array = np.empty(0, np.uint64) if keys is None else np.asarray(keys, dtype=np.uint64)
        self.n_keys = len(key_array)
        self._key_buffer = key_array.copy()
        self._table = np.empty(0, np.uint64)
        self.reserve(1024)

    def __len__(self) -> int:
        return self.n_keys

    @property
    def keys(self) -> NDArray[np.uint64]:
        """The key of each column, a copy."""
        return self._key_buffer[: self.n_keys].copy()

    def pair(self, column: int) -> tuple[int, int]:
        """The two label numbers of a column."""
        if not 0 <= column < self.n_keys:
            raise ShapeError(f"expected a column from 0 to {self.n_keys - 1}, got {column!r}")
        key = int(self._key_buffer[column])
        return key >> 32, key & 0xFFFFFFFF

    def reserve(self, extra: int) -> None:
        """Make space for ``extra`` more keys."""
        n_required = self.n_keys + extra
        if n_required > len(self._key_buffer):
            buffer = np.empty(max(n_required, 2 * len(self._key_buffer)), np.uint64)
            buffer[: self.n_keys] = self._key_buffer[: self.n_keys]
            self._key_buffer = buffer
        # two numbers per slot, _LOAD slots per key, a power of 2: the table is at most half full
        if 2 * _LOAD * n_required > len(self._table):
            self._table = np.empty(1 << (2 * _LOAD * n_required - 1).bit_length(), np.uint64)
            _fill(self._table, self._key_buffer[: self.n_keys])

    def columns(self, keys: NDArray[np.uint64], *, grow: bool) -> NDArray[np.int32]:
        """The column of each key; new ones if ``grow``, otherwise -1 for a key never met."""
        if grow:
            self.reserve(len(keys))
            expect(len(keys))
        elif not uses_compiled_code():
            return _find_all(keys, self._table)
        columns: NDArray[np.int32]
        columns, self.n_keys = _find_or_add(keys, self.lookup(grow=grow), self.n_keys)
        return columns

    def lookup(self, *, grow: bool) -> Lookup:
        """For compiled code: the caller reserves space, and sets ``n_keys`` if keys were added."""
        return Lookup(self._table, self._key_buffer, grow)


def hash_columns(
    keys: NDArray[np.uint64], hashes: NDArray[np.uint64], n_columns: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Column and sign of each label pair from the stable hashes of its two labels; n_columns is a power of 2."""
    sources, targets = split_keys(keys)
    # The source is mixed once more than the target, so that (a, b) and (b, a) differ.
    mixed = mix(mix(hashes[sources] + GOLDEN) ^ hashes[targets])
    # low bits for the column, the highest for the sign: independent of each other up to 2^63 columns
    columns = (mixed & np.uint64(n_columns - 1)).astype(np.int32)
    return columns, np.where(mixed >> np.uint64(63), 1.0, -1.0)


def split_keys(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The source and target numbers of each key."""
    return (keys >> np.uint64(32)).astype(np.int64), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def join_keys(sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The key of each pair of numbers."""
    return sources.astype(np.uint64) << np.uint64(32) | targets.astype(np.uint64)


def restore_pairs(state: dict[str, Any]) -> tuple[LabelIndex, PairVocabulary]:
    """The labels and label pairs of a state: ``bases``, a list of [kind, text], and ``keys``, uint64.

    Raises
    ------
    StateError, ShapeError
        If no fitted map can have given it.
    """
    bases = state_text_pairs(state, "bases")
    index = LabelIndex(bases)
    keys = _check_key_array(state)
    if bases[: len(ROLES)] != [("role", name) for name in ROLES]:  # all numbers after them would be others
        raise StateError("bases", f"the roles {list(ROLES)} first", truncate_repr(bases[: len(ROLES)]))
    return index, PairVocabulary(_check_label_numbers(N_MARKS * len(index), keys))


def check_keys(state: dict[str, Any], *, n_labels: int) -> NDArray[np.uint64]:
    """The ``keys`` of a state, if they are pairs of numbers below ``n_labels``."""
    return _check_label_numbers(n_labels, _check_key_array(state))


def _check_label_numbers(n_labels: int, keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    highest = max(int(numbers.max(initial=0)) for numbers in split_keys(keys))
    if highest >= n_labels:
        raise ShapeError(
            f"expected label numbers below {n_labels} in the vocabulary, got {highest}; "
            "pass the state of one fitted map, unchanged"
        )
    return keys


def _check_key_array(state: dict[str, Any]) -> NDArray[np.uint64]:
    keys = np.asarray(state_field(state, "keys"))
    if keys.dtype != np.uint64 or keys.ndim != 1:
        raise StateError("keys", "64-bit whole numbers", f"{keys.dtype} of shape {keys.shape}")
    return keys


def restrict_pairs(
    bases: Sequence[Sequence[str]], keys: NDArray[np.uint64], columns: NDArray[np.int64]
) -> tuple[list[list[str]], NDArray[np.uint64], NDArray[np.int64]]:
    """The bases and keys of some columns, and these columns, in the order of their new keys.

    Bases that no pair uses any more are forgotten, but for the roles, the others numbered anew.
    """
    labels = np.array(split_keys(keys[columns]))
    used = np.unique(np.concatenate([np.arange(len(ROLES)), (labels // N_MARKS).ravel()]))
    number = np.full(len(bases), -1, np.int64)
    number[used] = np.arange(len(used))
    # a label's number is N_MARKS base + mark: the base is numbered anew, the mark stays
    renumbered = join_keys(*(N_MARKS * number[labels // N_MARKS] + labels % N_MARKS))
    order = np.argsort(renumbered)
    return [list(bases[base]) for base in used], renumbered[order], columns[order]


def label_hashes(labels: Sequence[Label]) -> NDArray[np.uint64]:
    """The stable hash of each label."""
    return np.array([stable_hash((label.kind, label.text), label.mark) for label in labels], dtype=np.uint64)
