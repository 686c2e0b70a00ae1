"""Vocabularies of label pairs as plain values: checked, made smaller, hashed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels.errors import ShapeError, StateError
from kernels.labels import N_MARKS, ROLES, Label, LabelIndex, stable_hash
from kernels.validation import state_field, state_text_pairs, truncate_repr
from kernels.vocabulary import PairVocabulary, join_keys, split_keys


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
    renumbered = join_keys(*(N_MARKS * number[labels // N_MARKS] + labels % N_MARKS))
    order = np.argsort(renumbered)
    return [list(bases[base]) for base in used], renumbered[order], columns[order]


def label_hashes(labels: Sequence[Label]) -> NDArray[np.uint64]:
    """The stable hash of each label."""
    return np.array([stable_hash((label.kind, label.text), label.mark) for label in labels], dtype=np.uint64)
