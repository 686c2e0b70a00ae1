"""The lexicon's arrays as its file holds them: the inverse of :func:`ppi.grounding.lexicon_table.read_table`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppi.grounding import LexiconTable, PackedTexts


def table_arrays(table: LexiconTable) -> dict[str, NDArray[Any]]:
    """The arrays of a lexicon as its file holds them."""
    firsts = np.append(table.first_names, np.uint32(len(table.names)))
    arrays: dict[str, NDArray[Any]] = {
        "group_of": table.group_of,
        "name_counts": np.diff(firsts).astype(np.uint16),
        "fields": table.fields,
        "hash_steps": np.diff(table.hashes, prepend=np.uint32(0)),
        "name_of": table.name_of,
    }
    for name in ("ids", "uniprots", "names"):
        texts: PackedTexts = getattr(table, name)
        arrays[name] = np.frombuffer(texts.data, np.uint8)
        arrays[f"{name}_lengths"] = texts.lengths
    return arrays
