"""Known names of genes, families, chemicals, cells and organisms, as hashes, and the longest of them at each place.

The names themselves are not needed to recognize them: 32 bits for each and 8 for its kind keep 300,000 names in 1.5 MB,
and a wrong match, with probability 7e-5 a lookup, is one more noisy hint to the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ppi.pipeline.names.longest import is_usable, longest_known

#: A token's place in a known name.
OUTSIDE, BEGIN, INSIDE, LAST, WHOLE = range(5)

#: The lists of names; the last stands for names of genes that are in another list too.
LISTS = ("gene", "family", "chemical", "cell", "organism", "ambiguous")

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
    known, lists
        What :meth:`tables` returned: hashes of names, and the number of each one's list in :data:`LISTS`.
    """

    def __init__(self, known: NDArray[np.uint32], lists: NDArray[np.uint8]) -> None:
        self.known, self.lists = known, lists
        self._list_of = dict(zip(known.tolist(), lists.tolist()))

    @staticmethod
    def tables(names: Mapping[str, Iterable[str]]) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        """The sorted hashes of the usable names in each list, and the numbers of their lists.

        A name in several lists is ambiguous if one of them is of genes, else it counts for the first.
        """
        list_of: dict[int, int] = {}
        for number, name in enumerate(LISTS):
            keys = {normalized(item) for item in names.get(name, ())}
            for key in {_hash(key) for key in keys if is_usable(key)}:
                is_gene = list_of.get(key) == LISTS.index("gene")
                list_of[key] = LISTS.index("ambiguous") if is_gene else list_of.get(key, number)
        known = sorted(list_of)
        return np.array(known, dtype=np.uint32), np.array([list_of[key] for key in known], dtype=np.uint8)

    def matches(self, words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Start and end in tokens, and number of the list, of the longest known names; O(tokens * 8)."""
        keys = [normalized(word).encode() for word in words]
        start = 0
        while start < len(words):
            length, name = longest_known(keys, start, self._list_of)
            if length:
                yield start, start + length, self._list_of[name]
            start += max(length, 1)

    def places(self, words: Sequence[str]) -> list[int]:
        """For each token OUTSIDE, or its place in a known name plus four times the number of that name's list."""
        places = [OUTSIDE] * len(words)
        for start, end, number in self.matches(words):
            inside = [WHOLE] if end - start == 1 else [BEGIN, *[INSIDE] * (end - start - 2), LAST]
            places[start:end] = [place + WHOLE * number for place in inside]
        return places
