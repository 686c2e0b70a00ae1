"""The labels of names, and which may follow which: what :class:`~ppi.language.names.neural_network.Decoder` obeys."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: Score of a step that cannot be.
IMPOSSIBLE = np.float32(-1e4)


def labels_of(types: Sequence[str]) -> tuple[str, ...]:
    """All labels for types of names.

    >>> labels_of(["protein"])
    ('O', 'B-protein', 'I-protein', 'L-protein', 'U-protein')
    """
    return ("O", *(f"{prefix}-{kind}" for kind in types for prefix in "BILU"))


def illegal_steps(labels: Sequence[str]) -> NDArray[np.float32]:
    """0 where a label may follow another, else IMPOSSIBLE; the last row is the start, the last column the end."""
    around = (*labels, "O")
    return np.array(
        [[0 if _may_follow(before, after) else IMPOSSIBLE for after in around] for before in around], dtype=np.float32
    )


def _may_follow(before: str, after: str) -> bool:
    open_name = before[0] in "BI"
    continues = after[0] in "IL"
    return open_name == continues and (not open_name or before[2:] == after[2:])
