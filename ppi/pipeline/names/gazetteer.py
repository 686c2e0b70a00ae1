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

from ppi.pipeline.names.longest import find_longest_name, is_usable_key

#: A token's place in a known name.
OUTSIDE, BEGIN, INSIDE, LAST, WHOLE = range(5)

#: The lists of names; the last stands for names of genes that are in another list too.
LISTS = ("gene", "family", "chemical", "cell", "organism", "ambiguous")

_IGNORED = re.compile(r"[\W_]+")


@lru_cache(maxsize=1 << 16)
def normalize_name(name: str) -> str:
    """Letters and digits in lower case: spellings with and without hyphens and spaces are one.

    >>> normalize_name("IL-2 R/alpha")
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

    def __init__(self, hashes: NDArray[np.uint32], lists: NDArray[np.uint8]) -> None:
        self.hashes, self.lists = hashes, lists
        self._list_by_hash = dict(zip(hashes.tolist(), lists.tolist()))

    @staticmethod
    def tables(names: Mapping[str, Iterable[str]]) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        """The sorted hashes of the usable names in each list, and the numbers of their lists.

        A name in several lists is ambiguous if one of them is of genes, else it counts for the first.
        """
        list_by_hash: dict[int, int] = {}
        for number, name in enumerate(LISTS):
            keys = {normalize_name(item) for item in names.get(name, ())}
            for key in {_hash(key) for key in keys if is_usable_key(key)}:
                is_gene = list_by_hash.get(key) == LISTS.index("gene")
                list_by_hash[key] = LISTS.index("ambiguous") if is_gene else list_by_hash.get(key, number)
        hashes = sorted(list_by_hash)
        return np.array(hashes, dtype=np.uint32), np.array([list_by_hash[key] for key in hashes], dtype=np.uint8)

    def find_matches(self, words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Start and end in tokens, and number of the list, of the longest known names; O(tokens * 8)."""
        keys = [normalize_name(word).encode() for word in words]
        start = 0
        while start < len(words):
            length, name = find_longest_name(keys, start, self._list_by_hash)
            if length:
                yield start, start + length, self._list_by_hash[name]
            start += max(length, 1)

    def find_places(self, words: Sequence[str]) -> list[int]:
        """For each token OUTSIDE, or its place in a known name plus four times the number of that name's list."""
        places = [OUTSIDE] * len(words)
        for start, end, number in self.find_matches(words):
            inside = [WHOLE] if end - start == 1 else [BEGIN, *[INSIDE] * (end - start - 2), LAST]
            places[start:end] = [place + WHOLE * number for place in inside]
        return places
