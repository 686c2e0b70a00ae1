"""Known names of genes and proteins, as a set of hashes, and the longest of them at each place of a text.

The names themselves are not needed to recognize them: 32 bits each keep 143,000 names in 0.6 MB, and a wrong match,
with probability 3e-5 a lookup, is one more noisy hint to the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ppi.pipeline.names.longest import is_usable, longest_known

#: A token's place in a known name.
OUTSIDE, BEGIN, INSIDE, LAST, WHOLE = range(5)

_IGNORED = re.compile(r"[\W_]+")


@lru_cache(maxsize=1 << 16)
def normalized(name: str) -> str:
    """Letters and digits in lower case: spellings with and without hyphens and spaces are one.

    >>> normalized("IL-2 R/alpha")
    'il2ralpha'
    """
    return _IGNORED.sub("", name.lower())


def _hash(key: str) -> int:
    return crc32(key.encode())


class Gazetteer:
    """Longest matches of known names, from the left.

    Parameters
    ----------
    known
        What :meth:`hashes` returned.
    """

    def __init__(self, known: NDArray[np.uint32]) -> None:
        self.known = known
        self._set = frozenset(known.tolist())

    @staticmethod
    def hashes(names: Iterable[str]) -> NDArray[np.uint32]:
        """The sorted distinct hashes of the usable names."""
        keys = {normalized(name) for name in names}
        return np.array(sorted({_hash(key) for key in keys if is_usable(key)}), dtype=np.uint32)

    def places(self, words: Sequence[str]) -> list[int]:
        """For each token OUTSIDE, BEGIN, INSIDE, LAST or WHOLE; O(tokens * 8)."""
        keys = [normalized(word).encode() for word in words]
        places = [OUTSIDE] * len(words)
        start = 0
        while start < len(words):
            length, _ = longest_known(keys, start, self._set)
            if length == 1:
                places[start] = WHOLE
            elif length:
                places[start : start + length] = [BEGIN, *[INSIDE] * (length - 2), LAST]
            start += max(length, 1)
        return places
