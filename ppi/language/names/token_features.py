"""What the encoder of the name finder reads of a token: its word, shape and characters, and its place in a known name.

Known names of genes, families, chemicals, cells and organisms are kept as hashes.  The names themselves are not needed
to recognize them: 32 bits for each and 8 for its list keep 300,000 names in 1.5 MB, and a wrong match, with probability
7e-5 a lookup, is one more noisy hint to the network.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

#: Row 0 of each table is padding, row 1 stands for everything unknown.
PADDING, UNKNOWN = 0, 1

#: Characters of a token beyond these are not looked at.
MAX_WORD_CHARACTERS = 20

#: A token's place in a known name.
OUTSIDE, BEGIN, INSIDE, LAST, WHOLE = range(5)

#: The lists of names; the last stands for names of genes that are in another list too.
LISTS = ("gene", "family", "chemical", "cell", "organism", "ambiguous")

#: Names of more tokens are not looked for.
MAX_NAME_TOKENS = 8
#: No name begins with one of these words; "in a" is INA, "and 3" a cell line.
_FUNCTION_WORDS = frozenset(
    b"a an and are as at be but by for from if in is it its no not of on or so than that the to with".split()
)
_RUNS = re.compile(r"(.)\1{3,}")
_IGNORED = re.compile(r"[\W_]+")


def word_shape(word: str) -> str:
    """Upper case, lower case and digits as A, a, 0, runs cut to three.

    >>> word_shape("p53"), word_shape("Interleukin"), word_shape("NF"), word_shape("β1")
    ('a00', 'Aaaa', 'AA', 'a0')
    """
    kinds = ""
    for character in word:
        kinds += (
            "A" if character.isupper() else "a" if character.islower() else "0" if character.isdigit() else character
        )
    return _RUNS.sub(r"\1\1\1", kinds)


class Vocabulary:
    """Numbers of words (lower case), shapes and characters: the known ones in the order of their numbers, from 2 on."""

    def __init__(self, words: Sequence[str], shapes: Sequence[str], characters: Sequence[str]) -> None:
        self.words, self.shapes, self.characters = tuple(words), tuple(shapes), tuple(characters)
        self._words, self._shapes, self._characters = (
            {item: number for number, item in enumerate(items, start=UNKNOWN + 1)}
            for items in (self.words, self.shapes, self.characters)
        )

    @classmethod
    def from_texts(
        cls, texts: Iterable[Sequence[str]], *, extra_words: Iterable[str] = (), max_words: int = 0
    ) -> Vocabulary:
        """What occurs at least twice (characters three times) in tokenized texts.

        ``extra_words`` are taken in their order until there are ``max_words`` words.
        """
        words: Counter[str] = Counter()
        shapes: Counter[str] = Counter()
        characters: Counter[str] = Counter()
        for text in texts:
            words.update(word.lower() for word in text)
            shapes.update(word_shape(word[:MAX_WORD_CHARACTERS]) for word in text)
            characters.update(character for word in text for character in word)
        vocabulary_words = dict.fromkeys(_frequent(words, 2))
        for word in extra_words:
            if len(vocabulary_words) >= max_words:
                break
            vocabulary_words.setdefault(word)
        return cls(list(vocabulary_words), _frequent(shapes, 2), _frequent(characters, 3))

    def word_ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The number of each word."""
        return np.array([self._words.get(word.lower(), UNKNOWN) for word in words], dtype=np.int32)

    def shape_ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The number of each word's shape."""
        ids = np.empty(len(words), dtype=np.int32)
        for index, word in enumerate(words):
            ids[index] = self._shapes.get(word_shape(word[:MAX_WORD_CHARACTERS]), UNKNOWN)
        return ids

    def character_ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The numbers of each word's first characters, shape (words, MAX_WORD_CHARACTERS)."""
        ids = np.full((len(words), MAX_WORD_CHARACTERS), PADDING, dtype=np.int32)
        for row, word in zip(ids, words):
            start = [self._characters.get(character, UNKNOWN) for character in word[:MAX_WORD_CHARACTERS]]
            row[: len(start)] = start
        return ids


def _frequent(counts: Counter[str], min_count: int) -> list[str]:
    return sorted(item for item, count in counts.items() if count >= min_count)


def is_usable_key(key: str) -> bool:
    """Single characters, and pairs of letters such as "is" and "of", match everywhere."""
    return len(key) > 2 or (len(key) == 2 and not key.isalpha())


def find_longest_name(keys: Sequence[bytes], start: int, hashes: Container[int]) -> tuple[int, int]:
    """How many tokens the longest known name at ``start`` has, 0 if there is none, and its hash.

    ``keys`` are the normalized tokens; punctuation is empty, and no name begins or ends with it.  In the hash of a name
    each token is hashed on from the hash of those before it.
    """
    length = number = running_hash = 0
    if not keys[start] or keys[start] in _FUNCTION_WORDS:
        return 0, 0
    for index in range(start, min(len(keys), start + MAX_NAME_TOKENS)):
        if key := keys[index]:
            running_hash = crc32(key, running_hash)  # that of all tokens so far, joined
            if running_hash in hashes and is_usable_key(b"".join(keys[start : index + 1]).decode()):
                length, number = index - start + 1, running_hash
    return length, number


@lru_cache(maxsize=1 << 16)
def normalize_name(name: str) -> str:
    """Letters and digits in lower case: spellings with and without hyphens and spaces are one.

    >>> normalize_name("IL-2 R/alpha")
    'il2ralpha'
    """
    return _IGNORED.sub("", name.lower())


class Gazetteer:
    """Longest matches of known names, from the left.

    It is made from what :meth:`tables` returned: hashes of names, and the number of each one's list in :data:`LISTS`.
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
            for key in {crc32(key.encode()) for key in keys if is_usable_key(key)}:
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
